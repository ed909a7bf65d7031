#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void mscatter_call(__gm__ half* tablePtr, __gm__ half* srcPtr, __gm__ int32_t* idxPtr)
{
    using TableShape = Shape<1, 1, 1, 65536, 64>;
    using TableStride = Stride<1, 1, 1, 64, 1>;
    using TableTensor = GlobalTensor<half, TableShape, TableStride, Layout::ND>;
    TableTensor tableGM(tablePtr);
    using SrcShape = Shape<1, 1, 1, 8, 64>;
    using SrcStride = Stride<1, 1, 1, 64, 1>;
    using SrcTensor = GlobalTensor<half, SrcShape, SrcStride, Layout::ND>;
    SrcTensor srcGM(srcPtr);
    using SrcTile = Tile<TileType::Vec, half, 8, 64, BLayout::RowMajor, 8, 64>;
    SrcTile src;
    using IdxShape = Shape<1, 1, 1, 8, 1>;
    using IdxStride = Stride<1, 1, 1, 1, 1>;
    using IdxTensor = GlobalTensor<int32_t, IdxShape, IdxStride, Layout::DN>;
    IdxTensor idxGM(idxPtr);
    using IdxTile = Tile<TileType::Vec, int32_t, 8, 1, BLayout::ColMajor, 8, 1>;
    IdxTile idx;
    TASSIGN(src, 0x0);
    TASSIGN(idx, 0x400);
    TLOAD(src, srcGM);
    TLOAD(idx, idxGM);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    MSCATTER<Coalesce::Row, ScatterAtomicOp::None, ScatterOOB::Clamp, ScatterConflict::Last>(tableGM, src, idx);
}

__global__ AICORE void mscatter_kernel(__gm__ half* tablePtr, __gm__ half* srcPtr, __gm__ int32_t* idxPtr)
{
    mscatter_call(tablePtr, srcPtr, idxPtr);
    dcci(static_cast<__gm__ void*>(0), ENTIRE_DATA_CACHE);
    dsb(DSB_DDR);
}

void mscatter_launch(uint32_t numBlocks, void* stream, half* tablePtr, half* srcPtr, int32_t* idxPtr)
{
    mscatter_kernel<<<numBlocks, nullptr, stream>>>(tablePtr, srcPtr, idxPtr);
}
