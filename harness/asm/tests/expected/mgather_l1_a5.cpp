#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void mgather_call(__gm__ half* tablePtr, __gm__ int32_t* idxPtr, __gm__ half* scratchPtr)
{
    using DstTile = Tile<TileType::Mat, half, 16, 32, BLayout::ColMajor, 16, 32, SLayout::RowMajor, 512>;
    DstTile dst;
    using TableShape = Shape<1, 1, 1, 1, 256>;
    using TableStride = Stride<1, 1, 1, 256, 1>;
    using TableTensor = GlobalTensor<half, TableShape, TableStride, Layout::ND>;
    TableTensor tableGM(tablePtr);
    using IdxShape = Shape<1, 1, 1, 16, 32>;
    using IdxStride = Stride<1, 1, 1, 32, 1>;
    using IdxTensor = GlobalTensor<int32_t, IdxShape, IdxStride, Layout::ND>;
    IdxTensor idxGM(idxPtr);
    using ScratchShape = Shape<1, 1, 1, 1, 512>;
    using ScratchStride = Stride<1, 1, 1, 512, 1>;
    using ScratchTensor = GlobalTensor<half, ScratchShape, ScratchStride, Layout::ND>;
    ScratchTensor scratchGM(scratchPtr);
    TASSIGN(dst, 0x0);
    MGATHER<Coalesce::Elem, GatherOOB::Zero, GatherExec::Simt>(dst, tableGM, idxGM, scratchGM);
}

__global__ AICORE void mgather_kernel(__gm__ half* tablePtr, __gm__ int32_t* idxPtr, __gm__ half* scratchPtr)
{
    mgather_call(tablePtr, idxPtr, scratchPtr);
}

void mgather_launch(uint32_t numBlocks, void* stream, half* tablePtr, int32_t* idxPtr, half* scratchPtr)
{
    mgather_kernel<<<numBlocks, 4096, stream>>>(tablePtr, idxPtr, scratchPtr);
}
