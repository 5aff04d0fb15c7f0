/* An engine that dumps: `engine slab SLAB` and `engine arena ARENA` write to standard output. C and C++. */
#include <slabscope/dump/slabscope_dump.h>

int main(int argc, char **argv) {
  static unsigned char memory[65536];
  const uint64_t none = 0, one = 1;
  const slabscope_dump_param params[] = {{"rows", 2}, {"max_blocks", 2}};
  slabscope_dump_description what = {"mtp_batch", params, 2, 0, 0, 0};
  FILE *file;
  size_t bytes;
  if (argc != 3 || (file = fopen(argv[2], "rb")) == NULL) return 2;
  bytes = fread(memory, 1, sizeof memory, file);
  fclose(file);
  if (strcmp(argv[1], "arena") == 0) {
    what.base_address = 0x7f32a0000000;
    what.offset = 0x8000;
  }
  if (strcmp(argv[1], "none_live") == 0) what.live_rows = &none;
  if (strcmp(argv[1], "one_live") == 0) what.live_rows = &one;
  if (strcmp(argv[1], "bad_name") == 0) what.layout = "a\"b";
  if (strcmp(argv[1], "stdin_name") == 0) what.layout = "-";
  if (strcmp(argv[1], "dotted_name") == 0) what.layout = "own.json";
  if (strcmp(argv[1], "no_layout") == 0) what.layout = NULL;
  if (strcmp(argv[1], "many") == 0) {
    static slabscope_dump_param many[1000];
    size_t index;
    for (index = 0; index < 1000; ++index) many[index] = params[0];
    what.params = many;
    what.param_count = 1000;
  }
  return slabscope_dump_write(stdout, &what, memory, bytes) == 0 ? 0 : 1;
}
