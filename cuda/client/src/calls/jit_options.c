#include "jit_options.h"

#include <string.h>

#include "gpuvm_calls.h"
#include "session.h"

/* Options of CUDA 12.4 (CUjit_option). */
enum {
    JIT_MAX_REGISTERS = 0,
    JIT_THREADS_PER_BLOCK = 1,
    JIT_WALL_TIME = 2,
    JIT_INFO_LOG_BUFFER = 3,
    JIT_INFO_LOG_BUFFER_BYTES = 4,
    JIT_ERROR_LOG_BUFFER = 5,
    JIT_ERROR_LOG_BUFFER_BYTES = 6,
    JIT_OPTIMIZATION_LEVEL = 7,
    JIT_TARGET = 9,
    JIT_FALLBACK_STRATEGY = 10,
    JIT_LOG_VERBOSE = 12,
    JIT_CACHE_MODE = 14,
    JIT_GLOBAL_SYMBOL_COUNT = 19,
    JIT_LTO = 20,
    JIT_OPTIONS = 34
};

/* Greatest values: levels of optimization; strategies (PTX, binary); cache modes (none, L2, all). */
#define MAX_OPTIMIZATION 4
#define MAX_STRATEGY 1
#define MAX_CACHE_MODE 2

/* Targets (CUjit_target) whose code the device executes. */
#define SM_20 20
#define SM_21 21

/* Registers of a multiprocessor of a GF100, which warps of 32 threads take in multiples of 64. */
#define MULTIPROCESSOR_REGISTERS 32768
#define REGISTER_UNIT 64
#define WARP 32
#define MAX_THREADS 1024

static uint32_t value_of(void *const *value)
{
    return (uint32_t)(uintptr_t)*value;
}

/* Registers of a thread with which a block of so many threads fits into a multiprocessor. */
static uint32_t registers_for(uint32_t threads)
{
    uint32_t warps = (threads + WARP - 1) / WARP;
    return MULTIPROCESSOR_REGISTERS / warps / REGISTER_UNIT * REGISTER_UNIT / WARP;
}

static void limit_registers(struct gpuvm_jit_options *read, uint32_t registers)
{
    if (registers != 0 && (read->registers == 0 || registers < read->registers))
        read->registers = registers;
}

static CUresult check_limit(CUjit_option option, uint32_t value, uint32_t limit)
{
    if (value <= limit)
        return CUDA_SUCCESS;
    gpuvm_explain("JIT option %u=%u, limit=%u", (unsigned int)option, value, limit);
    return CUDA_ERROR_INVALID_VALUE;
}

static CUresult check_target(uint32_t target)
{
    if (target == SM_20 || target == SM_21)
        return CUDA_SUCCESS;
    gpuvm_explain("JIT target=%u, expected 20 or 21", target);
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

static CUresult check_unsupported(CUjit_option option, uint32_t value)
{
    if (value == 0)
        return CUDA_SUCCESS;
    gpuvm_explain("JIT option %u=%u, expected 0", (unsigned int)option, value);
    return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult read_option(struct gpuvm_jit_options *read, CUjit_option option, void *const *value)
{
    switch (option) {
    case JIT_MAX_REGISTERS:
        limit_registers(read, value_of(value));
        return CUDA_SUCCESS;
    case JIT_THREADS_PER_BLOCK:
        if (value_of(value) != 0 && value_of(value) <= MAX_THREADS)
            limit_registers(read, registers_for(value_of(value)));
        return check_limit(option, value_of(value), MAX_THREADS);
    case JIT_OPTIMIZATION_LEVEL:
        read->optimization = value_of(value);
        return check_limit(option, value_of(value), MAX_OPTIMIZATION);
    case JIT_TARGET:
        return check_target(value_of(value));
    case JIT_FALLBACK_STRATEGY:
        return check_limit(option, value_of(value), MAX_STRATEGY);
    case JIT_LOG_VERBOSE:
        read->is_verbose = value_of(value) != 0;
        return CUDA_SUCCESS;
    case JIT_CACHE_MODE:
        return check_limit(option, value_of(value), MAX_CACHE_MODE);
    case JIT_GLOBAL_SYMBOL_COUNT:
    case JIT_LTO:
        return check_unsupported(option, value_of(value));
    default:
        return CUDA_SUCCESS;
    }
}

CUresult gpuvm_jit_options_read(unsigned int count, const CUjit_option *options, void **values, struct gpuvm_jit_options *read)
{
    *read = (struct gpuvm_jit_options){.count = count, .options = options, .values = values, .optimization = MAX_OPTIMIZATION};
    if (count != 0 && (options == NULL || values == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < count; i++) {
        if ((uint32_t)options[i] >= JIT_OPTIONS) {
            gpuvm_explain("JIT option=%u, limit=%d", (unsigned int)options[i], JIT_OPTIONS - 1);
            return CUDA_ERROR_INVALID_VALUE;
        }
        CUresult outcome = read_option(read, options[i], &values[i]);
        if (outcome != CUDA_SUCCESS)
            return outcome;
    }
    return CUDA_SUCCESS;
}

/* Place of an option, or null. */
static void **find(const struct gpuvm_jit_options *options, CUjit_option wanted)
{
    for (unsigned int i = 0; i < options->count; i++) {
        if (options->options[i] == wanted)
            return &options->values[i];
    }
    return NULL;
}

/* Writes text into a log, as far as it fits, and its length in place of the length of the buffer. */
static void write_log(void **buffer, void **bytes, const char *text)
{
    if (bytes == NULL)
        return;
    size_t capacity = value_of(bytes);
    size_t length = 0;
    if (buffer != NULL && *buffer != NULL && capacity != 0) {
        length = strlen(text) < capacity ? strlen(text) : capacity - 1;
        memcpy(*buffer, text, length);
        ((char *)*buffer)[length] = '\0';
    }
    *bytes = (void *)(uintptr_t)length;
}

static const char *error_text(const struct gpuvm_jit_log *log, CUresult outcome)
{
    if (log != NULL && log->errors != NULL && *log->errors != '\0')
        return log->errors;
    const char *text = outcome != CUDA_SUCCESS ? gpuvm_status_text(outcome) : NULL;
    return text != NULL ? text : "";
}

void gpuvm_jit_options_finish(const struct gpuvm_jit_options *options, const struct gpuvm_jit_log *log, CUresult outcome)
{
    void **time = find(options, JIT_WALL_TIME);
    if (time != NULL) {
        float milliseconds = log != NULL ? log->milliseconds : 0;
        *time = NULL;
        memcpy(time, &milliseconds, sizeof milliseconds);
    }
    write_log(
        find(options, JIT_INFO_LOG_BUFFER), find(options, JIT_INFO_LOG_BUFFER_BYTES),
        log != NULL && log->info != NULL ? log->info : "");
    write_log(find(options, JIT_ERROR_LOG_BUFFER), find(options, JIT_ERROR_LOG_BUFFER_BYTES), error_text(log, outcome));
}
