/*
 * Runs commands on request, one at a time, and measures the time from their start to their end.
 *
 *   timed OUTPUT
 *
 * For each line "FOLDER COMMAND" of the input, the program runs `sh -c COMMAND` in the folder, whose name has no blank. The command has an
 * empty input; its output and errors replace the file OUTPUT. The answer is one line of JSON: "status", as of a shell (128 plus the number
 * of a signal), "ns", by the monotonic clock, and "last", the last line of the output. The first line, {"ready":true}, precedes all answers.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LINE_BYTES = 4096,
    /* Exit status of a command that cannot be started, as of a shell. */
    NOT_STARTED = 127,
    SIGNALLED = 128
};

#define NS_PER_SECOND 1000000000u

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

/* Becomes the command. */
_Noreturn static void execute(const char *folder, const char *command, const char *output)
{
    int in = open("/dev/null", O_RDONLY), out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
        _exit(NOT_STARTED);
    if (chdir(folder) == 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    perror(folder);
    _exit(NOT_STARTED);
}

static int status_of(pid_t child)
{
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return NOT_STARTED;
    return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Prints the last line of a file as a string of JSON. */
static void print_last(const char *path)
{
    char line[LINE_BYTES], last[LINE_BYTES] = "";
    FILE *file = fopen(path, "r");
    if (file != NULL) {
        while (fgets(line, sizeof line, file) != NULL)
            if (*line != '\n')
                strcpy(last, line);
        fclose(file);
    }
    putchar('"');
    for (const char *at = last; *at != '\0'; at++)
        if (isprint((unsigned char)*at) && *at != '"' && *at != '\\')
            putchar(*at);
    putchar('"');
}

static void run(const char *folder, const char *command, const char *output)
{
    uint64_t start = now();
    pid_t child = fork();
    if (child == 0)
        execute(folder, command, output);
    int status = status_of(child);
    printf("{\"status\":%d,\"ns\":%" PRIu64 ",\"last\":", status, now() - start);
    print_last(output);
    puts("}");
    fflush(stdout);
}

int main(int count, char **arguments)
{
    static char line[LINE_BYTES];
    if (count != 2) {
        fputs("usage: timed OUTPUT\n", stderr);
        return 2;
    }
    puts("{\"ready\":true}");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *command = strchr(line, ' ');
        if (command == NULL) {
            fprintf(stderr, "timed: line=%s, expected FOLDER COMMAND\n", line);
            return 1;
        }
        *command++ = '\0';
        run(line, command, arguments[1]);
    }
    return 0;
}
