#include "jit_options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gpuvm_calls.h"

/* Options of CUDA (CUjit_option) that return something. */
enum {
    JIT_WALL_TIME = 2,
    JIT_INFO_LOG_BUFFER = 3,
    JIT_INFO_LOG_BUFFER_BYTES = 4,
    JIT_ERROR_LOG_BUFFER = 5,
    JIT_ERROR_LOG_BUFFER_BYTES = 6
};

CUresult gpuvm_jit_options_check(unsigned int count, const CUjit_option *options, void *const *values)
{
    return count == 0 || (options != NULL && values != NULL) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Place of an option, or null. */
static void **find(unsigned int count, const CUjit_option *options, void **values, CUjit_option wanted)
{
    for (unsigned int i = 0; i < count; i++) {
        if (options[i] == wanted)
            return &values[i];
    }
    return NULL;
}

/* Writes text into a log, as far as it fits, and its length in place of the length of the buffer. */
static void write_log(void **buffer, void **bytes, const char *text)
{
    if (bytes == NULL)
        return;
    size_t capacity = (uint32_t)(uintptr_t)*bytes;
    size_t length = 0;
    if (buffer != NULL && *buffer != NULL && capacity != 0) {
        length = strlen(text) < capacity ? strlen(text) : capacity - 1;
        memcpy(*buffer, text, length);
        ((char *)*buffer)[length] = '\0';
    }
    *bytes = (void *)(uintptr_t)length;
}

void gpuvm_jit_options_finish(unsigned int count, const CUjit_option *options, void **values, CUresult outcome)
{
    const char *text = "";
    if (outcome == CUDA_ERROR_JIT_COMPILER_NOT_FOUND)
        text = "gpuvm does not compile PTX: the image must contain code for sm_20";
    else if (outcome != CUDA_SUCCESS)
        text = gpuvm_status_text(outcome);
    void **time = find(count, options, values, JIT_WALL_TIME);
    if (time != NULL)
        *time = NULL;
    write_log(find(count, options, values, JIT_INFO_LOG_BUFFER), find(count, options, values, JIT_INFO_LOG_BUFFER_BYTES), "");
    write_log(
        find(count, options, values, JIT_ERROR_LOG_BUFFER), find(count, options, values, JIT_ERROR_LOG_BUFFER_BYTES),
        text != NULL ? text : "");
}
