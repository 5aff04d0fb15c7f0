/* Writes memory as a dump that says itself what it is: a safetensors file whose metadata holds
   layout, parameters, rows and address, so that `slabscope decode FILE` needs no options.
   C99 or C++, and nothing but the C library: copy this file into an engine.
   Copyright the slabscope maintainers; MIT or Apache-2.0. */
#ifndef SLABSCOPE_DUMP_H
#define SLABSCOPE_DUMP_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char* name;
  uint64_t value;
} slabscope_dump_param;

/* Texts are names: letters, digits, '_', and '-' but at the begin. Zero is "not known", but for
   params; so is NULL for live_rows. */
typedef struct {
  const char* layout; /* "mtp_batch" */
  /* Those of the layout that are no default; for checks also block_size, num_blocks. */
  const slabscope_dump_param* params;
  size_t param_count;
  const uint64_t* live_rows; /* rows in use; those of capacity behind them are padding */
  uint64_t base_address;     /* of data[0] on the device */
  uint64_t offset;           /* of the slab in data, bytes */
} slabscope_dump_description;

typedef struct {
  char text[8192];
  size_t size; /* beyond sizeof text: it did not fit, or a text is no name */
} slabscope_dump_header;

static inline void slabscope_dump_put(slabscope_dump_header* to, const char* format, ...) {
  va_list values;
  int count = -1;
  va_start(values, format);
  if (to->size < sizeof to->text)
    count = vsnprintf(to->text + to->size, sizeof to->text - to->size, format, values);
  va_end(values);
  to->size = count < 0 ? sizeof to->text : to->size + (size_t)count;
}

static inline const char* slabscope_dump_name(slabscope_dump_header* to, const char* name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  if (name == NULL || *name == '\0' || *name == '-' || name[strspn(name, letters)] != '\0')
    to->size = sizeof to->text;
  return name;
}

/* Writes `bytes` bytes from `data`, a slab or the arena that holds it. 0: done; -1: a text is no
   name, there are too many params, or `file` cannot be written. */
static inline int slabscope_dump_write(FILE* file, const slabscope_dump_description* what,
                                       const void* data, uint64_t bytes) {
  slabscope_dump_header to;
  unsigned char length[8];
  size_t index;
  to.size = 0;
  slabscope_dump_put(&to, "{\"__metadata__\":{\"slabscope.layout\":\"%s\"",
                     slabscope_dump_name(&to, what->layout));
  for (index = 0; index < what->param_count; ++index)
    slabscope_dump_put(&to, ",\"slabscope.param.%s\":\"%llu\"",
                       slabscope_dump_name(&to, what->params[index].name),
                       (unsigned long long)what->params[index].value);
  if (what->live_rows != NULL)
    slabscope_dump_put(&to, ",\"slabscope.live_rows\":\"%llu\"",
                       (unsigned long long)*what->live_rows);
  if (what->offset != 0)
    slabscope_dump_put(&to, ",\"slabscope.offset\":\"%llu\"", (unsigned long long)what->offset);
  if (what->base_address != 0)
    slabscope_dump_put(&to, ",\"base_address\":\"0x%llx\"", (unsigned long long)what->base_address);
  slabscope_dump_put(&to,
                     "},\"memory\":{\"dtype\":\"U8\",\"shape\":[%llu],\"data_offsets\":[0,%llu]}}",
                     (unsigned long long)bytes, (unsigned long long)bytes);
  while (to.size % 8 != 0) slabscope_dump_put(&to, " ");
  if (to.size >= sizeof to.text) return -1;
  for (index = 0; index < 8; ++index)
    length[index] = (unsigned char)((uint64_t)to.size >> (8 * index));
  if (fwrite(length, 1, 8, file) != 8 || fwrite(to.text, 1, to.size, file) != to.size) return -1;
  if (bytes != 0 && (bytes > SIZE_MAX || fwrite(data, 1, (size_t)bytes, file) != bytes)) return -1;
  return fflush(file) == 0 ? 0 : -1;
}

#endif
