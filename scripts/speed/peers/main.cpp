// Runs operations when it is told to and says how long they took, so that
// others can take turns with it. A line in, a line out:
//   open FOLDER    ready, or `none` where it has no such operation
//   turn TIMES     nanoseconds of that many runs, after one that is not counted
//   once           runs it once: done
//   result FILE    writes the output there: done
#include <chrono>
#include <exception>
#include <iostream>
#include <memory>
#include <string>

#include "work.hpp"

namespace {

long long turn(peer::Work &work, std::size_t times) {
    using clock = std::chrono::steady_clock;
    work.run(1);
    const auto start = clock::now();
    work.run(times);
    return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - start).count();
}

std::string answer(std::unique_ptr<peer::Work> &work, const std::string &line) {
    const auto space = line.find(' ');
    const std::string verb = line.substr(0, space);
    const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
    if (verb == "open") {
        work = peer::open(rest);
        return work ? "ready" : "none";
    }
    if (!work) {
        return "error: nothing is open";
    }
    if (verb == "turn") {
        return std::to_string(turn(*work, std::stoul(rest)));
    }
    if (verb == "once") {
        work->run(1);
        return "done";
    }
    if (verb == "result") {
        work->write(rest);
        return "done";
    }
    return "error: no such word: " + verb;
}

}  // namespace

int main() {
    std::unique_ptr<peer::Work> work;
    for (std::string line; std::getline(std::cin, line);) {
        std::string said;
        try {
            said = answer(work, line);
        } catch (const std::exception &why) {
            said = std::string("error: ") + why.what();
        }
        std::cout << said << std::endl;
    }
}
