/* A command that is as large as asked: touches MB megabytes (of 10^6 bytes) and ends.
 *
 *   cc -O2 -o fat bench/fat.c && ./fat 300
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    size_t size = argc > 1 ? (size_t)atol(argv[1]) * 1000000 : 0;
    volatile char *memory = size ? malloc(size) : NULL;
    if (!memory) { fprintf(stderr, "usage: fat MB\n"); return 2; }
    memset((char *)memory, 1, size);
    return memory[size / 2] != 1;
}
