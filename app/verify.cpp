#include "verify.h"

#include "arena_slabs.h"
#include "device_choice.h"
#include "peek.h"

#include <slabscope/device/round_trip.h>
#include <slabscope/json/rows_reader.h>
#include <slabscope/report/verify_output.h>
#include <slabscope/slab/pack.h>

namespace slabscope::app {
namespace {

Result<std::optional<Injection>> parse_injection(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const std::size_t colon = text->find(':');
  Injection made{text->substr(0, colon), 0};
  if (colon == std::string::npos) return made;
  SLABSCOPE_TRY_ASSIGN(element, parse_count({"--inject", text->substr(colon + 1)}));
  made.element = *element;
  return made;
}

Error not_tried(const NumberOption& option, std::uint64_t value, std::string allowed) {
  Error made = error(ErrorCode::out_of_range, "this is outside of what is tried");
  made.pointer = option.option;
  return std::move(made).with(std::to_string(value), std::move(allowed));
}

Result<VerifyOptions> round_trip_options(const VerifyCommandOptions& options, Host& host) {
  VerifyOptions made;
  SLABSCOPE_TRY_ASSIGN(base_offset, parse_size(options.base_offset));
  SLABSCOPE_TRY_ASSIGN(repeat, parse_count(options.repeat));
  SLABSCOPE_TRY_ASSIGN(inject, parse_injection(options.inject));
  made.base_offset = base_offset.value_or(0);
  made.repeat = repeat.value_or(1);
  if (made.base_offset > max_base_offset)
    return fail(not_tried(options.base_offset, made.base_offset,
                          "up to " + std::to_string(max_base_offset)));
  if (made.repeat == 0 || made.repeat > max_repeat)
    return fail(not_tried(options.repeat, made.repeat, "1.." + std::to_string(max_repeat)));
  made.inject = std::move(inject);
  made.time_plain_copies = options.timings;
  made.progress = [&host](std::uint64_t slabs) {
    host.progress("verified " + counted(slabs, "slab"));
  };
  return made;
}

// What the round trip refuses is told with the option that asked for it.
Result<void> with_option(Result<void> outcome, const VerifyCommandOptions& options) {
  if (outcome || !outcome.error().pointer.empty()) return outcome;
  Error failed = std::move(outcome).error();
  if (failed.code == ErrorCode::misaligned && options.base_offset.text)
    failed.pointer = options.base_offset.option;
  if ((failed.code == ErrorCode::unknown_name || failed.code == ErrorCode::out_of_range) &&
      options.inject)
    failed.pointer = "--inject";
  return fail(std::move(failed));
}

Result<void> verify_documents(const VerifyCommandOptions& options, Source& source, RoundTrip& trip,
                              Host& host) {
  for (const NumberOption* const each :
       {&options.live, &options.offset, &options.length, &options.count})
    if (each->text)
      return fail(ErrorCode::usage, each->option + " is for dumps, and this is a rows document");
  if (options.arena)
    return fail(ErrorCode::usage,
                "--arena is for dumps, and this is a rows document (--raw: bytes)");
  SLABSCOPE_TRY_ASSIGN(padded, parse_count(options.padded));
  SLABSCOPE_TRY_ASSIGN(
      rows,
      rows_options({options.params, options.region_bytes, options.stride, options.max_slab_bytes,
                    options.layout.empty() ? std::nullopt : std::optional(options.layout)},
                   host));
  if (padded) assign(rows.params, {"padded_rows", *padded, {{}, {}, "--padded", true}});
  rows.take_partial = true;
  RowsReader reader(source, options.dump, std::move(rows));
  Buffer slab;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(document, reader.next());
    if (!document) return {};
    tell_warnings(document->layout, host);
    const auto layout = std::make_shared<const Layout>(std::move(document->layout));
    const RowsViewOf columns(document->rows);
    slab.clear();
    BufferSink sink(slab);
    SLABSCOPE_TRY(write_slab(*layout, columns.view(), document->residue, sink));
    SLABSCOPE_TRY(with_option(
        trip.add({layout, std::as_const(slab).bytes(), &columns.view(), &document->residue}),
        options));
  }
}

Result<void> verify_dump(const VerifyCommandOptions& options, std::unique_ptr<Source> source,
                         RoundTrip& trip, Host& host) {
  if (options.region_bytes.text)
    return fail(ErrorCode::usage, "--region-bytes is for rows documents, and this is a dump");
  SLABSCOPE_TRY_ASSIGN(slabs, open_slabs(options, host, std::move(source)));
  for (const Layout& each : slabs->layouts()) tell_warnings(each, host);
  const Layout* known = nullptr;
  LayoutPtr layout;
  for (;;) {
    SLABSCOPE_TRY_ASSIGN(slab, slabs->next());
    if (!slab) return {};
    if (std::exchange(known, slab->layout) != slab->layout)
      layout = std::make_shared<const Layout>(*slab->layout);
    SLABSCOPE_TRY(with_option(trip.add({layout, slab->bytes, nullptr, nullptr}), options));
  }
}

}  // namespace

Result<ExitCode> run_verify(const VerifyCommandOptions& options, Host& host) {
  if (options.layout == "-" && options.dump == "-")
    return fail(ErrorCode::usage, "the layout and the dump cannot both come from standard input");
  if (options.groups) return fail(ErrorCode::usage, "--groups is for checks of what rows mean");
  if (options.format != "table" && options.format != "json")
    return fail(unknown_format(options.format, "table, json"));
  SLABSCOPE_TRY_ASSIGN(made, round_trip_options(options, host));
  SLABSCOPE_TRY_ASSIGN(device, choose_device(options.device));
  RoundTrip trip(*device, std::move(made));
  SLABSCOPE_TRY(trip.open());
  SLABSCOPE_TRY_ASSIGN(source, host.open(options.dump));
  SLABSCOPE_TRY_ASSIGN(peeked, peek(std::move(source)));
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::text));
  SLABSCOPE_TRY(peeked.is_document && !options.raw
                    ? verify_documents(options, *peeked.source, trip, host)
                    : verify_dump(options, std::move(peeked.source), trip, host));
  SLABSCOPE_TRY_ASSIGN(report, trip.finish());
  host.progress({});
  const std::string text =
      options.format == "json" ? verify_json(report) : verify_text(report, options.timings);
  SLABSCOPE_TRY(output->write(std::as_bytes(std::span(text))));
  SLABSCOPE_TRY(output->commit());
  return report.ok() ? ExitCode::done : ExitCode::findings;
}

}  // namespace slabscope::app
