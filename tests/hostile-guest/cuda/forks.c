/*
 * CUDA program that creates processes while it uses the GPU: forks FOLDER KIND
 *
 * KIND is fork, vfork (vfork and exec) or exec (the program replaces itself by another one). A second thread makes calls all the time. The
 * child of a fork makes calls, which must fail; the parent verifies its results after that. The program prints "child PID", and, when all
 * is verified, "parent done"; then it waits to be killed, as its child does. The exit status is 1 after a wrong result.
 */
#include "clients.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 64 * THREADS, ROUNDS = 20 };

static struct device device;
static atomic_bool ended;

static void *call_always(void *unused)
{
    CUdeviceptr memory;
    (void)unused;
    CALL(cuCtxSetCurrent(device.context));
    CALL(cuMemAlloc(&memory, WORDS * sizeof(uint32_t)));
    while (!atomic_load(&ended)) {
        CALL(launch_add(&device, memory, WORDS, 1, NULL));
        CALL(cuCtxSynchronize());
    }
    CALL(cuMemFree(memory));
    return NULL;
}

static void in_child(CUdeviceptr memory)
{
    uint32_t word;
    CUdeviceptr other;
    if (cuMemAlloc(&other, 4096) == CUDA_SUCCESS || cuMemcpyDtoH(&word, memory, sizeof word) == CUDA_SUCCESS
        || launch_add(&device, memory, WORDS, 1, NULL) == CUDA_SUCCESS || cuCtxSynchronize() == CUDA_SUCCESS)
        fail("a call in the child succeeded");
}

static void say(const char *what, long number)
{
    if (printf("%s %ld\n", what, number) < 0 || fflush(stdout) != 0)
        exit(EXIT_FAILURE);
}

int main(int count, char **arguments)
{
    static uint32_t host[WORDS];
    static char *sleeping[] = {"sleep", "60", NULL};
    pthread_t thread;
    CUdeviceptr memory;
    uint64_t random = 1;
    if (count != 3)
        fail("arguments=%d, expected FOLDER KIND", count - 1);
    device = open_with_module(arguments[1]);
    CALL(cuMemAlloc(&memory, sizeof host));
    if (pthread_create(&thread, NULL, call_always, NULL) != 0)
        fail("pthread_create");
    if (compute(&device, memory, host, WORDS, &random) > 0)
        fail("wrong words before the child");
    pid_t child = -1;
    if (strcmp(arguments[2], "fork") == 0) {
        child = fork();
        if (child == 0) {
            in_child(memory);
            say("child", getpid());
            pause();
        }
    } else if (strcmp(arguments[2], "vfork") == 0) {
        child = vfork();
        if (child == 0) {
            execvp(sleeping[0], sleeping);
            _exit(EXIT_FAILURE);
        }
        say("child", child);
    } else if (strcmp(arguments[2], "exec") == 0) {
        say("child", getpid());
        execvp(sleeping[0], sleeping);
    }
    if (child < 0)
        fail("kind=%s: no child", arguments[2]);
    for (int i = 0; i < ROUNDS; i++)
        if (compute(&device, memory, host, WORDS, &random) > 0)
            fail("wrong words after the child");
    atomic_store(&ended, 1);
    if (pthread_join(thread, NULL) != 0)
        fail("pthread_join");
    say("parent", getpid());
    pause();
    return EXIT_SUCCESS;
}
