/*
 * Keeps the GPU busy with kernels of known length, until SIGTERM.
 *
 *   spin FOLDER MICROSECONDS LAUNCHES [STREAMS]
 *
 * FOLDER contains spin.cubin. LAUNCHES is the number of launches in flight on each stream, 1 to 1024; 0 means as many as the library accepts,
 * so that the program floods the GPU. STREAMS is 1 to 64; the default is 1. The program prints "busy" when the first kernel has ended, and at
 * the end the number of launches and the seconds that the kernels took by the GPU's clock.
 *
 * Exit status: 0 if each kernel ran, in order, for the requested time.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

enum {
    MOST_LAUNCHES = 1024,
    MOST_STREAMS = 64,
    MOST_MICROSECONDS = 1000000,
    /* Launches of a flood whose notes are kept. */
    FLOOD_NOTES = 64
};

#define NS_PER_US 1000u
#define NS_PER_SECOND 1e9

/* What a kernel stores: the GPU's clock at its start, its duration in nanoseconds, and the number of its readings of the clock. */
struct note {
    uint64_t start;
    uint32_t duration;
    uint32_t looks;
};

struct stream {
    CUstream stream;
    struct note *notes; /* page-locked; one for each launch in flight */
    CUevent *ends;
    uint64_t launches, verified;
    uint64_t last_end;
};

static volatile sig_atomic_t must_end;
static unsigned length_ns, in_flight, notes;
static uint64_t used_ns;
static CUfunction kernel;

static void request_end(int signal)
{
    (void)signal;
    must_end = 1;
}

static unsigned number(const char *name, const char *text, unsigned least, unsigned most)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text == '\0' || *end != '\0' || value < least || value > most)
        fail("%s=%s, expected %u to %u", name, text, least, most);
    return (unsigned)value;
}

static void open_stream(struct stream *stream)
{
    memset(stream, 0, sizeof *stream);
    CALL(cuStreamCreate(&stream->stream, CU_STREAM_NON_BLOCKING));
    CALL(cuMemAllocHost((void **)&stream->notes, notes * sizeof *stream->notes));
    memset(stream->notes, 0, notes * sizeof *stream->notes);
    stream->ends = allocate(notes * sizeof *stream->ends);
    for (unsigned i = 0; i < notes; i++)
        CALL(cuEventCreate(&stream->ends[i], CU_EVENT_DISABLE_TIMING));
}

/* Checks the oldest launch in flight, which has ended. */
static void verify(struct stream *stream)
{
    struct note *note = &stream->notes[stream->verified % notes];
    if (note->duration < length_ns)
        fail("launch %" PRIu64 ": duration=%u ns, expected at least %u", stream->verified, note->duration, length_ns);
    if (note->start < stream->last_end)
        fail("launch %" PRIu64 ": start=%" PRIu64 " ns, end of the previous one=%" PRIu64, stream->verified, note->start, stream->last_end);
    stream->last_end = note->start + note->duration;
    used_ns += note->duration;
    note->duration = 0;
    stream->verified++;
}

static void launch(struct stream *stream)
{
    unsigned slot = (unsigned)(stream->launches % notes);
    CUdeviceptr note = (CUdeviceptr)(uintptr_t)&stream->notes[slot];
    void *parameters[] = {&note, &length_ns};
    CALL(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream->stream, parameters, NULL));
    if (in_flight > 0)
        CALL(cuEventRecord(stream->ends[slot], stream->stream));
    stream->launches++;
}

static void await_oldest(struct stream *stream)
{
    CALL(cuEventSynchronize(stream->ends[stream->verified % notes]));
    verify(stream);
}

static void run(struct stream *streams, unsigned count)
{
    launch(&streams[0]);
    CALL(cuStreamSynchronize(streams[0].stream));
    verify(&streams[0]);
    puts("busy");
    fflush(stdout);
    while (!must_end) {
        for (unsigned i = 0; i < count; i++) {
            if (in_flight > 0 && streams[i].launches - streams[i].verified == in_flight)
                await_oldest(&streams[i]);
            launch(&streams[i]);
        }
    }
}

/* Ends all streams. Returns the number of launches. */
static uint64_t end(struct stream *streams, unsigned count)
{
    uint64_t launches = 0;
    for (unsigned i = 0; i < count; i++) {
        while (in_flight > 0 && streams[i].verified < streams[i].launches)
            await_oldest(&streams[i]);
        launches += streams[i].launches;
    }
    return launches;
}

int main(int count, char **arguments)
{
    static struct stream streams[MOST_STREAMS];
    if (count < 4 || count > 5) {
        fputs("usage: spin FOLDER MICROSECONDS LAUNCHES [STREAMS]\n", stderr);
        return 2;
    }
    length_ns = number("MICROSECONDS", arguments[2], 1, MOST_MICROSECONDS) * NS_PER_US;
    in_flight = number("LAUNCHES", arguments[3], 0, MOST_LAUNCHES);
    notes = in_flight > 0 ? in_flight : FLOOD_NOTES;
    unsigned opened = count == 5 ? number("STREAMS", arguments[4], 1, MOST_STREAMS) : 1;
    signal(SIGTERM, request_end);

    CUcontext context = open_device();
    CUmodule module = load_module(arguments[1], "spin");
    CALL(cuModuleGetFunction(&kernel, module, "spin"));
    for (unsigned i = 0; i < opened; i++)
        open_stream(&streams[i]);
    run(streams, opened);
    uint64_t launches = end(streams, opened);
    /* The launches of a flood are discarded with its context. */
    CALL(cuCtxDestroy(context));
    printf("passed: %" PRIu64 " launches, %.3f s\n", launches, (double)used_ns / NS_PER_SECOND);
    return EXIT_SUCCESS;
}
