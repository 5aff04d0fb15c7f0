// What lint found, as text for people, as JSON, or as SARIF for code-scanning services. Findings
// are written as they come; only their numbers are kept.
#pragma once

#include <slabscope/check/lint.h>
#include <slabscope/text/json_text.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace slabscope {

enum class LintFormat : std::uint8_t { table, json, sarif };

// Where a byte of a dump stands in the file, if it stands there as it is.
using FilePlace = std::function<std::optional<std::uint64_t>(std::uint64_t offset)>;

class LintReport {
 public:
  // `file`: what was checked, as it is shown. `text` must outlive the report.
  LintReport(LintFormat format, std::string file, TextWriter& text)
      : format_(format), file_(std::move(file)), text_(text) {}

  // Before the first slab, where the slabs have different layouts: what they are together.
  void begin(std::string_view title);
  // The findings of one slab. `layout`: its name; `offset`: where it begins in the dump, none for a
  // document, whose slab is nowhere.
  void add(std::string_view layout, std::optional<std::uint64_t> offset, const FilePlace& in_file,
           const LintResult& result);
  // After the last slab.
  void finish();

  [[nodiscard]] std::uint64_t errors() const noexcept { return errors_; }
  [[nodiscard]] std::uint64_t warnings() const noexcept { return warnings_; }

 private:
  void put_table(std::string_view layout, std::optional<std::uint64_t> offset,
                 const Findings& findings);
  void put_json(const Finding& finding, std::size_t first);
  // `offset`: of what was found, in the file.
  void put_sarif(const Finding& finding, std::optional<std::uint64_t> offset);
  void finish_table();
  [[nodiscard]] std::string not_run_in_short() const;
  [[nodiscard]] std::string missing_text(std::string_view rule) const;
  [[nodiscard]] std::string groups_hint() const;
  void finish_json();

  LintFormat format_;
  std::string file_;
  TextWriter& text_;
  bool has_begun_ = false;
  std::uint64_t slabs_ = 0;
  std::uint64_t findings_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t warnings_ = 0;
  std::uint64_t notes_ = 0;
  std::map<std::string_view, std::uint64_t> summary_;  // by rule
  // By rule, what it lacked. Names of its own: those of a document's layout go with the document.
  std::map<std::string_view, std::vector<std::string>> not_run_;
  std::map<std::string, std::uint64_t> unstated_;  // defaults that nobody stated
  RuleSet applicable_;                             // of any slab
  bool lacks_roles_ = false;
  // Rules that found something between rows that nobody said are of one sequence.
  std::set<std::string_view> of_two_sequences_;
};

// The text of one rule, or a table of all.
std::string explain(const Rule& rule);
std::string rule_table();

}  // namespace slabscope
