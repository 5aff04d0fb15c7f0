#include "mutation.h"

#include "fuzzed_input.h"
#include "slab_case.h"

#include <slabscope/base/integer_text.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace slabscope::fuzz {
namespace {

using Input = std::vector<std::uint8_t>;

struct Span {
  std::size_t begin = 0;
  std::size_t bytes = 0;
};

Span pick(const std::vector<Span>& from, PseudoRandom& random) {
  return from[random.below(from.size())];
}

// Integers that stand for values, and objects inside objects: rows, runs of residue.
struct DocumentParts {
  std::vector<Span> numbers;
  std::vector<Span> rows;
};

DocumentParts parts_of(std::string_view text) {
  DocumentParts made;
  std::vector<std::size_t> open;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char each = text[at];
    if (each == '"') in_string = !in_string;
    if (in_string) continue;
    if (each == '{') open.push_back(at);
    if (each == '}' && !open.empty()) {
      if (open.size() > 1) made.rows.push_back({open.back(), at + 1 - open.back()});
      open.pop_back();
    }
    const auto is_part = [&](std::size_t index) {
      return std::isdigit(static_cast<unsigned char>(text[index])) != 0 || text[index] == '-';
    };
    if (!is_part(at)) continue;
    const std::size_t begin = at;
    while (at + 1 < text.size() && is_part(at + 1)) ++at;
    made.numbers.push_back({begin, at + 1 - begin});
  }
  return made;
}

std::string other_number(std::string_view text, PseudoRandom& random) {
  const IntegerText old = parse_integer(text);
  if (old.fault == IntegerTextFault::none && random.one_in(2))
    return to_text(old.value + (random.one_in(2) ? 1 : -1));
  const int128 boundary = boundaries[random.below(std::size(boundaries))];
  return to_text(random.one_in(3) ? -boundary : boundary);
}

std::string mutated_document(std::string text, PseudoRandom& random) {
  const DocumentParts parts = parts_of(text);
  const std::uint64_t kind = random.below(6);
  if (kind == 0 || parts.numbers.empty()) return text.substr(0, random.below(text.size() + 1));
  const Span number = pick(parts.numbers, random);
  if (kind <= 2) {
    const std::string other = other_number(text.substr(number.begin, number.bytes), random);
    return text.replace(number.begin, number.bytes, other);
  }
  if (kind == 3) {
    const Span other = pick(parts.numbers, random);
    const auto [first, second] =
        std::minmax(number, other,
                    [](const Span& left, const Span& right) { return left.begin < right.begin; });
    if (first.begin == second.begin) return text;
    return text.substr(0, first.begin) + text.substr(second.begin, second.bytes) +
           text.substr(first.begin + first.bytes, second.begin - first.begin - first.bytes) +
           text.substr(first.begin, first.bytes) + text.substr(second.begin + second.bytes);
  }
  if (parts.rows.empty()) return text;
  const Span row = pick(parts.rows, random);
  if (kind == 4) return text.insert(row.begin, text.substr(row.begin, row.bytes) + ",");
  // Away with it, and with the comma behind it.
  const std::size_t end = row.begin + row.bytes;
  return text.erase(row.begin, row.bytes + (end < text.size() && text[end] == ',' ? 1 : 0));
}

// One element of a slab, as the layout places it.
std::optional<Span> any_element(const SlabCase& slab, PseudoRandom& random) {
  const Layout& layout = slab.layout;
  if (layout.fields.empty()) return std::nullopt;
  const ResolvedField& field = layout.fields[random.below(layout.fields.size())];
  if (field.bytes == 0) return std::nullopt;
  const std::uint64_t element = random.below(field.bytes / field.element_bytes());
  return Span{slab.header_bytes + field.offset + element * field.element_bytes(),
              field.element_bytes()};
}

void put(Input& input, Span to, std::uint64_t value) {
  for (std::size_t index = 0; index < to.bytes; ++index)
    input[to.begin + index] = static_cast<std::uint8_t>(value >> (8 * index));
}
std::uint64_t get(const Input& input, Span from) {
  std::uint64_t value = 0;
  for (std::size_t index = 0; index < from.bytes; ++index)
    value |= std::uint64_t{input[from.begin + index]} << (8 * index);
  return value;
}

// Copies a row of one slab over a row of another of the same layout, or of the same slab.
void copy_row(Input& to, const SlabCase& into, const Input& from, const SlabCase& source,
              PseudoRandom& random) {
  const std::uint64_t to_row = random.below(std::max<std::uint64_t>(into.layout.capacity, 1));
  const std::uint64_t from_row = random.below(std::max<std::uint64_t>(source.layout.capacity, 1));
  for (std::size_t index = 0; index < into.layout.fields.size(); ++index) {
    const ResolvedField& target = into.layout.fields[index];
    const ResolvedField& origin = source.layout.fields[index];
    if (to_row >= target.items || from_row >= origin.items) continue;
    const std::size_t bytes = std::min(target.item_bytes(), origin.item_bytes());
    std::copy_n(
        from.begin() +
            static_cast<std::ptrdiff_t>(source.header_bytes + origin.item_offset(from_row)),
        bytes,
        to.begin() + static_cast<std::ptrdiff_t>(into.header_bytes + target.item_offset(to_row)));
  }
}

Input mutated_slab(Input input, PseudoRandom& random) {
  const auto slab = read_slab_case(input);
  if (!slab || random.one_in(8)) {
    const std::size_t header = std::min<std::size_t>(input.size(), slab ? slab->header_bytes : 24);
    if (header != 0) input[random.below(header)] = static_cast<std::uint8_t>(random.bits());
    return input;
  }
  input.resize(slab->header_bytes + slab->layout.size);
  const auto element = any_element(*slab, random);
  const auto other = any_element(*slab, random);
  switch (random.below(6)) {
    case 0:
      if (element) put(input, *element, boundaries[random.below(std::size(boundaries))]);
      return input;
    case 1:
      if (element) put(input, *element, get(input, *element) + (random.one_in(2) ? 1 : ~0ULL));
      return input;
    case 2:
      if (element && other) {
        const std::uint64_t value = get(input, *element);
        put(input, *element, get(input, *other));
        put(input, *other, value);
      }
      return input;
    case 3: {
      const Input from = input;
      copy_row(input, *slab, from, *slab, random);
      return input;
    }
    case 4:
      for (const Tile& each : slab->layout.tiles)
        if (each.is_gap()) input[slab->header_bytes + each.offset + random.below(each.bytes)] ^= 1U;
      return input;
    default: input.resize(random.below(input.size() + 1)); return input;
  }
}

std::string text_of(std::span<const std::uint8_t> input) {
  return {reinterpret_cast<const char*>(input.data()), input.size()};
}
Input bounded(std::span<const std::uint8_t> made, std::size_t most) {
  return {made.begin(), made.begin() + static_cast<std::ptrdiff_t>(std::min(made.size(), most))};
}
Input bounded(const std::string& made, std::size_t most) {
  return bounded(std::span(reinterpret_cast<const std::uint8_t*>(made.data()), made.size()), most);
}

}  // namespace

bool is_document(std::span<const std::uint8_t> input) {
  return !input.empty() && (input[0] == '{' || input[0] == '[' || input[0] == '@');
}

Input mutated(std::span<const std::uint8_t> input, std::size_t most, PseudoRandom random) {
  if (is_document(input)) return bounded(mutated_document(text_of(input), random), most);
  return bounded(mutated_slab({input.begin(), input.end()}, random), most);
}

Input crossed(std::span<const std::uint8_t> input, std::span<const std::uint8_t> other,
              std::size_t most, PseudoRandom random) {
  if (is_document(input) != is_document(other)) return bounded(other, most);
  if (is_document(input)) {
    std::string text = text_of(input);
    const std::string from = text_of(other);
    const DocumentParts parts = parts_of(text);
    const DocumentParts donors = parts_of(from);
    if (parts.rows.empty() || donors.rows.empty()) return bounded(other, most);
    const Span row = pick(parts.rows, random);
    const Span donor = pick(donors.rows, random);
    return bounded(text.replace(row.begin, row.bytes, from.substr(donor.begin, donor.bytes)), most);
  }
  Input made(input.begin(), input.end());
  const auto slab = read_slab_case(input);
  const auto donor = read_slab_case(other);
  if (!slab || !donor || slab->origin != donor->origin) return bounded(other, most);
  Input from(other.begin(), other.end());
  made.resize(slab->header_bytes + slab->layout.size);
  from.resize(donor->header_bytes + donor->layout.size);
  copy_row(made, *slab, from, *donor, random);
  return bounded(made, most);
}

}  // namespace slabscope::fuzz
