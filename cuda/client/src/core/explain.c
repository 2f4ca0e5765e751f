#define _GNU_SOURCE

#include "explain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session.h"

enum { LINE_BYTES = 1024 };

bool gpuvm_is_explaining(void)
{
    const char *debug = secure_getenv("GPUVM_CUDA_DEBUG");
    return debug != NULL && debug[0] != '\0' && strcmp(debug, "0") != 0;
}

void gpuvm_explain(const char *format, ...)
{
    if (!gpuvm_is_explaining())
        return;
    char line[LINE_BYTES];
    int start = snprintf(line, sizeof line, "libcuda (gpuvm), process %d: ", (int)getpid());
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line + start, sizeof line - (size_t)start - 1, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    size_t end = (size_t)start + (size_t)length;
    if (end > sizeof line - 2)
        end = sizeof line - 2;
    line[end++] = '\n';
    /* One call for each line, so that lines of several threads do not mix. A lost line has no consequences. */
    if (write(STDERR_FILENO, line, end) < 0)
        return;
}
