/* Fixed seeds for programs whose work is counted: what the clock's seconds and the system's entropy would make differ
 * from one execution to the next. Loaded before the C library; nothing else of it is replaced.
 *
 * Both move on with every call, in the same way each time: a program that waits for the next second, or for another
 * number, is not to wait for ever. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

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

/* LuaJIT asks the kernel itself. Everything else goes there as the C library would have it go. */
#if defined(__x86_64__) || defined(__aarch64__)
static long kernel(long number, const long *words) {
#ifdef __x86_64__
    register long d __asm__("r10") = words[3], e __asm__("r8") = words[4], f __asm__("r9") = words[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(words[0]), "S"(words[1]), "d"(words[2]), "r"(d), "r"(e), "r"(f)
                     : "rcx", "r11", "memory");
#else
    register long asked __asm__("x8") = number, result __asm__("x0") = words[0];
    register long b __asm__("x1") = words[1], c __asm__("x2") = words[2], d __asm__("x3") = words[3];
    register long e __asm__("x4") = words[4], f __asm__("x5") = words[5];
    __asm__ volatile("svc #0"
                     : "+r"(result)
                     : "r"(asked), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f)
                     : "memory");
#endif
    return result;
}

long syscall(long number, ...) {
    long words[6];
    va_list given;
    va_start(given, number);
    for (int at = 0; at < 6; at++) words[at] = va_arg(given, long);
    va_end(given);
    if (number == SYS_getrandom) return getrandom((void *)words[0], (size_t)words[1], 0);
    long result = kernel(number, words);
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}
#endif
