// One operation with its operands, chosen by the words of a description.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace peer {

// What a description says, by name.
using Words = std::map<std::string, std::string>;

// An operation that can be run over and over.
class Work {
public:
    virtual ~Work() = default;
    // Runs it so many times, one after the other.
    virtual void run(std::size_t times) = 0;
    // Writes what the operation is for into a file.
    virtual void write(const std::filesystem::path &file) const = 0;
};

// The operation that `folder` describes in its file `operation`, a name and a
// value a line, on the operands in the files beside it. Null where there is no
// such operation here. Throws where a file cannot be read.
std::unique_ptr<Work> open(const std::filesystem::path &folder);

}  // namespace peer
