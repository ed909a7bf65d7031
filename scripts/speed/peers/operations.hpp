// The operations as one would write them for their own sake: plain loops over
// typed arrays, with what does not change from element to element as template
// arguments. Bounds, order and atomics are those of the documents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace peer {

// What becomes of an index at or above the capacity.
enum class Policy { Undefined, Skip, Clamp, Wrap, Zero };

// How a scattered value meets the one that is there.
enum class Atomic { None, Add, Max, Min };

// Memory that begins with a line of the cache, as that of the models.
template <class T>
struct OnLines {
    using value_type = T;
    static constexpr std::align_val_t line{64};

    OnLines() = default;
    template <class U>
    OnLines(const OnLines<U> &) {}

    T *allocate(std::size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), line)); }
    void deallocate(T *at, std::size_t) { ::operator delete(at, line); }
    bool operator==(const OnLines &) const { return true; }
};

template <class T>
using Array = std::vector<T, OnLines<T>>;

// Everything that an operation reads and writes.
template <class T>
struct Operands {
    Array<T> table;
    Array<T> source;
    Array<T> destination;
    Array<T> scratch;
    Array<std::uint32_t> index;
    // The data tile's extents.
    std::size_t rows = 0;
    std::size_t cols = 0;
    // Rows or elements of the table.
    std::uint32_t capacity = 0;
};

// Elements of a block of 32 bytes, and where a tile's element stands in one of
// such blocks, block column after block column.
template <class T>
constexpr std::size_t block = 32 / sizeof(T);

template <class T>
std::size_t in_blocks(std::size_t rows, std::size_t r, std::size_t c) {
    return c / block<T> * (rows * block<T>) + r * block<T> + c % block<T>;
}

// Remaps `index`; whether it leads anywhere.
template <Policy P>
bool leads(std::uint32_t &index, std::uint32_t capacity) {
    if constexpr (P == Policy::Clamp) {
        index = std::min(index, capacity - 1);
    } else if constexpr (P == Policy::Wrap) {
        index %= capacity;
    } else if constexpr (P == Policy::Skip || P == Policy::Zero) {
        return index < capacity;
    }
    return true;
}

template <Atomic A, class T>
T met(T before, T value) {
    if constexpr (A == Atomic::Max) {
        return std::max(before, value);
    } else if constexpr (A == Atomic::Min) {
        return std::min(before, value);
    } else if constexpr (A == Atomic::Add && std::is_integral_v<T>) {
        // Signed overflow wraps.
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(static_cast<U>(before) + static_cast<U>(value)));
    } else if constexpr (A == Atomic::Add) {
        return before + value;
    } else {
        return value;
    }
}

// Elements in order: of two that meet in a slot the later one stays, which is
// what Last asks for and Default allows.
template <class T, Policy P, Atomic A>
struct ScatterElem {
    static void run(Operands<T> &o) {
        const std::size_t count = o.rows * o.cols;
        T *table = o.table.data();
        const T *source = o.source.data();
        const std::uint32_t *index = o.index.data();
        for (std::size_t k = 0; k < count; ++k) {
            std::uint32_t to = index[k];
            if (leads<P>(to, o.capacity)) {
                table[to] = met<A>(table[to], source[k]);
            }
        }
    }
};

template <class T, Policy P, Atomic A>
struct ScatterRow {
    static void run(Operands<T> &o) {
        const std::size_t rows = o.rows, cols = o.cols;
        T *table = o.table.data();
        const T *source = o.source.data();
        for (std::size_t r = 0; r < rows; ++r) {
            std::uint32_t to = o.index[r];
            if (!leads<P>(to, o.capacity)) {
                continue;
            }
            T *__restrict row = table + std::size_t{to} * cols;
            const T *__restrict values = source + r * cols;
            if constexpr (A == Atomic::None) {
                std::copy_n(values, cols, row);
            } else {
                for (std::size_t c = 0; c < cols; ++c) {
                    row[c] = met<A>(row[c], values[c]);
                }
            }
        }
    }
};

template <class T, Policy P, Atomic>
struct GatherElem {
    static void run(Operands<T> &o) {
        const std::size_t count = o.rows * o.cols;
        T *destination = o.destination.data();
        const T *table = o.table.data();
        const std::uint32_t *index = o.index.data();
        for (std::size_t k = 0; k < count; ++k) {
            std::uint32_t from = index[k];
            destination[k] = leads<P>(from, o.capacity) ? table[from] : T{};
        }
    }
};

template <class T, Policy P, Atomic>
struct GatherRow {
    static void run(Operands<T> &o) {
        const std::size_t rows = o.rows, cols = o.cols;
        T *destination = o.destination.data();
        const T *table = o.table.data();
        for (std::size_t r = 0; r < rows; ++r) {
            std::uint32_t from = o.index[r];
            T *row = destination + r * cols;
            if (leads<P>(from, o.capacity)) {
                std::copy_n(table + std::size_t{from} * cols, cols, row);
            } else {
                std::fill_n(row, cols, T{});
            }
        }
    }
};

// Rows into blocks: each block of a row goes below the same block of the row before.
template <class T, Policy P, Atomic>
struct GatherRowToL1 {
    static void run(Operands<T> &o) {
        const std::size_t rows = o.rows, cols = o.cols;
        T *destination = o.destination.data();
        for (std::size_t r = 0; r < rows; ++r) {
            std::uint32_t from = o.index[r];
            const bool there = leads<P>(from, o.capacity);
            const T *row = o.table.data() + std::size_t{from} * cols;
            for (std::size_t c = 0; c < cols; c += block<T>) {
                T *to = destination + in_blocks<T>(rows, r, c);
                if (there) {
                    std::copy_n(row + c, block<T>, to);
                } else {
                    std::fill_n(to, block<T>, T{});
                }
            }
        }
    }
};

// Elements by way of the staging area, which is cleared first.
template <class T, Policy P, Atomic>
struct GatherElemToL1 {
    static void run(Operands<T> &o) {
        const std::size_t rows = o.rows, cols = o.cols;
        T *scratch = o.scratch.data();
        const T *table = o.table.data();
        const std::uint32_t *index = o.index.data();
        std::fill_n(scratch, o.scratch.size(), T{});
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < cols; ++c) {
                std::uint32_t from = index[r * cols + c];
                if (leads<P>(from, o.capacity)) {
                    scratch[in_blocks<T>(rows, r, c)] = table[from];
                }
            }
        }
        std::copy_n(scratch, o.destination.size(), o.destination.data());
    }
};

// Indices are places in the destination's storage; nothing checks them.
template <class T, Policy, Atomic>
struct TileScatter {
    static void run(Operands<T> &o) {
        const std::size_t count = o.rows * o.cols;
        T *destination = o.destination.data();
        const T *source = o.source.data();
        const std::uint32_t *index = o.index.data();
        for (std::size_t k = 0; k < count; ++k) {
            destination[index[k]] = source[k];
        }
    }
};

// Writes lane `Place` of each `Group` of the destination, and zero to the others.
template <class T, std::size_t Group, std::size_t Place>
struct MaskScatter {
    static void run(Operands<T> &o) {
        const std::size_t count = o.rows * o.cols;
        const T *source = o.source.data();
        T *destination = o.destination.data();
        std::fill_n(destination, o.destination.size(), T{});
        for (std::size_t k = 0; k < count; ++k) {
            destination[k * Group + Place] = source[k];
        }
    }
};

// Offsets count bytes of the source's storage. They need not be multiples of
// an element's size.
template <class T, Policy, Atomic>
struct ByteGather {
    static void run(Operands<T> &o) {
        const std::size_t count = o.rows * o.cols;
        const char *source = reinterpret_cast<const char *>(o.source.data());
        T *destination = o.destination.data();
        const std::uint32_t *index = o.index.data();
        for (std::size_t k = 0; k < count; ++k) {
            std::memcpy(destination + k, source + index[k], sizeof(T));
        }
    }
};

// One offset serves 32 bytes.
template <class T, Policy, Atomic>
struct BlockGather {
    static void run(Operands<T> &o) {
        const std::size_t count = o.rows * o.cols / block<T>;
        const char *source = reinterpret_cast<const char *>(o.source.data());
        T *destination = o.destination.data();
        for (std::size_t k = 0; k < count; ++k) {
            std::memcpy(destination + k * block<T>, source + o.index[k], 32);
        }
    }
};

}  // namespace peer
