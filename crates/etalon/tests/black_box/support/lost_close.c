/* A file system elsewhere that cannot store what was written, and says so when it is closed, or fails when a directory is.

   LOST is a part of the paths that this is about, LOST_BY the number of the error. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_lost(int file) {
  char link[64], path[4096] = {0}, *lost = getenv("LOST");
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  return lost && readlink(link, path, sizeof path - 1) > 0 && strstr(path, lost);
}

static int failed(int is_it, int done) {
  if (!is_it) return done;
  errno = atoi(getenv("LOST_BY"));
  return -1;
}

int close(int file) {
  int is_written = (fcntl(file, F_GETFL) & O_ACCMODE) != O_RDONLY, is_it = is_written && is_lost(file);
  return failed(is_it, ((int (*)(int))dlsym(RTLD_NEXT, "close"))(file));
}

int closedir(DIR *directory) {
  int is_it = is_lost(dirfd(directory));
  return failed(is_it, ((int (*)(DIR *))dlsym(RTLD_NEXT, "closedir"))(directory));
}
