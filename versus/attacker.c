/*
 * Swaps pairs of names, over and over, as fast as it can: each pair changes places in one step of the kernel, so that
 * a name is now a directory and now a symbolic link. Ends with its parent, or when its input is closed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

int main(int argc, char **argv) {
  unsigned long swaps = 0;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (argc < 3 || argc % 2 == 0) {
    fprintf(stderr, "usage: attacker A B [A B ...]\n");
    return 2;
  }
  for (;;) {
    for (int at = 1; at + 1 < argc; at += 2)
      if (syscall(SYS_renameat2, AT_FDCWD, argv[at], AT_FDCWD, argv[at + 1], RENAME_EXCHANGE) == 0) swaps++;
    struct pollfd input = {.fd = 0, .events = POLLIN};
    if (poll(&input, 1, 0) > 0) break;
  }
  printf("%lu\n", swaps);
  return 0;
}
