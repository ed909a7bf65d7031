#include <pto/pto-inst.hpp>

using namespace pto;

AICORE void tscatter_call()
{
    using DstTile = Tile<TileType::Vec, half, 16, 128, BLayout::RowMajor, 16, 128>;
    DstTile dst;
    using SrcTile = Tile<TileType::Vec, half, 16, 64, BLayout::RowMajor, 16, 64>;
    SrcTile src;
    TASSIGN(dst, 0x0);
    TASSIGN(src, 0x1000);
    TSCATTER<MaskPattern::P1010>(dst, src);
}
