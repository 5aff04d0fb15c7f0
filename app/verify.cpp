#include "verify.h"

#include "arena_slabs.h"
#include "device_choice.h"

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

// What is refused is told with the option that asked for it.
Result<void> about(const std::string& option, Result<void> outcome) {
  if (!outcome) outcome.error().pointer = option;
  return outcome;
}

Result<VerifyOptions> round_trip_options(const VerifyCommandOptions& options, Host& host) {
  VerifyOptions made;
  SLABSCOPE_TRY_ASSIGN(base_offset, parse_size(options.base_offset));
  SLABSCOPE_TRY_ASSIGN(repeat, parse_count(options.repeat));
  SLABSCOPE_TRY_ASSIGN(inject, parse_injection(options.inject));
  made.base_offset = base_offset.value_or(0);
  made.repeat = repeat.value_or(1);
  SLABSCOPE_TRY(about(options.base_offset.option, check_most_base_offset(made.base_offset)));
  SLABSCOPE_TRY(about(options.repeat.option, check_repeat(made.repeat)));
  made.inject = std::move(inject);
  made.time_plain_copies = options.timings;
  made.progress = [&host, repeat = made.repeat](std::uint64_t slabs, std::uint64_t times) {
    host.progress("verified " + counted(slabs, "slab") +
                  (repeat == 1 ? ""
                               : ", the last ones " + std::to_string(times) + " of " +
                                     counted(repeat, "time")));
  };
  return made;
}

Result<void> open_device(RoundTrip& trip) {
  Result<void> opened = trip.open();
  if (!opened && opened.error().code == ErrorCode::no_device) opened.error().message += host_hint;
  return opened;
}

Result<void> verify_slab(const VerifyCommandOptions& options, RoundTrip& trip,
                         const SlabInput& slab) {
  SLABSCOPE_TRY(about(options.base_offset.option, trip.check_base_offset(*slab.layout)));
  SLABSCOPE_TRY(about("--inject", trip.check_injection(*slab.layout)));
  return trip.add(slab);
}

Result<void> verify_documents(const VerifyCommandOptions& options, Source& source, RoundTrip& trip,
                              Host& host) {
  SLABSCOPE_TRY_ASSIGN(rows, document_options(options, host));
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
    SLABSCOPE_TRY(verify_slab(
        options, trip, {layout, std::as_const(slab).bytes(), &columns.view(), &document->residue}));
  }
}

// The device's arena begins at an aligned address; its slabs stand where they stand.
Result<void> check_in_arena(const ArenaSlab& slab, const Layout& layout) {
  if (slab.offset % layout.align == 0) return {};
  return fail(
      error(ErrorCode::misaligned,
            "slab '" + slab.name + "' of the arena begins at no multiple of its alignment")
          .with(std::to_string(slab.offset), "multiples of " + std::to_string(layout.align)));
}

Result<void> verify_dump(const VerifyCommandOptions& options, Dump dump, RoundTrip& trip,
                         Host& host) {
  if (options.region_bytes.text)
    return fail(ErrorCode::usage, "--region-bytes is for rows documents, and this is a dump");
  SLABSCOPE_TRY_ASSIGN(slabs, open_slabs(options, host, std::move(dump)));
  for (const Layout& each : slabs->layouts()) tell_warnings(each, host);
  const Layout* known = nullptr;
  LayoutPtr layout;
  for (std::size_t number = 0;; ++number) {
    SLABSCOPE_TRY_ASSIGN(slab, slabs->next());
    if (!slab) return {};
    if (slabs->arena() != nullptr)
      SLABSCOPE_TRY(check_in_arena(slabs->arena()->arena.slabs[number], *slab->layout));
    if (std::exchange(known, slab->layout) != slab->layout)
      layout = std::make_shared<const Layout>(*slab->layout);
    SLABSCOPE_TRY(verify_slab(options, trip, {layout, slab->bytes, nullptr, nullptr}));
  }
}

}  // namespace

Result<ExitCode> run_verify(const VerifyCommandOptions& given, Host& host) {
  VerifyCommandOptions options = given;
  if (options.layout == "-" && options.dump == "-")
    return fail(ErrorCode::usage, "the layout and the dump cannot both come from standard input");
  if (options.format != "table" && options.format != "json")
    return fail(unknown_format(options.format, "table, json"));
  SLABSCOPE_TRY(check_padded(options.padded, options.params));
  SLABSCOPE_TRY_ASSIGN(made, round_trip_options(options, host));
  SLABSCOPE_TRY_ASSIGN(device, choose_device(options.device));
  RoundTrip trip(*device, std::move(made));
  SLABSCOPE_TRY(open_device(trip));
  SLABSCOPE_TRY_ASSIGN(
      input, open_input(options, options.raw ? RowsDocuments::no : RowsDocuments::yes, host));
  SLABSCOPE_TRY_ASSIGN(output, host.create(options.output, Content::report));
  const Result<void> taken = input.is_document
                                 ? verify_documents(options, *input.documents(), trip, host)
                                 : verify_dump(options, std::move(input.dump), trip, host);
  const Result<VerifyReport> finished = trip.finish();
  const VerifyReport& report = finished ? *finished : trip.so_far();
  host.progress({});
  const bool is_complete = taken && finished;
  if (is_complete || report.mismatch_count != 0) {
    const std::string text =
        options.format == "json" ? verify_json(report) : verify_text(report, options.timings);
    SLABSCOPE_TRY(output->write(std::as_bytes(std::span(text))));
  }
  if (!taken) return fail(taken.error());
  if (!finished) return fail(finished.error());
  SLABSCOPE_TRY(output->commit());
  return report.ok() ? ExitCode::done : ExitCode::findings;
}

}  // namespace slabscope::app
