#include <slabscope/report/lint_report.h>

#include <slabscope/report/table.h>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace slabscope {
namespace {

std::string dump(const nlohmann::ordered_json& made) {
  return made.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// "row 1, block_table[0] at +0x20": where a finding is, as far as that applies.
std::string place(const Finding& finding) {
  std::string text;
  if (finding.row) text += "row " + std::to_string(*finding.row);
  if (!finding.field.empty()) {
    text += (text.empty() ? "" : ", ") + std::string(finding.field);
    if (finding.index) text += "[" + std::to_string(*finding.index) + "]";
  }
  if (finding.offset) text += (text.empty() ? "+" : " at +") + std::to_string(*finding.offset);
  return text;
}

// A path as a relative reference (RFC 3986).
std::string uri(const std::string& path) {
  constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string made;
  for (const char each : path) {
    const auto byte = static_cast<unsigned char>(each);
    if (plain.find(each) != std::string_view::npos)
      made += each;
    else
      made.append({'%', digits[byte >> 4U], digits[byte & 15U]});
  }
  return made;
}

void put_lines(TextWriter& text, const std::string& line, std::size_t indent) {
  constexpr std::size_t width = 80;
  for (const std::string& each : wrap(line, width - indent))
    text.put(std::string(indent, ' ') + each + "\n");
}

}  // namespace

void LintReport::add(std::string_view layout, std::optional<std::uint64_t> offset,
                     const FilePlace& in_file, const LintResult& result) {
  begin(layout);
  ++slabs_;
  for (const NotRun& each : result.not_run) {
    std::vector<std::string>& missing = not_run_[each.rule];
    for (const std::string_view name : each.missing)
      if (std::find(missing.begin(), missing.end(), name) == missing.end())
        missing.emplace_back(name);
  }
  for (const Assignment& each : result.unstated) unstated_.try_emplace(each.name, each.value);
  for (const Rule* const rule : result.applicable)
    if (std::find(applicable_.begin(), applicable_.end(), rule) == applicable_.end())
      applicable_.push_back(rule);
  lacks_roles_ = lacks_roles_ || !result.lacking_roles.empty();
  for (const Finding& each : result.findings) {
    errors_ += each.severity == FindingSeverity::error ? 1 : 0;
    warnings_ += each.severity == FindingSeverity::warning ? 1 : 0;
    notes_ += each.severity == FindingSeverity::note ? 1 : 0;
    ++summary_[each.rule];
    // What follows from something else is not about who is whose sequence.
    if (result.rows_are_sequences && each.other_row && !each.consequence_of &&
        find_rule(each.rule)->by_group)
      of_two_sequences_.insert(each.rule);
  }
  const std::size_t first = findings_;
  if (format_ == LintFormat::table) put_table(layout, offset, result.findings);
  for (const Finding& each : result.findings) {
    if (format_ == LintFormat::json) put_json(each, first);
    if (format_ == LintFormat::sarif)
      put_sarif(each, offset ? in_file(*offset + each.offset.value_or(0)) : std::nullopt);
    ++findings_;
  }
}

void LintReport::begin(std::string_view layout) {
  if (std::exchange(has_begun_, true)) return;
  if (format_ == LintFormat::json)
    text_.put("{\"layout\": " + json_string(layout) + ",\n \"findings\": [");
  if (format_ == LintFormat::sarif) {
    nlohmann::ordered_json known = nlohmann::ordered_json::array();
    for (const Rule* rule : rules())
      known.push_back({{"id", rule->id},
                       {"shortDescription", {{"text", rule->fires_when}}},
                       {"fullDescription", {{"text", rule->explanation}}}});
    text_.put(
        "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\",\n"
        " \"runs\": [{\"tool\": {\"driver\": {\"name\": \"slabscope\", \"rules\": " +
        dump(known) + "}},\n  \"results\": [");
  }
}

// Causes, each with what follows from it behind and below it.
void LintReport::put_table(std::string_view layout, std::optional<std::uint64_t> offset,
                           const Findings& findings) {
  if (findings.empty()) return;
  text_.put("slab " + std::to_string(slabs_ - 1) + " (" + std::string(layout) +
            (offset ? ", at " + std::to_string(*offset) : "") + "):\n");
  std::vector<std::vector<std::size_t>> following(findings.size());
  for (std::size_t index = 0; index < findings.size(); ++index)
    if (findings[index].consequence_of) following[*findings[index].consequence_of].push_back(index);
  // No recursion: chains of consequences are as long as there are rules.
  struct Open {
    std::size_t finding;
    std::size_t depth;
  };
  std::vector<Open> open;
  for (std::size_t index = findings.size(); index-- > 0;)
    if (!findings[index].consequence_of) open.push_back({index, 0});
  while (!open.empty()) {
    const auto [index, depth] = open.back();
    open.pop_back();
    const Finding& each = findings[index];
    const std::size_t indent = 2 + 3 * std::min<std::size_t>(depth, 8);
    std::string head = std::string(depth == 0                               ? ""
                                   : each.severity == FindingSeverity::note ? "why: "
                                                                            : "so ") +
                       std::string(name(each.severity)) + "[" + std::string(each.rule) + "]";
    const std::string where = place(each);
    if (!where.empty()) head += ": " + where;
    if (!each.expected.empty())
      head += " (got " + (each.value.empty() ? "none" : each.value) + ", expected " +
              each.expected + ")";
    put_lines(text_, head, indent);
    put_lines(text_, each.message, indent + 4);
    for (auto next = following[index].rbegin(); next != following[index].rend(); ++next)
      open.push_back({*next, depth + 1});
  }
}

void LintReport::put_json(const Finding& finding, std::size_t first) {
  nlohmann::ordered_json made = nlohmann::ordered_json::object();
  made["rule"] = finding.rule;
  made["severity"] = name(finding.severity);
  made["slab"] = finding.slab;
  if (finding.row) made["row"] = *finding.row;
  if (!finding.field.empty()) made["field"] = finding.field;
  if (finding.index) made["index"] = *finding.index;
  if (finding.offset) {
    made["offset"] = *finding.offset;
    made["bytes"] = finding.bytes;
  }
  if (!finding.value.empty()) made["value"] = finding.value;
  if (!finding.expected.empty()) made["expected"] = finding.expected;
  made["message"] = finding.message;
  if (finding.consequence_of) made["consequence_of"] = first + *finding.consequence_of;
  text_.put((findings_ == 0 ? "\n  " : ",\n  ") + dump(made));
}

void LintReport::put_sarif(const Finding& finding, std::optional<std::uint64_t> offset) {
  nlohmann::ordered_json location = {{"artifactLocation", {{"uri", uri(file_)}}}};
  if (offset) {
    location["region"] = {{"byteOffset", *offset}};
    if (finding.offset) location["region"]["byteLength"] = finding.bytes;
  }
  const std::string where = place(finding);
  nlohmann::ordered_json made = nlohmann::ordered_json::object();
  made["ruleId"] = finding.rule;
  made["level"] = name(finding.severity);
  made["message"] = {{"text", (where.empty() ? "" : where + ": ") + finding.message}};
  made["locations"] = nlohmann::ordered_json::array({{{"physicalLocation", std::move(location)}}});
  text_.put((findings_ == 0 ? "\n   " : ",\n   ") + dump(made));
}

void LintReport::finish() {
  begin({});
  if (format_ == LintFormat::table) finish_table();
  if (format_ == LintFormat::json) finish_json();
  if (format_ == LintFormat::sarif) text_.put("]}]}\n");
}

// How much of what could be looked at was not: no finding is no good news then.
std::string LintReport::not_run_in_short() const {
  const auto is_about_roles = [](const Rule* rule) { return !rule->roles.empty(); };
  if (lacks_roles_ && std::none_of(applicable_.begin(), applicable_.end(), is_about_roles))
    return " (no rule about what rows mean ran: the layout has no roles for them)";
  if (not_run_.empty()) return {};
  return " (" + std::to_string(not_run_.size()) + " of " + counted(applicable_.size(), "rule") +
         " did not run)";
}

std::string LintReport::missing_text(std::string_view rule) const {
  std::string text;
  for (const std::string& each : not_run_.at(rule)) {
    text += (text.empty() ? "" : ", ") + each;
    if (const auto by_default = unstated_.find(each); by_default != unstated_.end())
      text += " (default " + std::to_string(by_default->second) + ", not stated)";
  }
  return text;
}

// Rules that compare sequences found something, and may have taken rows of one for two.
std::string LintReport::groups_hint() const {
  if (of_two_sequences_.empty()) return {};
  const std::vector<std::string_view> found(of_two_sequences_.begin(), of_two_sequences_.end());
  return joined(found) +
         ": each row was taken for a sequence of its own; --groups 0,0,1 says which rows are of "
         "one";
}

void LintReport::finish_table() {
  std::string line = counted(errors_, "error") + ", " + counted(warnings_, "warning") +
                     (notes_ == 0 ? "" : ", " + counted(notes_, "note")) + " in " +
                     counted(slabs_, "slab") + not_run_in_short();
  std::string separator = ": ";
  for (const Rule* rule : rules())
    if (const auto count = summary_.find(rule->id); count != summary_.end())
      line += std::exchange(separator, ", ") + std::string(rule->id) + " " +
              std::to_string(count->second);
  put_lines(text_, line, 0);
  for (const Rule* rule : rules()) {
    if (!not_run_.contains(rule->id)) continue;
    put_lines(text_,
              "not run: " + std::string(rule->id) + ", for want of " + missing_text(rule->id), 0);
  }
  if (const std::string hint = groups_hint(); !hint.empty()) put_lines(text_, hint, 0);
}

void LintReport::finish_json() {
  nlohmann::ordered_json summary = nlohmann::ordered_json::object();
  nlohmann::ordered_json not_run = nlohmann::ordered_json::array();
  for (const Rule* rule : rules()) {
    if (const auto count = summary_.find(rule->id); count != summary_.end())
      summary[std::string(rule->id)] = count->second;
    if (const auto missing = not_run_.find(rule->id); missing != not_run_.end())
      not_run.push_back({{"rule", rule->id}, {"missing", missing->second}});
  }
  text_.put("],\n \"summary\": " + dump(summary) + ",\n \"not_run\": " + dump(not_run) + "}\n");
}

std::string explain(const Rule& rule) {
  std::string text = std::string(rule.id) + " (" + std::string(name(rule.severity)) + ")\n";
  const auto add = [&](const std::string& line) {
    for (const std::string& each : wrap(line, 80)) text += each + "\n";
  };
  add("Fires when " + std::string(rule.fires_when) + ".");
  add(std::string(rule.explanation));
  if (!rule.roles.empty()) add("Looks at fields of role: " + joined(rule.roles) + ".");
  if (!rule.params.empty()) add("Needs the parameters: " + joined(rule.params) + ".");
  if (rule.params_of != nullptr) add("Also needs the parameters that the layout's values name.");
  return text;
}

std::string rule_table() {
  Table table({{"rule", Align::left, false},
               {"severity", Align::left, false},
               {"fires when", Align::left, true}});
  for (const Rule* rule : rules())
    table.add(
        {std::string(rule->id), std::string(name(rule->severity)), std::string(rule->fires_when)});
  return table.text();
}

}  // namespace slabscope
