#define _GNU_SOURCE

#include "reports.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "completions.h"
#include "explain.h"
#include "gpuvm_cuda_senders.h"
#include "session.h"

/* Form of a report: docs/cuda-protocol.md. */
struct report_header {
    uint32_t kind;
    uint32_t text_bytes;
};

enum { ASSERTION = 1, FAULT = 2 };

/* Space for several reports, each of which has at most 2048 bytes. */
#define SPACE_BYTES ((size_t)32 << 10)

/* Calls that take reports after one failure: the backend keeps at most 128 of them. */
#define MOST_CALLS 16

static bool is_failure_of_kernel(CUresult status)
{
    switch (status) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
        return true;
    default:
        return false;
    }
}

static bool wants_faults(void)
{
    const char *faults = secure_getenv("GPUVM_CUDA_FAULTS");
    return gpuvm_is_explaining() || (faults != NULL && faults[0] != '\0' && strcmp(faults, "0") != 0);
}

/* Writes a line with one call, so that lines of several threads do not mix. A lost line has no consequences. */
static void write_line(const uint8_t *text, size_t length)
{
    char *line = malloc(length + 1);
    if (line == NULL)
        return;
    memcpy(line, text, length);
    line[length] = '\n';
    ssize_t written = write(STDERR_FILENO, line, length + 1);
    (void)written;
    free(line);
}

/* Writes the reports in a copy of the backend's bytes. */
static void write_reports(const uint8_t *reports, size_t bytes)
{
    struct report_header header;
    for (size_t at = 0; bytes - at >= sizeof header;) {
        memcpy(&header, reports + at, sizeof header);
        at += sizeof header;
        if (header.text_bytes > bytes - at)
            return;
        if (header.kind == ASSERTION || (header.kind == FAULT && wants_faults()))
            write_line(reports + at, header.text_bytes);
        size_t padded = (header.text_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
        if (padded > bytes - at)
            return;
        at += padded;
    }
}

/* Takes reports once. Returns whether there were any. */
static bool take(void *space)
{
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    if (gpuvm_fill_TakeReports(&message, gpuvm_data_offset(space), SPACE_BYTES) != CUDA_SUCCESS)
        return false;
    gpuvm_complete_aside(&message, &wait);
    uint64_t bytes = wait.results[0];
    uint8_t *copy = wait.status == CUDA_SUCCESS && bytes != 0 && bytes <= SPACE_BYTES ? malloc(bytes) : NULL;
    if (copy == NULL)
        return false;
    memcpy(copy, space, bytes);
    write_reports(copy, bytes);
    free(copy);
    return true;
}

void gpuvm_reports_print(CUresult status)
{
    if (!is_failure_of_kernel(status))
        return;
    void *space = gpuvm_data_allocate(SPACE_BYTES);
    if (space == NULL)
        return;
    for (int calls = 0; calls < MOST_CALLS && take(space); calls++) {
    }
    gpuvm_data_free(space);
}
