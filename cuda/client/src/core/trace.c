#define _GNU_SOURCE

#include "trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "session.h"

enum { LINE_BYTES = 256, FILE_MODE = 0666 };

bool gpuvm_is_tracing;

static int file = -1;

void gpuvm_trace_open(void)
{
    const char *path = secure_getenv("GPUVM_CUDA_TRACE");
    if (path == NULL || path[0] == '\0')
        return;
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, FILE_MODE);
    if (file < 0)
        gpuvm_explain("GPUVM_CUDA_TRACE=%s cannot be opened", path);
    gpuvm_is_tracing = file >= 0;
}

/* Writes a line with one system call, so that lines of several threads and processes do not mix. A lost line has no consequences. */
static void write_line(const char *line, int length)
{
    if (length >= LINE_BYTES)
        length = LINE_BYTES - 1;
    if (length <= 0 || write(file, line, (size_t)length) < 0)
        return;
}

static int begin_line(char line[LINE_BYTES], uint64_t time)
{
    return snprintf(line, LINE_BYTES, "%" PRIu64 ".%09" PRIu64 " %d %ld ", time / GPUVM_NS_PER_S, time % GPUVM_NS_PER_S, (int)getpid(),
        syscall(SYS_gettid));
}

void gpuvm_trace_call(uint32_t opcode, CUresult status)
{
    uint64_t entered = gpuvm_thread.entered;
    uint64_t duration = gpuvm_now() - entered;
    const char *name = gpuvm_call_name(opcode);
    const char *result = gpuvm_status_name(status);
    char line[LINE_BYTES];
    int start = begin_line(line, entered);
    int length = snprintf(line + start, sizeof line - (size_t)start, "%s %s ns=%" PRIu64 " call=%" PRIu64 "\n",
        name == NULL ? "?" : name, result == NULL ? "?" : result, duration, gpuvm_thread.sequence);
    write_line(line, start + length);
}

void gpuvm_trace_unsupported(const char *symbol)
{
    if (!gpuvm_is_tracing)
        return;
    char line[LINE_BYTES];
    int start = begin_line(line, gpuvm_now());
    int length = snprintf(line + start, sizeof line - (size_t)start, "%s %s\n", symbol, gpuvm_status_name(CUDA_ERROR_NOT_SUPPORTED));
    write_line(line, start + length);
}
