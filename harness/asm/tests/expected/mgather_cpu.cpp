#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void mgather_call(__gm__ float* tablePtr, __gm__ int32_t* idxPtr)
{
    using DstTile = Tile<TileType::Vec, float, 1, 16, BLayout::RowMajor, -1, -1>;
    DstTile dst(int64_t{1}, int64_t{9});
    using TableShape = Shape<1, 1, 1, -1, -1>;
    using TableStride = Stride<1, 1, 1, -1, -1>;
    using TableTensor = GlobalTensor<float, TableShape, TableStride, Layout::ND>;
    TableShape tableShape(int64_t{3}, int64_t{10});
    TableStride tableStride(int64_t{10}, int64_t{1});
    TableTensor tableGM(tablePtr, tableShape, tableStride);
    using IdxShape = Shape<1, 1, 1, 1, -1>;
    using IdxStride = Stride<1, 1, 1, -1, 1>;
    using IdxTensor = GlobalTensor<int32_t, IdxShape, IdxStride, Layout::ND>;
    IdxShape idxShape(int64_t{9});
    IdxStride idxStride(int64_t{9});
    IdxTensor idxGM(idxPtr, idxShape, idxStride);
    using IdxTile = Tile<TileType::Vec, int32_t, 1, 16, BLayout::RowMajor, 1, -1>;
    IdxTile idx(int64_t{9});
    TASSIGN(dst, 0x0);
    TASSIGN(idx, 0x40);
    TLOAD(idx, idxGM);
    MGATHER<Coalesce::Elem, GatherOOB::Undefined>(dst, tableGM, idx);
}
