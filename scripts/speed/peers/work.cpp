#include "work.hpp"

#include <fstream>
#include <stdexcept>
#include <string_view>

#include "operations.hpp"

namespace peer {
namespace {

template <class T>
Array<T> read(const std::filesystem::path &file) {
    if (!std::filesystem::exists(file)) {
        return {};
    }
    Array<T> values(std::filesystem::file_size(file) / sizeof(T));
    std::ifstream from(file, std::ios::binary);
    const auto bytes = static_cast<std::streamsize>(values.size() * sizeof(T));
    if (!from.read(reinterpret_cast<char *>(values.data()), bytes)) {
        throw std::runtime_error("cannot read " + file.string());
    }
    return values;
}

Words words_of(const std::filesystem::path &file) {
    std::ifstream from(file);
    if (!from) {
        throw std::runtime_error("cannot read " + file.string());
    }
    Words words;
    std::string name, value;
    while (from >> name >> value) {
        words[name] = value;
    }
    return words;
}

// One run. Not inlined, so that no run is merged with the next.
template <class T, class Operation>
[[gnu::noinline]] void once(Operands<T> &operands) {
    Operation::run(operands);
    asm volatile("" : : "r"(&operands) : "memory");
}

template <class T>
using Once = void (*)(Operands<T> &);

// An operation on operands of one type; `output` is what it is for.
template <class T>
class Typed final : public Work {
public:
    Typed(Once<T> once, Operands<T> operands, bool into_table)
        : once_(once), operands_(std::move(operands)), into_table_(into_table) {}

    void run(std::size_t times) override {
        for (std::size_t k = 0; k < times; ++k) {
            once_(operands_);
        }
    }

    void write(const std::filesystem::path &file) const override {
        const Array<T> &output = into_table_ ? operands_.table : operands_.destination;
        std::ofstream to(file, std::ios::binary);
        to.write(reinterpret_cast<const char *>(output.data()),
                 static_cast<std::streamsize>(output.size() * sizeof(T)));
        if (!to.flush()) {
            throw std::runtime_error("cannot write " + file.string());
        }
    }

private:
    Once<T> once_;
    Operands<T> operands_;
    bool into_table_;
};

// The instantiation for the words of a policy and of an atomic; null where
// there is none.
template <class T, template <class, Policy, Atomic> class Operation, Policy P>
Once<T> with(std::string_view atomic) {
    if (atomic == "None") return once<T, Operation<T, P, Atomic::None>>;
    if (atomic == "Add") return once<T, Operation<T, P, Atomic::Add>>;
    if (atomic == "Max") return once<T, Operation<T, P, Atomic::Max>>;
    if (atomic == "Min") return once<T, Operation<T, P, Atomic::Min>>;
    return nullptr;
}

template <class T, template <class, Policy, Atomic> class Operation>
Once<T> scatter(std::string_view policy, std::string_view atomic) {
    if (policy == "Undefined") return with<T, Operation, Policy::Undefined>(atomic);
    if (policy == "Skip") return with<T, Operation, Policy::Skip>(atomic);
    if (policy == "Clamp") return with<T, Operation, Policy::Clamp>(atomic);
    if (policy == "Wrap") return with<T, Operation, Policy::Wrap>(atomic);
    return nullptr;
}

template <class T, template <class, Policy, Atomic> class Operation>
Once<T> gather(std::string_view policy) {
    if (policy == "Undefined") return once<T, Operation<T, Policy::Undefined, Atomic::None>>;
    if (policy == "Clamp") return once<T, Operation<T, Policy::Clamp, Atomic::None>>;
    if (policy == "Wrap") return once<T, Operation<T, Policy::Wrap, Atomic::None>>;
    if (policy == "Zero") return once<T, Operation<T, Policy::Zero, Atomic::None>>;
    return nullptr;
}

template <class T, template <class, Policy, Atomic> class Operation>
constexpr Once<T> plain = once<T, Operation<T, Policy::Undefined, Atomic::None>>;

// The mask by its group's length and the lane of it that is written.
template <class T>
Once<T> mask(const std::string &group, const std::string &place) {
    const std::string lane = place + " of " + group;
    if (lane == "0 of 1") return once<T, MaskScatter<T, 1, 0>>;
    if (lane == "0 of 2") return once<T, MaskScatter<T, 2, 0>>;
    if (lane == "1 of 2") return once<T, MaskScatter<T, 2, 1>>;
    if (lane == "0 of 4") return once<T, MaskScatter<T, 4, 0>>;
    if (lane == "1 of 4") return once<T, MaskScatter<T, 4, 1>>;
    if (lane == "2 of 4") return once<T, MaskScatter<T, 4, 2>>;
    if (lane == "3 of 4") return once<T, MaskScatter<T, 4, 3>>;
    return nullptr;
}

template <class T>
Once<T> chosen(const Words &words) {
    const std::string &name = words.at("operation");
    const std::string &policy = words.at("policy");
    const std::string &atomic = words.at("atomic");
    if (name == "scatter-elem") return scatter<T, ScatterElem>(policy, atomic);
    if (name == "scatter-row") return scatter<T, ScatterRow>(policy, atomic);
    if (name == "gather-elem") return gather<T, GatherElem>(policy);
    if (name == "gather-row") return gather<T, GatherRow>(policy);
    if (name == "gather-l1-elem") return gather<T, GatherElemToL1>(policy);
    if (name == "gather-l1-row") return gather<T, GatherRowToL1>(policy);
    if (name == "tile-scatter") return plain<T, TileScatter>;
    if (name == "mask-scatter") return mask<T>(words.at("group"), words.at("place"));
    if (name == "byte-gather") return plain<T, ByteGather>;
    if (name == "block-gather") return plain<T, BlockGather>;
    return nullptr;
}

template <class T>
std::unique_ptr<Work> open_typed(const std::filesystem::path &folder, const Words &words) {
    const Once<T> once = chosen<T>(words);
    if (!once) {
        return nullptr;
    }
    Operands<T> operands;
    operands.table = read<T>(folder / "table");
    operands.source = read<T>(folder / "source");
    operands.destination = read<T>(folder / "destination");
    operands.scratch = read<T>(folder / "scratch");
    operands.index = read<std::uint32_t>(folder / "index");
    operands.rows = std::stoul(words.at("rows"));
    operands.cols = std::stoul(words.at("cols"));
    operands.capacity = static_cast<std::uint32_t>(std::stoul(words.at("capacity")));
    return std::make_unique<Typed<T>>(once, std::move(operands), words.at("output") == "table");
}

}  // namespace

std::unique_ptr<Work> open(const std::filesystem::path &folder) {
    const Words words = words_of(folder / "operation");
    const std::string &dtype = words.at("dtype");
    if (dtype == "float") {
        return open_typed<float>(folder, words);
    }
    if (dtype == "int32_t") {
        return open_typed<std::int32_t>(folder, words);
    }
    if (dtype == "int8_t") {
        return open_typed<std::int8_t>(folder, words);
    }
#ifdef __FLT16_MANT_DIG__
    if (dtype == "half") {
        return open_typed<_Float16>(folder, words);
    }
#endif
    return nullptr;
}

}  // namespace peer
