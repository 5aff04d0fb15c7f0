// Property: bytes as rows documents are accepted exactly when a second reader (another JSON
// library, with checks for duplicates and ranges) accepts them, with the same values in the same
// bytes; the outcome does not hang on how the bytes arrive; decode(pack) is the normalised
// document. Input: the text, after a first line "@NAME" where it is to be read with a layout that
// is not built in.
#include "support/limits.h"
#include "support/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slabscope;
  if (size > fuzz::max_input_bytes) return 0;
  fuzz::check_named_rows_text({reinterpret_cast<const char*>(data), size});
  return 0;
}
