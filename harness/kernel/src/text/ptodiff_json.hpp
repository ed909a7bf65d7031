// Written by ptodiff cpp --harness.
// A small strict JSON reader: what a frame of the implementation protocol needs.
#ifndef PTODIFF_JSON_HPP
#define PTODIFF_JSON_HPP

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ptodiff {

// Why a text is no JSON, or not the JSON that was expected.
struct BadFrame : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One value. Objects keep their keys in `keys`, beside `items`.
struct Json {
    enum class Kind { Null, False, True, Number, Text, Array, Object };

    Kind kind = Kind::Null;
    std::string text; // of a number its digits, of a text its bytes
    std::vector<std::string> keys;
    std::vector<Json> items;

    // The value of `key`, or nullptr.
    const Json* find(const std::string& key) const
    {
        if (kind != Kind::Object) {
            throw BadFrame("expected an object around `" + key + "`");
        }
        for (std::size_t i = 0; i < keys.size(); i++) {
            if (keys[i] == key) {
                return &items[i];
            }
        }
        return nullptr;
    }

    const Json& at(const std::string& key) const
    {
        const Json* found = find(key);
        if (found == nullptr) {
            throw BadFrame("`" + key + "` is missing");
        }
        return *found;
    }

    const std::string& word() const
    {
        if (kind != Kind::Text) {
            throw BadFrame("expected a text");
        }
        return text;
    }

    bool flag() const
    {
        if (kind != Kind::True && kind != Kind::False) {
            throw BadFrame("expected true or false");
        }
        return kind == Kind::True;
    }

    // A whole number from 0 to 2^64 - 1.
    std::uint64_t number() const
    {
        std::uint64_t value = 0;
        bool whole = kind == Kind::Number;
        for (char digit : text) {
            whole = whole && digit >= '0' && digit <= '9';
            if (!whole) {
                break;
            }
            const std::uint64_t unit = static_cast<std::uint64_t>(digit - '0');
            if (value > (UINT64_MAX - unit) / 10) {
                throw BadFrame("a number is too large");
            }
            value = value * 10 + unit;
        }
        if (!whole) {
            throw BadFrame("expected a whole number");
        }
        return value;
    }

    // The entries of an array of `count`; any number of them where it is 0.
    const std::vector<Json>& list(std::size_t count = 0) const
    {
        if (kind != Kind::Array || (count != 0 && items.size() != count)) {
            throw BadFrame("expected a list, perhaps of another length");
        }
        return items;
    }
};

// Reads one value and nothing after it.
class JsonReader {
public:
    explicit JsonReader(const std::string& text) : text_(text) {}

    Json read()
    {
        Json value = any(0);
        blank();
        if (at_ != text_.size()) {
            fail("something follows the value");
        }
        return value;
    }

private:
    static constexpr int kDeepest = 16;

    [[noreturn]] void fail(const char* what) const
    {
        throw BadFrame(std::string(what) + " at byte " + std::to_string(at_));
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    bool take(char wanted)
    {
        if (peek() != wanted || at_ == text_.size()) {
            return false;
        }
        at_++;
        return true;
    }

    void blank()
    {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n') {
            at_++;
        }
    }

    Json any(int depth)
    {
        if (depth > kDeepest) {
            fail("too deep");
        }
        blank();
        Json value;
        switch (peek()) {
        case '{':
            object(value, depth);
            break;
        case '[':
            array(value, depth);
            break;
        case '"':
            value.kind = Json::Kind::Text;
            value.text = string();
            break;
        case 't':
            word("true");
            value.kind = Json::Kind::True;
            break;
        case 'f':
            word("false");
            value.kind = Json::Kind::False;
            break;
        case 'n':
            word("null");
            break;
        default:
            value.kind = Json::Kind::Number;
            value.text = number();
        }
        return value;
    }

    void object(Json& value, int depth)
    {
        value.kind = Json::Kind::Object;
        at_++;
        blank();
        if (take('}')) {
            return;
        }
        do {
            blank();
            std::string key = string();
            if (value.find(key) != nullptr) {
                fail("a key stands twice");
            }
            blank();
            if (!take(':')) {
                fail("expected `:`");
            }
            value.items.push_back(any(depth + 1));
            value.keys.push_back(std::move(key));
            blank();
        } while (take(','));
        if (!take('}')) {
            fail("expected `}`");
        }
    }

    void array(Json& value, int depth)
    {
        value.kind = Json::Kind::Array;
        at_++;
        blank();
        if (take(']')) {
            return;
        }
        do {
            value.items.push_back(any(depth + 1));
            blank();
        } while (take(','));
        if (!take(']')) {
            fail("expected `]`");
        }
    }

    void word(const char* expected)
    {
        for (const char* c = expected; *c != '\0'; c++) {
            if (!take(*c)) {
                fail("unknown word");
            }
        }
    }

    std::size_t digits()
    {
        const std::size_t first = at_;
        while (peek() >= '0' && peek() <= '9') {
            at_++;
        }
        return at_ - first;
    }

    std::string number()
    {
        const std::size_t first = at_;
        take('-');
        const bool zero = peek() == '0';
        const std::size_t whole = digits();
        bool good = whole == 1 || (whole > 1 && !zero);
        if (take('.')) {
            good = digits() > 0 && good;
        }
        if (take('e') || take('E')) {
            if (!take('+')) {
                take('-');
            }
            good = digits() > 0 && good;
        }
        if (!good) {
            fail("expected a value");
        }
        return text_.substr(first, at_ - first);
    }

    std::string string()
    {
        if (!take('"')) {
            fail("expected a text");
        }
        std::string out;
        while (!take('"')) {
            if (at_ == text_.size() || static_cast<unsigned char>(peek()) < 0x20) {
                fail("a text does not end");
            }
            if (take('\\')) {
                escape(out);
            } else {
                out.push_back(text_[at_++]);
            }
        }
        return out;
    }

    void escape(std::string& out)
    {
        static const std::string from = "\"\\/bfnrt";
        static const std::string to = "\"\\/\b\f\n\r\t";
        const std::size_t which = from.find(peek());
        if (at_ < text_.size() && which != std::string::npos) {
            out.push_back(to[which]);
            at_++;
            return;
        }
        if (!take('u')) {
            fail("unknown escape");
        }
        std::uint32_t point = four();
        if (point >= 0xD800 && point < 0xDC00) {
            if (!take('\\') || !take('u')) {
                fail("half a surrogate pair");
            }
            const std::uint32_t low = four();
            if (low < 0xDC00 || low > 0xDFFF) {
                fail("half a surrogate pair");
            }
            point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
        } else if (point >= 0xDC00 && point <= 0xDFFF) {
            fail("half a surrogate pair");
        }
        utf8(out, point);
    }

    std::uint32_t four()
    {
        std::uint32_t value = 0;
        for (int i = 0; i < 4; i++) {
            static const std::string hex = "0123456789abcdef";
            const char c = peek();
            const std::size_t digit = hex.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
            if (at_ == text_.size() || digit == std::string::npos) {
                fail("expected four hexadecimal digits");
            }
            value = value * 16 + static_cast<std::uint32_t>(digit);
            at_++;
        }
        return value;
    }

    static void utf8(std::string& out, std::uint32_t point)
    {
        const auto tail = [&](int shift) {
            out.push_back(static_cast<char>(0x80 | ((point >> shift) & 0x3F)));
        };
        if (point < 0x80) {
            out.push_back(static_cast<char>(point));
        } else if (point < 0x800) {
            out.push_back(static_cast<char>(0xC0 | (point >> 6)));
            tail(0);
        } else if (point < 0x10000) {
            out.push_back(static_cast<char>(0xE0 | (point >> 12)));
            tail(6);
            tail(0);
        } else {
            out.push_back(static_cast<char>(0xF0 | (point >> 18)));
            tail(12);
            tail(6);
            tail(0);
        }
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

// Bytes of the UTF-8 character at `at`; 0 if there is none.
inline std::size_t character(const std::string& text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
    const unsigned char first = byte(at), second = byte(at + 1);
    const std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
    for (std::size_t i = 1; i < length; i++) {
        if ((byte(at + i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    // Longer than need be, half a surrogate pair, or beyond the last character.
    const bool odd = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
    return odd ? 0 : length;
}

// `text` as a JSON text, quotes included. What is no UTF-8 becomes `?`: a compiler or a
// library may write in any encoding.
inline std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character(text, at);
        const unsigned char byte = static_cast<unsigned char>(text[at]);
        if (length != 1) {
            out += length == 0 ? "?" : text.substr(at, length);
        } else if (byte == '"' || byte == '\\') {
            out.push_back('\\');
            out.push_back(text[at]);
        } else {
            out.push_back(byte < 0x20 || byte == 0x7F ? ' ' : text[at]);
        }
        at += length == 0 ? 1 : length;
    }
    return out + "\"";
}

} // namespace ptodiff

#endif
