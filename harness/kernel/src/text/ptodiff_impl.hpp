// Written by ptodiff cpp --harness.
// The implementation protocol: reads frames, finds the instantiated call, runs it on
// the request's bytes and answers with every region.
#ifndef PTODIFF_IMPL_HPP
#define PTODIFF_IMPL_HPP

#include "ptodiff_device.hpp"
#include "ptodiff_json.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <unistd.h>

namespace ptodiff {

// What this program is, written by the generator.
struct Program {
    const char* name;
    const char* target;
    bool scatter_policies; // whether MSCATTER's form has template parameters
    bool conflict;         // whether ScatterConflict is among them
    bool launches;         // whether the target looks at the launch
    bool suite_forms;      // whether forms that only the ST suites have are there
};

constexpr std::size_t kLongestLine = 65536;
constexpr std::uint64_t kLargestPayload = std::uint64_t{1} << 31;

// The protocol's streams. Whatever the library prints to standard output goes
// to standard error: it would tear the frames.
class Streams {
public:
    Streams()
    {
        const int answers = dup(STDOUT_FILENO);
        out_ = answers < 0 ? nullptr : fdopen(answers, "wb");
        if (out_ == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
            throw BadFrame("standard output cannot be set aside");
        }
    }

    // The next line without its end; false at the end of the input.
    bool line(std::string& out)
    {
        out.clear();
        for (int c = std::getc(stdin); c != EOF; c = std::getc(stdin)) {
            if (c == '\n') {
                return true;
            }
            out.push_back(static_cast<char>(c));
            if (out.size() >= kLongestLine) {
                throw BadFrame("a line is too long");
            }
        }
        if (!out.empty()) {
            throw BadFrame("the input ends within a line");
        }
        return false;
    }

    // `count` bytes to the end of `out`, taken in steps: a length that lies
    // costs no memory.
    void payload(std::vector<std::uint8_t>& out, std::uint64_t count)
    {
        constexpr std::uint64_t kStep = 1 << 20;
        while (count > 0) {
            const std::size_t now = static_cast<std::size_t>(count < kStep ? count : kStep);
            const std::size_t before = out.size();
            out.resize(before + now);
            if (std::fread(out.data() + before, 1, now, stdin) != now) {
                throw BadFrame("the input ends within a payload");
            }
            count -= now;
        }
    }


    void write(const void* bytes, std::size_t count)
    {
        if (std::fwrite(bytes, 1, count, out_) != count) {
            throw BadFrame("nobody reads the answers");
        }
    }

    void frame(const std::string& object)
    {
        write(object.data(), object.size());
        write("\n", 1);
    }

    void flush()
    {
        if (std::fflush(out_) != 0) {
            throw BadFrame("nobody reads the answers");
        }
    }

private:
    std::FILE* out_ = nullptr;
};

// A product or sum that stays at the largest number where it would pass it.
inline std::uint64_t times(std::uint64_t a, std::uint64_t b)
{
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

inline std::uint64_t plus(std::uint64_t a, std::uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

inline std::uint64_t size_of(const std::string& dtype)
{
    static const std::pair<const char*, std::uint64_t> sizes[] = {
        {"int8_t", 1},   {"uint8_t", 1},    {"int16_t", 2},       {"uint16_t", 2},      {"int32_t", 4},
        {"uint32_t", 4}, {"int64_t", 8},    {"uint64_t", 8},      {"half", 2},          {"bfloat16_t", 2},
        {"float", 4},    {"hifloat8_t", 1}, {"float8_e4m3_t", 1}, {"float8_e5m2_t", 1},
    };
    for (const auto& one : sizes) {
        if (dtype == one.first) {
            return one.second;
        }
    }
    throw BadFrame("no dtype is called " + quoted(dtype));
}

// What is static of a call as one text, by which an instantiation is found,
// and what is left: the extents of run time and the least bytes of each body.
struct Reading {
    std::string key;
    std::vector<std::int64_t> at;
    std::vector<std::pair<std::string, std::uint64_t>> bodies; // by role

    void extent(const Json& value, const Json& dynamic)
    {
        const std::uint64_t number = value.number();
        if (!dynamic.flag()) {
            key += std::to_string(number);
            return;
        }
        if (number > static_cast<std::uint64_t>(INT64_MAX)) {
            throw BadFrame("an extent passes 63 bits");
        }
        key += "?";
        at.push_back(static_cast<std::int64_t>(number));
    }

    void tile(const Json& tile, const char* role)
    {
        const std::string& dtype = tile.at("dtype").word();
        const std::uint64_t rows = tile.at("rows").number();
        const std::uint64_t cols = tile.at("cols").number();
        key += tile.at("location").word() + ":" + dtype + ":" + std::to_string(rows) + "x" +
               std::to_string(cols) + ":";
        const auto& valid = tile.at("valid").list(2);
        const auto& dynamic = tile.at("valid_dynamic").list(2);
        extent(valid[0], dynamic[0]);
        key += "x";
        extent(valid[1], dynamic[1]);
        key += ":" + tile.at("blayout").word() + ":" + tile.at("slayout").word() + ":" +
               std::to_string(tile.at("fractal").number());
        bodies.emplace_back(role, times(times(rows, cols), size_of(dtype)));
    }

    void list(const Json& values, const Json& dynamic)
    {
        key += "[";
        for (std::size_t i = 0; i < 5; i++) {
            key += i == 0 ? "" : ",";
            extent(values.list(5)[i], dynamic.list(5)[i]);
        }
        key += "]";
    }

    void tensor(const Json& tensor, const char* role)
    {
        const std::string& dtype = tensor.at("dtype").word();
        key += dtype + ":";
        list(tensor.at("shape"), tensor.at("shape_dynamic"));
        key += ":";
        list(tensor.at("stride"), tensor.at("stride_dynamic"));
        key += ":" + tensor.at("layout").word();
        std::uint64_t reach = 1;
        for (std::size_t i = 0; i < 5; i++) {
            const std::uint64_t extent = tensor.at("shape").items[i].number();
            const std::uint64_t stride = tensor.at("stride").items[i].number();
            reach = extent == 0 ? 0 : reach == 0 ? 0 : plus(reach, times(extent - 1, stride));
        }
        bodies.emplace_back(role, times(reach, size_of(dtype)));
    }
};

// An operand of a form: its key in the call, its role, whether it is a tensor.
struct Part {
    const char* key;
    const char* role;
    bool tensor;
};

struct Form {
    const char* name;
    std::vector<Part> parts;
    std::vector<const char*> words;
};

inline const Form* form_of(const std::string& name, const Program& program)
{
    static const std::vector<Form> forms = [&] {
        const Part table{"table", "table", true}, scratch{"scratch", "scratch", true};
        const Part src{"src", "source", false}, dst{"dst", "destination", false};
        const Part idx{"idx", "index", false}, idx_gm{"idx", "index", true};
        std::vector<const char*> policies;
        if (program.scatter_policies) {
            policies = {"mode", "atomic", "oob"};
            if (program.conflict) {
                policies.push_back("conflict");
            }
        }
        return std::vector<Form>{
            {"mscatter", {table, src, idx}, policies},
            {"mscatter-first", {table, src, idx}, {"atomic", "oob"}},
            {"mgather", {dst, table, idx}, {"mode", "oob"}},
            {"mgather-l1", {dst, table, idx_gm, scratch}, {"mode", "oob", "exec"}},
            {"tscatter-index", {dst, src, idx}, {}},
            {"tscatter-mask", {dst, src}, {"pattern", "axis"}},
            {"tgatherb", {dst, src, {"offset", "index", false}}, {}},
        };
    }();
    for (const Form& form : forms) {
        if (name == form.name) {
            return &form;
        }
    }
    return nullptr;
}

inline Reading reading_of(const Json& call, const Form& form)
{
    Reading reading;
    reading.key = form.name;
    for (const Part& part : form.parts) {
        const Json* operand = call.find(part.key);
        // The one operand that a call may lack is an absent or null scratch.
        if (std::string(part.key) == "scratch" && (operand == nullptr || operand->kind == Json::Kind::Null)) {
            continue;
        }
        reading.key += std::string(";") + part.key + "=";
        if (part.tensor) {
            reading.tensor(call.at(part.key), part.role);
        } else {
            reading.tile(call.at(part.key), part.role);
        }
    }
    for (const char* word : form.words) {
        reading.key += std::string(";") + word + "=" + call.at(word).word();
    }
    return reading;
}

// A region's bytes as they came, with their first one on a boundary of 64 bytes.
struct Buffer {
    std::string role;
    std::uint64_t body = 0, length = 0, size = 0;
    std::vector<std::uint8_t> memory;
    std::size_t first = 0;

    std::uint8_t* data() { return memory.data() + first; }
};

class Implementation {
public:
    Implementation(const Program& program, const std::vector<const Entry*>& tables) : program_(program)
    {
        for (const Entry* entry : tables) {
            for (; entry->key != nullptr; entry++) {
                entries_.emplace(entry->key, entry);
            }
        }
    }

    // Answers frame by frame until the input ends.
    void serve()
    {
        std::string line;
        while (streams_.line(line)) {
            const Json frame = JsonReader(line).read();
            const std::string& kind = frame.at("kind").word();
            if (kind == "hello") {
                hello(frame);
            } else if (kind == "call") {
                call(frame);
            } else if (kind == "batch") {
                // Each call of it is answered as it comes: if one ends this process, what
                // it was is known.
                continue;
            } else {
                throw BadFrame("no frame is called " + quoted(kind));
            }
            streams_.flush();
        }
    }

private:
    void hello(const Json& frame)
    {
        constexpr std::uint64_t kNewest = 2;
        const std::string& as = frame.at("as").word();
        const std::uint64_t oldest = frame.at("protocol").number();
        const Json* last = frame.find("newest");
        const std::uint64_t newest = last == nullptr ? oldest : last->number();
        if (oldest > kNewest) {
            streams_.frame("{\"kind\":\"sorry\",\"why\":\"this program speaks versions 1 and 2\"}");
        } else if (as != program_.target) {
            streams_.frame("{\"kind\":\"sorry\",\"why\":" +
                           quoted(std::string("generated for ") + program_.target + ", not for " + as) + "}");
        } else {
            greeted_ = true;
            std::string hello = "{\"kind\":\"hello\",\"protocol\":";
            if (newest < kNewest) {
                hello += "1";
            } else {
                hello += "2,\"batch\":64,\"jobs\":" + std::to_string(device::jobs());
            }
            streams_.frame(hello + ",\"name\":" + quoted(program_.name) + "}");
        }
    }

    // Why this program does not follow the readings of the frame: it has the forms that it was
    // generated with. What else they say is the library's; whoever runs it says what that does.
    std::string read_otherwise(const Json& frame, const Json& call, const std::string& form) const
    {
        const bool cpu = std::string(program_.target) == "cpu";
        if (cpu && form == "mscatter") {
            return unless(frame, "cpu-form", program_.scatter_policies ? "templated" : "documented", "documented");
        }
        const bool mask = form == "tscatter-mask" &&
                          (std::string(program_.target) != "a5" || call.at("axis").word() == "Col");
        if (program_.suite_forms && (mask || (cpu && form == "mgather-l1"))) {
            return unless(frame, "scope", "as-the-suite", "documented");
        }
        return "";
    }

    static std::string unless(const Json& frame, const char* gap, const std::string& mine, const char* otherwise)
    {
        const Json* readings = frame.find("readings");
        const Json* given = readings == nullptr ? nullptr : readings->find(gap);
        const std::string choice = given == nullptr ? otherwise : given->word();
        return choice == mine ? ""
                              : "this program has the form of " + std::string(gap) + "=" + mine +
                                    ", and the call is read under " + gap + "=" + choice;
    }

    void call(const Json& frame)
    {
        if (!greeted_) {
            throw BadFrame("a call came before a greeting");
        }
        std::vector<Buffer> buffers = layout(frame);
        for (Buffer& buffer : buffers) {
            receive(buffer);
        }
        const std::string id = ",\"id\":" + std::to_string(frame.at("id").number());
        const Json& call = frame.at("call");
        const std::string& name = call.at("form").word();
        const Form* form = form_of(name, program_);
        if (form == nullptr) {
            answer("unsupported", id, "no form is called " + name);
            return;
        }
        const std::string otherwise = read_otherwise(frame, call, name);
        if (!otherwise.empty()) {
            answer("unsupported", id, otherwise);
            return;
        }
        const Reading reading = reading_of(call, *form);
        const auto found = entries_.find(reading.key);
        if (found == entries_.end()) {
            answer("unsupported", id, "not instantiated: " + reading.key);
            return;
        }
        if (found->second->run == nullptr) {
            answer(found->second->kind, id, found->second->why);
            return;
        }
        Launch launch{nullptr, 0, false};
        Operands operands{};
        const Json* wish = call.find("launch");
        if (program_.launches && wish != nullptr) {
            if (wish->at("dispatch").word() != "standard") {
                answer("unsupported", id, "this program starts kernels by the standard launch only");
                return;
            }
            const Json* bytes = wish->find("dyn_ub_bytes");
            if (bytes != nullptr && bytes->kind != Json::Kind::Null) {
                launch.dyn_ub_bytes = bytes->number();
                launch.has_dyn_ub_bytes = true;
            }
            const bool scatters = name == "mscatter" || name == "mscatter-first";
            operands.flush = scatters && wish->at("flush").word() == "appended" ? 1 : 0;
        }
        assign(operands, reading, buffers);
        try {
            device::run(found->second->run, operands, launch);
        } catch (const std::bad_alloc&) {
            throw;
        } catch (const std::exception& thrown) {
            answer("rejected", id, thrown.what());
            return;
        } catch (...) {
            answer("rejected", id, "an exception that is no std::exception");
            return;
        }
        done(id, buffers);
    }

    // The regions that a frame announces, checked against its length.
    static std::vector<Buffer> layout(const Json& frame)
    {
        std::vector<Buffer> buffers;
        std::uint64_t all = 0;
        for (const Json& region : frame.at("regions").list()) {
            Buffer buffer;
            buffer.role = region.at("role").word();
            buffer.size = region.at("bytes").number();
            buffer.body = region.at("body").list(2)[0].number();
            buffer.length = region.at("body").list(2)[1].number();
            if (plus(buffer.body, buffer.length) > buffer.size) {
                throw BadFrame("the body leaves its region");
            }
            for (const Buffer& other : buffers) {
                if (other.role == buffer.role) {
                    throw BadFrame("two regions have one role");
                }
            }
            all = plus(all, buffer.size);
            buffers.push_back(std::move(buffer));
        }
        const Json* bytes = frame.find("bytes");
        if (all > kLargestPayload || (bytes == nullptr ? 0 : bytes->number()) != all) {
            throw BadFrame("the payload is too large or not the sum of its regions");
        }
        return buffers;
    }

    void receive(Buffer& buffer)
    {
        constexpr std::size_t kAlign = 64;
        buffer.memory.resize(2 * kAlign);
        streams_.payload(buffer.memory, buffer.size);
        const std::size_t off = reinterpret_cast<std::uintptr_t>(buffer.memory.data()) % kAlign;
        buffer.first = kAlign - off;
        std::memmove(buffer.data(), buffer.memory.data() + 2 * kAlign, static_cast<std::size_t>(buffer.size));
    }

    // Gives each operand its region and the extents of run time their places.
    static void assign(Operands& operands, const Reading& reading, std::vector<Buffer>& buffers)
    {
        const std::pair<const char*, Region*> places[] = {
            {"table", &operands.table},  {"source", &operands.source},   {"destination", &operands.destination},
            {"index", &operands.index},  {"scratch", &operands.scratch},
        };
        for (const auto& body : reading.bodies) {
            Buffer* mine = nullptr;
            for (Buffer& buffer : buffers) {
                mine = buffer.role == body.first ? &buffer : mine;
            }
            if (mine == nullptr || mine->length < body.second) {
                throw BadFrame("the region of the " + body.first + " is missing or too small");
            }
            for (const auto& place : places) {
                if (body.first == place.first) {
                    *place.second = Region{mine->data(), mine->size, mine->body, mine->length};
                }
            }
        }
        const std::size_t room = sizeof operands.at / sizeof operands.at[0];
        for (std::size_t i = 0; i < reading.at.size() && i < room; i++) {
            operands.at[i] = reading.at[i];
        }
    }

    void answer(const char* kind, const std::string& id, const std::string& why)
    {
        constexpr std::size_t kLongestReason = 16384; // a frame's line holds it three times
        streams_.frame(std::string("{\"kind\":\"") + kind + "\"" + id +
                       ",\"why\":" + quoted(why.substr(0, kLongestReason)) + "}");
    }

    // All regions, whole: what may not change is seen to be as it was.
    void done(const std::string& id, std::vector<Buffer>& buffers)
    {
        std::string regions;
        std::uint64_t all = 0;
        for (const Buffer& buffer : buffers) {
            regions += (regions.empty() ? "" : ",") + std::string("{\"role\":") + quoted(buffer.role) +
                       ",\"bytes\":" + std::to_string(buffer.size) + "}";
            all += buffer.size;
        }
        streams_.frame("{\"kind\":\"done\"" + id + ",\"regions\":[" + regions +
                       "],\"bytes\":" + std::to_string(all) + "}");
        for (Buffer& buffer : buffers) {
            streams_.write(buffer.data(), static_cast<std::size_t>(buffer.size));
        }
    }

    Program program_;
    std::unordered_map<std::string, const Entry*> entries_;
    Streams streams_;
    bool greeted_ = false;
};

// The whole program; its exit code.
inline int serve(const Program& program, const std::vector<const Entry*>& tables)
{
    try {
        Implementation(program, tables).serve();
        return 0;
    } catch (const BadFrame& bad) {
        std::fprintf(stderr, "ptodiff implementation: %s\n", bad.what());
        return 2;
    } catch (const std::exception& failed) {
        std::fprintf(stderr, "ptodiff implementation: %s\n", failed.what());
        return 3;
    }
}

} // namespace ptodiff

#endif
