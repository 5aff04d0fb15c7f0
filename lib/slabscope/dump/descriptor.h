// Owns a POSIX file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace slabscope {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) noexcept : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  // False, with errno set, when the system could not keep what was written.
  [[nodiscard]] bool close() noexcept { return ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

}  // namespace slabscope
