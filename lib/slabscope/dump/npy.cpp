#include <slabscope/dump/npy.h>

#include <slabscope/dump/kinds.h>
#include <slabscope/dump/npy_header.h>

#include <algorithm>
#include <array>

namespace slabscope {
namespace {

constexpr std::array<unsigned char, 6> magic = {0x93, 'N', 'U', 'M', 'P', 'Y'};

struct HeaderText {
  std::string text;
  std::uint64_t offset = 0;
};

Result<HeaderText> read_header_text(RandomAccess& file) {
  std::array<std::byte, 12> begin{};
  SLABSCOPE_TRY(read_exactly_at(file, 0, std::span(begin).first(10), "the header"));
  const unsigned major = std::to_integer<unsigned>(begin[6]);
  const unsigned minor = std::to_integer<unsigned>(begin[7]);
  if (major < 1 || major > 3 || minor != 0)
    return fail(error(ErrorCode::unsupported_container, "this version of .npy is not known")
                    .with(std::to_string(major) + "." + std::to_string(minor), "1.0, 2.0, 3.0")
                    .at_offset(6));
  HeaderText made;
  std::uint64_t length = load_little_endian<std::uint16_t>(&begin[8]);
  made.offset = 10;
  if (major > 1) {
    SLABSCOPE_TRY(read_exactly_at(file, 10, std::span(begin).last(2), "the header"));
    length = load_little_endian<std::uint32_t>(&begin[8]);
    made.offset = 12;
  }
  if (length > max_npy_header_bytes)
    return fail(error(ErrorCode::limit_exceeded, "the header is too long")
                    .with(std::to_string(length) + " B",
                          "at most " + std::to_string(max_npy_header_bytes) + " B")
                    .at_offset(8));
  made.text.resize(length);
  SLABSCOPE_TRY(read_exactly_at(file, made.offset, std::as_writable_bytes(std::span(made.text)),
                                "the header"));
  return made;
}

// Walks the fields of a type, those in fields included, and makes each a region.
class FieldRegions {
 public:
  FieldRegions(std::vector<ViewRegion>& into, RegionBudget& budget)
      : into_(into), budget_(budget) {}

  // `view` is of the records that hold the fields.
  Result<void> add(const NpyType& record, const std::string& prefix, const StridedView& view) {
    for (const NpyField& field : record.fields) {
      StridedView inside = view;
      // Records without elements may be of any size.
      const auto offset = checked_add(view.offset, field.offset);
      if (!offset) return fail(ErrorCode::bad_container, "the elements of a field pass 64 bits");
      inside.offset = *offset;
      inside.element_bytes = field.type.bytes;
      inside.swap_bytes = field.type.swap_bytes;
      const auto strides = c_strides(field.shape, field.type.bytes);
      inside.shape.insert(inside.shape.end(), field.shape.begin(), field.shape.end());
      inside.strides.insert(inside.strides.end(), strides.begin(), strides.end());
      const std::string name = prefix + field.name;
      SLABSCOPE_TRY(add_field(field, name, std::move(inside)));
    }
    return {};
  }

 private:
  Result<void> add_field(const NpyField& field, const std::string& name, StridedView view) {
    if (view.shape.size() > max_npy_dimensions)
      return fail(error(ErrorCode::limit_exceeded, "a field has too many dimensions")
                      .with(std::to_string(view.shape.size()),
                            "at most " + std::to_string(max_npy_dimensions)));
    // A field in a field repeats the names around it.
    SLABSCOPE_TRY(budget_.take(name, view.shape.size()));
    if (!field.type.fields.empty()) return add(field.type, name + ".", view);
    const auto bytes = view_bytes(view);
    if (!bytes) return fail(ErrorCode::bad_container, "the elements of a field pass 64 bits");
    Region made;
    made.name = name;
    made.kind = "field";
    made.must_be_named = true;
    made.bytes = *bytes;
    if (is_one_run(view)) made.file_offset = view.offset;
    made.is_reordered = !is_one_run(view);
    made.type = {field.type.name, field.type.element, field.type.bytes, field.type.swap_bytes > 1};
    made.shape = view.shape;
    into_.push_back({std::move(made), std::move(view)});
    return {};
  }

  std::vector<ViewRegion>& into_;
  RegionBudget& budget_;
};

bool has_big_endian(const NpyType& type) {
  return type.swap_bytes > 1 || std::ranges::any_of(type.fields, [](const NpyField& field) {
           return has_big_endian(field.type);
         });
}

// `file_size`: if it is known without reading the array.
Result<StridedView> view_of(const NpyHeader& header, std::uint64_t begin,
                            std::optional<std::uint64_t> file_size) {
  StridedView view{begin, header.type.bytes, header.type.swap_bytes, header.shape, {}};
  const auto bytes = view_bytes(view);
  if (!bytes)
    return fail(error(ErrorCode::bad_container, "the array's bytes pass 64 bits").at_offset(begin));
  if (!contains(file_size.value_or(unknown_bytes), begin, *bytes))
    return fail(error(ErrorCode::bad_container, "the file ends inside the array")
                    .with(std::to_string(file_size.value_or(unknown_bytes) - begin) + " B",
                          std::to_string(*bytes) + " B")
                    .at_offset(begin));
  view.strides = header.is_fortran ? fortran_strides(view.shape, view.element_bytes)
                                   : c_strides(view.shape, view.element_bytes);
  return view;
}

class Npy final : public Container {
 public:
  Npy(std::shared_ptr<RandomAccess> file, NpyArrays arrays, std::optional<std::uint64_t> base)
      : file_(std::move(file)), remark_(std::move(arrays.remark)) {
    for (ViewRegion& each : arrays.regions) {
      if (base && each.region.file_offset)
        each.region.address = checked_add(*base, *each.region.file_offset - arrays.begin);
      regions_.push_back(std::move(each.region));
      views_.push_back(std::move(each.view));
    }
  }

  std::string_view name() const noexcept override { return npy_kind.name; }
  std::span<const Region> regions() const noexcept override { return regions_; }
  std::string_view remark() const noexcept override { return remark_; }
  Result<std::shared_ptr<RandomAccess>> open(std::size_t region) override {
    return open_view(file_, views_[region]);
  }

 private:
  std::shared_ptr<RandomAccess> file_;
  std::string remark_;
  std::vector<Region> regions_;
  std::vector<StridedView> views_;
};

Result<std::unique_ptr<Container>> open_npy(std::shared_ptr<RandomAccess> file,
                                            const ContainerHints& hints) {
  RegionBudget budget(hints.limits);
  SLABSCOPE_TRY_ASSIGN(arrays, read_npy(*file, {}, hints.limits, budget));
  return std::make_unique<Npy>(std::move(file), std::move(arrays), hints.base);
}

bool recognises_npy(std::span<const std::byte> first, std::uint64_t /*size*/) noexcept {
  return is_npy(first);
}

}  // namespace

bool is_npy(std::span<const std::byte> first) noexcept {
  return first.size() >= magic.size() && std::memcmp(first.data(), magic.data(), magic.size()) == 0;
}

Result<NpyArrays> read_npy(RandomAccess& file, const std::string& name,
                           const ContainerLimits& limits, RegionBudget& budget) {
  SLABSCOPE_TRY_ASSIGN(text, read_header_text(file));
  SLABSCOPE_TRY_ASSIGN(header, read_npy_header(text.text, text.offset, limits));
  const std::uint64_t begin = text.offset + text.text.size();
  SLABSCOPE_TRY_ASSIGN(view, view_of(header, begin, file.known_size()));
  NpyArrays made;
  made.begin = begin;
  const bool has_fields = !header.type.fields.empty();
  if (has_fields && has_big_endian(header.type)) {
    made.remark =
        "the records hold big-endian numbers: the fields are regions, the records are not";
  } else {
    Region whole;
    whole.name = name.empty() ? "array" : name;
    SLABSCOPE_TRY(budget.take(whole.name, header.shape.size()));
    whole.kind = has_fields ? "records" : "tensor";
    whole.must_be_named = has_fields;
    whole.bytes = *view_bytes(view);
    if (is_one_run(view)) whole.file_offset = begin;
    whole.is_reordered = !is_one_run(view);
    whole.type = {header.type.name, header.type.element, header.type.bytes,
                  header.type.swap_bytes > 1};
    whole.shape = header.shape;
    made.regions.push_back({std::move(whole), view});
  }
  SLABSCOPE_TRY(
      FieldRegions(made.regions, budget).add(header.type, name.empty() ? "" : name + ".", view));
  const std::uint64_t end = begin + *view_bytes(view);
  if (const std::uint64_t behind = file.known_size().value_or(end) - end; behind > 0)
    made.remark += std::string(made.remark.empty() ? "" : "; ") + counted(behind, "byte") +
                   " behind the array are not read";
  return made;
}

constinit const ContainerKind npy_kind = {"npy", "an array of numpy.save", recognises_npy,
                                          open_npy};

}  // namespace slabscope
