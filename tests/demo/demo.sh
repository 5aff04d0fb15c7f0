#!/usr/bin/env bash
# Shows the main job with the slabscope at the given path. Every line after a $ is a command that runs.
set -euo pipefail
binary=$(realpath "$1")
slabscope() { "$binary" "$@"; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

say() { printf '\n# %s\n' "$1"; }
show() {
  printf '$ %s\n' "$1"
  eval "$1"
}

cat >rows.json <<'ROWS'
{"layout": "mtp_batch", "params": {"max_blocks": 2}, "region_bytes": 4096,
 "rows": [{"position": 7,  "slot": 55,  "seq_len": 8,  "block_table": [3]},
          {"position": 17, "slot": 81,  "seq_len": 18, "block_table": [4, 5]},
          {"position": 3,  "slot": 147, "seq_len": 4,  "block_table": [9]}]}
ROWS

say "Three requests, as rows (16 tokens a block)."
show "cat rows.json"

say "Where the layout puts them: every byte is a field's or a gap's."
show "slabscope layout mtp_batch -D rows=3 -D max_blocks=2"

say "The slab that an engine would upload."
show "slabscope pack rows.json -o batch.slab"
show "od -A d -t x1 -v batch.slab"

say "The same slab inside a 64 KiB dump of other memory, and the rows read back out of it."
head -c 65536 /dev/zero | tr '\0' '\252' >dump.bin
show "slabscope pack rows.json --into dump.bin --offset 49152"
show "slabscope decode dump.bin -l mtp_batch -D rows=3 -D max_blocks=2 --offset 49152"

say "Decoding and packing again gives the same bytes."
show "slabscope decode batch.slab -l mtp_batch -D rows=3 -D max_blocks=2 | slabscope pack - -o again.slab"
show "cmp batch.slab again.slab && echo identical"
