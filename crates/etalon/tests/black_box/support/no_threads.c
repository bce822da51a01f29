/* A machine on which processes can be started and threads cannot: `ulimit -u` counts both, and root is free of it.

   NO_THREADS says of whom: the word behind the program's name, how many arguments there are (0: any number), and how large
   the stack of a thread has to be. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*creation)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *with) {
  char words[4096] = {0}, of[64] = {0};
  int arguments = 0, of_arguments = 0;
  size_t stack = 0, of_stack = 0;
  FILE *file = fopen("/proc/self/cmdline", "re");
  size_t length = file ? fread(words, 1, sizeof words - 2, file) : 0;
  if (file) fclose(file);
  for (size_t at = 0; at < length; at++) arguments += !words[at];
  arguments--;
  if (attributes) pthread_attr_getstacksize(attributes, &stack);
  sscanf(getenv("NO_THREADS") ?: "", "%63s %d %zu", of, &of_arguments, &of_stack);
  int is_it = !strcmp(of, words + strlen(words) + 1) && (!of_arguments || arguments == of_arguments);
  if (*of && is_it && stack >= of_stack) return EAGAIN;
  return ((creation)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, work, with);
}
