// The examples that end each command's --help. Tests run them as they are printed.
#pragma once

namespace slabscope::app {

inline constexpr const char* main_examples = R"(
Examples:
  # Rows in, a slab out, and the rows again.
  $ echo '{"layout": "mtp", "rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]}]}' > rows.json
  $ slabscope pack rows.json -o slab.bin
  $ slabscope decode slab.bin -l mtp
  # Where everything stands.
  $ slabscope layout mtp_batch -D rows=2 -D max_blocks=2

Exit codes:
  0 done   1 findings   2 usage   3 bad or refused data   4 file or memory
  5 no device
)";

inline constexpr const char* pack_examples = R"(
Examples:
  # Two rows; max_blocks is the longest table unless it is set.
  $ cat > rows.json <<'EOF'
  > {"layout": "mtp_batch", "params": {"max_blocks": 2}, "region_bytes": 4096,
  >  "rows": [{"position": 7,  "slot": 55, "seq_len": 8,  "block_table": [3]},
  >           {"position": 17, "slot": 81, "seq_len": 18, "block_table": [4, 5]}]}
  > EOF
  $ slabscope pack rows.json -o slab.bin
  $ slabscope pack rows.json | od -A d -t d4
  # One slab every 2 KiB, and one written into a larger dump.
  $ slabscope pack rows.json --stride 2KiB -o strided.bin
  $ head -c 64KiB /dev/zero > arena.bin
  $ slabscope pack rows.json --into arena.bin --offset 48KiB
)";

inline constexpr const char* decode_examples = R"(
Examples:
  $ echo '{"layout": "mtp_batch", "rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]}]}' > rows.json
  $ slabscope pack rows.json -o slab.bin
  $ slabscope decode slab.bin -l mtp_batch -D rows=1
  # The same slab inside a larger dump, and back to bytes.
  $ head -c 64KiB /dev/zero > arena.bin
  $ slabscope pack rows.json --into arena.bin --offset 0x8000
  $ slabscope decode arena.bin --offset 0x8000 -l mtp_batch -D rows=1 -D max_blocks=1
  $ slabscope decode slab.bin -l mtp_batch -D rows=1 | slabscope pack | cmp - slab.bin
  # All slabs of an arena at once: in this one a decode slab lies at 32 KiB, an mtp slab at 48 KiB.
  $ slabscope gen decode --rows 1 -D block_size=16 -D num_blocks=64 -D dummy_block=63 -D max_blocks=1 | slabscope pack --into arena.bin --offset 32KiB
  $ slabscope gen mtp -D block_size=16 -D num_blocks=64 -D entries=1 | slabscope pack --into arena.bin --offset 48KiB
  $ slabscope decode arena.bin --arena scratch --live 1 -D max_blocks=1 -D entries=1
  # For people: a line a row.
  $ slabscope decode slab.bin -l mtp_batch -D rows=1 -D block_size=16 -f table
  # What every byte is, with its address on the device.
  $ slabscope decode slab.bin -l mtp_batch -D rows=1 -f hex --base 0x7f2a40000000
  # By the address on the device; compressed dumps are read as they are.
  $ gzip arena.bin
  $ slabscope decode arena.bin.gz --base 0x7f2a40000000 --address 0x7f2a40008000 -l mtp_batch -D rows=1 -D max_blocks=1
  # One slab of fields that were saved apart; in one .npz, .pt or .safetensors it is FIELD=FILE:NAME.
  $ head -c 4 slab.bin > position.bin
  $ tail -c +9 slab.bin | head -c 8 > slot.bin
  $ tail -c +17 slab.bin | head -c 4 > seq_len.bin
  $ tail -c +33 slab.bin > block_table.bin
  $ slabscope decode -l mtp_batch -D rows=1 -D max_blocks=1 --tensors position=position.bin,slot=slot.bin,seq_len=seq_len.bin,block_table=block_table.bin

What a dump may be (slabscope regions lists what one holds):
  Memory alone, or a container, which is known by its first bytes: see
  slabscope regions --help. Without --address, --region or --tensor it is read
  where it has one region. --offset counts from the region's start.
  A region of wider numbers than bytes takes a layout in which no field is
  narrower and one is as wide, at whole numbers; --reinterpret takes any.
  Of a pipe up to 4096 bytes are waited for to see what it is; with
  --container raw none are.
)";

inline constexpr const char* diff_examples = R"(
Examples:
  # Two steps of one row: the second one writes the next token.
  $ echo '{"layout": "mtp_batch", "rows": [{"position": 7, "slot": 55, "seq_len": 8, "block_table": [3]}]}' | slabscope pack -o step7.bin
  $ echo '{"layout": "mtp_batch", "rows": [{"position": 8, "slot": 56, "seq_len": 9, "block_table": [3]}]}' | slabscope pack -o step8.bin
  $ slabscope diff step7.bin step8.bin -l mtp_batch -D rows=1 -D max_blocks=1 -D block_size=16 || test $? = 1
  # Two slabs of one dump.
  $ cat step7.bin step8.bin > steps.bin
  $ slabscope diff steps.bin steps.bin --offset-b 36 -l mtp_batch -D rows=1 -D max_blocks=1 -f json || test $? = 1
  # A launch looks neither at gaps nor at what is stale.
  $ slabscope diff step7.bin step7.bin -l mtp_batch -D rows=1 -D max_blocks=1 -D block_size=16 --ignore gap,stale

What --ignore leaves out:
  gap    bytes that no field owns
  stale  rows from --padded (else --live) on, which are not uploaded; with
         -D block_size=N also block-table entries past those that seq_len needs
         (and -D lookahead_tokens=N reserves) in both dumps

Nothing is printed when nothing differs; -f json gives a report in any case.
)";

inline constexpr const char* layout_examples = R"(
Examples:
  $ slabscope layout --list
  $ slabscope layout decode
  $ slabscope layout decode -D max_batch_size=64 -D max_blocks=257
  $ slabscope layout mtp -D entries=448 -f json
  # How many table entries fit a region, and the tokens that they stand for.
  $ slabscope layout mtp --fit entries --region-bytes 2KiB -D block_size=16
  # What moves with a third row.
  $ slabscope layout mtp_batch -D rows=2 -D max_blocks=2 --compare mtp_batch --with rows=3 || test $? = 1
  # Which element a faulting address is, when the slab begins at 0x7f0000008000.
  $ slabscope layout mtp_batch -D rows=2 -D max_blocks=2 --locate 0x7f0000008024 --base 0x7f0000008000
  # Several slabs in one buffer: does a batch of 16 reach into the next slab?
  $ slabscope layout --arena scratch -D max_batch_size=32 -D padded_rows=16 -D max_blocks=257 -D entries=448
  # A layout of your own.
  $ cat > mine.json <<'EOF'
  > {"name": "mine", "params": {"rows": {}}, "row_param": "rows",
  >  "fields": [{"name": "slot", "type": "i64", "shape": ["rows"]},
  >             {"name": "len", "type": "i32", "shape": ["rows"], "align": 64}]}
  > EOF
  $ slabscope layout mine.json -D rows=3
)";

inline constexpr const char* lint_examples = R"(
Examples:
  # Row 1 needs a second block that its table does not have.
  $ cat > rows.json <<'EOF'
  > {"layout": "mtp_batch", "params": {"max_blocks": 1, "block_size": 16, "num_blocks": 64},
  >  "rows": [{"position": 0,  "slot": 64,  "seq_len": 1,  "block_table": [4]},
  >           {"position": 16, "slot": 144, "seq_len": 17, "block_table": [5]},
  >           {"position": 3,  "slot": 147, "seq_len": 4,  "block_table": [9]}]}
  > EOF
  $ slabscope lint rows.json || test $? = 1
  # The same, found in the bytes.
  $ slabscope pack rows.json -o slab.bin
  $ slabscope lint slab.bin -l mtp_batch -D rows=3 -D block_size=16 -D num_blocks=64 || test $? = 1
  # And in a dump that holds more than the slab.
  $ head -c 64KiB /dev/zero > scratch.bin
  $ slabscope pack rows.json --into scratch.bin --offset 0x8000
  $ slabscope lint scratch.bin --offset 0x8000 --length 76 -l mtp_batch -D rows=3 -D max_blocks=1 -D block_size=16 -D num_blocks=64 || test $? = 1
  $ slabscope lint --explain write-alias

What checks have to know beside the layout's parameters (-D, for any layout):
  block_size        tokens per KV block; nearly all rules need it
  num_blocks        blocks of the pool
  dummy_block       the block of padding rows and unused table entries
  lookahead_tokens  tokens beyond seq_len for which blocks are reserved
  kv_block_stride   elements of the KV cache from one block to the next
  kv_index_bits     bits of a kernel's index into them: 31, 32, 63, 64
  padded_rows       rows that a launch is given, padding included
A rule that lacks one is told as not run, and the exit code is that of the
rules that ran. A layout's default for one of these is not taken as stated.
)";

inline constexpr const char* verify_examples = R"(
Examples:
  # The kernels on host threads; without --device, on the GPU.
  $ slabscope gen mtp_batch --rows 3 -D block_size=16 -D num_blocks=64 -D max_blocks=4 -o rows.json
  $ slabscope verify rows.json --device host
  # A mismatch looks like this.
  $ slabscope verify rows.json --device host --inject block_table:1 || test $? = 1
  # Slabs of a dump, at the least alignment that the layout allows.
  $ slabscope pack rows.json -o slab.bin --stride 1KiB
  $ slabscope verify slab.bin -l mtp_batch -D rows=3 -D max_blocks=4 --device host --base-offset 8

A pass says that the device reads and packs these bytes as the layout says at these parameters, as
the host does. Whether the parameters are right and the values make sense is for lint to say.
)";

inline constexpr const char* regions_examples = R"(
Examples:
  # All of a raw file is one region; --base says where it was on the device.
  $ head -c 64KiB /dev/zero > arena.bin
  $ slabscope regions arena.bin --base 0x7f32a0000000
  # A compressed dump is read as it is.
  $ gzip -k arena.bin
  $ slabscope regions arena.bin.gz -f json
)";

inline constexpr const char* gen_examples = R"(
Examples:
  $ slabscope gen mtp_batch --rows 3 -D block_size=16 -D num_blocks=64
  $ slabscope gen decode --rows 5 -D block_size=16 -D num_blocks=64 -D dummy_block=63 --seed 7 | slabscope pack -o slab.bin
  # A thousand batches of 16 to 64 rows.
  $ slabscope gen mtp_batch --rows 16..64 --count 1000 -D block_size=16 -D num_blocks=4096 -o batches.ndjson
  # One thing wrong: some row writes a slot that is not where its table says. Lint finds it.
  $ slabscope gen mtp_batch --rows 4 --fault slot-formula --seed 3 | slabscope lint || test $? = 1
)";

inline constexpr const char* schema_examples = R"(
Examples:
  $ slabscope schema
  $ slabscope schema rows
  # Every error code, its exit code and its meaning.
  $ slabscope schema error -f table
)";

}  // namespace slabscope::app
