/*
 * The least that a durable write costs: opens a file, writes so many bytes, syncs and closes it, over and over, so many
 * files in turn. Prints the time of each in ms. write-fsync PREFIX FILES BYTES COUNT
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  long files = strtol(argv[2], NULL, 10);
  size_t bytes = strtoul(argv[3], NULL, 10);
  char path[4096];
  char *text = malloc(bytes);
  if (text == NULL) return 1;
  for (long left = strtol(argv[4], NULL, 10); left > 0; left--) {
    snprintf(path, sizeof path, "%s%ld", argv[1], left % files);
    memset(text, 'a' + left % 26, bytes);
    double started = now_ms();
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || write(file, text, bytes) != (ssize_t)bytes || fsync(file) != 0 || close(file) != 0) return 1;
    printf("%.4f\n", now_ms() - started);
  }
  return 0;
}
