// Layouts that no engine has, with everything that the language allows in few lines: gaps, padding,
// dimensions that vanish, three dimensions, fields that are no row's.
#pragma once

namespace slabscope::tests {

inline constexpr const char* every_kind = R"json({
  "name": "every_kind", "row_param": "rows", "gaps": "any", "align": 32,
  "params": {
    "rows": {"max": 100}, "heads": {"default": 2}, "depth": {}, "lora": {"default": 0, "max": 1},
    "bound": {"default": 2048}, "dummy": {"default": 7},
    "padded_rows": {"default": "row_count"},
    "groups": {"value": "ceil_div(rows, 2)"}, "steps": {"value": "rung(rows, 2, 4, 8)"}},
  "fields": [
    {"name": "magic", "type": "u16", "shape": [], "offset": 6},
    {"name": "kind", "type": "u8", "shape": ["rows"], "pad": 255},
    {"name": "cube", "type": "i16", "shape": ["rows", "heads", "depth"], "align": 32, "fill": -3,
     "pad": [1, 2, "-dummy"]},
    {"name": "adapter", "type": "i8", "shape": ["rows", "lora"], "fill": -1, "pad": -2},
    {"name": "matrix", "type": "u64", "shape": ["groups", 3], "fill": "0x1122334455667788"},
    {"name": "wide", "type": "i64", "shape": ["rows", 2], "fill": "any", "pad": "0 - dummy*dummy"},
    {"name": "ladder", "type": "u32", "shape": ["steps"], "fill": "dummy + 1"},
    {"name": "end", "type": "u32", "shape": ["lora", 1], "offset": "align_up(bound, 64)",
     "fill": 6}]})json";

inline constexpr const char* one_row = R"json({
  "name": "one_row", "params": {"n": {}},
  "fields": [
    {"name": "flag", "type": "i8", "shape": []},
    {"name": "grid", "type": "i32", "shape": ["n", 2, 2], "fill": 5},
    {"name": "tail", "type": "u16", "shape": ["n"], "align": 16}]})json";

inline constexpr const char* counted = R"json({
  "name": "counted", "row_param": "rows", "params": {"rows": {"default": "row_count"}},
  "fields": [
    {"name": "live", "type": "u32", "shape": [], "fill": 0},
    {"name": "limits", "type": "u32", "shape": [3], "fill": "live_rows"},
    {"name": "value", "type": "i64", "shape": ["rows"]},
    {"name": "parts", "type": "u8", "shape": ["rows", 3, 2, 2], "fill": "row_count"}]})json";

inline constexpr const char* own_layouts[] = {every_kind, one_row, counted};

}  // namespace slabscope::tests
