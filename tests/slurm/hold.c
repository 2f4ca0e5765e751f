/*
 * Holds a session with a GPU, and uses it ten times per second, until SIGTERM.
 *
 *   hold [ROUNDS]
 *
 * Each round copies a pattern into the GPU's memory and back. The program prints "holds" after the first round, and "passed" after the last one.
 *
 * Exit status: 0 if all patterns came back, 1 if a call failed, for instance because the session was cut.
 */
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { WORDS = 4096, PAUSE_US = 100000 };

/* Odd factor that spreads numbers over all bits: 2^32 divided by the golden ratio. */
#define SPREAD 2654435761u

static volatile sig_atomic_t must_end;

static void request_end(int signal)
{
    (void)signal;
    must_end = 1;
}

static void round_trip(CUdeviceptr memory, uint32_t round)
{
    static uint32_t there[WORDS], back[WORDS];
    for (uint32_t i = 0; i < WORDS; i++)
        there[i] = i * SPREAD + round;
    memset(back, 0, sizeof back);
    CALL(cuMemcpyHtoD(memory, there, sizeof there));
    CALL(cuMemcpyDtoH(back, memory, sizeof back));
    if (memcmp(there, back, sizeof back) != 0)
        fail("round %u: other bytes came back", round);
}

int main(int count, char **arguments)
{
    unsigned long rounds = count > 1 ? strtoul(arguments[1], NULL, 10) : 0;
    CUdeviceptr memory;
    signal(SIGTERM, request_end);
    CUcontext context = open_device();
    CALL(cuMemAlloc(&memory, sizeof(uint32_t) * WORDS));
    for (uint32_t round = 1; !must_end; round++) {
        round_trip(memory, round);
        if (round == 1) {
            puts("holds");
            fflush(stdout);
        }
        if (round == rounds)
            break;
        usleep(PAUSE_US);
    }
    CALL(cuCtxDestroy(context));
    puts("passed");
    return EXIT_SUCCESS;
}
