// Runs a command once and says what it cost: launch OUTPUT COMMAND [ARGUMENT...]. A small program
// does it because a child's peak memory is never below that of who started it.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, argv[1], O_WRONLY | O_CREAT | O_TRUNC,
                                   0666);
  const auto begin = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, argv[2], &files, nullptr, argv + 2, environ);
  posix_spawn_file_actions_destroy(&files);
  if (spawned != 0) return 4;
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child) return 4;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  std::printf("{\"wall\": %.6f, \"cpu\": %.6f, \"peak\": %ld, \"exit\": %d}\n", wall.count(),
              seconds(used.ru_utime) + seconds(used.ru_stime), used.ru_maxrss * 1024,
              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
  return 0;
}
