#!/bin/bash -eu
# Builds the fuzz targets into $OUT, each with seeds, dictionary and options. Runs in the root of the sources.
# ClusterFuzzLite runs this in its image; fuzz/run and .ci/run run it anywhere, with the same variables set:
# SRC WORK OUT CC CXX CXXFLAGS LIB_FUZZING_ENGINE.
root=$PWD
build=$WORK/slabscope
seeds=$WORK/seeds

# Sanitizers and coverage come with CXXFLAGS, so that one build serves every engine.
cmake -S "$root" --preset fuzz -B "$build" -DCMAKE_CXX_COMPILER="$CXX" -DSLABSCOPE_SANITIZE=OFF \
  -DSLABSCOPE_WERROR=OFF -DCMAKE_CXX_FLAGS_DEBUG= -DCMAKE_CXX_FLAGS="$CXXFLAGS" \
  -DSLABSCOPE_FUZZING_ENGINE="$LIB_FUZZING_ENGINE" -DSLABSCOPE_FETCH="${SLABSCOPE_FETCH:-OFF}"
cmake --build "$build" --parallel "${JOBS:-$(nproc)}" --target fuzz_targets slabscope_command

rm -rf "$seeds"
"$root/fuzz/seeds.py" --slabscope "$build/slabscope" --output "$seeds"
mkdir -p "$OUT"
for source in "$root"/fuzz/*.cpp; do
  target=$(basename "$source" .cpp)
  cp "$build/fuzz/$target" "$seeds/$target.dict" "$OUT/"
  cp "$root/fuzz/libfuzzer.options" "$OUT/$target.options"
  for folder in corpus regressions; do
    [ ! -d "$root/fuzz/$folder/$target" ] || find "$root/fuzz/$folder/$target" -type f ! -name '*.md' -exec cp -t "$seeds/$target" {} +
  done
  (cd "$seeds/$target" && python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" .)
done
