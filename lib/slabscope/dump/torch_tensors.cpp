#include <slabscope/dump/torch_tensors.h>

#include <slabscope/dump/region_budget.h>

#include <algorithm>
#include <utility>

namespace slabscope {
namespace {

class TensorReader {
 public:
  TensorReader(const Pickle& pickle, const ContainerLimits& limits)
      : pickle_(pickle), limits_(limits), is_around_(pickle.lists.size()), budget_(limits) {}

  Result<std::vector<TorchTensor>> read() {
    SLABSCOPE_TRY(walk(pickle_.root, 0));
    return std::move(made_);
  }

 private:
  using Items = std::vector<std::uint32_t>;

  const PickleValue& value(std::uint32_t index) const { return pickle_.values[index]; }
  const Items& items(const PickleValue& of) const { return pickle_.lists[of.items]; }

  Result<void> walk(std::uint32_t index, unsigned nesting) {
    const PickleValue& here = value(index);
    // An object at many places is walked as often: what is short as a pickle need not be so here.
    if (++walked_ > max_pickle_values) return over("the pickle holds too many values");
    switch (here.kind) {
      case PickleKind::tuple:
      case PickleKind::list:
      case PickleKind::dict: return walk_items(here, nesting);
      case PickleKind::made: return walk_made(here, nesting);
      default: return {};
    }
  }

  Result<void> walk_items(const PickleValue& here, unsigned nesting) {
    if (is_around_[here.items]) return bad("an object holds itself");
    if (nesting >= limits_.max_nesting) return over("objects in objects, too deep");
    is_around_[here.items] = true;
    const Items& inside = items(here);
    const bool is_dict = here.kind == PickleKind::dict;
    const std::size_t around = path_.size();
    for (std::size_t at = 0; at < inside.size(); at += is_dict ? 2 : 1) {
      path_ += is_dict ? key(value(inside[at]), at / 2) : "[" + std::to_string(at) + "]";
      SLABSCOPE_TRY(walk(inside[at + (is_dict ? 1 : 0)], nesting + 1));
      path_.resize(around);
    }
    is_around_[here.items] = false;
    return {};
  }

  // ".name" for a text; "[7]" for a number; "[#2]" for the third of other keys.
  std::string key(const PickleValue& of, std::size_t ordinal) const {
    if (of.kind == PickleKind::integer) return "[" + std::to_string(of.integer) + "]";
    if (of.kind != PickleKind::text) return "[#" + std::to_string(ordinal) + "]";
    constexpr std::size_t shown_bytes = 1024;
    return (path_.empty() ? "" : ".") + std::string(of.text.substr(0, shown_bytes));
  }

  Result<void> walk_made(const PickleValue& here, unsigned nesting) {
    const Items& arguments = items(value(items(here).front()));
    switch (here.global.name) {
      case PickleName::rebuild_tensor:
      case PickleName::rebuild_tensor_v3: return tensor(here, arguments);
      case PickleName::rebuild_parameter:
        if (arguments.empty()) return bad("a parameter without a tensor");
        if (nesting >= limits_.max_nesting) return over("objects in objects, too deep");
        return walk(arguments.front(), nesting + 1);
      default: return {};
    }
  }

  Result<void> tensor(const PickleValue& here, const Items& arguments) {
    const bool has_type = here.global.name == PickleName::rebuild_tensor_v3;
    if (arguments.size() < (has_type ? 7U : 4U))
      return bad("a tensor has too few arguments", std::to_string(arguments.size()));
    TorchTensor made;
    made.name = path_.empty() ? "tensor" : path_;
    SLABSCOPE_TRY_ASSIGN(storage, storage_of(value(arguments[0])));
    made.storage = std::move(storage);
    SLABSCOPE_TRY_ASSIGN(offset, count(value(arguments[1])));
    made.offset = offset;
    SLABSCOPE_TRY_ASSIGN(shape, counts(value(arguments[2])));
    made.shape = std::move(shape);
    SLABSCOPE_TRY_ASSIGN(strides, counts(value(arguments[3])));
    made.strides = std::move(strides);
    if (auto taken = budget_.take(made.name, made.shape.size()); !taken) {
      taken.error().message = place() + taken.error().message;
      return taken;
    }
    if (made.shape.size() != made.strides.size())
      return bad("a tensor has not as many strides as dimensions",
                 std::to_string(made.strides.size()), std::to_string(made.shape.size()));
    made.type = made.storage.type;
    if (has_type) {
      const PickleValue& type = value(arguments[6]);
      if (type.kind != PickleKind::global || type.global.name != PickleName::type)
        return bad("a tensor's type is none");
      made.type = type.global.type;
    }
    if (made.type == nullptr) return bad("a tensor of bytes that have no type");
    made_.push_back(std::move(made));
    return {};
  }

  // ('storage', class, key, device, count).
  Result<TorchStorage> storage_of(const PickleValue& of) {
    if (of.kind != PickleKind::storage) return bad("a tensor without a storage");
    const PickleValue& id = value(items(of).front());
    if (id.kind != PickleKind::tuple || items(id).size() != 5)
      return bad("a storage's id is no tuple of five");
    const Items& parts = items(id);
    const PickleValue& type = value(parts[1]);
    const bool is_untyped = type.global.name == PickleName::untyped_storage;
    if (value(parts[0]).text != "storage" || type.kind != PickleKind::global ||
        (!is_untyped && type.global.name != PickleName::storage) ||
        value(parts[2]).kind != PickleKind::text || value(parts[3]).kind != PickleKind::text)
      return bad("a storage's id is not ('storage', class, key, device, count)");
    TorchStorage made;
    made.key = value(parts[2]).text;
    made.device = value(parts[3]).text.substr(0, 32);
    made.type = type.global.type;
    SLABSCOPE_TRY_ASSIGN(elements, count(value(parts[4])));
    made.count = elements;
    return made;
  }

  Result<std::uint64_t> count(const PickleValue& of) const {
    if (of.kind != PickleKind::integer || of.integer < 0)
      return bad("a tensor's offset, dimension or stride is no number of elements",
                 of.kind == PickleKind::integer ? std::to_string(of.integer) : std::string());
    return static_cast<std::uint64_t>(of.integer);
  }

  Result<std::vector<std::uint64_t>> counts(const PickleValue& of) const {
    if (of.kind != PickleKind::tuple) return bad("a tensor's shape or strides are no tuple");
    if (items(of).size() > max_torch_dimensions) return over("a tensor has too many dimensions");
    std::vector<std::uint64_t> made;
    for (const std::uint32_t each : items(of)) {
      SLABSCOPE_TRY_ASSIGN(dimension, count(value(each)));
      made.push_back(dimension);
    }
    return made;
  }

  std::string place() const { return path_.empty() ? "" : printable(path_, 80) + ": "; }
  Failure bad(const std::string& message, std::string got = {}, std::string allowed = {}) const {
    return fail(error(ErrorCode::bad_container, place() + message)
                    .with(std::move(got), std::move(allowed)));
  }
  Failure over(const std::string& message) const {
    return fail(ErrorCode::limit_exceeded, place() + message);
  }

  const Pickle& pickle_;
  const ContainerLimits& limits_;
  std::vector<bool> is_around_;  // by list: the value that is walked stands in it
  std::string path_;             // to the value that is walked
  std::size_t walked_ = 0;
  RegionBudget budget_;
  std::vector<TorchTensor> made_;
};

}  // namespace

Result<std::vector<TorchTensor>> torch_tensors(const Pickle& pickle,
                                               const ContainerLimits& limits) {
  return TensorReader(pickle, limits).read();
}

}  // namespace slabscope
