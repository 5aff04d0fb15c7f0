// Links the CUDA part of the installed library, and starts where there is no driver.
#include <slabscope/device/cuda_operations.h>
#include <slabscope/device/verify_at.h>
#include <slabscope/layout/catalog.h>

#include <cstdio>

int main() {
  const auto device = slabscope::make_cuda_operations(0);
  const auto report = slabscope::verify_at(*device, 0x1000, *slabscope::builtin_layout("mtp_batch"),
                                           {{"rows", 2, {}}, {"max_blocks", 2, {}}});
  std::printf("%s\n",
              report ? "verified" : std::string(slabscope::info(report.error().code).name).c_str());
  return 0;
}
