// Slabs written on several threads are those that one thread writes, with the same warnings between
// them and the same error after them, wherever documents, lines and pieces end.
#include <app/slab_stream.h>

#include "../support/pseudo_random.h"
#include "../support/rows_text.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace slabscope {
namespace {

// What came out, and what was said, in the order in which it came.
class Record final : public app::Host, public Sink {
 public:
  Result<void> write(std::span<const std::byte> bytes) override {
    for (const std::byte each : bytes) {
      if (written_++ == most) return fail(ErrorCode::write_failed, "the sink is full");
      text += number(std::to_integer<unsigned>(each)) + " ";
    }
    return {};
  }
  void tell(app::Severity, const Error& what) override { text += "\n" + to_line(what, "") + "\n"; }
  void note(const std::string& said) override { text += "\n" + said + "\n"; }
  void set_json_messages(bool) noexcept override {}
  Result<std::unique_ptr<Source>> open(const std::string&) override { return none(); }
  Result<DumpFile> open_dump(const std::string&) override { return none(); }
  Result<std::unique_ptr<app::OutputFile>> create(const std::string&, app::Content) override {
    return none();
  }
  Result<std::unique_ptr<app::PatchFile>> open_in_place(const std::string&) override {
    return none();
  }
  static std::string number(unsigned value) { return std::to_string(value); }

  std::string text;
  std::size_t most = tests::all_at_once;

 private:
  static Failure none() { return fail(ErrorCode::open_failed, "there are no files"); }
  std::size_t written_ = 0;
};

struct Case {
  std::string text;
  RowsOptions options = {};
  std::size_t most = tests::all_at_once;               // bytes that can be written
  std::optional<std::size_t> fails_at = std::nullopt;  // where reading fails
};

std::string on_one_thread(const Case& each) {
  Record record;
  record.most = each.most;
  tests::PacedSource source(each.text, tests::all_at_once, each.fails_at);
  RowsReader reader(source, "rows.json", each.options);
  const auto outcome =
      app::write_slabs(reader, each.options.stride, record, [&](const Layout& layout) {
        for (const Error& warning : layout.warnings) record.tell(app::Severity::warning, warning);
      });
  return record.text + (outcome ? "done" : to_line(outcome.error(), ""));
}

std::string on_threads(const Case& each, unsigned threads, std::size_t piece_bytes,
                       std::size_t pace) {
  Record record;
  record.most = each.most;
  tests::PacedSource source(each.text, pace, each.fails_at);
  const auto outcome = app::write_slabs_on_threads(threads, source, "rows.json", each.options,
                                                   record, record, piece_bytes);
  return record.text + (outcome ? "done" : to_line(outcome.error(), ""));
}

std::string row_of(std::uint64_t value) {
  return R"({"position": )" + tests::number(value) + R"(, "slot": )" + tests::number(value + 1) +
         R"(, "seq_len": )" + tests::number(value + 2) + R"(, "block_table": [)" +
         tests::number(value + 3) + "]}";
}

std::string batch_of(std::uint64_t value, std::uint64_t rows = 1) {
  std::string text = R"({"layout": "mtp_batch", "params": {"max_blocks": 2}, "rows": [)";
  for (std::uint64_t row = 0; row < rows; ++row) text += (row == 0 ? "" : ", ") + row_of(value);
  return text + "]}";
}

void check_same(const Case& each) {
  const std::string wanted = on_one_thread(each);
  for (const unsigned threads : {1U, 2U, 8U})
    for (const std::size_t piece : {std::size_t{1}, std::size_t{40}, std::size_t{400}}) {
      CAPTURE(each.text);
      CAPTURE(threads);
      CAPTURE(piece);
      CHECK(on_threads(each, threads, piece, threads == 8 ? 7 : tests::all_at_once) == wanted);
    }
}

TEST_CASE("streams of documents, right and wrong") {
  const std::string one = batch_of(7);
  std::string spread;
  for (const char each : one) spread += each == ',' ? std::string(",\n") : std::string(1, each);
  std::string at_line_begin;  // rows that look as if a document began
  for (const char each : one)
    at_line_begin += each == '{' ? std::string("\n{") : std::string(1, each);
  const std::string bad = R"({"layout": "mtp_batch", "rows": [{"position": -1}]})";
  const std::string texts[] = {
      "",
      "\n",
      "[]",
      one,
      one + "\n",
      one + "\n" + one + "\n" + one,
      one + "\n\n \n" + one + "\n\n",
      one + " " + one + "\n" + one,
      one + "\n" + one + " \t" + one + "\n" + one,
      "[" + one + ",\n" + one + "]\n",
      "[" + one + ",\n" + one + "]\n" + one,
      one + "\n[" + one + "]\n" + one,
      spread + "\n" + spread + "\n" + one,
      at_line_begin + "\n" + one + "\n" + at_line_begin,
      one + "\n" + bad + "\n" + one,
      one + "\n" + one + "\n" + bad + "\n" + bad,
      one + "\n{\n" + one,
      one + "\n" + one.substr(0, 50),
      one + "\n" + one.substr(0, 50) + "\n" + one,
      one + "\n{}\n" + one,
      one + "\n5\n" + one,
      one + "\n}\n" + one,
      one + "\nx",
      one + "\n" + one + "\n{\"layout\": \"no\n" + one,
  };
  for (const std::string& text : texts) check_same({text});
}

TEST_CASE("long streams") {
  std::string text;
  for (std::uint64_t document = 0; document < 60; ++document)
    text += batch_of(document, 1 + document % 5) + "\n";
  check_same({text});
  RowsOptions strided;
  strided.stride = 256;
  check_same({text, strided});
  for (const std::size_t at : {0U, 1U, 30U, 59U}) {
    std::string wrong = text;
    std::size_t begin = 0;
    for (std::size_t document = 0; document < at; ++document) begin = wrong.find('\n', begin) + 1;
    wrong.replace(wrong.find("seq_len", begin), 7, "seq_lex");
    check_same({wrong});
    check_same({wrong, strided});
    check_same({text, {}, at * 100});
    check_same({text, {}, tests::all_at_once, begin + at});
  }
}

TEST_CASE("warnings stand before their slab, at their line") {
  const std::string above =
      R"({"layout": "decode", "params": {"max_batch_size": 129, "max_blocks": 1}, "rows": [)" +
      row_of(3) + "]}\n";
  REQUIRE(tests::read_document(above).layout.warnings.size() == 1);
  std::string text;
  for (int document = 0; document < 12; ++document)
    text += document % 3 == 1 ? "\n" + above : batch_of(4) + "\n";
  check_same({text});
}

TEST_CASE("slabs that are too large to be held") {
  // 9 MiB each: two of them in one piece are too much.
  const std::string large =
      R"({"layout": "mtp_batch", "params": {"max_blocks": 2300000}, "rows": [)" + row_of(5) +
      "]}\n";
  class Counting final : public Sink {
   public:
    Result<void> write(std::span<const std::byte> bytes) override {
      for (const std::byte each : bytes) sum = sum * 31 + std::to_integer<unsigned>(each);
      count += bytes.size();
      return {};
    }
    std::uint64_t sum = 0;
    std::uint64_t count = 0;
  };
  const std::string text = large + large + large + batch_of(1) + "\n" + large;
  Counting one;
  Counting several;
  Record host;
  tests::PacedSource source(text, tests::all_at_once);
  RowsReader reader(source, "rows.json", {});
  REQUIRE(app::write_slabs(reader, {}, one, [](const Layout&) {}));
  tests::PacedSource again(text, tests::all_at_once);
  REQUIRE(app::write_slabs_on_threads(2, again, "rows.json", {}, several, host, 260));
  CHECK(one.count == several.count);
  CHECK(one.sum == several.sum);
}

}  // namespace
}  // namespace slabscope
