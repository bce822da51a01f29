/* CPU time to order: a loop of TURNS turns, or, with SPREAD, TURNS × (1 + SPREAD × z), z about
 * standard normal and new in every process.
 *
 * Owns: nothing but arithmetic; it touches no memory and makes no system call in the loop.
 *
 *   cc -O2 -o busy bench/busy.c && ./busy 1000000 0.03
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

int main(int argc, char **argv) {
    if (argc < 2) { fprintf(stderr, "usage: busy TURNS [SPREAD]\n"); return 2; }
    double turns = atof(argv[1]);
    if (argc > 2) {
        unsigned random[12]; /* twelve uniforms minus six have mean 0 and variance 1 */
        if (getrandom(random, sizeof random, 0) != sizeof random) return 1;
        double z = -6;
        for (int i = 0; i < 12; i++) z += random[i] / 4294967296.0;
        turns *= 1 + atof(argv[2]) * z;
    }
    unsigned long long x = 88172645463325252ULL;
    for (unsigned long long n = turns > 0 ? turns : 0; n; n--) {
        x ^= x << 13; x ^= x >> 7; x ^= x << 17; /* xorshift64: each turn needs the one before */
    }
    return x == 0; /* never: keeps the loop */
}
