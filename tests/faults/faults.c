/* Loaded before the C library: makes one call of a program fail.
 *
 * SLABSCOPE_FAULT="CALL:NUMBER:HOW[:ERRNO]": the NUMBER-th CALL (from 1) fails with ERRNO, "once" or "always" from
 * then on; "short" lets every one from there on pass a single byte. CALL is malloc, read, write, open (and what makes a
 * file beside another), close, closewritten (of a descriptor that can be written to), seek or rename. Standard error is
 * left alone, so that the program can say what it thinks.
 * SLABSCOPE_FAULT_FROM=main: calls before main are not counted.
 * SLABSCOPE_FAULT_COUNT=FILE: how many of these calls there were is written there at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *from, size_t bytes);

static char chosen[16];
static unsigned long number;
static unsigned long seen;
static int counting;
static int fault_errno;
static enum { fault_once, fault_always, fault_short } how;

__attribute__((constructor)) static void begin(void) {
  const char *text = getenv("SLABSCOPE_FAULT");
  char word[16] = "";
  if (text == NULL || sscanf(text, "%15[a-z]:%lu:%15[a-z]:%d", chosen, &number, word, &fault_errno) < 3) {
    chosen[0] = '\0';
    return;
  }
  how = strcmp(word, "once") == 0 ? fault_once : strcmp(word, "always") == 0 ? fault_always : fault_short;
  seen = 0;
  const char *from = getenv("SLABSCOPE_FAULT_FROM");
  counting = from == NULL || strcmp(from, "main") != 0;
}

static int (*real_main)(int, char **, char **);
static int counted_main(int argc, char **argv, char **environment) {
  counting = 1;
  return real_main(argc, argv, environment);
}
int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
  int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
  *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("SLABSCOPE_FAULT_COUNT");
  if (path == NULL) return;
  chosen[0] = '\0';
  FILE *file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%lu\n", seen);
  fclose(file);
}

/* Is it this call's turn? */
static int turn(const char *call) {
  if (!counting || strcmp(call, chosen) != 0) return 0;
  ++seen;
  return number != 0 && (how == fault_once ? seen == number : seen >= number);
}
static int fails(const char *call) {
  if (!turn(call) || how == fault_short) return 0;
  errno = fault_errno;
  return 1;
}
/* How many bytes a call may pass; -1 when it fails. */
static ssize_t allowed(const char *call, size_t bytes) {
  if (!turn(call)) return (ssize_t)bytes;
  if (how == fault_short) return bytes > 1 ? 1 : (ssize_t)bytes;
  errno = fault_errno;
  return -1;
}

void *malloc(size_t bytes) { return fails("malloc") ? NULL : __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return fails("malloc") ? NULL : __libc_calloc(count, bytes); }
void *realloc(void *from, size_t bytes) { return fails("malloc") ? NULL : __libc_realloc(from, bytes); }

ssize_t read(int from, void *into, size_t bytes) {
  const ssize_t count = allowed("read", bytes);
  return count < 0 ? -1 : syscall(SYS_read, from, into, (size_t)count);
}
ssize_t pread(int from, void *into, size_t bytes, off_t offset) {
  const ssize_t count = allowed("read", bytes);
  return count < 0 ? -1 : syscall(SYS_pread64, from, into, (size_t)count, offset);
}
ssize_t pread64(int from, void *into, size_t bytes, off_t offset) { return pread(from, into, bytes, offset); }
ssize_t write(int to, const void *from, size_t bytes) {
  const ssize_t count = to == STDERR_FILENO ? (ssize_t)bytes : allowed("write", bytes);
  return count < 0 ? -1 : syscall(SYS_write, to, from, (size_t)count);
}
int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}
int mkostemp(char *path, int flags) {
  static int (*real)(char *, int);
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "mkostemp");
  return fails("open") ? -1 : real(path, flags);
}
int mkostemp64(char *path, int flags) { return mkostemp(path, flags); }
int fchmod(int descriptor, mode_t mode) { return fails("open") ? -1 : (int)syscall(SYS_fchmod, descriptor, mode); }
int close(int descriptor) {
  const int flags = (int)syscall(SYS_fcntl, descriptor, F_GETFL);
  const int written = flags != -1 && (flags & O_ACCMODE) != O_RDONLY;
  const int failed = fails("close") || (written && fails("closewritten"));
  const int closed = (int)syscall(SYS_close, descriptor); /* it is closed even if that fails */
  return failed ? -1 : closed;
}
off_t lseek(int descriptor, off_t offset, int whence) {
  return fails("seek") ? -1 : syscall(SYS_lseek, descriptor, offset, whence);
}
off_t lseek64(int descriptor, off_t offset, int whence) { return lseek(descriptor, offset, whence); }
int rename(const char *from, const char *to) {
  return fails("rename") ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
