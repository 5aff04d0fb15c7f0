#include "json_reference.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace slabscope::tests {
namespace {

using Json = nlohmann::ordered_json;

// Builds the tree from events: nlohmann's own tree keeps one of two members with the same key.
class Builder final : public nlohmann::json_sax<Json> {
 public:
  using Kind = JsonReference::Kind;

  bool null() override { return add({}); }
  bool boolean(bool value) override { return add({.kind = Kind::boolean, .boolean = value}); }
  bool number_integer(number_integer_t value) override {
    return add({.kind = Kind::integer, .integer = value});
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add({.kind = Kind::integer, .integer = value});
  }
  bool number_float(number_float_t, const string_t&) override { return add({.kind = Kind::real}); }
  bool string(string_t& value) override {
    return add({.kind = Kind::string, .string = std::move(value)});
  }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Kind::object); }
  bool start_array(std::size_t) override { return open(Kind::array); }
  bool key(string_t& name) override {
    open_.back().keys.push_back(std::move(name));
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception& failed) override {
    constexpr int number_out_of_range = 406;
    if (failed.id == number_out_of_range) whole_ = JsonReference{.kind = Kind::unknown};
    return false;
  }

  [[nodiscard]] std::optional<JsonReference>& whole() noexcept { return whole_; }

 private:
  bool add(JsonReference made) {
    if (open_.empty())
      whole_ = std::move(made);
    else
      open_.back().children.push_back(std::move(made));
    return true;
  }
  bool open(Kind kind) {
    open_.push_back({.kind = kind});
    return open_.size() <= max_reference_depth;
  }
  bool close() {
    JsonReference made = std::move(open_.back());
    open_.pop_back();
    return add(std::move(made));
  }

  std::vector<JsonReference> open_;
  std::optional<JsonReference> whole_;
};

}  // namespace

bool JsonReference::has(std::string_view key) const {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool JsonReference::has_key_twice() const {
  std::vector<std::string_view> sorted(keys.begin(), keys.end());
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

const JsonReference& JsonReference::operator[](std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end()) throw std::out_of_range("there is no key " + std::string(key));
  return children[static_cast<std::size_t>(found - keys.begin())];
}

const JsonReference& JsonReference::operator[](std::size_t index) const {
  return children.at(index);
}

bool reference_accepts(std::string_view text) { return Json::accept(text.begin(), text.end()); }

std::optional<JsonReference> read_reference(std::string_view text) {
  Builder builder;
  const bool is_read = Json::sax_parse(text.begin(), text.end(), &builder);
  auto& whole = builder.whole();
  if (is_read || (whole && whole->kind == JsonReference::Kind::unknown)) return std::move(whole);
  return std::nullopt;
}

}  // namespace slabscope::tests
