// A board that is none: its GM is memory of this process, but other memory
// than the request's, and kernels are started by a plain call.
#include <cstdlib>
#include <cstring>

namespace ptodiff {
namespace board {

inline bool finished = true;
inline std::uint64_t launched_with = 0;

inline void* allocate(std::uint64_t bytes) { return std::aligned_alloc(64, (bytes + 63) / 64 * 64); }
inline void release(void* gm) { std::free(gm); }
inline void upload(void* gm, const void* host, std::uint64_t bytes) { std::memcpy(gm, host, bytes); }
inline void download(void* host, const void* gm, std::uint64_t bytes)
{
    if (!finished) {
        std::abort();
    }
    std::memcpy(host, gm, bytes);
}
inline void finish() { finished = true; }

template <class Tile>
void load_l1(Tile& tile, std::uint64_t, const std::uint8_t* gm, std::uint64_t bytes)
{
    std::memcpy(static_cast<void*>(tile.data()), gm, bytes);
}
template <class Tile>
void store_l1(Tile& tile, std::uint64_t, std::uint8_t* gm, std::uint64_t bytes)
{
    std::memcpy(gm, static_cast<const void*>(tile.data()), bytes);
}

} // namespace board
} // namespace ptodiff

#define PTODIFF_START(kernel, launch)                                                              \
    (ptodiff::board::finished = false,                                                             \
     ptodiff::board::launched_with = (launch).has_dyn_ub_bytes ? (launch).dyn_ub_bytes : 0x5A000,  \
     (kernel)((launch).operands))
// The end of a scatter's kernel changes the last byte of the table's guard
// zone to the dynamic UB that it was launched with, in units of 4 KB.
#define PTODIFF_FLUSH()                                                                            \
    (call->table.bytes[call->table.size - 1] =                                                     \
         static_cast<std::uint8_t>(ptodiff::board::launched_with >> 12))
