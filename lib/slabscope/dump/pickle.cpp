#include <slabscope/dump/pickle.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/base/little_endian.h>
#include <slabscope/dump/pickle_names.h>

#include <unordered_map>
#include <utility>

namespace slabscope {
namespace {

// The part of the language that torch.save writes, in protocols 2 to 5.
enum Opcode : unsigned char {
  mark = '(',
  stop = '.',
  binint = 'J',
  binint1 = 'K',
  binint2 = 'M',
  none = 'N',
  binpersid = 'Q',
  reduce = 'R',
  binunicode = 'X',
  append = 'a',
  build = 'b',
  global = 'c',
  empty_dict = '}',
  appends = 'e',
  binget = 'h',
  long_binget = 'j',
  empty_list = ']',
  binput = 'q',
  long_binput = 'r',
  setitem = 's',
  tuple = 't',
  empty_tuple = ')',
  setitems = 'u',
  binfloat = 'G',
  binbytes = 'B',
  short_binbytes = 'C',
  proto = 0x80,
  tuple1 = 0x85,
  tuple2 = 0x86,
  tuple3 = 0x87,
  newtrue = 0x88,
  newfalse = 0x89,
  long1 = 0x8a,
  short_binunicode = 0x8c,
  stack_global = 0x93,
  memoize = 0x94,
  frame = 0x95,
};

using Index = std::uint32_t;

class PickleReader {
 public:
  explicit PickleReader(std::vector<char> bytes) {
    made_.bytes = std::move(bytes);
    text_ = {made_.bytes.data(), made_.bytes.size()};
  }

  Result<Pickle> read() {
    SLABSCOPE_TRY_ASSIGN(begin, take(2));
    if (begin[0] != '\x80' || begin[1] < 2 || begin[1] > 5)
      return bad("this is no pickle of protocol 2 to 5");
    while (!is_done_) {
      begin_ = at_;
      SLABSCOPE_TRY_ASSIGN(opcode, take(1));
      SLABSCOPE_TRY(step(static_cast<unsigned char>(opcode[0])));
    }
    if (!made_.unknown_name.empty()) return std::move(made_);
    if (at_ != text_.size()) return bad("the pickle goes on behind its end");
    return std::move(made_);
  }

 private:
  Result<void> step(unsigned char opcode) {
    switch (opcode) {
      case mark: marks_.push_back(stack_.size()); return count();
      case stop: return end();
      case none: return push({});
      case newtrue: return push_integer(1);
      case newfalse: return push_integer(0);
      case binint: return fixed_integer<std::int32_t>();
      case binint1: return fixed_integer<std::uint8_t>();
      case binint2: return fixed_integer<std::uint16_t>();
      case long1: return long_integer();
      case binfloat: return pass_over(8);
      case binbytes: return sized<std::uint32_t>(PickleKind::other);
      case short_binbytes: return sized<std::uint8_t>(PickleKind::other);
      case binunicode: return sized<std::uint32_t>(PickleKind::text);
      case short_binunicode: return sized<std::uint8_t>(PickleKind::text);
      case empty_tuple: return push_items(PickleKind::tuple, {});
      case empty_list: return push_items(PickleKind::list, {});
      case empty_dict: return push_items(PickleKind::dict, {});
      case tuple1: return small_tuple(1);
      case tuple2: return small_tuple(2);
      case tuple3: return small_tuple(3);
      default: return step_on_stack(opcode);
    }
  }

  Result<void> step_on_stack(unsigned char opcode) {
    switch (opcode) {
      case tuple: return marked_tuple();
      case append: return add_to(PickleKind::list, 1);
      case appends: return add_marked(PickleKind::list);
      case setitem: return add_to(PickleKind::dict, 2);
      case setitems: return add_marked(PickleKind::dict);
      case binput: return remember<std::uint8_t>();
      case long_binput: return remember<std::uint32_t>();
      case memoize: return remember_as(memo_.size());
      case binget: return recall<std::uint8_t>();
      case long_binget: return recall<std::uint32_t>();
      case global: return named_global();
      case stack_global: return global_on_stack();
      case reduce: return call();
      case build: return pass_over_state();
      case binpersid: return storage();
      case frame: return frame_bytes();
      default: break;
    }
    return bad("an instruction that torch.save does not use for tensors", hex_text(opcode));
  }

  // --- bytes

  Result<std::string_view> take(std::uint64_t bytes) {
    if (!contains(text_.size(), at_, bytes))
      return bad("the pickle ends too early", std::to_string(text_.size() - at_) + " B",
                 std::to_string(bytes) + " B");
    const std::string_view taken = text_.substr(at_, bytes);
    at_ += bytes;
    return taken;
  }
  template <class T>
  Result<T> number() {
    SLABSCOPE_TRY_ASSIGN(bytes, take(sizeof(T)));
    return load_little_endian<T>(reinterpret_cast<const std::byte*>(bytes.data()));
  }
  Result<void> pass_over(std::uint64_t bytes) {
    SLABSCOPE_TRY(take(bytes));
    return push({});
  }
  template <class T>
  Result<void> sized(PickleKind kind) {
    SLABSCOPE_TRY_ASSIGN(length, number<T>());
    SLABSCOPE_TRY_ASSIGN(text, take(length));
    PickleValue value;
    value.kind = kind;
    value.text = text;
    return push(value);
  }
  Result<std::string_view> line() {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) return bad("a name does not end");
    SLABSCOPE_TRY_ASSIGN(text, take(end - at_));
    ++at_;
    return text;
  }
  Result<void> frame_bytes() {
    SLABSCOPE_TRY_ASSIGN(bytes, number<std::uint64_t>());
    if (bytes <= text_.size() - at_) return {};
    return bad("a frame reaches past the pickle", std::to_string(bytes) + " B",
               std::to_string(text_.size() - at_) + " B");
  }

  // --- values

  // Every value, reference and name is one of a bounded number.
  Result<void> count() {
    if (++count_ <= max_pickle_values) return {};
    return fail(error(ErrorCode::limit_exceeded, "the pickle holds too many values")
                    .with({}, "at most " + std::to_string(max_pickle_values))
                    .at_offset(begin_));
  }
  Result<void> push_index(Index index) {
    SLABSCOPE_TRY(count());
    stack_.push_back(index);
    return {};
  }
  Result<void> push(const PickleValue& value) {
    made_.values.push_back(value);
    return push_index(static_cast<Index>(made_.values.size() - 1));
  }
  Result<void> push_integer(std::int64_t integer) {
    PickleValue value;
    value.kind = PickleKind::integer;
    value.integer = integer;
    return push(value);
  }
  Result<void> push_items(PickleKind kind, std::vector<Index> items, PickleGlobal called = {}) {
    PickleValue value;
    value.kind = kind;
    value.global = called;
    value.items = static_cast<Index>(made_.lists.size());
    made_.lists.push_back(std::move(items));
    return push(value);
  }
  template <class T>
  Result<void> fixed_integer() {
    SLABSCOPE_TRY_ASSIGN(integer, number<T>());
    return push_integer(integer);
  }
  // Two's complement of so many bytes.
  Result<void> long_integer() {
    SLABSCOPE_TRY_ASSIGN(length, number<std::uint8_t>());
    SLABSCOPE_TRY_ASSIGN(bytes, take(length));
    if (length > 8) return push({});
    std::uint64_t value = length > 0 && (bytes.back() & '\x80') != 0 ? ~std::uint64_t{0} : 0;
    for (std::size_t index = bytes.size(); index-- > 0;)
      value = value << 8U | static_cast<unsigned char>(bytes[index]);
    return push_integer(static_cast<std::int64_t>(value));
  }

  // --- the stack

  std::size_t bottom() const { return marks_.empty() ? 0 : marks_.back(); }
  // The last `count` values, none of them from before a mark.
  Result<std::vector<Index>> pop(std::size_t wanted) {
    if (stack_.size() - bottom() < wanted) return bad("the stack holds too few values");
    std::vector<Index> popped(stack_.end() - static_cast<std::ptrdiff_t>(wanted), stack_.end());
    stack_.resize(stack_.size() - wanted);
    return popped;
  }
  Result<std::vector<Index>> pop_marked() {
    if (marks_.empty()) return bad("there is no mark on the stack");
    SLABSCOPE_TRY_ASSIGN(popped, pop(stack_.size() - marks_.back()));
    marks_.pop_back();
    return std::move(popped);
  }
  Result<PickleValue*> top() {
    if (stack_.size() == bottom()) return bad("the stack holds too few values");
    return &made_.values[stack_.back()];
  }

  Result<void> small_tuple(std::size_t wanted) {
    SLABSCOPE_TRY_ASSIGN(items, pop(wanted));
    return push_items(PickleKind::tuple, std::move(items));
  }
  Result<void> marked_tuple() {
    SLABSCOPE_TRY_ASSIGN(items, pop_marked());
    return push_items(PickleKind::tuple, std::move(items));
  }
  Result<void> add_to(PickleKind kind, std::size_t wanted) {
    SLABSCOPE_TRY_ASSIGN(items, pop(wanted));
    return add(kind, items);
  }
  Result<void> add_marked(PickleKind kind) {
    SLABSCOPE_TRY_ASSIGN(items, pop_marked());
    return add(kind, items);
  }
  Result<void> add(PickleKind kind, const std::vector<Index>& items) {
    SLABSCOPE_TRY_ASSIGN(target, top());
    if (target->kind != kind)
      return bad(kind == PickleKind::list ? "what is appended to is no list"
                                          : "what items are set in is no dictionary");
    if (kind == PickleKind::dict && items.size() % 2 != 0) return bad("a key has no value");
    std::vector<Index>& into = made_.lists[target->items];
    into.insert(into.end(), items.begin(), items.end());
    return {};
  }

  Result<void> remember_as(std::uint64_t place) {
    SLABSCOPE_TRY(top());
    SLABSCOPE_TRY(count());
    memo_[place] = stack_.back();
    return {};
  }
  template <class T>
  Result<void> remember() {
    SLABSCOPE_TRY_ASSIGN(place, number<T>());
    return remember_as(place);
  }
  template <class T>
  Result<void> recall() {
    SLABSCOPE_TRY_ASSIGN(place, number<T>());
    const auto found = memo_.find(place);
    if (found == memo_.end()) return bad("nothing was remembered here", std::to_string(place));
    return push_index(found->second);
  }

  // --- names and calls

  Result<void> named_global() {
    SLABSCOPE_TRY_ASSIGN(module, line());
    SLABSCOPE_TRY_ASSIGN(name, line());
    return push_global(module, name);
  }
  Result<void> global_on_stack() {
    SLABSCOPE_TRY_ASSIGN(names, pop(2));
    const PickleValue& module = made_.values[names[0]];
    const PickleValue& name = made_.values[names[1]];
    if (module.kind != PickleKind::text || name.kind != PickleKind::text)
      return bad("a name is no text");
    return push_global(module.text, name.text);
  }
  Result<void> push_global(std::string_view module, std::string_view name) {
    const auto known = pickle_global(module, name);
    if (!known) {
      made_.unknown_name = printable(module, 80) + "." + printable(name, 80);
      is_done_ = true;
      return {};
    }
    PickleValue value;
    value.kind = PickleKind::global;
    value.global = *known;
    return push(value);
  }

  Result<void> call() {
    SLABSCOPE_TRY_ASSIGN(popped, pop(2));
    const PickleValue callee = made_.values[popped[0]];
    const PickleValue arguments = made_.values[popped[1]];
    if (callee.kind != PickleKind::global || arguments.kind != PickleKind::tuple)
      return bad("what is called is no name with a tuple");
    switch (callee.global.name) {
      case PickleName::ordered_dict:
        if (!made_.lists[arguments.items].empty()) return bad("an OrderedDict with arguments");
        return push_items(PickleKind::dict, {});
      case PickleName::storage:
      case PickleName::untyped_storage:
      case PickleName::type: return bad("a class or type of torch is called");
      default: return push_items(PickleKind::made, {popped[1]}, callee.global);
    }
  }
  // What an object says of itself besides its items: the metadata of a state_dict.
  Result<void> pass_over_state() {
    SLABSCOPE_TRY(pop(1));
    SLABSCOPE_TRY(top());
    return {};
  }
  Result<void> storage() {
    SLABSCOPE_TRY_ASSIGN(id, pop(1));
    return push_items(PickleKind::storage, std::move(id));
  }
  Result<void> end() {
    if (stack_.size() != 1 || !marks_.empty())
      return bad("the pickle ends with more or less than one value", std::to_string(stack_.size()));
    made_.root = stack_.front();
    is_done_ = true;
    return {};
  }

  Failure bad(std::string message, std::string got = {}, std::string allowed = {}) const {
    return fail(error(ErrorCode::bad_container, std::move(message))
                    .with(std::move(got), std::move(allowed))
                    .at_offset(begin_));
  }

  Pickle made_;
  std::string_view text_;
  std::uint64_t at_ = 0;
  std::uint64_t begin_ = 0;  // of the instruction
  std::size_t count_ = 0;
  bool is_done_ = false;
  std::vector<Index> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Index> memo_;
};

}  // namespace

Result<Pickle> read_pickle(std::vector<char> bytes) {
  return PickleReader(std::move(bytes)).read();
}

}  // namespace slabscope
