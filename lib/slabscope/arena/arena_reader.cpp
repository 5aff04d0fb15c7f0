#include <slabscope/arena/arena_reader.h>

#include <slabscope/layout/catalog.h>
#include <slabscope/layout/description_reader.h>
#include <slabscope/layout/embedded.h>

#include <algorithm>

namespace slabscope {
namespace {

class ArenaReader {
 public:
  explicit ArenaReader(ObjectReader& in) : in_(in) {}

  Result<Arena> read() {
    SLABSCOPE_TRY_ASSIGN(begin, in_.begin_object("an arena document"));
    SLABSCOPE_TRY(in_.members(
        begin, {{"arena", true, [this] { return word(made_.name); }},
                {"bytes", false, [this] { return count(made_.bytes, "the arena's size"); }},
                {"slabs", true, [this] { return slabs(); }}}));
    SLABSCOPE_TRY(in_.end());
    std::stable_sort(
        made_.slabs.begin(), made_.slabs.end(),
        [](const ArenaSlab& left, const ArenaSlab& right) { return left.offset < right.offset; });
    return std::move(made_);
  }

 private:
  Result<TextPlace> name(std::string& into) {
    SLABSCOPE_TRY_ASSIGN(place, in_.text(into));
    if (is_identifier(into)) return place;
    return fail(in_.here(place, ErrorCode::bad_arena,
                         "a name is letters, digits and '_', no digit first, at most 64 bytes")
                    .with(printable(into), {}));
  }

  Result<void> word(std::string& into) {
    SLABSCOPE_TRY(name(into));
    return {};
  }

  Result<void> count(std::optional<std::uint64_t>& into, std::string_view what) {
    SLABSCOPE_TRY_ASSIGN(read, in_.count(what));
    into = read;
    return {};
  }

  Result<void> slabs() {
    SLABSCOPE_TRY(in_.begin_array("the slabs"));
    return in_.elements(max_arena_slabs, [this](const Token& token) { return slab(token); });
  }

  Result<void> slab(const Token& first) {
    const TextPlace begin = first.place;
    SLABSCOPE_TRY(in_.require(first, TokenKind::begin_object, "a slab"));
    ArenaSlab made;
    made.origin = {in_.tokenizer().file(), begin, in_.tokenizer().pointer(), true};
    std::optional<std::uint64_t> offset;
    SLABSCOPE_TRY(in_.members(
        begin,
        {{"name", true, [&] { return slab_name(made.name); }},
         {"layout", true, [&] { return layout(made.layout); }},
         {"params", false, [&] { return params(made.params); }},
         {"offset", true, [&] { return count(offset, "an offset"); }},
         {"region_bytes", false, [&] { return count(made.region_bytes, "a region's size"); }},
         {"phase", false, [&] { return word(made.phase); }},
         {"live_rows", false, [&] { return count(made.live_rows, "a number of rows"); }}}));
    made.offset = *offset;
    made_.slabs.push_back(std::move(made));
    return {};
  }

  Result<void> slab_name(std::string& into) {
    SLABSCOPE_TRY_ASSIGN(place, name(into));
    const bool is_known = std::any_of(made_.slabs.begin(), made_.slabs.end(),
                                      [&](const ArenaSlab& each) { return each.name == into; });
    if (!is_known) return {};
    return fail(in_.here(place, ErrorCode::duplicate_name,
                         "a slab named '" + into + "' stands before this one"));
  }

  // No document makes the program open a file: a layout of one's own stands in the document.
  Result<void> layout(DescriptionPtr& into) {
    SLABSCOPE_TRY_ASSIGN(token, in_.tokenizer().next());
    const TextPlace place = token.place;
    if (token.kind == TokenKind::begin_object) {
      SLABSCOPE_TRY_ASSIGN(read, read_description(in_, place));
      into = read;
      return {};
    }
    if (token.kind != TokenKind::string)
      return fail(in_.here(place, ErrorCode::wrong_type,
                           "a layout is the name of a built-in one, or a description")
                      .with(std::string(describe(token.kind)), "a string or an object"));
    Result<DescriptionPtr> read = builtin_layout(token.text);
    if (!read) {
      Error failed = std::move(read).error();
      failed.message =
          "there is no built-in layout of this name; one of your own stands here "
          "as an object";
      failed.file = in_.tokenizer().file();
      return fail(std::move(failed).at(place, in_.tokenizer().pointer()));
    }
    into = *read;
    return {};
  }

  Result<void> params(Assignments& into) {
    SLABSCOPE_TRY(in_.begin_object("the parameters"));
    return in_.any_members([&](const std::string& key, TextPlace place) -> Result<void> {
      if (into.size() == max_params + std::size(well_known_params))
        return fail(in_.here(place, ErrorCode::limit_exceeded, "too many parameters")
                        .with({}, "at most " + std::to_string(into.size())));
      Origin origin{in_.tokenizer().file(), place, in_.tokenizer().pointer(), true};
      SLABSCOPE_TRY_ASSIGN(value, in_.count("a parameter"));
      into.push_back({key, value, std::move(origin)});
      return {};
    });
  }

  ObjectReader& in_;
  Arena made_;
};

}  // namespace

Result<Arena> read_arena(Source& source, std::string file) {
  ObjectReader in(source, std::move(file), "the arena document", max_arena_bytes);
  return ArenaReader(in).read();
}

std::vector<std::string_view> builtin_arena_names() {
  std::vector<std::string_view> names;
  for (const EmbeddedFile& each : embedded_arenas()) names.push_back(each.name);
  return names;
}

Result<Arena> builtin_arena(std::string_view name) {
  for (const EmbeddedFile& each : embedded_arenas()) {
    if (each.name != name) continue;
    MemorySource source(each.text);
    return read_arena(source, "builtin:" + std::string(name));
  }
  return fail(error(ErrorCode::unknown_arena,
                    "there is no built-in arena of this name; one of your own is a file whose name "
                    "ends in .json or holds a '/'")
                  .with(printable(name, 80), joined(builtin_arena_names())));
}

}  // namespace slabscope
