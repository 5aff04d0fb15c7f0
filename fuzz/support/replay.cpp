// main of the replay binaries: each file that is named, and each in a folder that is named, once
// through the target, at least one in all; with a custom mutator some also mutated, so that it
// cannot rot. No libFuzzer.
#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
[[gnu::weak]] std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                                  std::size_t max_size, unsigned seed);
[[gnu::weak]] std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size,
                                                    const std::uint8_t* other,
                                                    std::size_t other_size, std::uint8_t* out,
                                                    std::size_t max_size, unsigned seed);
[[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());
}

namespace {

// What is being run, should it end the program.
std::string current = "the empty input";
void tell_current() { std::fprintf(stderr, "in %s\n", current.c_str()); }

using Input = std::vector<std::uint8_t>;

// Exactly as long as the input, on the heap, so that one byte outside is seen.
void run(const Input& input) {
  const Input exact(input.begin(), input.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void run_mutations(const Input& input, const Input& other) {
  constexpr unsigned mutations = 2;
  const std::size_t most = input.size() + other.size() + 64;
  for (unsigned seed = 0; seed < mutations; ++seed) {
    Input made(input);
    made.resize(most);
    made.resize(LLVMFuzzerCustomMutator(made.data(), input.size(), most, seed));
    run(made);
    made.resize(most);
    made.resize(LLVMFuzzerCustomCrossOver(input.data(), input.size(), other.data(), other.size(),
                                          made.data(), most, seed));
    run(made);
  }
}

std::vector<std::filesystem::path> files_of(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int index = 1; index < argc; ++index) {
    // A target may have no regressions yet.
    if (!std::filesystem::exists(argv[index])) continue;
    if (!std::filesystem::is_directory(argv[index])) {
      files.emplace_back(argv[index]);
      continue;
    }
    for (const auto& each : std::filesystem::directory_iterator(argv[index]))
      if (each.is_regular_file() && each.path().extension() != ".md") files.push_back(each.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGABRT, [](int) { tell_current(); });
  if (__sanitizer_set_death_callback != nullptr) __sanitizer_set_death_callback(tell_current);
  Input before;
  run(before);
  std::size_t count = 0;
  for (const auto& path : files_of(argc, argv)) {
    std::ifstream file(path, std::ios::binary);
    if (!file.is_open()) {
      std::fprintf(stderr, "cannot open %s\n", path.c_str());
      return 1;
    }
    const Input input{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    current = path;
    run(input);
    if (LLVMFuzzerCustomMutator != nullptr && count % 4 == 0) run_mutations(input, before);
    before = input;
    ++count;
  }
  std::printf("%zu inputs\n", count);
  return count == 0 ? 1 : 0;
}
