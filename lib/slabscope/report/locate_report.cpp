#include <slabscope/report/locate_report.h>

#include <slabscope/base/integer_text.h>
#include <slabscope/layout/uploaded.h>
#include <slabscope/report/table.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace slabscope {
namespace {

std::string owner_text(const Layout& layout, const Owner& owner, std::uint64_t offset) {
  if (owner.is_gap())
    return "a gap of " + std::to_string(owner.bytes) + " B from +" + std::to_string(owner.offset) +
           " on, " + (layout.description->gaps_are_zero ? "zero" : "not written by the engine");
  std::string text = to_text(owner) + ", " + std::string(name(owner.field->type())) + " at +" +
                     std::to_string(owner.offset);
  if (owner.bytes != 1)
    text += ", byte " + std::to_string(offset - owner.offset) + " of its " +
            std::to_string(owner.bytes);
  if (const auto row = row_of(layout, owner); row && owner.field->description->per_row)
    text += ", row " + std::to_string(*row);
  if (!is_uploaded(layout, owner)) text += ", not uploaded";
  return text;
}

std::string slab_text(const LocatableSlab& slab) {
  return slab.name.empty() ? "the slab" : "'" + slab.name + "'";
}

}  // namespace

std::vector<Locator::Place> Locator::places(int128 offset) const {
  std::vector<Place> found;
  for (const LocatableSlab& each : slabs_) {
    if (offset < int128{each.begin} || offset >= int128{each.begin} + each.layout->size) continue;
    const auto inside = static_cast<std::uint64_t>(offset - each.begin);
    if (const auto owner = owner_of(*each.layout, inside)) found.push_back({&each, inside, *owner});
  }
  return found;
}

Locator::Neighbours Locator::neighbours(int128 offset) const {
  Neighbours found;
  for (const LocatableSlab& each : slabs_) {
    if (each.layout->size == 0) continue;
    const int128 end = int128{each.begin} + each.layout->size;
    if (offset >= end) {
      const int128 behind = offset - end + 1;
      if (found.before == nullptr || behind <= found.behind_its_end) {
        found.before = &each;
        found.behind_its_end = behind;
      }
    } else if (offset < int128{each.begin}) {
      const int128 before = int128{each.begin} - offset;
      if (found.after == nullptr || before < found.before_its_begin) {
        found.after = &each;
        found.before_its_begin = before;
      }
    }
  }
  return found;
}

bool Locator::all_inside() const {
  return std::all_of(positions_.begin(), positions_.end(),
                     [this](std::uint64_t each) { return !places(offset(each)).empty(); });
}

std::string Locator::position_text(std::uint64_t position) const {
  if (!base_) return "+" + std::to_string(position);
  const int128 from_base = offset(position);
  return hex_text(position) + " (" + (from_base < 0 ? "" : "+") + to_text(from_base) + ")";
}

std::string Locator::text() const {
  std::string text;
  const auto add = [&](const std::string& line) {
    for (const std::string& each : wrap(line, 80)) text += each + "\n";
  };
  for (const std::uint64_t position : positions_) {
    const std::string head = position_text(position) + ": ";
    const std::vector<Place> found = places(offset(position));
    for (const Place& each : found) {
      const std::string where = each.slab->name.empty()
                                    ? ""
                                    : slab_text(*each.slab) + " (" +
                                          each.slab->layout->description->name + ") +" +
                                          std::to_string(each.offset) + ": ";
      add(head + where + owner_text(*each.slab->layout, each.owner, each.offset));
    }
    if (!found.empty()) continue;
    const Neighbours near = neighbours(offset(position));
    std::string outside;
    if (near.before != nullptr)
      outside +=
          to_text(near.behind_its_end) + " B past the last byte of " + slab_text(*near.before);
    if (near.after != nullptr)
      outside += (outside.empty() ? "" : ", ") + to_text(near.before_its_begin) + " B before " +
                 slab_text(*near.after);
    add(head + "outside: " + (outside.empty() ? "there is no byte in any slab" : outside));
  }
  return text;
}

std::string Locator::json(const std::string& arena) const {
  using Json = nlohmann::ordered_json;
  Json made = Json::object();
  if (!arena.empty()) made["arena"] = arena;
  made["positions"] = Json::array();
  for (const std::uint64_t position : positions_) {
    Json entry = Json::object();
    if (base_) entry["address"] = hex_text(position);
    const int128 from_base = offset(position);
    // Far before the base there is no number of 64 bits for it.
    if (from_base >= std::numeric_limits<std::int64_t>::min()) {
      if (from_base < 0)
        entry["offset"] = static_cast<std::int64_t>(from_base);
      else
        entry["offset"] = static_cast<std::uint64_t>(from_base);
    }
    entry["places"] = Json::array();
    const std::vector<Place> found = places(from_base);
    for (const Place& each : found) {
      Json place = Json::object();
      if (!each.slab->name.empty()) place["slab"] = each.slab->name;
      place["layout"] = each.slab->layout->description->name;
      place["offset"] = each.offset;
      if (!each.owner.is_gap()) {
        place["field"] = each.owner.field->name();
        if (const auto row = row_of(*each.slab->layout, each.owner)) place["row"] = *row;
        if (!each.owner.field->item_shape().empty()) place["index"] = each.owner.element;
        place["type"] = name(each.owner.field->type());
      }
      place["owner"] = {{"name", to_text(each.owner)},
                        {"offset", each.owner.offset},
                        {"bytes", each.owner.bytes}};
      place["uploaded"] = is_uploaded(*each.slab->layout, each.owner);
      entry["places"].push_back(std::move(place));
    }
    if (found.empty()) {
      const Neighbours near = neighbours(from_base);
      const auto put = [&](const char* key, const LocatableSlab* slab, int128 bytes) {
        if (slab == nullptr) return;
        entry[key] = Json::object();
        if (bytes <= std::numeric_limits<std::uint64_t>::max())
          entry[key]["bytes"] = static_cast<std::uint64_t>(bytes);
        else
          entry[key]["bytes"] = to_text(bytes);
        if (!slab->name.empty()) entry[key]["slab"] = slab->name;
      };
      put("past_last_byte", near.before, near.behind_its_end);
      put("before_first_byte", near.after, near.before_its_begin);
    }
    made["positions"].push_back(std::move(entry));
  }
  return made.dump(1) + "\n";
}

}  // namespace slabscope
