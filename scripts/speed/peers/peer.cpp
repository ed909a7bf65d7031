// The operations as one would write them for their own sake: plain loops over
// typed arrays. What it is told stands in the usage below.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

constexpr const char *usage =
    "usage: peer FOLDER RUNS scatter|gather Elem|Row TYPE POLICY ROWS COLS\n"
    "writes cpp.result into FOLDER, where operands are, and prints nanoseconds of the best run\n";

using Index = std::vector<std::uint32_t>;

// Elements in order: of two that meet in a slot the later one stays.
template <class T, bool Clamp>
void scatter_elem(std::vector<T> &table, const std::vector<T> &source, const Index &index) {
    const auto last = static_cast<std::uint32_t>(table.size() - 1);
    const std::size_t count = source.size();
    const std::uint32_t *at = index.data();
    const T *from = source.data();
    T *to = table.data();
    for (std::size_t k = 0; k < count; ++k) {
        to[Clamp ? std::min(at[k], last) : at[k]] = from[k];
    }
}

template <class T>
void gather_elem(std::vector<T> &destination, const std::vector<T> &table, const Index &index) {
    const std::size_t count = destination.size();
    const std::uint32_t *at = index.data();
    const T *from = table.data();
    T *to = destination.data();
    for (std::size_t k = 0; k < count; ++k) {
        to[k] = from[at[k]];
    }
}

template <class T>
std::vector<T> read(const std::filesystem::path &file) {
    std::vector<T> values(std::filesystem::file_size(file) / sizeof(T));
    std::ifstream from(file, std::ios::binary);
    const auto bytes = static_cast<std::streamsize>(values.size() * sizeof(T));
    if (!from.read(reinterpret_cast<char *>(values.data()), bytes)) {
        throw std::runtime_error("cannot read " + file.string());
    }
    return values;
}

template <class T>
long long best(const std::vector<std::string> &words) {
    const std::filesystem::path folder = words[0];
    const std::string what = words[2] + " " + words[3] + " " + words[5];
    const std::size_t rows = std::stoul(words[6]), cols = std::stoul(words[7]);
    const bool scatters = words[2] == "scatter";
    const Index index = read<std::uint32_t>(folder / "index");
    const auto from = read<T>(folder / (scatters ? "source" : "table"));
    auto to = scatters ? read<T>(folder / "table") : std::vector<T>(rows * cols);

    const auto scatter_row = [cols](auto &table, const auto &source, const Index &rows) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            std::copy_n(source.data() + r * cols, cols, table.data() + rows[r] * cols);
        }
    };
    const auto gather_row = [cols](auto &destination, const auto &table, const Index &rows) {
        for (std::size_t r = 0; r < rows.size(); ++r) {
            std::copy_n(table.data() + rows[r] * cols, cols, destination.data() + r * cols);
        }
    };
    // Nanoseconds of the best of all runs.
    const auto timed = [&](auto once) {
        using clock = std::chrono::steady_clock;
        auto least = clock::duration::max();
        for (long run = std::stol(words[1]); run > 0; --run) {
            const auto start = clock::now();
            once(to, from, index);
            asm volatile("" : : "r"(to.data()) : "memory");
            least = std::min(least, clock::now() - start);
        }
        return std::chrono::duration_cast<std::chrono::nanoseconds>(least).count();
    };
    long long took;
    if (what == "scatter Elem Undefined") took = timed(scatter_elem<T, false>);
    else if (what == "scatter Elem Clamp") took = timed(scatter_elem<T, true>);
    else if (what == "scatter Row Undefined") took = timed(scatter_row);
    else if (what == "gather Elem Undefined") took = timed(gather_elem<T>);
    else if (what == "gather Row Undefined") took = timed(gather_row);
    else throw std::runtime_error("no such operation: " + what);

    std::ofstream file(folder / "cpp.result", std::ios::binary);
    const auto bytes = static_cast<std::streamsize>(to.size() * sizeof(T));
    if (!file.write(reinterpret_cast<const char *>(to.data()), bytes).flush()) {
        throw std::runtime_error("cannot write cpp.result");
    }
    return took;
}

int main(int count, char **told) {
    const std::vector<std::string> words(told + 1, told + count);
    try {
        if (words.size() != 8) throw std::runtime_error(usage);
        if (words[4] == "float") std::cout << best<float>(words) << '\n';
        else if (words[4] == "int8_t") std::cout << best<std::int8_t>(words) << '\n';
        else throw std::runtime_error("no such type: " + words[4]);
    } catch (const std::exception &why) {
        std::cerr << "peer: " << why.what() << '\n';
        return 2;
    }
}
