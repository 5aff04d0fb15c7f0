// Property: that of rows_json for documents and of decode_bytes for slabs, on inputs close to valid
// ones: mutations walk the layout. They swap fields, move numbers by one and to the ends of their
// ranges, cut, repeat and drop rows, and take rows from other inputs. Input: a document, or a slab
// case whose first byte begins none.
#include "support/limits.h"
#include "support/mutation.h"
#include "support/round_trip.h"
#include "support/slab_case.h"

#include <algorithm>

// Of libFuzzer; not there in the replay binary.
extern "C" [[gnu::weak]] std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                                      std::size_t max_size);

namespace {

using namespace slabscope;

std::size_t give(const std::vector<std::uint8_t>& made, std::uint8_t* to) {
  std::copy(made.begin(), made.end(), to);
  return made.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > fuzz::max_input_bytes) return 0;
  if (fuzz::is_document({data, size}))
    fuzz::check_named_rows_text({reinterpret_cast<const char*>(data), size});
  else if (const auto made = fuzz::read_slab_case({data, size}))
    fuzz::check_slab(*made->origin, made->layout, made->slab);
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  fuzz::PseudoRandom random(seed);
  if (LLVMFuzzerMutate != nullptr && random.one_in(8))
    return LLVMFuzzerMutate(data, size, max_size);
  return give(fuzz::mutated({data, size}, max_size, random), data);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t max_size,
                                                 unsigned seed) {
  return give(fuzz::crossed({data, size}, {other, other_size}, max_size, fuzz::PseudoRandom(seed)),
              out);
}
