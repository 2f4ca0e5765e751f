/*
 * Process of `gpuvm exec-cuda`: exec-cuda COMMAND ARG...
 *
 * COMMAND prepares the program: it starts a backend, and writes the program's arguments and environment to descriptor 3. It runs in a
 * session of its own, so that signals of the terminal reach neither it nor the backend, and ends when its standard input ends.
 *
 * This process runs the program as its child, in the same process group, and passes on the signals that it gets. It ends COMMAND after the
 * program, and exits with the program's status, or 128 plus the number of the signal that has terminated the program.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses, as in shells. */
enum { CANNOT_START = 1, WRONG_ARGUMENTS = 2, NOT_EXECUTABLE = 126, NOT_FOUND = 127, SIGNALLED = 128 };

/* Descriptor to which COMMAND writes strings that end with zeros: 'E' and an environment variable, or 'A' and an argument; last an empty one. */
enum { PROGRAM_DESCRIPTOR = 3 };
#define PROGRAM_VARIABLE "GPUVM_PROGRAM_FD"

/* Greatest length of what COMMAND writes: more than Linux accepts for a program. */
#define MOST_BYTES ((size_t)8 << 20)

static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

static sigset_t inherited_mask;

static void fail(const char *what)
{
    fprintf(stderr, "gpuvm: %s: %s\n", what, strerror(errno));
    exit(CANNOT_START);
}

/* Returns a descriptor from which all signals are read. */
static int open_signals(void)
{
    sigset_t read;
    sigemptyset(&read);
    sigaddset(&read, SIGCHLD);
    for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
        sigaddset(&read, passed[i]);
    int descriptor;
    if (sigprocmask(SIG_BLOCK, &read, &inherited_mask) != 0 || (descriptor = signalfd(-1, &read, SFD_CLOEXEC)) < 0)
        fail("signals");
    return descriptor;
}

static void execute(char **words)
{
    sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
    execvp(words[0], words);
    fprintf(stderr, "gpuvm: %s: %s\n", words[0], strerror(errno));
    _exit(errno == ENOENT ? NOT_FOUND : NOT_EXECUTABLE);
}

/* Starts COMMAND. Sets the end of its standard input, and the descriptor from which its strings are read. */
static pid_t start_command(char **words, int *input, int *strings)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        fail("pipe");
    pid_t command = fork();
    if (command < 0)
        fail("fork");
    if (command == 0) {
        setsid();
        /* First a copy of `out`, which may have the number 3 itself. */
        int copy = fcntl(out[1], F_DUPFD, PROGRAM_DESCRIPTOR + 1);
        if (copy < 0 || dup2(in[0], STDIN_FILENO) < 0 || dup2(copy, PROGRAM_DESCRIPTOR) < 0 || close(copy) != 0
            || setenv(PROGRAM_VARIABLE, "3", 1) != 0)
            fail("descriptors");
        execute(words);
    }
    close(in[0]);
    close(out[1]);
    *input = in[1];
    *strings = out[0];
    return command;
}

static pid_t start_program(char **words)
{
    pid_t parent = getpid();
    pid_t program = fork();
    if (program < 0)
        fail("fork");
    if (program == 0) {
        /* The program ends if this process is killed. */
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != parent)
            _exit(SIGNALLED + SIGTERM);
        execute(words);
    }
    return program;
}

static struct signalfd_siginfo next_signal(int signals)
{
    struct signalfd_siginfo info = {0};
    while (read(signals, &info, sizeof info) < 0 && errno == EINTR) {
    }
    return info;
}

/* Reads the strings of COMMAND. Returns their length; 0 if COMMAND ends without a program, or if a signal arrives meanwhile, which it sets. */
static size_t read_strings(int strings, int signals, char **bytes, int *signal)
{
    size_t length = 0, space = 1 << 16;
    *bytes = malloc(space);
    struct pollfd polled[] = {{.fd = strings, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    while (*bytes != NULL) {
        if (poll(polled, 2, -1) < 0 && errno != EINTR)
            fail("poll");
        if ((polled[1].revents & POLLIN) != 0) {
            int number = (int)next_signal(signals).ssi_signo;
            if (number != SIGCHLD) {
                *signal = number;
                return 0;
            }
        }
        if (polled[0].revents == 0)
            continue;
        ssize_t got = read(strings, *bytes + length, space - length);
        if (got == 0)
            return 0;
        length += got > 0 ? (size_t)got : 0;
        if (length >= 2 && (*bytes)[length - 1] == '\0' && (*bytes)[length - 2] == '\0')
            return length - 1;
        if (length == space && space < MOST_BYTES)
            *bytes = realloc(*bytes, space *= 2);
        else if (length == space)
            break;
    }
    errno = ENOMEM;
    fail("arguments");
    return 0;
}

/* Sets the environment, and returns the arguments of the program; they point into the strings. */
static char **read_program(char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t at = 0; at < length; at += strlen(bytes + at) + 1)
        count++;
    char **words = calloc(count + 1, sizeof *words);
    if (words == NULL)
        fail("arguments");
    count = 0;
    for (size_t at = 0; at < length; at += strlen(bytes + at) + 1) {
        if (bytes[at] == 'A')
            words[count++] = bytes + at + 1;
        else if (putenv(bytes + at + 1) != 0)
            fail("environment");
    }
    return words;
}

static int status_of(int status)
{
    return WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Waits for the end of a process. Signals wait meanwhile. */
static int await(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return status_of(status);
}

/*
 * Passes signals to the program until it ends. A signal of the terminal has reached the program already, unless the program is in a group of
 * its own.
 */
static int await_program(pid_t program, int signals)
{
    for (;;) {
        struct signalfd_siginfo info = next_signal(signals);
        int status;
        if (info.ssi_signo != SIGCHLD) {
            if (info.ssi_code != SI_KERNEL || getpgid(program) != getpgrp())
                kill(program, (int)info.ssi_signo);
        } else if (waitpid(program, &status, WNOHANG) == program) {
            return status_of(status);
        }
    }
}

int main(int count, char **words)
{
    if (count < 2) {
        fprintf(stderr, "usage: %s COMMAND ARG...\n", words[0]);
        return WRONG_ARGUMENTS;
    }
    int input, strings, signal = 0;
    char *bytes;
    /* If the parent ignores it, Linux forgets the status of children. */
    if (sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_DFL}, NULL) != 0)
        fail("signals");
    int signals = open_signals();
    pid_t command = start_command(words + 1, &input, &strings);
    size_t length = read_strings(strings, signals, &bytes, &signal);
    close(strings);
    if (signal != 0)
        kill(command, SIGTERM);
    if (length == 0) {
        int status = await(command);
        return signal != 0 ? SIGNALLED + signal : status;
    }
    int status = await_program(start_program(read_program(bytes, length)), signals);
    close(input);
    await(command);
    return status;
}
