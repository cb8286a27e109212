/*
 * Shuts an ext4 file system down as a power cut would: nothing more reaches the disk, not even the journal's pending
 * part. What was synced before is there after the next mount, the rest is lost.
 */
#include <fcntl.h>
#include <linux/types.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifndef EXT4_IOC_SHUTDOWN
#define EXT4_IOC_SHUTDOWN _IOR('X', 125, __u32)
#endif
#define GOING_DOWN_NO_LOG_FLUSH 2

int main(int argc, char **argv) {
  __u32 flags = GOING_DOWN_NO_LOG_FLUSH;
  int folder = argc == 2 ? open(argv[1], O_RDONLY) : -1;
  if (folder < 0 || ioctl(folder, EXT4_IOC_SHUTDOWN, &flags) != 0) {
    perror("power-cut");
    return 1;
  }
  close(folder);
  return 0;
}
