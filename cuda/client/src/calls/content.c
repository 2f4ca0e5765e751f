#include "content.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "launch.h"

/* Description of a module, docs/cuda-protocol.md: offsets of fields. */
enum {
    DESCRIBED_KERNELS = 0,
    DESCRIBED_VARIABLES = 4,
    DESCRIBED_PARAMETERS = 8,
    DESCRIBED_NAME_BYTES = 12,
    HEADER_BYTES = 16,

    KERNEL_NAME = 0,
    KERNEL_PARAMETER_BYTES = 8,
    KERNEL_FIRST_PARAMETER = 12,
    KERNEL_PARAMETERS = 16,
    KERNEL_MAX_THREADS = 20,
    KERNEL_SHARED_BYTES = 24,
    KERNEL_CONSTANT_BYTES = 28,
    KERNEL_LOCAL_BYTES = 32,
    KERNEL_REGISTERS = 36,
    KERNEL_PTX_VERSION = 40,
    KERNEL_BINARY_VERSION = 44,
    KERNEL_BYTES = 64,

    VARIABLE_NAME = 0,
    VARIABLE_ADDRESS = 8,
    VARIABLE_BYTES = 16,
    VARIABLE_RECORD_BYTES = 32,

    PARAMETER_RECORD_BYTES = 8
};

/* CU_SHAREDMEM_CARVEOUT_DEFAULT: no preferred share of shared memory */
#define NO_CARVEOUT (-1)

/* Greatest value of each count in a description. */
#define MAX_COUNT (UINT32_C(1) << 24)

/* Greatest number of registers of a thread on any device. */
#define MAX_REGISTERS 255

/* Parts of the memory of a content, one after the other. */
struct parts {
    const uint8_t *kernels;
    const uint8_t *variables;
    const uint8_t *parameter_records;
    const uint8_t *name_bytes;
    uint32_t parameter_count;
    uint32_t name_length;
    struct gpuvm_parameter *parameters;
    char *names;
};

static uint32_t read_u32(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

static uint64_t read_u64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Name at a place of a record; null if it is outside of the names, or has no zero after it. */
static const char *read_name(const struct parts *parts, const uint8_t *record)
{
    uint32_t offset = read_u32(record);
    uint32_t length = read_u32(record + sizeof offset);
    if (offset >= parts->name_length || length >= parts->name_length - offset || parts->names[offset + length] != '\0')
        return NULL;
    return parts->names + offset;
}

/* Returns whether the attributes of a kernel can be those of a device; programs get them as numbers of type int. */
static bool has_valid_attributes(const struct gpuvm_kernel_entry *kernel)
{
    return kernel->max_threads <= INT32_MAX && kernel->shared_bytes <= INT32_MAX && kernel->constant_bytes <= INT32_MAX &&
        kernel->local_bytes <= INT32_MAX && kernel->registers <= MAX_REGISTERS && kernel->ptx_version <= INT32_MAX &&
        kernel->binary_version <= INT32_MAX;
}

static bool read_kernel(struct gpuvm_kernel_entry *kernel, const struct parts *parts, const uint8_t *record)
{
    uint32_t first = read_u32(record + KERNEL_FIRST_PARAMETER);
    kernel->name = read_name(parts, record + KERNEL_NAME);
    kernel->parameter_bytes = read_u32(record + KERNEL_PARAMETER_BYTES);
    kernel->parameter_count = read_u32(record + KERNEL_PARAMETERS);
    kernel->max_threads = read_u32(record + KERNEL_MAX_THREADS);
    kernel->shared_bytes = read_u32(record + KERNEL_SHARED_BYTES);
    kernel->constant_bytes = read_u32(record + KERNEL_CONSTANT_BYTES);
    kernel->local_bytes = read_u32(record + KERNEL_LOCAL_BYTES);
    kernel->registers = read_u32(record + KERNEL_REGISTERS);
    kernel->ptx_version = read_u32(record + KERNEL_PTX_VERSION);
    kernel->binary_version = read_u32(record + KERNEL_BINARY_VERSION);
    if (kernel->name == NULL || kernel->parameter_bytes > GPUVM_MAX_PARAMETER_BYTES || first > parts->parameter_count ||
        kernel->parameter_count > parts->parameter_count - first || !has_valid_attributes(kernel))
        return false;
    uint32_t shared_limit = gpuvm_launch_limits.shared_bytes;
    atomic_store(&kernel->max_dynamic_shared_bytes, kernel->shared_bytes < shared_limit ? (int)(shared_limit - kernel->shared_bytes) : 0);
    atomic_store(&kernel->carveout, NO_CARVEOUT);
    kernel->parameters = parts->parameters + first;
    for (uint32_t i = 0; i < kernel->parameter_count; i++) {
        const struct gpuvm_parameter *parameter = &kernel->parameters[i];
        if (parameter->offset > kernel->parameter_bytes || parameter->bytes > kernel->parameter_bytes - parameter->offset)
            return false;
    }
    return true;
}

static int compare_names(const void *first, const void *second)
{
    struct gpuvm_kernel_entry *const *a = first;
    struct gpuvm_kernel_entry *const *b = second;
    return strcmp((*a)->name, (*b)->name);
}

static bool read_records(struct gpuvm_content *content, struct parts *parts, uint64_t module, uint64_t context)
{
    for (uint32_t i = 0; i < parts->parameter_count; i++) {
        const uint8_t *record = parts->parameter_records + (size_t)i * PARAMETER_RECORD_BYTES;
        parts->parameters[i] = (struct gpuvm_parameter){read_u32(record), read_u32(record + sizeof(uint32_t))};
    }
    memcpy(parts->names, parts->name_bytes, parts->name_length);
    for (uint32_t i = 0; i < content->kernel_count; i++) {
        struct gpuvm_kernel_entry *kernel = &content->kernels[i];
        kernel->module = module;
        kernel->context = context;
        kernel->index = i;
        content->by_name[i] = kernel;
        if (!read_kernel(kernel, parts, parts->kernels + (size_t)i * KERNEL_BYTES))
            return false;
    }
    qsort(content->by_name, content->kernel_count, sizeof content->by_name[0], compare_names);
    for (uint32_t i = 0; i < content->variable_count; i++) {
        const uint8_t *record = parts->variables + (size_t)i * VARIABLE_RECORD_BYTES;
        struct gpuvm_variable *variable = &content->variables[i];
        variable->name = read_name(parts, record + VARIABLE_NAME);
        variable->address = read_u64(record + VARIABLE_ADDRESS);
        variable->bytes = read_u64(record + VARIABLE_BYTES);
        if (variable->name == NULL || (variable->bytes != 0 && !gpuvm_is_device_range(variable->address, variable->bytes)))
            return false;
    }
    return true;
}

/* Allocates the content and its parts in one piece, zeroed. */
static struct gpuvm_content *allocate(uint32_t kernels, uint32_t variables, struct parts *parts)
{
    size_t bytes = sizeof(struct gpuvm_content) + kernels * (sizeof(struct gpuvm_kernel_entry) + sizeof(struct gpuvm_kernel_entry *)) +
        variables * sizeof(struct gpuvm_variable) + parts->parameter_count * sizeof(struct gpuvm_parameter) + parts->name_length;
    struct gpuvm_content *content = calloc(1, bytes);
    if (content == NULL)
        return NULL;
    content->kernel_count = kernels;
    content->variable_count = variables;
    content->kernels = (struct gpuvm_kernel_entry *)(content + 1);
    content->by_name = (struct gpuvm_kernel_entry **)(content->kernels + kernels);
    content->variables = (struct gpuvm_variable *)(content->by_name + kernels);
    parts->parameters = (struct gpuvm_parameter *)(content->variables + variables);
    parts->names = (char *)(parts->parameters + parts->parameter_count);
    return content;
}

struct gpuvm_content *gpuvm_content_read(
    const uint8_t *description, size_t length, uint64_t module, uint64_t context, CUresult *outcome)
{
    *outcome = CUDA_ERROR_UNKNOWN;
    if (length < HEADER_BYTES)
        return NULL;
    uint32_t kernels = read_u32(description + DESCRIBED_KERNELS);
    uint32_t variables = read_u32(description + DESCRIBED_VARIABLES);
    struct parts parts = {
        .parameter_count = read_u32(description + DESCRIBED_PARAMETERS),
        .name_length = read_u32(description + DESCRIBED_NAME_BYTES),
    };
    if (kernels > MAX_COUNT || variables > MAX_COUNT || parts.parameter_count > MAX_COUNT)
        return NULL;
    parts.kernels = description + HEADER_BYTES;
    parts.variables = parts.kernels + (size_t)kernels * KERNEL_BYTES;
    parts.parameter_records = parts.variables + (size_t)variables * VARIABLE_RECORD_BYTES;
    parts.name_bytes = parts.parameter_records + (size_t)parts.parameter_count * PARAMETER_RECORD_BYTES;
    if ((size_t)(parts.name_bytes - description) > length || parts.name_length > length - (size_t)(parts.name_bytes - description))
        return NULL;
    struct gpuvm_content *content = allocate(kernels, variables, &parts);
    if (content == NULL) {
        *outcome = CUDA_ERROR_OUT_OF_MEMORY;
        return NULL;
    }
    if (!read_records(content, &parts, module, context)) {
        gpuvm_content_free(content);
        return NULL;
    }
    *outcome = CUDA_SUCCESS;
    return content;
}

void gpuvm_content_free(struct gpuvm_content *content)
{
    for (uint32_t i = 0; i < content->kernel_count; i++)
        free(atomic_load(&content->kernels[i].classic));
    free(content);
}

struct gpuvm_kernel_entry *gpuvm_content_find(const struct gpuvm_content *content, const char *name)
{
    struct gpuvm_kernel_entry wanted = {.name = name};
    struct gpuvm_kernel_entry *key = &wanted;
    struct gpuvm_kernel_entry **found = bsearch(&key, content->by_name, content->kernel_count, sizeof key, compare_names);
    return found != NULL ? *found : NULL;
}
