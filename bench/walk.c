/* Memory latency to order: MB megabytes (of 2^20 bytes), visited in STEPS steps, each at a place that the one before
 * decides.
 *
 *   cc -O2 -o walk bench/walk.c && ./walk 8 1000000
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    size_t places = argc > 1 ? (size_t)atol(argv[1]) * (1 << 20) / sizeof(uint32_t) : 0;
    long steps = argc > 2 ? atol(argv[2]) : 0;
    uint32_t *at = places ? malloc(places * sizeof *at) : NULL;
    if (!at) { fprintf(stderr, "usage: walk MB STEPS\n"); return 2; }
    for (size_t i = 0; i < places; i++) at[i] = (uint32_t)(i * 2654435761u);
    size_t place = 0;
    for (long n = 0; n < steps; n++) place = (at[place] ^ (uint32_t)n) % places;
    return place == places; /* never: keeps the loop */
}
