#define _POSIX_C_SOURCE 200809L

#include "jit.h"

#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "gpuvm_cuda_senders.h"
#include "image.h"
#include "session.h"

/* Form of a request and a response: docs/cuda-protocol.md. */
struct request_header {
    uint32_t registers;
    uint32_t optimization;
    uint32_t flags;
    uint32_t inputs;
};

struct input_header {
    uint64_t bytes;
    uint64_t name_bytes;
};

struct response_header {
    uint64_t cubin_bytes;
    uint64_t info_bytes;
    uint64_t error_bytes;
    uint64_t nanoseconds;
};

#define FLAG_VERBOSE 1u
#define NAME_MAX_BYTES 4096
#define NANOSECONDS_PER_MILLISECOND 1e6f

/* Space for the first attempt to get a response. */
#define RESPONSE_BYTES ((size_t)256 << 10)

/* Greatest length of a response. */
#define RESPONSE_MAX_BYTES ((size_t)64 << 20)

static size_t padded(size_t bytes)
{
    return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

static size_t name_length(const struct gpuvm_jit_input *input)
{
    return input->name != NULL ? strnlen(input->name, NAME_MAX_BYTES) : 0;
}

/* Length of a request; 0 if it is beyond the limit of an image. */
static size_t request_length(const struct gpuvm_jit_input *inputs, size_t count)
{
    size_t length = sizeof(struct request_header);
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].length > GPUVM_IMAGE_MAX_BYTES)
            return 0;
        length += sizeof(struct input_header) + padded(name_length(&inputs[i])) + padded(inputs[i].length);
        if (length > GPUVM_IMAGE_MAX_BYTES)
            return 0;
    }
    return length;
}

/* Writes bytes and zeros after them; returns the end. */
static unsigned char *put(unsigned char *at, const void *bytes, size_t length)
{
    size_t whole = padded(length);
    memset(at, 0, whole);
    if (length != 0)
        memcpy(at, bytes, length);
    return at + whole;
}

static void write_request(
    unsigned char *at, const struct gpuvm_jit_options *options, const struct gpuvm_jit_input *inputs, size_t count)
{
    struct request_header header = {
        .registers = options->registers,
        .optimization = options->optimization,
        .flags = options->is_verbose ? FLAG_VERBOSE : 0,
        .inputs = (uint32_t)count};
    at = put(at, &header, sizeof header);
    for (size_t i = 0; i < count; i++) {
        struct input_header input = {.bytes = inputs[i].length, .name_bytes = name_length(&inputs[i])};
        at = put(at, &input, sizeof input);
        at = put(at, inputs[i].name, input.name_bytes);
        at = put(at, inputs[i].bytes, inputs[i].length);
    }
}

/* Copies a part of a response into memory that ends with a zero. Null if it is empty, or there is no memory. */
static void *copy(const unsigned char *bytes, size_t length)
{
    char *made = length != 0 ? malloc(length + 1) : NULL;
    if (made != NULL) {
        memcpy(made, bytes, length);
        made[length] = '\0';
    }
    return made;
}

/* Reads a response, which only the backend writes. Returns whether it is complete. */
static bool read_response(const unsigned char *response, size_t length, struct gpuvm_jit_output *output)
{
    struct response_header header;
    if (length < sizeof header)
        return false;
    memcpy(&header, response, sizeof header);
    if (header.cubin_bytes > length || header.info_bytes > length || header.error_bytes > length)
        return false;
    size_t info = sizeof header + padded(header.cubin_bytes);
    size_t errors = info + padded(header.info_bytes);
    if (errors + header.error_bytes > length)
        return false;
    output->cubin = copy(response + sizeof header, header.cubin_bytes);
    output->length = output->cubin != NULL ? header.cubin_bytes : 0;
    output->info = copy(response + info, header.info_bytes);
    output->errors = copy(response + errors, header.error_bytes);
    output->milliseconds = (float)header.nanoseconds / NANOSECONDS_PER_MILLISECOND;
    return true;
}

/* Sends the call once, with space for a response. Sets *needed to the length of the response. */
static CUresult attempt(
    uint64_t context, const void *request, size_t length, void *response, size_t capacity, size_t *needed, CUresult *earlier)
{
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    CUresult filled = gpuvm_fill_PtxLink(
        &message, context, gpuvm_data_offset(request), length, gpuvm_data_offset(response), capacity);
    wait.results[0] = 0;
    CUresult outcome = gpuvm_exchange(filled, &message, &wait);
    *needed = wait.results[0];
    if (outcome != wait.status)
        *earlier = outcome;
    return wait.status;
}

/* Sends a request that is in the data area; enlarges the space for the response if it is too small. */
static CUresult exchange(uint64_t context, const void *request, size_t length, struct gpuvm_jit_output *output)
{
    size_t capacity = length > RESPONSE_BYTES ? length : RESPONSE_BYTES;
    CUresult earlier = CUDA_SUCCESS;
    CUresult outcome;
    bool is_too_small;
    do {
        unsigned char *response = gpuvm_data_allocate(capacity);
        if (response == NULL)
            return CUDA_ERROR_OUT_OF_MEMORY;
        size_t needed;
        outcome = attempt(context, request, length, response, capacity, &needed, &earlier);
        is_too_small = outcome == CUDA_ERROR_INVALID_VALUE && needed > capacity && needed <= RESPONSE_MAX_BYTES;
        if (!is_too_small && needed != 0 && needed <= capacity && !read_response(response, needed, output))
            outcome = CUDA_ERROR_UNKNOWN;
        gpuvm_data_free(response);
        capacity = needed;
    } while (is_too_small);
    if (outcome == CUDA_SUCCESS && output->cubin == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    return outcome == CUDA_SUCCESS ? earlier : outcome;
}

CUresult gpuvm_jit_link(
    uint64_t context, const struct gpuvm_jit_options *options, const struct gpuvm_jit_input *inputs, size_t count,
    struct gpuvm_jit_output *output)
{
    *output = (struct gpuvm_jit_output){0};
    size_t length = request_length(inputs, count);
    unsigned char *request = length != 0 ? gpuvm_data_allocate(length) : NULL;
    if (request == NULL) {
        gpuvm_explain("bytes of PTX=%zu, expected at most %zu, and the free bytes of the data area", length, GPUVM_IMAGE_MAX_BYTES);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    write_request(request, options, inputs, count);
    CUresult outcome = exchange(context, request, length, output);
    gpuvm_data_free(request);
    if (output->errors != NULL)
        gpuvm_explain("%s", output->errors);
    return outcome;
}

struct gpuvm_jit_log gpuvm_jit_log_of(const struct gpuvm_jit_output *output)
{
    return (struct gpuvm_jit_log){.info = output->info, .errors = output->errors, .milliseconds = output->milliseconds};
}

void gpuvm_jit_output_free(struct gpuvm_jit_output *output)
{
    free(output->cubin);
    free(output->info);
    free(output->errors);
    *output = (struct gpuvm_jit_output){0};
}
