#include <slabscope/report/arena_report.h>

#include <slabscope/report/table.h>

#include <nlohmann/json.hpp>

#include <span>

namespace slabscope {
namespace {

std::string joined_names(const std::vector<std::string>& names) {
  return joined(std::vector<std::string_view>(names.begin(), names.end()));
}

}  // namespace

std::string arena_table(const PlacedArena& placed) {
  std::string text = "arena " + placed.arena.name;
  if (placed.arena.bytes) text += ", " + std::to_string(*placed.arena.bytes) + " B";
  text += "\n\n";
  Table map({{"offset", Align::right, false},
             {"end", Align::right, false},
             {"bytes", Align::right, false},
             {"uploaded", Align::right, false},
             {"slab", Align::left, false},
             {"layout", Align::left, false},
             {"phase", Align::left, false}});
  const std::vector<ByteRange> gaps = placed.gaps();
  auto gap = gaps.begin();
  const auto add_gaps_before = [&](std::uint64_t offset) {
    for (; gap != gaps.end() && gap->begin < offset; ++gap)
      map.add({std::to_string(gap->begin), std::to_string(gap->end),
               std::to_string(gap->end - gap->begin), "", std::string(gap_name), "", ""});
  };
  for (const PlacedSlab& each : placed.slabs) {
    add_gaps_before(each.begin());
    const std::string end = each.layout ? std::to_string(each.end()) : "?";
    const std::string bytes = each.layout ? std::to_string(each.layout->size) : "?";
    const std::string uploaded = each.layout ? std::to_string(uploaded_bytes(*each.layout)) : "?";
    map.add({std::to_string(each.begin()), end, bytes, uploaded, each.slab->name,
             each.slab->layout->name, each.slab->phase});
  }
  add_gaps_before(~std::uint64_t{0});
  text += map.text();
  const auto add_line = [&](const std::string& line) {
    for (const std::string& each : wrap(line, 80)) text += each + "\n";
  };
  if (!placed.overlaps.empty() || !placed.is_sound()) text += "\n";
  for (const PlacedSlab& each : placed.slabs)
    if (placed.is_past_room(each))
      add_line("error: slab '" + each.slab->name +
               "': " + refusal(*each.layout, *placed.arena.room(*each.slab)));
  for (const PlacedSlab& each : placed.slabs)
    if (each.is_misaligned())
      add_line("error: slab '" + each.slab->name + "' begins at " + std::to_string(each.begin()) +
               ", which is no multiple of the " + std::to_string(each.layout->align) +
               " B that its layout is aligned to");
  for (const SlabOverlap& each : placed.overlaps)
    add_line((each.is_error() ? "error: " : "note: ") + overlap_text(placed, each));
  for (const PlacedSlab& each : placed.slabs)
    if (!each.layout)
      add_line("not laid out: " + each.slab->name + ", for want of " + joined_names(each.unset));
  return text;
}

std::string arena_json(const PlacedArena& placed) {
  using Json = nlohmann::ordered_json;
  Json made = Json::object();
  made["arena"] = placed.arena.name;
  if (placed.arena.bytes) made["bytes"] = *placed.arena.bytes;
  made["slabs"] = Json::array();
  for (const PlacedSlab& each : placed.slabs) {
    Json slab = {{"name", each.slab->name},
                 {"layout", each.slab->layout->name},
                 {"params", Json::object()},
                 {"offset", each.begin()},
                 {"size", nullptr}};
    if (each.layout) {
      for (const Assignment& param : each.layout->params) slab["params"][param.name] = param.value;
      slab["size"] = each.layout->size;
      slab["uploaded"] = uploaded_bytes(*each.layout);
    } else {
      for (const Assignment& param : each.slab->params) slab["params"][param.name] = param.value;
      slab["unset"] = each.unset;
    }
    if (const auto room = placed.arena.room(*each.slab)) slab["room"] = *room;
    if (!each.slab->phase.empty()) slab["phase"] = each.slab->phase;
    slab["fits"] = !placed.is_past_room(each);
    slab["aligned"] = !each.is_misaligned();
    made["slabs"].push_back(std::move(slab));
  }
  made["gaps"] = Json::array();
  for (const ByteRange& each : placed.gaps())
    made["gaps"].push_back({{"offset", each.begin}, {"bytes", each.end - each.begin}});
  made["overlaps"] = Json::array();
  for (const SlabOverlap& each : placed.overlaps) {
    Json overlap = {{"first", placed.slabs[each.first].slab->name},
                    {"second", placed.slabs[each.second].slab->name},
                    {"offset", each.offset},
                    {"end", each.end},
                    {"bytes", each.bytes},
                    {"severity", each.is_error() ? "error" : "note"},
                    {"uploaded", each.is_uploaded},
                    {"one_phase", each.is_one_phase},
                    {"avoided_by", Json::object()}};
    for (const AvoidingParam& param : each.avoided_by)
      overlap["avoided_by"][param.name] = param.largest;
    overlap["message"] = overlap_text(placed, each);
    made["overlaps"].push_back(std::move(overlap));
  }
  return made.dump(1) + "\n";
}

}  // namespace slabscope
