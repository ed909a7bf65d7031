// An implementation of A5 in C++ that has TSCATTER and only copies: in real memory, without
// any check of an index. A call that writes out of bounds ruins what lies on its heap, and all
// calls after it are wrong, if they end. What is not plain is unsupported. Calls come in batches where the first argument says how many.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

using Text = std::string_view;

// What follows `"key":` in `text`; empty if it is not there.
Text after(Text text, Text key) {
    const std::string mark = "\"" + std::string(key) + "\":";
    const auto at = text.find(mark);
    return at == Text::npos ? Text() : text.substr(at + mark.size());
}

int64_t number(Text text) { return text.empty() ? 0 : std::strtoll(text.data(), nullptr, 10); }

Text word(Text text) {
    return text.empty() || text[0] != '"' ? Text() : text.substr(1, text.find('"', 1) - 1);
}

struct Tile {
    Text dtype;
    int64_t size, rows, cols, valid[2];
    bool plain, by_rows;

    explicit Tile(Text of) {
        of = of.substr(0, of.find('}'));
        dtype = word(after(of, "dtype"));
        const bool one = dtype.find("int8") != Text::npos;
        const bool two = dtype.find("16") != Text::npos || dtype == "half";
        const bool four = dtype.find("int32") != Text::npos || dtype == "float";
        size = one ? 1 : two ? 2 : four ? 4 : 0;
        rows = number(after(of, "rows"));
        cols = number(after(of, "cols"));
        const Text both = after(of, "valid");
        valid[0] = number(both.substr(1));
        valid[1] = number(both.substr(both.find(',') + 1));
        by_rows = word(after(of, "blayout")) == "RowMajor";
        plain = size > 0 && word(after(of, "location")) == "Vec" &&
                word(after(of, "slayout")) == "NoneBox" && valid[0] <= rows && valid[1] <= cols &&
                dtype.find("float8") == Text::npos;
    }

    int64_t place(int64_t r, int64_t c) const { return by_rows ? r * cols + c : c * rows + r; }
};

struct Region {
    char *bytes = nullptr;
    int64_t size = 0, body = 0;
};

void say(const std::string &line) {
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fputc('\n', stdout);
}

// Copies lane by lane, by way of `table`; whether all of it is in bounds.
bool scatter(Text call, const Region &to, const Region &from, const Region &by, const unsigned char *table) {
    const Tile dst(after(call, "dst")), src(after(call, "src"));
    char *out = to.bytes + to.body;
    const char *in = from.bytes + from.body;
    const bool mask = by.bytes == nullptr;
    const Tile idx(after(call, mask ? "src" : "idx"));
    const Text pattern = word(after(call, "pattern"));
    const int64_t factor = !mask || pattern == "P1111"                   ? 1
                           : pattern == "P0101" || pattern == "P1010" ? 2
                                                                         : 4;
    // The lanes of a pattern are written from the highest down.
    const int64_t lane = factor == 1   ? 0
                         : factor == 2 ? pattern == "P1010"
                                       : 4 - int64_t(pattern.find('1'));
    if (mask) {
        std::memset(out, 0, dst.rows * dst.cols * dst.size);
    }
    bool inside = true;
    for (int64_t r = 0; r < src.valid[0]; ++r) {
        for (int64_t c = 0; c < src.valid[1]; ++c) {
            int64_t slot = dst.place(r, c * factor + lane);
            if (!mask) {
                uint32_t index = 0;
                std::memcpy(&index, by.bytes + by.body + idx.place(r, c) * idx.size, idx.size);
                slot = index;
            }
            inside &= slot < dst.rows * dst.cols;
            for (int64_t n = 0; n < src.size; ++n) {
                out[slot * dst.size + n] = char(table[static_cast<unsigned char>(in[src.place(r, c) * src.size + n])]);
            }
        }
    }
    return inside;
}

bool has(Text line) {
    const Text call = after(line, "call");
    const Text form = word(after(call, "form"));
    if ((form != "tscatter-index" && form != "tscatter-mask") || after(line, "readings").substr(0, 2) != "{}" ||
        word(after(call, "axis")) == "Col") {
        return false;
    }
    const Tile dst(after(call, "dst")), src(after(call, "src"));
    if (!dst.plain || !src.plain || dst.dtype != src.dtype) {
        return false;
    }
    if (form == "tscatter-mask") {
        const Text pattern = word(after(call, "pattern"));
        const int64_t factor = pattern == "P1111" ? 1 : pattern == "P0101" || pattern == "P1010" ? 2 : 4;
        return dst.valid[0] == src.valid[0] && dst.valid[1] == src.valid[1] * factor;
    }
    const Tile idx(after(call, "idx"));
    const bool integer = idx.dtype.find("int") != Text::npos;
    return idx.plain && integer && idx.size == (dst.size == 4 ? 4 : 2);
}

} // namespace

int main(int count, char **arguments) {
    std::string line;
    std::size_t room = 1 << 17;
    char *read = static_cast<char *>(std::malloc(room));
    auto *table = static_cast<unsigned char *>(std::malloc(256));
    for (int n = 0; n < 256; ++n) {
        table[n] = static_cast<unsigned char>(n);
    }
    int64_t left = 0;
    while (std::fgets(read, int(room), stdin) != nullptr) {
        const Text header(read, std::strlen(read));
        const Text kind = word(after(header, "kind"));
        if (kind == "hello") {
            const std::string batch = count > 1 ? ",\"batch\":" + std::string(arguments[1]) : "";
            say("{\"kind\":\"hello\",\"protocol\":2,\"name\":\"scatters\"" + batch + "}");
            std::fflush(stdout);
            continue;
        }
        if (kind == "batch") {
            left = number(after(header, "calls"));
            continue;
        }
        Region regions[3];
        Text list = after(header, "regions");
        for (auto at = list.find("{\"role\""); at != Text::npos; at = list.find("{\"role\"")) {
            list = list.substr(at);
            const Text role = word(after(list, "role"));
            Region &region = regions[role == "destination" ? 0 : role == "source" ? 1 : 2];
            Region one;
            one.body = number(after(list, "body").substr(1));
            one.size = number(after(list, "bytes"));
            one.bytes = static_cast<char *>(std::malloc(one.size));
            if (std::fread(one.bytes, 1, one.size, stdin) != std::size_t(one.size)) {
                return 1;
            }
            std::free(region.bytes);
            region = one;
            list = list.substr(1);
        }
        const std::string id = std::to_string(number(after(header, "id")));
        if (!has(header)) {
            say("{\"kind\":\"unsupported\",\"id\":" + id + ",\"why\":\"plain TSCATTER only\"}");
        } else {
            const Text call = after(header, "call");
            const bool inside = scatter(call, regions[0], regions[1], regions[2], table);
            if (!inside) {
                std::memset(table, 0x5a, 256);
            }
            const std::string size = std::to_string(regions[0].size);
            say("{\"kind\":\"done\",\"id\":" + id + ",\"regions\":[{\"role\":\"destination\",\"bytes\":" + size +
                "}],\"bytes\":" + size + "}");
            std::fwrite(regions[0].bytes, 1, regions[0].size, stdout);
        }
        for (Region &region : regions) {
            std::free(region.bytes);
        }
        left = left > 0 ? left - 1 : 0;
        if (left == 0) {
            std::fflush(stdout);
        }
    }
    return 0;
}
