/* A command that says so when it has finished: its last act is to append one byte to a file.
 *
 * Owns: the one write(2), O_APPEND, that a kill of etalon cannot take back. What is in FILE has
 * finished, so it has to be in the record, but for the one whose end etalon was about to record.
 *
 *   cc -O2 -o logged bench/logged.c && ./logged FILE a
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 3) { fprintf(stderr, "usage: logged FILE LETTER\n"); return 2; }
    int file = open(argv[1], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    return file < 0 || write(file, argv[2], 1) != 1;
}
