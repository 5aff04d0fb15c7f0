// A file of safetensors: the length of a JSON header, the header, and the tensors' bytes.
#include <slabscope/base/integer_text.h>
#include <slabscope/dump/kinds.h>
#include <slabscope/dump/region_budget.h>
#include <slabscope/dump/strided.h>
#include <slabscope/text/integer_token.h>
#include <slabscope/text/object_reader.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace slabscope {
namespace {

constexpr std::uint64_t length_bytes = 8;
constexpr std::size_t max_dimensions = 64;
constexpr std::size_t max_facts = 4096;

struct Dtype {
  std::string_view name;
  std::uint64_t bits;
  std::optional<ElementType> element;
};

constexpr Dtype dtypes[] = {
    {"BOOL", 8, {}},
    {"U8", 8, ElementType::u8},
    {"I8", 8, ElementType::i8},
    {"U16", 16, ElementType::u16},
    {"I16", 16, ElementType::i16},
    {"U32", 32, ElementType::u32},
    {"I32", 32, ElementType::i32},
    {"U64", 64, ElementType::u64},
    {"I64", 64, ElementType::i64},
    {"F16", 16, {}},
    {"BF16", 16, {}},
    {"F32", 32, {}},
    {"F64", 64, {}},
    {"C64", 64, {}},
    {"F8_E4M3", 8, {}},
    {"F8_E5M2", 8, {}},
    {"F8_E8M0", 8, {}},
    {"F8_E4M3FNUZ", 8, {}},
    {"F8_E5M2FNUZ", 8, {}},
    {"F6_E2M3", 6, {}},
    {"F6_E3M2", 6, {}},
    {"F4", 4, {}},
};

struct Tensor {
  std::string name;
  const Dtype* dtype = nullptr;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0;  // in the data
  std::uint64_t end = 0;
};

struct Header {
  std::vector<Tensor> tensors;
  std::vector<ContainerFact> facts;
  std::optional<std::uint64_t> base_address;
};

class HeaderReader {
 public:
  HeaderReader(Source& source, const ContainerLimits& limits)
      : in_(source, {}, "the header", limits.max_header_bytes), budget_(limits) {}

  Result<Header> read() {
    SLABSCOPE_TRY(in_.begin_object("the header"));
    SLABSCOPE_TRY(members([this](const std::string& key, TextPlace place) {
      return key == "__metadata__" ? metadata() : tensor(key, place);
    }));
    SLABSCOPE_TRY(in_.end());
    return std::move(made_);
  }

 private:
  // A header may have a million names: looking for one among them must not take as long again.
  template <class Read>
  Result<void> members(const Read& read) {
    std::unordered_set<std::string> names;
    for (;;) {
      SLABSCOPE_TRY_ASSIGN(token, in_.tokenizer().next());
      if (token.kind == TokenKind::end_object) return {};
      const std::string key(token.text);
      const TextPlace place = token.place;
      if (!names.insert(key).second)
        return fail(in_.here(place, ErrorCode::duplicate_key,
                             "the key '" + printable(key, 80) + "' stands here twice"));
      SLABSCOPE_TRY(read(key, place));
    }
  }

  Result<void> metadata() {
    SLABSCOPE_TRY(in_.begin_object("the metadata"));
    return members([this](const std::string& key, TextPlace place) -> Result<void> {
      if (made_.facts.size() == max_facts)
        return fail(in_.here(place, ErrorCode::limit_exceeded, "too much metadata")
                        .with({}, "at most " + std::to_string(max_facts) + " texts"));
      SLABSCOPE_TRY_ASSIGN(token, in_.tokenizer().next());
      SLABSCOPE_TRY(in_.require(token, TokenKind::string, "a text"));
      made_.facts.push_back({key, std::string(token.text)});
      if (key != "base_address" && key != "slabscope.base_address") return {};
      const IntegerText address = parse_integer(token.text);
      if (address.fault != IntegerTextFault::none || address.value < 0)
        return fail(in_.here(token.place, ErrorCode::bad_container, "this is no address")
                        .with(shown(token), "\"0x7f32a0000000\""));
      const auto said = static_cast<std::uint64_t>(address.value);
      if (made_.base_address.value_or(said) != said)
        return fail(in_.here(token.place, ErrorCode::bad_container,
                             "the metadata say two addresses of the first byte")
                        .with(hex_text(said), hex_text(*made_.base_address)));
      made_.base_address = said;
      return {};
    });
  }

  Result<void> tensor(const std::string& name, TextPlace place) {
    Tensor made;
    made.name = name;
    SLABSCOPE_TRY_ASSIGN(begin, in_.begin_object("a tensor"));
    std::vector<std::uint64_t> offsets;
    SLABSCOPE_TRY(in_.members(
        begin, {{"dtype", true, [&] { return dtype(made); }},
                {"shape", true, [&] { return counts(made.shape, max_dimensions, "a dimension"); }},
                {"data_offsets", true, [&] { return counts(offsets, 2, "an offset"); }}}));
    const auto bad = [&](std::string message, std::string got, std::string allowed = {}) {
      return fail(in_.here(begin, ErrorCode::bad_container, std::move(message))
                      .with(std::move(got), std::move(allowed)));
    };
    if (offsets.size() != 2 || offsets[0] > offsets[1])
      return bad("data_offsets are not the begin and the end", joined_counts(offsets));
    made.begin = offsets[0];
    made.end = offsets[1];
    if (auto taken = budget_.take(name, made.shape.size()); !taken) {
      taken.error().place = place;
      return taken;
    }
    const auto count = element_count(made.shape);
    const auto bits = count ? checked_multiply(*count, made.dtype->bits) : std::nullopt;
    if (!bits || *bits % 8 != 0 || made.end - made.begin != *bits / 8)
      return bad("the shape and the data_offsets contradict each other",
                 std::to_string(made.end - made.begin) + " B",
                 bits ? std::to_string(*bits / 8) + " B" : "fewer than 2^61 B");
    made_.tensors.push_back(std::move(made));
    return {};
  }

  Result<void> dtype(Tensor& made) {
    SLABSCOPE_TRY_ASSIGN(token, in_.tokenizer().next());
    SLABSCOPE_TRY(in_.require(token, TokenKind::string, "a dtype"));
    const auto found = std::ranges::find(dtypes, token.text, &Dtype::name);
    if (found != std::end(dtypes)) {
      made.dtype = found;
      return {};
    }
    std::string known;
    for (const Dtype& each : dtypes) known.append(known.empty() ? "" : ", ").append(each.name);
    return fail(in_.here(token.place, ErrorCode::bad_container, "this dtype is not known")
                    .with(shown(token), known));
  }

  Result<void> counts(std::vector<std::uint64_t>& into, std::size_t most, std::string_view what) {
    SLABSCOPE_TRY(in_.begin_array(what));
    return in_.elements(most, [&](const Token& token) -> Result<void> {
      if (token.kind != TokenKind::integer || token.beyond_64_bits || token.value < 0)
        return fail(in_.here(token.place, ErrorCode::wrong_type,
                             "expected " + std::string(what) + " of 64 bits")
                        .with(shown(token), {}));
      into.push_back(static_cast<std::uint64_t>(token.value));
      return {};
    });
  }

  static std::string joined_counts(const std::vector<std::uint64_t>& counts) {
    std::string made;
    for (const std::uint64_t each : counts)
      made += (made.empty() ? "" : ", ") + std::to_string(each);
    return made;
  }

  ObjectReader in_;
  RegionBudget budget_;
  Header made_;
};

// A place in the header as an offset in the file, where that is one: the header is one line.
Error in_header(Error failed) {
  failed.message = "the header: " + failed.message;
  if (failed.code != ErrorCode::limit_exceeded && failed.code != ErrorCode::read_failed)
    failed.code = ErrorCode::bad_container;
  if (failed.place.line == 1) {
    failed.offset = length_bytes + failed.place.column - 1;
    failed.place = {};
  }
  return failed;
}

Result<Header> read_header(const std::shared_ptr<RandomAccess>& file, std::uint64_t bytes,
                           const ContainerLimits& limits) {
  WindowSource source(file, length_bytes, bytes);
  auto header = HeaderReader(source, limits).read();
  if (!header) return fail(in_header(std::move(header).error()));
  return header;
}

// As the format says: the tensors cover the data, and no byte belongs to two. `size`: of the file,
// if it is known without reading the data.
Result<void> check_cover(std::vector<Tensor>& tensors, std::uint64_t data_begin,
                         std::optional<std::uint64_t> size) {
  const std::uint64_t data_bytes = size.value_or(unknown_bytes) - data_begin;
  std::ranges::stable_sort(tensors, {},
                           [](const Tensor& each) { return std::pair(each.begin, each.end); });
  std::uint64_t covered = 0;
  for (const Tensor& each : tensors) {
    if (each.end > data_bytes)
      return fail(error(ErrorCode::bad_container,
                        printable(each.name, 80) + ": the file ends before the tensor does")
                      .with(std::to_string(data_bytes) + " B", std::to_string(each.end) + " B")
                      .at_offset(data_begin + data_bytes));
    if (each.begin != covered)
      return fail(error(ErrorCode::bad_container,
                        printable(each.name, 80) + (each.begin < covered
                                                        ? ": the tensor begins in another"
                                                        : ": bytes before it are of no tensor"))
                      .with(std::to_string(each.begin), std::to_string(covered))
                      .at_offset(data_begin + each.begin));
    covered = each.end;
  }
  if (covered == data_bytes || !size) return {};
  return fail(error(ErrorCode::bad_container, "bytes behind the last tensor are of none")
                  .with(std::to_string(data_bytes) + " B", std::to_string(covered) + " B")
                  .at_offset(data_begin + covered));
}

class Safetensors final : public Container {
 public:
  Safetensors(std::shared_ptr<RandomAccess> file, Header header, std::uint64_t data_begin,
              std::optional<std::uint64_t> base)
      : file_(std::move(file)),
        facts_(std::move(header.facts)),
        says_addresses_(header.base_address.has_value()) {
    // Tensors in one file lay anywhere; where its writer gives an address they lay as they do here.
    const bool is_one = header.tensors.size() <= 1;
    if (!says_addresses_ && base.has_value() && !is_one) remark_ = base_of_several("tensors");
    const auto first = says_addresses_ || !is_one ? header.base_address : base;
    for (Tensor& each : header.tensors) {
      Region made;
      made.name = std::move(each.name);
      made.kind = "tensor";
      if (first) made.address = checked_add(*first, each.begin);
      made.bytes = each.end - each.begin;
      made.file_offset = data_begin + each.begin;
      made.type = {std::string(each.dtype->name), each.dtype->element,
                   std::max<std::uint64_t>(each.dtype->bits / 8, 1), false};
      // Several elements of less than a byte share one: such a tensor is counted in bytes.
      made.shape = each.dtype->bits < 8 ? std::vector{made.bytes} : std::move(each.shape);
      regions_.push_back(std::move(made));
    }
  }

  std::string_view name() const noexcept override { return safetensors_kind.name; }
  std::span<const Region> regions() const noexcept override { return regions_; }
  std::span<const ContainerFact> facts() const noexcept override { return facts_; }
  std::string_view remark() const noexcept override { return remark_; }
  bool says_addresses() const noexcept override { return says_addresses_; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    const Region& here = regions_[region];
    return std::make_shared<SliceAccess>(file_, *here.file_offset, here.bytes);
  }

 private:
  std::shared_ptr<RandomAccess> file_;
  std::vector<Region> regions_;
  std::vector<ContainerFact> facts_;
  bool says_addresses_;
  std::string remark_;
};

// As far as the file's size is known.
Result<void> check_header_end(const RandomAccess& file, std::uint64_t bytes) {
  const auto size = file.known_size();
  if (!size || contains(*size, length_bytes, bytes)) return {};
  return fail(error(ErrorCode::bad_container, "the file ends inside the header")
                  .with(std::to_string(*size - length_bytes) + " B", std::to_string(bytes) + " B")
                  .at_offset(length_bytes));
}

Result<std::unique_ptr<Container>> open_safetensors(std::shared_ptr<RandomAccess> file,
                                                    const ContainerHints& hints) {
  std::array<std::byte, length_bytes> length;
  SLABSCOPE_TRY(read_exactly_at(*file, 0, length, "the header's length"));
  const auto header_bytes = load_little_endian<std::uint64_t>(length.data());
  if (header_bytes > hints.limits.max_header_bytes)
    return fail(error(ErrorCode::limit_exceeded, "the header is too long")
                    .with(std::to_string(header_bytes) + " B",
                          "at most " + std::to_string(hints.limits.max_header_bytes) + " B")
                    .at_offset(0));
  SLABSCOPE_TRY(check_header_end(*file, header_bytes));
  auto header = read_header(file, header_bytes, hints.limits);
  // A text that ends early is what is wrong only where the file does not.
  if (!header) SLABSCOPE_TRY(check_header_end(*file, header_bytes));
  if (!header) return fail(std::move(header).error());
  const std::uint64_t data_begin = length_bytes + header_bytes;
  SLABSCOPE_TRY(check_cover(header->tensors, data_begin, file->known_size()));
  return std::make_unique<Safetensors>(std::move(file), *std::move(header), data_begin, hints.base);
}

// A slab may hold 0x7b where the header begins, and behind it what may follow in an object, as
// the number 2427 does: as far as the next two words of a slab reach, it has to be text.
bool recognises_safetensors(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  if (first.size() < length_bytes + 2 || first[8] != std::byte{'{'}) return false;
  constexpr std::string_view blanks = " \n\r\t";
  const auto is_blank = [&](std::byte each) {
    return blanks.find(static_cast<char>(each)) != std::string_view::npos;
  };
  if (first[9] != std::byte{'"'} && first[9] != std::byte{'}'} && !is_blank(first[9])) return false;
  const auto begin = first.first(std::min(first.size(), 2 * length_bytes)).subspan(length_bytes);
  return std::ranges::all_of(
      begin, [&](std::byte each) { return each >= std::byte{' '} || is_blank(each); });
}

}  // namespace

constinit const ContainerKind safetensors_kind = {"safetensors",
                                                  "tensors, and what their writer says of them",
                                                  recognises_safetensors, open_safetensors};

}  // namespace slabscope
