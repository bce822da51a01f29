/* The floor: the plainest loop that starts a program and reads its cost.
 *
 * Owns: vfork, execve, wait4 and two clock readings, n times, and nothing else; standard input,
 * output and error are /dev/null. Prints total seconds, median wall and median CPU in µs.
 * Refuses: any option. What etalon adds to this loop is what etalon costs.
 *
 *   cc -O2 -o floor bench/floor.c && ./floor 2000 /bin/true
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

static double median_us(long long *ns, int n) {
    qsort(ns, n, sizeof *ns, ascending);
    return (n % 2 ? ns[n / 2] : (ns[n / 2 - 1] + ns[n / 2]) / 2.0) / 1e3;
}

int main(int argc, char **argv) {
    if (argc < 3) { fprintf(stderr, "usage: floor N PROGRAM [ARGUMENT...]\n"); return 2; }
    int n = atoi(argv[1]);
    if (n < 1) { fprintf(stderr, "floor: N must be at least 1\n"); return 2; }
    long long *wall = calloc(n, sizeof *wall), *cpu = calloc(n, sizeof *cpu);
    int report = dup(1), null = open("/dev/null", O_RDWR);
    fcntl(report, F_SETFD, FD_CLOEXEC);
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    if (null > 2) close(null);
    long long start = now_ns();
    for (int i = 0; i < n; i++) {
        int status;
        struct rusage u;
        long long t0 = now_ns();
        pid_t pid = vfork();
        if (pid == 0) { execve(argv[2], argv + 2, environ); _exit(127); }
        if (pid < 0 || wait4(pid, &status, 0, &u) != pid || !WIFEXITED(status)) return 1;
        wall[i] = now_ns() - t0;
        cpu[i] = (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000LL
               + (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000LL;
    }
    long long total = now_ns() - start;
    dprintf(report, "%.6f %.3f %.3f\n", total / 1e9, median_us(wall, n), median_us(cpu, n));
    return 0;
}
