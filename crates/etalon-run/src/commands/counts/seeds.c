/* Fixed seeds for programs whose work is counted: what the clock's seconds and the system's entropy would make differ
 * from one execution to the next. Loaded before the C library; nothing else of it is replaced.
 *
 * Both move on with every call, in the same way each time: a program that waits for the next second, or for another
 * number, is not to wait for ever. */
#include <stddef.h>
#include <time.h>
#include <sys/types.h>

enum { CALLS_A_SECOND = 1024, LARGEST = 256 };

static unsigned long long numbers = 0x9e3779b97f4a7c15ull;
static time_t calls;

static void fill(unsigned char *bytes, size_t length) {
    for (size_t at = 0; at < length; at++) {
        numbers = numbers * 6364136223846793005ull + 1442695040888963407ull;
        bytes[at] = (unsigned char)(numbers >> 56);
    }
}

time_t time(time_t *into) {
    time_t now = 1700000000 + calls++ / CALLS_A_SECOND;
    if (into) *into = now;
    return now;
}

ssize_t getrandom(void *bytes, size_t length, unsigned flags) {
    (void)flags;
    fill(bytes, length);
    return (ssize_t)length;
}

int getentropy(void *bytes, size_t length) {
    if (length > LARGEST) return -1;
    fill(bytes, length);
    return 0;
}
