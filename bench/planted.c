/* A loop whose time has a planted cause of variation.
 *
 *   planted CAUSE COUNTER TURNS RUNS
 *
 * Owns: the causes, from COUNTER, a file of one byte a run so far. Refuses: noise of its own; the machine has some.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
    if (argc != 5) { fprintf(stderr, "usage: planted CAUSE COUNTER TURNS RUNS\n"); return 2; }
    const char *cause = argv[1];
    double turns = atof(argv[3]), runs = atof(argv[4]);
    int file = open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600);
    struct stat before;
    if (file < 0 || fstat(file, &before) || write(file, "x", 1) != 1) return 1;
    double at = before.st_size;
    unsigned char chance;
    if (getrandom(&chance, 1, 0) != 1) return 1;
    if (!strcmp(cause, "drift")) turns *= 1 + 0.3 * at / runs;
    if (!strcmp(cause, "step") && at >= runs / 2) turns *= 1.2;
    if (!strcmp(cause, "modes") && chance < 90) turns *= 1.3;
    if (!strcmp(cause, "first") && at == 0) turns *= 4;
    if (!strcmp(cause, "faults") && chance < 90) {
        size_t pages = 800, size = pages * 4096;
        char *room = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED) return 1;
        madvise(room, size, MADV_NOHUGEPAGE);
        for (size_t i = 0; i < pages; i++) ((volatile char *)room)[i * 4096] = 1;
    }
    unsigned long long x = 88172645463325252ULL;
    for (unsigned long long n = turns; n; n--) {
        x ^= x << 13; x ^= x >> 7; x ^= x << 17;
    }
    return x == 0; /* never: keeps the loop */
}
