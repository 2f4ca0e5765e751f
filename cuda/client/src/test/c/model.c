#define _GNU_SOURCE

#include "model.h"

#include <elf.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "session.h"

enum {
    CONTEXTS = 16,
    MODULES = 64,
    STREAMS = 64,
    EVENTS = 256,
    TEXTURES = 32,
    MAX_INDEX = 256,
    PAGE_BYTES = 4096,
    DATA_PAGES = 16384,
    ALLOCATIONS = 4096,
    PIECES = 16,
    PIECE_BYTES = 1 << 16,
    DEVICE_PAGES = 32768,
    VARIABLE_BYTES = 64
};

#define DEVICE_START UINT64_C(0x4100000000)
#define DEVICE_BYTES ((size_t)DEVICE_PAGES * PAGE_BYTES)
#define DATA_START (DEVICE_START + DEVICE_BYTES)
#define DATA_BYTES ((size_t)DATA_PAGES * PAGE_BYTES)
#define MAX_SHARED_BYTES (48 << 10)

struct model_state model;

/* Objects of a kind on the wire: handles by index, and the contexts that they belong to. */
struct kind {
    uint32_t limit;
    uint64_t handles[MAX_INDEX + 1];
    uint64_t contexts[MAX_INDEX + 1];
};

static struct kind contexts = {.limit = CONTEXTS};
static struct kind modules = {.limit = MODULES};
static struct kind streams = {.limit = STREAMS};
static struct kind events = {.limit = EVENTS};
static struct kind textures = {.limit = TEXTURES};
static uint64_t texture_modules[MAX_INDEX + 1];
static uint64_t module_variables[MAX_INDEX + 1];

/* Execution of calls, which is in the order of the ring. */
static pthread_mutex_t ring = PTHREAD_MUTEX_INITIALIZER;
static uint64_t operands[GPUVM_ENTRY_WORDS];
static uint64_t arguments[GPUVM_MAX_ARGUMENT_BYTES / 8];
static uint32_t opcode;
static uint32_t entry_flags;
static uint64_t sequence;
static CUresult pending_failure;

/* Pages of the GPU and of the data area: numbers of the allocation that they belong to. */
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t device_pages[DEVICE_PAGES];
static uint32_t data_pages[DATA_PAGES];
static uint64_t allocation_contexts[ALLOCATIONS];
static uint32_t latest_allocation;
static uint32_t latest_range;

static pthread_mutex_t piece_lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *piece_bytes[PIECES];
static bool is_taken[PIECES];

static struct gpuvm_facts facts;
static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static _Atomic bool is_open;
static _Thread_local bool is_in_host_function;

static struct model_kernel kernels[16];
static uint32_t kernel_count;
static uint8_t known_images[MODULES][32];
static uint32_t known_count;

static void violate(const char *rule)
{
    fprintf(stderr, "model: opcode %#x: %s\n", opcode, rule);
    atomic_fetch_add(&model.violations, 1);
}

void model_set_kernels(const struct model_kernel *from, uint32_t count)
{
    pthread_mutex_lock(&ring);
    memcpy(kernels, from, count * sizeof *from);
    kernel_count = count;
    pthread_mutex_unlock(&ring);
}

/* Session */

static void set_facts(void)
{
    facts = (struct gpuvm_facts){
        .driver_version = 12040,
        .devices = 1,
        .vram_bytes = DEVICE_BYTES,
        .contexts = CONTEXTS,
        .modules = MODULES,
        .streams = STREAMS,
        .events = EVENTS,
        .texture_references = TEXTURES,
        .uuid = {1, 2, 3},
        .name = "Model",
        .bus_id = "0000:0a:00.0",
        .attributes = 138,
    };
    int32_t *attribute = facts.attribute;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = 1024;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X] = 1024;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y] = 1024;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z] = 64;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X] = 65535;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y] = 65535;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z] = 65535;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK] = MAX_SHARED_BYTES;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR] = MAX_SHARED_BYTES;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR] = 32768;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR] = 1536;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR] = 8;
    attribute[CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT] = 14;
    attribute[CU_DEVICE_ATTRIBUTE_MAX_PITCH] = 0x7fffffff;
    attribute[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR] = 2;
    attribute[CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING] = 1;
}

static bool map(uint64_t start, size_t bytes)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    return mmap((void *)(uintptr_t)start, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED;
}

CUresult gpuvm_session_open(CUresult (*prepare)(const struct gpuvm_facts *facts))
{
    CUresult outcome = CUDA_SUCCESS;
    pthread_mutex_lock(&opening);
    if (!is_open) {
        set_facts();
        if (!map(DEVICE_START, DEVICE_BYTES) || !map(DATA_START, DATA_BYTES))
            abort();
        outcome = prepare(&facts);
        is_open = outcome == CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&opening);
    return outcome;
}

const struct gpuvm_facts *gpuvm_session_facts(void)
{
    return is_open ? &facts : NULL;
}

bool gpuvm_is_device_range(uint64_t address, size_t bytes)
{
    return address >= DEVICE_START && address - DEVICE_START <= DEVICE_BYTES && bytes <= DEVICE_BYTES - (address - DEVICE_START);
}

CUresult gpuvm_enter(uint32_t entered)
{
    (void)entered;
    if (is_in_host_function)
        return CUDA_ERROR_NOT_PERMITTED;
    return is_open ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult gpuvm_enter_anytime(uint32_t entered)
{
    (void)entered;
    return CUDA_SUCCESS;
}

CUresult gpuvm_leave(uint32_t left, CUresult status)
{
    (void)left;
    return status;
}

CUresult gpuvm_unsupported(const char *symbol)
{
    (void)symbol;
    return CUDA_ERROR_NOT_SUPPORTED;
}

void gpuvm_explain(const char *format, ...)
{
    if (getenv("GPUVM_CUDA_DEBUG") == NULL)
        return;
    va_list arguments_of_format;
    va_start(arguments_of_format, format);
    vfprintf(stderr, format, arguments_of_format);
    va_end(arguments_of_format);
    fputc('\n', stderr);
}

/* Objects */

static bool exists(const struct kind *kind, uint64_t handle)
{
    uint32_t index = (uint32_t)handle;
    return index >= 1 && index <= kind->limit && handle >> 32 != 0 && kind->handles[index] == handle;
}

static void create(struct kind *kind, uint64_t handle, uint64_t context)
{
    uint32_t index = (uint32_t)handle;
    if (index < 1 || index > kind->limit) {
        violate("index beyond the limit");
        return;
    }
    if (kind->handles[index] != 0)
        violate("index in use");
    if (context != 0 && !exists(&contexts, context))
        violate("unknown context of a new object");
    kind->handles[index] = handle;
    kind->contexts[index] = context;
    atomic_fetch_add(&model.objects, 1);
}

static void destroy(struct kind *kind, uint64_t handle)
{
    if (!exists(kind, handle)) {
        violate("unknown handle of an object to destroy");
        return;
    }
    kind->handles[(uint32_t)handle] = 0;
    atomic_fetch_sub(&model.objects, 1);
}

static void require(const struct kind *kind, uint64_t handle)
{
    if (!exists(kind, handle))
        violate("unknown handle");
    if (kind == &streams)
        atomic_store(&model.stream, handle);
}

static void destroy_all(struct kind *kind, uint64_t context)
{
    for (uint32_t i = 1; i <= kind->limit; i++)
        if (kind->handles[i] != 0 && kind->contexts[i] == context)
            destroy(kind, kind->handles[i]);
}

/* Memory of the GPU */

/* Finds free pages, one after the other; the lock of the memory is held. Returns the first page, or the number of pages. */
static uint32_t find_pages(const uint32_t *pages, uint32_t limit, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < limit; i++) {
        found = pages[i] == 0 ? found + 1 : 0;
        if (found == count)
            return i + 1 - count;
    }
    return limit;
}

static CUresult allocate_device(uint64_t context, uint64_t bytes, uint64_t *address)
{
    uint32_t count = (uint32_t)((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
    CUresult outcome = CUDA_ERROR_OUT_OF_MEMORY;
    if (bytes > DEVICE_BYTES)
        return outcome;
    pthread_mutex_lock(&memory_lock);
    uint32_t first = find_pages(device_pages, DEVICE_PAGES, count);
    if (first < DEVICE_PAGES && latest_allocation + 1 < ALLOCATIONS) {
        latest_allocation++;
        allocation_contexts[latest_allocation] = context;
        for (uint32_t i = 0; i < count; i++)
            device_pages[first + i] = latest_allocation;
        *address = DEVICE_START + (uint64_t)first * PAGE_BYTES;
        memset((void *)(uintptr_t)*address, 0, (size_t)count * PAGE_BYTES);
        atomic_fetch_add(&model.allocations, 1);
        outcome = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&memory_lock);
    return outcome;
}

static void release_device(uint32_t allocation)
{
    for (uint32_t i = 0; i < DEVICE_PAGES; i++)
        if (device_pages[i] == allocation)
            device_pages[i] = 0;
    allocation_contexts[allocation] = 0;
    atomic_fetch_sub(&model.allocations, 1);
}

static CUresult free_device(uint64_t address)
{
    uint64_t page = (address - DEVICE_START) / PAGE_BYTES;
    CUresult outcome = CUDA_ERROR_INVALID_VALUE;
    pthread_mutex_lock(&memory_lock);
    if (gpuvm_is_device_range(address, 1) && address % PAGE_BYTES == 0 && device_pages[page] != 0 &&
        (page == 0 || device_pages[page - 1] != device_pages[page])) {
        release_device(device_pages[page]);
        outcome = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&memory_lock);
    return outcome;
}

static void free_all(uint64_t context)
{
    pthread_mutex_lock(&memory_lock);
    for (uint32_t i = 1; i <= latest_allocation; i++)
        if (allocation_contexts[i] == context)
            release_device(i);
    pthread_mutex_unlock(&memory_lock);
}

/* Memory of a range on the GPU or in the data area that is in one allocation; null if there is none. */
static uint8_t *device_memory(uint64_t address, uint64_t bytes)
{
    if (gpuvm_is_data_range((const void *)(uintptr_t)address, bytes))
        return (uint8_t *)(uintptr_t)address;
    if (!gpuvm_is_device_range(address, bytes) || bytes == 0)
        return NULL;
    uint64_t first = (address - DEVICE_START) / PAGE_BYTES;
    uint64_t last = (address + bytes - 1 - DEVICE_START) / PAGE_BYTES;
    pthread_mutex_lock(&memory_lock);
    bool is_allocated = device_pages[first] != 0 && device_pages[first] == device_pages[last];
    pthread_mutex_unlock(&memory_lock);
    return is_allocated ? (uint8_t *)(uintptr_t)address : NULL;
}

static uint8_t *area_memory(uint64_t offset, uint64_t bytes)
{
    return offset <= DATA_BYTES && bytes <= DATA_BYTES - offset ? (uint8_t *)(uintptr_t)(DATA_START + offset) : NULL;
}

static CUresult copy(uint8_t *to, const uint8_t *from, uint64_t bytes)
{
    if (bytes == 0)
        return CUDA_SUCCESS;
    if (to == NULL || from == NULL)
        return CUDA_ERROR_INVALID_VALUE;
    memmove(to, from, bytes);
    return CUDA_SUCCESS;
}

/* Operands of a call that is spilled: four in the entry, the others in the arguments. */
static uint64_t spilled(int index)
{
    return index < 4 ? operands[2 + index] : arguments[index - 4];
}

static CUresult copy_box(void)
{
    uint32_t places = (uint32_t)spilled(1);
    uint64_t source = spilled(2);
    uint64_t destination = spilled(3);
    uint64_t source_pitch = spilled(4);
    uint64_t source_height = spilled(5);
    uint64_t destination_pitch = spilled(6);
    uint64_t destination_height = spilled(7);
    uint64_t width = spilled(8);
    uint64_t height = spilled(9);
    uint64_t depth = spilled(10);
    require(&streams, spilled(0));
    for (uint64_t z = 0; z < depth; z++)
        for (uint64_t y = 0; y < height; y++) {
            uint64_t from = source + (z * source_height + y) * source_pitch;
            uint64_t to = destination + (z * destination_height + y) * destination_pitch;
            CUresult outcome = copy(
                (places & 2) != 0 ? area_memory(to, width) : device_memory(to, width),
                (places & 1) != 0 ? area_memory(from, width) : device_memory(from, width), width);
            if (outcome != CUDA_SUCCESS)
                return outcome;
        }
    return CUDA_SUCCESS;
}

static CUresult fill(uint64_t address, uint64_t pitch, size_t element, uint64_t value, uint64_t width, uint64_t height)
{
    for (uint64_t y = 0; y < height && width != 0; y++) {
        uint8_t *row = device_memory(address + y * pitch, width * element);
        if (row == NULL)
            return CUDA_ERROR_INVALID_VALUE;
        for (uint64_t x = 0; x < width; x++)
            memcpy(row + x * element, &value, element);
    }
    return CUDA_SUCCESS;
}

/* Modules */

static void put_u32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

static uint8_t *put_name(uint8_t *record, uint8_t *names, uint8_t *next, const char *name)
{
    put_u32(record, (uint32_t)(next - names));
    put_u32(record + 4, (uint32_t)strlen(name));
    strcpy((char *)next, name);
    return next + strlen(name) + 1;
}

/* Writes the description of the kernels and of the variable, and returns its length. */
static size_t describe(uint8_t *target, uint64_t capacity, uint64_t variable)
{
    static uint8_t description[1 << 17];
    memset(description, 0, sizeof description);
    uint32_t parameters = 0;
    for (uint32_t i = 0; i < kernel_count; i++)
        parameters += kernels[i].parameter_count;
    uint8_t *record = description + 16;
    uint8_t *variables = record + 64 * (size_t)kernel_count;
    uint8_t *parameter = variables + 32;
    uint8_t *names = parameter + 8 * (size_t)parameters;
    uint8_t *next_name = names;
    uint32_t first = 0;
    for (uint32_t i = 0; i < kernel_count; i++, record += 64) {
        const struct model_kernel *kernel = &kernels[i];
        next_name = put_name(record, names, next_name, kernel->name);
        put_u32(record + 8, kernel->parameter_bytes);
        put_u32(record + 12, first);
        put_u32(record + 16, kernel->parameter_count);
        put_u32(record + 20, kernel->max_threads);
        put_u32(record + 24, kernel->shared_bytes);
        put_u32(record + 36, kernel->registers);
        put_u32(record + 40, 20);
        put_u32(record + 44, 20);
        for (uint32_t j = 0; j < kernel->parameter_count; j++, parameter += 8) {
            put_u32(parameter, kernel->offsets[j]);
            put_u32(parameter + 4, kernel->lengths[j]);
        }
        first += kernel->parameter_count;
    }
    next_name = put_name(variables, names, next_name, "variable");
    uint64_t bytes = VARIABLE_BYTES;
    memcpy(variables + 8, &variable, sizeof variable);
    memcpy(variables + 16, &bytes, sizeof bytes);
    put_u32(description, kernel_count);
    put_u32(description + 4, 1);
    put_u32(description + 8, parameters);
    put_u32(description + 12, (uint32_t)(next_name - names));
    size_t length = (size_t)(next_name - description);
    if (length <= capacity)
        memcpy(target, description, length);
    return length;
}

static bool is_known(const uint8_t *hash)
{
    for (uint32_t i = 0; i < known_count; i++)
        if (memcmp(known_images[i], hash, 32) == 0)
            return true;
    return false;
}

static CUresult load_module(uint64_t results[])
{
    uint64_t image = spilled(2);
    uint64_t image_bytes = spilled(3);
    uint64_t capacity = spilled(5);
    uint8_t *target = area_memory(spilled(4), capacity);
    const uint8_t *hash = (const uint8_t *)&arguments[3];
    if (arguments[2] != 32 || target == NULL || area_memory(image, image_bytes) == NULL)
        violate("operands of a load");
    if (image_bytes == 0 && !is_known(hash))
        return CUDA_ERROR_NOT_FOUND;
    if (image_bytes != 0 && known_count < MODULES) {
        memcpy(known_images[known_count++], hash, 32);
        atomic_fetch_add(&model.images_sent, 1);
    }
    results[0] = describe(target, capacity, 0);
    if (results[0] > capacity)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t variable;
    CUresult outcome = allocate_device(spilled(0), VARIABLE_BYTES, &variable);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    create(&modules, spilled(1), spilled(0));
    module_variables[(uint32_t)spilled(1) % (MAX_INDEX + 1)] = variable;
    describe(target, capacity, variable);
    return CUDA_SUCCESS;
}

/* Compiles modules: PTX with the word "error" has an error; the code of all others is an empty ELF file. */
static CUresult link_modules(uint64_t results[])
{
    const uint64_t *o = operands;
    enum { HEADER_WORDS = 4 };
    static const char message[] = "PTX, line 1, column 1: error: expected something else\n";
    uint8_t *request = area_memory(o[1], o[2]);
    uint8_t *response = area_memory(o[3], o[4]);
    require(&contexts, o[0]);
    if (request == NULL || response == NULL || o[2] % sizeof(uint64_t) != 0) {
        violate("operands of a link");
        return CUDA_ERROR_INVALID_VALUE;
    }
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, [EI_CLASS] = ELFCLASS64, [EI_DATA] = ELFDATA2LSB}};
    bool is_wrong = memmem(request, o[2], "error", strlen("error")) != NULL;
    const void *content = is_wrong ? (const void *)message : &header;
    size_t length = is_wrong ? strlen(message) : sizeof header;
    uint64_t lengths[HEADER_WORDS] = {is_wrong ? 0 : length, 0, is_wrong ? length : 0, 2500000};
    results[0] = sizeof lengths + (length + 7) / 8 * 8;
    if (results[0] > o[4])
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(response, lengths, sizeof lengths);
    memcpy(response + sizeof lengths, content, length);
    return is_wrong ? CUDA_ERROR_INVALID_PTX : CUDA_SUCCESS;
}

static CUresult unload_module(uint64_t module)
{
    for (uint32_t i = 1; i <= TEXTURES; i++)
        if (textures.handles[i] != 0 && texture_modules[i] == module)
            destroy(&textures, textures.handles[i]);
    destroy(&modules, module);
    return free_device(module_variables[(uint32_t)module % (MAX_INDEX + 1)]);
}

static CUresult get_texture(uint64_t texture, uint64_t module)
{
    require(&modules, module);
    if (memcmp(&arguments[1], "texture", 7) != 0)
        return CUDA_ERROR_NOT_FOUND;
    create(&textures, texture, modules.contexts[(uint32_t)module]);
    texture_modules[(uint32_t)texture] = module;
    return CUDA_SUCCESS;
}

static CUresult launch(void)
{
    struct model_launch *last = &model.launch;
    require(&modules, spilled(0));
    require(&streams, spilled(10));
    last->module = spilled(0);
    last->kernel = (uint32_t)spilled(1);
    last->flags = (uint32_t)spilled(2);
    for (int i = 0; i < 3; i++) {
        last->grid[i] = (uint32_t)spilled(3 + i);
        last->block[i] = (uint32_t)spilled(6 + i);
    }
    last->dynamic_shared_bytes = (uint32_t)spilled(9);
    last->stream = spilled(10);
    last->parameter_bytes = arguments[7];
    memcpy(last->parameters, &arguments[8], last->parameter_bytes);
    if (last->kernel >= kernel_count || last->parameter_bytes != kernels[last->kernel].parameter_bytes)
        violate("parameters of a launch");
    return CUDA_SUCCESS;
}

/* Calls */

static void end_context(uint64_t context)
{
    destroy_all(&textures, context);
    destroy_all(&modules, context);
    destroy_all(&events, context);
    destroy_all(&streams, context);
    free_all(context);
    destroy(&contexts, context);
}

static CUresult wait_for(const struct kind *kind, uint64_t handle)
{
    require(kind, handle);
    return CUDA_SUCCESS;
}

static CUresult execute_copy(void)
{
    const uint64_t *o = operands;
    switch (opcode) {
    case GPUVM_OP_MemcpyHtoDAsync:
        require(&streams, o[3]);
        return copy(device_memory(o[0], o[2]), area_memory(o[1], o[2]), o[2]);
    case GPUVM_OP_MemcpyDtoH:
    case GPUVM_OP_MemcpyDtoHAsync:
        require(&streams, o[3]);
        return copy(area_memory(o[0], o[2]), device_memory(o[1], o[2]), o[2]);
    case GPUVM_OP_MemcpyDtoDAsync:
        require(&streams, o[3]);
        return copy(device_memory(o[0], o[2]), device_memory(o[1], o[2]), o[2]);
    case GPUVM_OP_MemsetD8Async:
        require(&streams, o[3]);
        return fill(o[0], 0, 1, o[1], o[2], 1);
    case GPUVM_OP_MemsetD16Async:
        require(&streams, o[3]);
        return fill(o[0], 0, 2, o[1], o[2], 1);
    case GPUVM_OP_MemsetD32Async:
        require(&streams, o[3]);
        return fill(o[0], 0, 4, o[1], o[2], 1);
    case GPUVM_OP_MemsetD2D8Async:
        require(&streams, o[5]);
        return fill(o[0], o[1], 1, o[2], o[3], o[4]);
    case GPUVM_OP_MemsetD2D16Async:
        require(&streams, o[5]);
        return fill(o[0], o[1], 2, o[2], o[3], o[4]);
    case GPUVM_OP_MemsetD2D32Async:
        require(&streams, o[5]);
        return fill(o[0], o[1], 4, o[2], o[3], o[4]);
    default:
        violate("unknown call");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

static CUresult execute(uint64_t results[])
{
    const uint64_t *o = operands;
    switch (opcode) {
    case GPUVM_OP_CtxCreate:
        create(&contexts, o[0], 0);
        create(&streams, o[3], o[0]);
        return CUDA_SUCCESS;
    case GPUVM_OP_DevicePrimaryCtxRetain:
        create(&contexts, o[0], 0);
        create(&streams, o[3], o[0]);
        return CUDA_SUCCESS;
    case GPUVM_OP_CtxDestroy:
    case GPUVM_OP_DevicePrimaryCtxRelease:
    case GPUVM_OP_DevicePrimaryCtxReset:
        end_context(o[0]);
        return CUDA_SUCCESS;
    case GPUVM_OP_CtxSynchronize:
    case GPUVM_OP_CtxSetLimit:
        return wait_for(&contexts, o[0]);
    case GPUVM_OP_StreamCreateWithPriority:
        create(&streams, o[1], o[0]);
        return CUDA_SUCCESS;
    case GPUVM_OP_StreamDestroy:
        destroy(&streams, o[0]);
        return CUDA_SUCCESS;
    case GPUVM_OP_StreamSynchronize:
    case GPUVM_OP_StreamQuery:
        return wait_for(&streams, o[0]);
    case GPUVM_OP_StreamWaitEvent:
        require(&events, o[1]);
        return wait_for(&streams, o[0]);
    case GPUVM_OP_EventCreate:
        create(&events, o[1], o[0]);
        return CUDA_SUCCESS;
    case GPUVM_OP_EventDestroy:
        destroy(&events, o[0]);
        return CUDA_SUCCESS;
    case GPUVM_OP_EventRecordWithFlags:
        require(&streams, o[1]);
        return wait_for(&events, o[0]);
    case GPUVM_OP_EventSynchronize:
    case GPUVM_OP_EventQuery:
        return wait_for(&events, o[0]);
    case GPUVM_OP_EventElapsedTime:
        require(&events, o[1]);
        results[0] = gpuvm_float_word(0.5f);
        return wait_for(&events, o[0]);
    case GPUVM_OP_ModuleLoadData:
        return load_module(results);
    case GPUVM_OP_PtxLink:
        return link_modules(results);
    case GPUVM_OP_ModuleUnload:
        return unload_module(o[0]);
    case GPUVM_OP_ModuleGetTexRef:
        return get_texture(o[2], o[3]);
    case GPUVM_OP_ModuleGetGlobal:
        results[1] = VARIABLE_BYTES;
        return wait_for(&modules, o[2]);
    case GPUVM_OP_FuncSetAttribute:
    case GPUVM_OP_FuncSetCacheConfig:
        return wait_for(&modules, o[0]);
    case GPUVM_OP_TexRefSetAddress:
    case GPUVM_OP_TexRefSetFormat:
    case GPUVM_OP_TexRefSetFlags:
        return wait_for(&textures, o[0]);
    case GPUVM_OP_MemAlloc:
        require(&contexts, o[0]);
        return allocate_device(o[0], o[1], &results[0]);
    case GPUVM_OP_MemFree:
        return free_device(o[0]);
    case GPUVM_OP_MemFreeAsync:
        require(&streams, o[1]);
        return free_device(o[0]);
    case GPUVM_OP_MemGetInfo:
        results[0] = DEVICE_BYTES / 2;
        results[1] = DEVICE_BYTES;
        return wait_for(&contexts, o[0]);
    case GPUVM_OP_Memcpy3D:
    case GPUVM_OP_Memcpy3DAsync:
        return copy_box();
    case GPUVM_OP_LaunchKernel:
        return launch();
    default:
        return execute_copy();
    }
}

CUresult gpuvm_begin(struct gpuvm_message *message, uint32_t begun, uint32_t flags, size_t bytes)
{
    pthread_mutex_lock(&ring);
    opcode = begun;
    entry_flags = flags;
    memset(operands, 0, sizeof operands);
    memset(arguments, 0xee, bytes);
    message->operands = operands;
    message->arguments = arguments;
    message->sequence = ++sequence;
    return CUDA_SUCCESS;
}

/* Executes the call and unlocks the ring. */
static CUresult finish(uint64_t results[])
{
    atomic_fetch_add(&model.calls, 1);
    CUresult status;
    if (atomic_load(&model.fail_opcode) == opcode) {
        atomic_store(&model.fail_opcode, 0);
        status = (CUresult)atomic_load(&model.fail_status);
    } else {
        status = execute(results);
    }
    if ((entry_flags & GPUVM_NO_REPLY) != 0 && status != CUDA_SUCCESS && pending_failure == CUDA_SUCCESS)
        pending_failure = status;
    return status;
}

CUresult gpuvm_submit(struct gpuvm_message *message)
{
    (void)message;
    if ((entry_flags & GPUVM_NO_REPLY) == 0)
        violate("submission of a call with a completion");
    uint64_t ignored[GPUVM_RESULTS] = {0};
    finish(ignored);
    pthread_mutex_unlock(&ring);
    return CUDA_SUCCESS;
}

CUresult gpuvm_publish(struct gpuvm_message *message, struct gpuvm_wait *wait)
{
    if ((entry_flags & GPUVM_NO_REPLY) != 0)
        violate("wait for a call without a completion");
    memset(wait->results, 0, sizeof wait->results);
    wait->sequence = message->sequence;
    wait->status = finish(wait->results);
    wait->failed = (uint64_t)pending_failure;
    pending_failure = CUDA_SUCCESS;
    pthread_mutex_unlock(&ring);
    atomic_fetch_add(&model.waits, 1);
    return CUDA_SUCCESS;
}

CUresult gpuvm_await(struct gpuvm_wait *wait)
{
    atomic_fetch_sub(&model.waits, 1);
    if (wait->status != CUDA_SUCCESS) {
        if (wait->failed != 0)
            atomic_store(&model.earlier, (uint32_t)wait->failed);
        return wait->status;
    }
    uint32_t earlier = atomic_exchange(&model.earlier, 0);
    return earlier != 0 ? (CUresult)earlier : (CUresult)wait->failed;
}

CUresult gpuvm_complete(struct gpuvm_message *message)
{
    struct gpuvm_wait wait;
    CUresult outcome = gpuvm_publish(message, &wait);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_await(&wait);
    memcpy(message->results, wait.results, sizeof message->results);
    return outcome;
}

/* Data area */

void *gpuvm_data_allocate(size_t bytes)
{
    uint32_t count = (uint32_t)((bytes + PAGE_BYTES - 1) / PAGE_BYTES);
    void *allocated = NULL;
    if (bytes > DATA_BYTES)
        return NULL;
    pthread_mutex_lock(&memory_lock);
    uint32_t first = find_pages(data_pages, DATA_PAGES, count);
    if (first < DATA_PAGES) {
        latest_range++;
        for (uint32_t i = 0; i < count; i++)
            data_pages[first + i] = latest_range;
        allocated = (void *)(uintptr_t)(DATA_START + (uint64_t)first * PAGE_BYTES);
        atomic_fetch_add(&model.data_ranges, 1);
    }
    pthread_mutex_unlock(&memory_lock);
    return allocated;
}

void gpuvm_data_release(void *released, uint64_t number)
{
    (void)number;
    uint64_t page = gpuvm_data_offset(released) / PAGE_BYTES;
    pthread_mutex_lock(&memory_lock);
    uint32_t range = data_pages[page];
    if (range == 0 || (page != 0 && data_pages[page - 1] == range))
        violate("release of a range that is not allocated");
    for (; page < DATA_PAGES && data_pages[page] == range; page++)
        data_pages[page] = 0;
    atomic_fetch_sub(&model.data_ranges, 1);
    pthread_mutex_unlock(&memory_lock);
}

void gpuvm_data_free(void *first)
{
    gpuvm_data_release(first, 0);
}

bool gpuvm_is_data_range(const void *address, size_t bytes)
{
    uint64_t start = (uint64_t)(uintptr_t)address;
    return start >= DATA_START && start - DATA_START <= DATA_BYTES && bytes <= DATA_BYTES - (start - DATA_START);
}

uint64_t gpuvm_data_offset(const void *address)
{
    return (uint64_t)(uintptr_t)address - DATA_START;
}

/* Staging */

CUresult gpuvm_staging_try(struct gpuvm_staging *staging, size_t wanted)
{
    CUresult outcome = CUDA_ERROR_NOT_READY;
    pthread_mutex_lock(&piece_lock);
    for (uint32_t i = 0; i < PIECES && outcome != CUDA_SUCCESS; i++) {
        if (is_taken[i])
            continue;
        is_taken[i] = true;
        if (piece_bytes[i] == NULL) {
            piece_bytes[i] = gpuvm_data_allocate(PIECE_BYTES);
            atomic_fetch_sub(&model.data_ranges, 1);
        }
        *staging = (struct gpuvm_staging){piece_bytes[i], gpuvm_data_offset(piece_bytes[i]),
            wanted < PIECE_BYTES ? wanted : PIECE_BYTES, i};
        atomic_fetch_add(&model.pieces, 1);
        outcome = CUDA_SUCCESS;
    }
    pthread_mutex_unlock(&piece_lock);
    return outcome;
}

CUresult gpuvm_staging_take(struct gpuvm_staging *staging, size_t wanted)
{
    CUresult outcome;
    while ((outcome = gpuvm_staging_try(staging, wanted)) == CUDA_ERROR_NOT_READY)
        ;
    return outcome;
}

void gpuvm_staging_give(const struct gpuvm_staging *staging, uint64_t number)
{
    (void)number;
    pthread_mutex_lock(&piece_lock);
    is_taken[staging->piece] = false;
    pthread_mutex_unlock(&piece_lock);
    atomic_fetch_sub(&model.pieces, 1);
}

/* Host functions */

CUresult gpuvm_launch_host_function(uint64_t stream, gpuvm_host_function function, void *data)
{
    pthread_mutex_lock(&ring);
    opcode = GPUVM_OP_LaunchHostFunc;
    require(&streams, stream);
    pthread_mutex_unlock(&ring);
    is_in_host_function = true;
    function(data, CUDA_SUCCESS);
    is_in_host_function = false;
    return CUDA_SUCCESS;
}
