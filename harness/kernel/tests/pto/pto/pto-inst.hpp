// Stand-ins for a PTO library: the types and signatures that documents 000 to
// 004 give, and no instruction behind them. What an intrinsic got (types,
// extents, policies, every byte of its operands) goes into one number, which
// is written over the first bytes of the output; a byte in front of the output
// is changed as well, as a stray write would.
//
// A program has a thousand calls and a compiler takes its time for each function
// of a template: what is done stands in classes and functions that are none.
#ifndef PTO_STAND_IN_HPP
#define PTO_STAND_IN_HPP

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <type_traits>

#define AICORE
#define __gm__
#define __global__
#define PTO_INST inline
// Whether tiles have rows of whole 32 bytes, MSCATTER one policy at a time, and TSCATTER no mask.
#ifndef PTO_STRICT
#define PTO_STRICT 0
#endif
// Whether there are pipes to wait for: the simulator has none.
#ifndef PTO_PIPES
#define PTO_PIPES 0
#endif

struct half { std::uint16_t bits; };
struct bfloat16_t { std::uint16_t bits; };
struct hifloat8_t { std::uint8_t bits; };
struct float8_e4m3_t { std::uint8_t bits; };
struct float8_e5m2_t { std::uint8_t bits; };

struct Misuse : std::exception {
    explicit Misuse(const char* what) : why(what) {}
    const char* what() const noexcept override { return why; }
    const char* why;
};

// Whether something was loaded, or computed, that nobody has waited for.
inline bool unsettled = false;
inline void settled()
{
    if (unsettled) {
        throw Misuse("a barrier is missing");
    }
}
enum Pipe { PIPE_ALL };
inline void pipe_barrier(Pipe) { unsettled = false; }

namespace pto {

enum class TileType { Vec, Mat };
enum class BLayout { RowMajor, ColMajor };
enum class SLayout { NoneBox, RowMajor, ColMajor };
enum class Layout { ND, DN, NZ };
enum class Coalesce : std::uint8_t { Row, Elem };
enum class ScatterAtomicOp : std::uint8_t { None, Add, Max, Min };
enum class ScatterOOB : std::uint8_t { Undefined, Skip, Clamp, Wrap };
#ifdef PTO_OLDER
enum class GatherOOB : std::uint8_t { Undefined, Clamp, Wrap };
#else
enum class GatherOOB : std::uint8_t { Undefined, Clamp, Wrap, Zero };
#endif
enum class ScatterConflict : std::uint8_t { Last, Default };
enum class GatherExec : std::uint8_t { Scalar, Simt };
enum class MaskPattern { P0101, P1010, P0001, P0010, P0100, P1000, P1111 };
enum class ScatterAxis : std::uint8_t { SCATTER_ROW, SCATTER_COL };

struct RecordEvent {};

// UB and L1, each with room in front of its first tile.
constexpr std::uint64_t kRoom = 256;
constexpr std::uint64_t kMemory = std::uint64_t{1} << 20;
inline std::uint8_t memories[2][kRoom + kMemory];

template <class T> constexpr std::uint64_t code()
{
    return std::is_same_v<T, half> ? 20 : std::is_same_v<T, bfloat16_t> ? 21
         : std::is_same_v<T, hifloat8_t> ? 22 : std::is_same_v<T, float8_e4m3_t> ? 23
         : std::is_same_v<T, float8_e5m2_t> ? 24
         : sizeof(T) + (std::is_floating_point_v<T> ? 30 : std::is_signed_v<T> ? 10 : 0);
}

struct AnyTile {
    TileType location;
    std::uint64_t element;
    std::int64_t rows, cols;
    BLayout blayout;
    SLayout slayout;
    int fractal;
    std::uint64_t bytes;
    std::int64_t row, col;
    std::uint8_t* at = nullptr;

    std::uint8_t* place() const
    {
        if (at == nullptr) {
            throw Misuse("a tile has no place");
        }
        return at;
    }
    std::int64_t GetValidRow() const { return row; }
    std::int64_t GetValidCol() const { return col; }
};
template <class Element> struct Elements : AnyTile {
    Element* data() { return reinterpret_cast<Element*>(place()); }
};

template <TileType Location, class Element, std::int64_t R, std::int64_t C, BLayout B = BLayout::RowMajor,
          std::int64_t ValidR = R, std::int64_t ValidC = C, SLayout S = SLayout::NoneBox, int Fractal = 512>
struct Tile : Elements<Element> {
    // Longer than any line.
    static_assert(!PTO_STRICT || sizeof(Element) * C % 32 == 0,
                  "a tile of this layout has rows of whole 32 bytes, whatever its valid columns are: the vector unit "
                  "moves blocks of 32 bytes between \"UB\" and its registers, and a row that begins within a block "
                  "would share it with the row before. Gr\u00f6\u00dfe: pad the columns until a row has a multiple of "
                  "32 bytes, and give the valid columns as the extent of the tile; this is the end of the message");
    using DType = Element;
    static constexpr TileType Loc = Location;
    static constexpr std::int64_t Rows = R, Cols = C, ValidRow = ValidR, ValidCol = ValidC;
    static constexpr BLayout BFractal = B;
    static constexpr SLayout SFractal = S;
    static constexpr int SFractalSize = Fractal;

    Tile() : Tile(ValidR, ValidC, 0) { static_assert(ValidR >= 0 && ValidC >= 0, "extents of run time are arguments"); }
    explicit Tile(std::int64_t one) : Tile(ValidR < 0 ? one : ValidR, ValidR < 0 ? ValidC : one, 0)
    {
        static_assert((ValidR < 0) != (ValidC < 0), "one extent is known at run time");
    }
    Tile(std::int64_t r, std::int64_t c) : Tile(r, c, 0)
    {
        static_assert(ValidR < 0 && ValidC < 0, "both extents are known at run time");
    }

private:
    Tile(std::int64_t r, std::int64_t c, int)
        : Elements<Element>{{Location, code<Element>(), R, C, B, S, Fractal, sizeof(Element) * R * C, r, c}}
    {
    }
};

inline void TASSIGN(AnyTile& tile, std::uint64_t address)
{
    if (address % 32 != 0 || address > kMemory || (tile.rows > 1 && tile.bytes > kMemory - address)) {
        throw Misuse("a tile leaves its memory");
    }
    tile.at = memories[tile.location == TileType::Mat] + kRoom + address;
}

// Five extents or strides; -1 for those that come with the constructor.
struct AnyFive {
    AnyFive(const std::int64_t (&known)[5], const std::int64_t* late)
    {
        for (int i = 0; i < 5; i++) {
            value[i] = known[i] < 0 ? *late++ : known[i];
        }
    }
    std::int64_t value[5];
};
template <std::int64_t... Known>
struct Five : AnyFive {
    static_assert(sizeof...(Known) == 5, "five of them");
    static constexpr std::int64_t known[5] = {Known...};
    static constexpr std::size_t late = ((Known < 0) + ...);

    template <class... Given>
    explicit Five(Given... given) : Five(0, {given...})
    {
        static_assert(sizeof...(Given) == late, "as many as are known at run time");
    }

private:
    Five(int, std::initializer_list<std::int64_t> given) : AnyFive(known, given.begin()) {}
};
template <std::int64_t... S> struct Shape : Five<S...> { using Five<S...>::Five; };
template <std::int64_t... S> struct Stride : Five<S...> { using Five<S...>::Five; };

struct AnyTensor {
    std::uint64_t element, size; // a number for the type, and bytes of one
    Layout is;
    void* pointer;
    AnyFive shape, stride;
};
template <class Element, class ShapeType, class StrideType, Layout L = Layout::ND>
struct GlobalTensor : AnyTensor {
    using DType = Element;
    static constexpr Layout layout = L;

    explicit GlobalTensor(DType* at)
        : AnyTensor{code<Element>(), sizeof(Element), L, at, {ShapeType::known, nullptr}, {StrideType::known, nullptr}}
    {
        static_assert(ShapeType::late == 0 && StrideType::late == 0, "as many as are known at run time");
    }
    GlobalTensor(DType* at, ShapeType s, StrideType t) : AnyTensor{code<Element>(), sizeof(Element), L, at, s, t} {}
    DType* data() { return static_cast<DType*>(pointer); }
};

// Only what is needed to copy rows of bytes.
template <class AnyTile, class Global>
void TLOAD(AnyTile& tile, Global& global)
{
    static_assert(AnyTile::Rows == 1 && global.layout == Layout::ND, "a row");
    std::memcpy(tile.data(), global.data(), static_cast<std::size_t>(tile.GetValidCol()));
    unsettled = true;
}
template <class Global, class AnyTile>
void TSTORE(Global& global, AnyTile& tile)
{
    settled();
    std::memcpy(global.data(), tile.data(), static_cast<std::size_t>(tile.GetValidCol()));
}

// A number (FNV-1a over 64-bit words and bytes) that tells what it was fed.
struct Print {
    std::uint64_t value = 0xcbf29ce484222325u;

    void number(std::uint64_t n) { value = (value ^ n) * 0x100000001b3u; }
    void bytes(const void* from, std::uint64_t count)
    {
        for (std::uint64_t i = 0; i < count; i++) {
            number(static_cast<const std::uint8_t*>(from)[i]);
        }
    }
    void feed(const AnyTile& tile)
    {
        number(static_cast<std::uint64_t>(tile.location));
        number(tile.element);
        number(static_cast<std::uint64_t>(tile.rows));
        number(static_cast<std::uint64_t>(tile.cols));
        number(static_cast<std::uint64_t>(tile.blayout));
        number(static_cast<std::uint64_t>(tile.slayout));
        number(static_cast<std::uint64_t>(tile.fractal));
        number(static_cast<std::uint64_t>(tile.row));
        number(static_cast<std::uint64_t>(tile.col));
        bytes(tile.place(), tile.bytes);
    }
    void feed(const AnyTensor& tensor)
    {
        number(tensor.element);
        number(static_cast<std::uint64_t>(tensor.is));
        std::uint64_t reach = 1;
        bool empty = false;
        for (int i = 0; i < 5; i++) {
            number(static_cast<std::uint64_t>(tensor.shape.value[i]));
            number(static_cast<std::uint64_t>(tensor.stride.value[i]));
            reach += static_cast<std::uint64_t>((tensor.shape.value[i] - 1) * tensor.stride.value[i]);
            empty = empty || tensor.shape.value[i] == 0;
        }
        bytes(tensor.pointer, empty ? 0 : tensor.size * reach);
    }
};

// An argument of an intrinsic: a policy or an operand.
struct Given {
    template <class T, class = std::enable_if_t<std::is_enum_v<T>>>
    Given(T one) : policy(static_cast<std::uint64_t>(one))
    {
    }
    Given(const AnyTile& one) : tile(&one) {}
    Given(const AnyTensor& one) : tensor(&one) {}

    std::uint64_t policy = 0;
    const AnyTile* tile = nullptr;
    const AnyTensor* tensor = nullptr;
};

// The stand-in for every instruction: what it was given leaves its mark.
inline RecordEvent act(const Given& output, std::initializer_list<Given> all)
{
    std::puts("a library may print");
    settled();
    Print print;
    for (const Given& one : all) {
        if (one.tile != nullptr) {
            print.feed(*one.tile);
        } else if (one.tensor != nullptr) {
            print.feed(*one.tensor);
        } else {
            print.number(one.policy);
        }
    }
    std::uint8_t* at = output.tile != nullptr ? output.tile->place() : static_cast<std::uint8_t*>(output.tensor->pointer);
    std::memcpy(at, &print.value, 8);
    at[-1] = 0xA5;
    unsettled = PTO_PIPES;
    return {};
}

template <class Tile> constexpr void check_index()
{
    static_assert(std::is_integral_v<typename Tile::DType>, "an index is an \"integer\" \\ no other");
}

#ifdef PTO_OLDER
template <class G, class S, class I> PTO_INST RecordEvent MSCATTER(G& table, S& src, I& idx)
{
    return act(table, {table, src, idx});
}
#elif !defined(PTO_FIRST_REVISION)
// A5's form; its leading parameters are those of A2/A3, and without any it is the CPU's.
template <Coalesce M = Coalesce::Row, ScatterAtomicOp A = ScatterAtomicOp::None,
          ScatterOOB O = ScatterOOB::Undefined, ScatterConflict K = ScatterConflict::Last, class G, class S, class I>
PTO_INST RecordEvent MSCATTER(G& table, S& src, I& idx)
{
    check_index<I>();
    static_assert(!PTO_STRICT || A == ScatterAtomicOp::None || K != ScatterConflict::Last, "one policy at a time");
    return act(table, {M, A, O, K, table, src, idx});
}
#endif

#ifndef PTO_FIRST_REVISION
#ifdef PTO_OLDER
// Without a gather to L1: an index is a tile, and what follows are events.
template <Coalesce M = Coalesce::Row, GatherOOB O = GatherOOB::Undefined, class D, class G, class I, class... E>
PTO_INST RecordEvent MGATHER(D& dst, G& table, I& idx, E&... events)
{
    static_assert(I::Rows > 0);
    (events.Wait(), ...);
    return act(dst, {M, O, dst, table, idx});
}
#else
template <Coalesce M = Coalesce::Row, GatherOOB O = GatherOOB::Undefined, class D, class G, class I>
PTO_INST RecordEvent MGATHER(D& dst, G& table, I& idx)
{
    check_index<I>();
    return act(dst, {M, O, dst, table, idx});
}
template <Coalesce M = Coalesce::Elem, GatherOOB O = GatherOOB::Undefined, class D, class G, class I, class S>
PTO_INST RecordEvent MGATHER(D& dst, G& table, I& idx, S& scratch)
{
    return act(dst, {M, O, GatherExec::Scalar, dst, table, idx, scratch});
}
template <Coalesce M, GatherOOB O, GatherExec X, class D, class G, class I, class S>
PTO_INST RecordEvent MGATHER(D& dst, G& table, I& idx, S& scratch)
{
    return act(dst, {M, O, X, dst, table, idx, scratch});
}
#endif

template <class D, class S, class I, class = std::enable_if_t<std::is_integral_v<typename I::DType>>>
PTO_INST RecordEvent TSCATTER(D& dst, S& src, I& indexes)
{
    return act(dst, {dst, src, indexes});
}
#ifndef PTO_OLDER
template <MaskPattern P = MaskPattern::P1111, ScatterAxis X = ScatterAxis::SCATTER_ROW, class D, class S>
PTO_INST RecordEvent TSCATTER(D& dst, S& src)
{
    if (PTO_STRICT) {
        throw P;
    }
    return act(dst, {P, X, dst, src});
}
template <class D, class S, class O>
PTO_INST RecordEvent TGATHERB(D& dst, S& src, O& offset)
{
    return act(dst, {dst, src, offset});
}
#endif
#endif

} // namespace pto

#endif
