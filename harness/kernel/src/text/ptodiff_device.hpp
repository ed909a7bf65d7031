// Written by ptodiff cpp --harness.
// All that depends on where the library runs: how tiles get and give their
// contents, how GM is reached, how a kernel is started. The README beside
// this file says what to adapt. Include the library before it.
//
//   PTODIFF_TILE_GUARD  bytes of guard zone kept on either side of a tile in
//                       its memory, a multiple of 32; 0 for none
//   PTODIFF_BOARD       0  GM is the memory of this process, and the program copies to
//                          and from `tile.data()`
//                       1  GM is behind `ptodiff_board.hpp`, which you write, and tiles
//                          are filled by TLOAD and read by TSTORE
#ifndef PTODIFF_DEVICE_HPP
#define PTODIFF_DEVICE_HPP

#include <cstdint>
#include <cstring>

#include <unistd.h>

#ifndef PTODIFF_BOARD
#define PTODIFF_BOARD 0
#endif
#ifndef PTODIFF_TILE_GUARD
#define PTODIFF_TILE_GUARD 0
#endif

// A library without address spaces and function qualifiers has no need of these.
#ifndef __gm__
#define __gm__
#endif
#ifndef AICORE
#define AICORE
#endif

namespace ptodiff {

// One operand in GM: guard zone, body, guard zone.
struct Region {
    __gm__ std::uint8_t* bytes;
    std::uint64_t size; // of all of it
    std::uint64_t body; // where the operand begins
    std::uint64_t length;
};

// What a kernel gets. Roles that a call does not have are empty.
struct Operands {
    Region table;
    Region source;
    Region destination;
    Region index;
    Region scratch;
    std::int64_t at[32]; // extents and strides known at run time only
    std::int32_t flush;  // whether a scatter's kernel ends with a flush
};

// How a kernel is to be started.
struct Launch {
    __gm__ Operands* operands;
    std::uint64_t dyn_ub_bytes;
    bool has_dyn_ub_bytes;
};

using Kernel = void (*)(const Launch&);

// One call. Where the library does not compile it `run` is null, `kind` says what it is
// answered with (`rejected`, `unsupported`), and `why` is what the compiler said.
struct Entry {
    const char* key;
    Kernel run;
    const char* kind;
    const char* why;
};

} // namespace ptodiff

#if PTODIFF_BOARD

// It gives, in namespace ptodiff::board:
//   void* allocate(std::uint64_t bytes);   void release(void* gm);
//   void upload(void* gm, const void* host, std::uint64_t bytes);
//   void download(void* host, const void* gm, std::uint64_t bytes);
//   void* stream();                        void finish();  // waits for the kernel
//   template <class Tile> void load_l1(Tile&, std::uint64_t address, __gm__ uint8_t* gm, std::uint64_t bytes);
//   template <class Tile> void store_l1(Tile&, std::uint64_t address, __gm__ uint8_t* gm, std::uint64_t bytes);
// and may define PTODIFF_START where kernels are started in another way.
#include "ptodiff_board.hpp"

#ifndef PTODIFF_START
#define PTODIFF_START(kernel, launch)                                                              \
    do {                                                                                           \
        if ((launch).has_dyn_ub_bytes) {                                                           \
            kernel<<<1, (launch).dyn_ub_bytes, ptodiff::board::stream()>>>((launch).operands);     \
        } else {                                                                                   \
            kernel<<<1, nullptr, ptodiff::board::stream()>>>((launch).operands);                   \
        }                                                                                          \
    } while (false)
#endif

#ifndef PTODIFF_FLUSH
#define PTODIFF_FLUSH()                                                                            \
    do {                                                                                           \
        dcci(static_cast<__gm__ void*>(0), ENTIRE_DATA_CACHE);                                     \
        dsb(DSB_DDR);                                                                              \
    } while (false)
#endif

#define PTODIFF_KERNEL(name)                                                                       \
    __global__ AICORE void name##_kernel(__gm__ ptodiff::Operands* call)                           \
    {                                                                                              \
        name##_body(call);                                                                         \
        if (call->flush) {                                                                         \
            PTODIFF_FLUSH();                                                                       \
        }                                                                                          \
    }                                                                                              \
    static void name(const ptodiff::Launch& launch) { PTODIFF_START(name##_kernel, launch); }

#else

#define PTODIFF_KERNEL(name)                                                                       \
    static void name(const ptodiff::Launch& launch) { name##_body(launch.operands); }

#endif

namespace ptodiff {
namespace device {

// The elements of a tensor.
template <class Element>
AICORE inline __gm__ Element* elements(__gm__ const Region& region)
{
    return reinterpret_cast<__gm__ Element*>(region.bytes + region.body);
}

// Where the tile stands that would be the call's `nth` at `packed`, were there
// no guard zones.
AICORE constexpr std::uint64_t address(std::uint64_t packed, std::uint64_t nth)
{
    return packed + (2 * nth + 1) * PTODIFF_TILE_GUARD;
}

// What of a region is copied with a tile: its body, and of the guard zones as
// much as is kept around tiles.
struct Extent {
    std::uint64_t before;
    std::uint64_t bytes;
};

AICORE inline Extent copied(__gm__ const Region& region)
{
    constexpr std::uint64_t most = PTODIFF_TILE_GUARD;
    const std::uint64_t before = region.body < most ? region.body : most;
    const std::uint64_t rest = region.size - region.body - region.length;
    const std::uint64_t after = rest < most ? rest : most;
    return Extent{before, before + region.length + after};
}

#if PTODIFF_BOARD

// The bytes of a tile, whatever its layout, as one row of a tile of bytes.
template <bool Load>
AICORE inline void move(std::uint64_t address, __gm__ std::uint8_t* gm, std::uint64_t bytes)
{
    constexpr int widest = 16384;
    using Row = pto::Tile<pto::TileType::Vec, std::uint8_t, 1, widest, pto::BLayout::RowMajor, 1, -1>;
    using Line = pto::Shape<1, 1, 1, 1, -1>;
    using Step = pto::Stride<1, 1, 1, -1, 1>;
    for (std::uint64_t done = 0; done < bytes; done += widest) {
        const std::int64_t now = static_cast<std::int64_t>(bytes - done < widest ? bytes - done : widest);
        Line line(now);
        Step step(now);
        pto::GlobalTensor<std::uint8_t, Line, Step> image(gm + done, line, step);
        Row row(now);
        TASSIGN(row, address + done);
        if constexpr (Load) {
            TLOAD(row, image);
        } else {
            TSTORE(image, row);
        }
    }
}

template <class Tile>
AICORE inline void fill(Tile& tile, std::uint64_t address, __gm__ const Region& region)
{
    const Extent part = copied(region);
    __gm__ std::uint8_t* from = region.bytes + region.body - part.before;
    if constexpr (Tile::Loc == pto::TileType::Vec) {
        (void)tile;
        move<true>(address - part.before, from, part.bytes);
    } else {
        board::load_l1(tile, address - part.before, from, part.bytes);
    }
}

template <class Tile>
AICORE inline void give_back(Tile& tile, std::uint64_t address, __gm__ const Region& region)
{
    const Extent part = copied(region);
    __gm__ std::uint8_t* to = region.bytes + region.body - part.before;
    if constexpr (Tile::Loc == pto::TileType::Vec) {
        (void)tile;
        move<false>(address - part.before, to, part.bytes);
    } else {
        board::store_l1(tile, address - part.before, to, part.bytes);
    }
}

// Between the copies and the call: everything before is done. More than the
// handshake that callers owe; what is tested is the call alone.
AICORE inline void settle() { pipe_barrier(PIPE_ALL); }

#else

template <class Tile>
std::uint8_t* storage(Tile& tile)
{
    return reinterpret_cast<std::uint8_t*>(&tile.data()[0]);
}

template <class Tile>
void fill(Tile& tile, std::uint64_t, const Region& region)
{
    const Extent part = copied(region);
    std::memcpy(storage(tile) - part.before, region.bytes + region.body - part.before, part.bytes);
}

template <class Tile>
void give_back(Tile& tile, std::uint64_t, const Region& region)
{
    const Extent part = copied(region);
    std::memcpy(region.bytes + region.body - part.before, storage(tile) - part.before, part.bytes);
}

inline void settle() {}

#endif

// How many processes of this program may run at once: a board is one.
inline long jobs()
{
#if PTODIFF_BOARD
    return 1;
#else
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors;
#endif
}

// Runs a kernel on operands in the memory of this process; changes them.
inline void run(Kernel kernel, Operands& operands, Launch launch)
{
#if PTODIFF_BOARD
    Operands there = operands;
    Region* const regions[] = {&there.table, &there.source, &there.destination, &there.index, &there.scratch};
    const Region host[] = {operands.table, operands.source, operands.destination, operands.index, operands.scratch};
    for (int i = 0; i < 5; i++) {
        if (host[i].size != 0) {
            regions[i]->bytes = static_cast<__gm__ std::uint8_t*>(board::allocate(host[i].size));
            board::upload(regions[i]->bytes, host[i].bytes, host[i].size);
        }
    }
    void* const block = board::allocate(sizeof(Operands));
    board::upload(block, &there, sizeof(Operands));
    launch.operands = static_cast<__gm__ Operands*>(block);
    kernel(launch);
    board::finish();
    for (int i = 0; i < 5; i++) {
        if (host[i].size != 0) {
            board::download(host[i].bytes, regions[i]->bytes, host[i].size);
            board::release(regions[i]->bytes);
        }
    }
    board::release(block);
#else
    launch.operands = &operands;
    kernel(launch);
#endif
}

} // namespace device
} // namespace ptodiff

#endif
