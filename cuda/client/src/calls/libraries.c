#include "libraries.h"

#include <stdlib.h>
#include <string.h>

#include "current.h"
#include "gpuvm_cuda_senders.h"
#include "handles.h"
#include "session.h"

#define LIBRARY_LIMIT 4096

/* CU_LIBRARY_BINARY_IS_PRESERVED: the program keeps the image until it unloads the library. */
#define BINARY_IS_PRESERVED 1

/* Module of a library in a context. */
struct library_module {
    _Atomic uint64_t context; /* handle; 0: there is no module */
    _Atomic uint64_t module;  /* handle */
};

struct library_object {
    struct gpuvm_slot slot;
    pthread_mutex_t lock; /* loads */
    bool has_lock;        /* whether the lock is initialized; remains when the slot is used again */
    struct gpuvm_image image;
    void *copy;                      /* of the image, or its compiled code; null if the program keeps it */
    struct library_module modules[]; /* by index of the context's state */
};

static struct gpuvm_table libraries = GPUVM_TABLE(GPUVM_LIBRARY_LETTER);

CUresult gpuvm_libraries_open(void)
{
    size_t modules = gpuvm_context_states() * sizeof(struct library_module);
    return gpuvm_table_open(&libraries, sizeof(struct library_object) + modules, LIBRARY_LIMIT);
}

static struct library_object *find(CUlibrary library)
{
    return gpuvm_table_find(&libraries, (uint64_t)(uintptr_t)library);
}

/* Module of a library in a context, if it is loaded there, or 0. */
static uint64_t loaded_module(const struct library_object *library, const struct gpuvm_context_state *state, uint64_t context)
{
    const struct library_module *place = &library->modules[gpuvm_context_index(state)];
    if (atomic_load_explicit(&place->context, memory_order_acquire) != context)
        return 0;
    uint64_t module = atomic_load_explicit(&place->module, memory_order_relaxed);
    return gpuvm_module_content(module) != NULL ? module : 0;
}

/* Compiles a library's image if necessary, and keeps the code instead of the image. */
static CUresult compile_and_load(
    struct library_object *library, uint64_t context, const struct gpuvm_jit_options *options, struct gpuvm_jit_output *output,
    uint64_t *module)
{
    CUresult outcome = gpuvm_module_compile_and_load(context, &library->image, options, output, module);
    if (outcome != CUDA_SUCCESS || output->cubin == NULL)
        return outcome;
    free(library->copy);
    library->copy = output->cubin;
    library->image = (struct gpuvm_image){.bytes = output->cubin, .length = output->length};
    output->cubin = NULL;
    return CUDA_SUCCESS;
}

/* Module of a library in a context, into which the library is loaded if necessary; its image is compiled already. */
static CUresult load(struct library_object *library, const struct gpuvm_context_state *state, uint64_t context, uint64_t *module)
{
    *module = loaded_module(library, state, context);
    if (*module != 0)
        return CUDA_SUCCESS;
    CUresult outcome = CUDA_SUCCESS;
    pthread_mutex_lock(&library->lock);
    *module = loaded_module(library, state, context);
    if (*module == 0)
        outcome = gpuvm_module_load(context, &library->image, module);
    if (outcome == CUDA_SUCCESS) {
        struct library_module *place = &library->modules[gpuvm_context_index(state)];
        atomic_store(&place->module, *module);
        atomic_store_explicit(&place->context, context, memory_order_release);
    }
    pthread_mutex_unlock(&library->lock);
    return outcome;
}

/* Module of a library in the current context. */
static CUresult load_into_current(struct library_object *library, uint64_t *module)
{
    struct gpuvm_context_state *state;
    uint64_t context;
    CUresult outcome = gpuvm_current_active(&state, &context);
    return outcome == CUDA_SUCCESS ? load(library, state, context, module) : outcome;
}

/* Active context for a function that needs none, but a module: the current one, otherwise the one with the lowest index. */
static bool find_context(struct gpuvm_context_state **state, uint64_t *context)
{
    if (gpuvm_current_active(state, context) == CUDA_SUCCESS)
        return true;
    for (uint32_t i = 0; i < gpuvm_context_states(); i++) {
        *state = gpuvm_context_state(i);
        *context = gpuvm_context_handle(*state);
        if (*context != 0)
            return true;
    }
    return false;
}

/* Runs an action in any context. If there is no context, the primary context is created for the duration of the action. */
static CUresult with_context(CUresult (*action)(const struct gpuvm_context_state *state, uint64_t context, void *data), void *data)
{
    struct gpuvm_context_state *state;
    uint64_t context;
    bool is_temporary = !find_context(&state, &context);
    if (is_temporary) {
        CUcontext ignored;
        CUresult outcome = gpuvm_hand_DevicePrimaryCtxRetain(&ignored, GPUVM_DEVICE);
        if (outcome != CUDA_SUCCESS)
            return outcome;
        state = gpuvm_context_primary();
        context = gpuvm_context_handle(state);
    }
    CUresult outcome = action(state, context, data);
    if (is_temporary)
        gpuvm_hand_DevicePrimaryCtxRelease(GPUVM_DEVICE);
    return outcome;
}

/* Action with the content of a library's module. */
struct content_action {
    struct library_object *library;
    CUresult (*action)(const struct gpuvm_content *content, void *data);
    void *data;
};

static CUresult act_on_content(const struct gpuvm_context_state *state, uint64_t context, void *data)
{
    const struct content_action *wanted = data;
    uint64_t module;
    CUresult outcome = load(wanted->library, state, context, &module);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    const struct gpuvm_content *content = gpuvm_module_content(module);
    return content != NULL ? wanted->action(content, wanted->data) : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/* Runs an action with the content of the library's module in any context. */
static CUresult with_content(
    struct library_object *library, CUresult (*action)(const struct gpuvm_content *content, void *data), void *data)
{
    struct content_action wanted = {.library = library, .action = action, .data = data};
    return with_context(act_on_content, &wanted);
}

/* Takes a slot for a library with an image; *copy becomes the library's. */
static struct library_object *take(const struct gpuvm_image *image, void *copy, uint64_t *handle)
{
    struct library_object *taken = gpuvm_table_take(&libraries, handle);
    if (taken == NULL) {
        gpuvm_explain("libraries limit=%d", LIBRARY_LIMIT);
        return NULL;
    }
    if (!taken->has_lock)
        pthread_mutex_init(&taken->lock, NULL);
    taken->has_lock = true;
    taken->image = *image;
    taken->copy = copy;
    return taken;
}

/* Unloads the modules and gives the slot back. */
static CUresult give(struct library_object *library)
{
    CUresult outcome = CUDA_SUCCESS;
    for (uint32_t i = 0; i < gpuvm_context_states(); i++) {
        struct library_module *place = &library->modules[i];
        uint64_t context = atomic_exchange(&place->context, 0);
        uint64_t module = atomic_load(&place->module);
        if (context == 0 || gpuvm_module_content(module) == NULL)
            continue;
        CUresult unloaded = gpuvm_module_unload(module);
        if (outcome == CUDA_SUCCESS)
            outcome = unloaded;
    }
    free(library->copy);
    library->copy = NULL;
    gpuvm_table_give(&libraries, library);
    return outcome;
}

/* Options of a program, and the result for them. */
struct compilation {
    struct library_object *library;
    const struct gpuvm_jit_options *options;
    struct gpuvm_jit_output output;
};

/* Loads a new library into a context for the first time. */
static CUresult load_first(const struct gpuvm_context_state *state, uint64_t context, void *data)
{
    struct compilation *compilation = data;
    uint64_t module;
    CUresult outcome =
        compile_and_load(compilation->library, context, compilation->options, &compilation->output, &module);
    if (outcome == CUDA_SUCCESS) {
        struct library_module *place = &compilation->library->modules[gpuvm_context_index(state)];
        atomic_store(&place->module, module);
        atomic_store_explicit(&place->context, context, memory_order_release);
    }
    return outcome;
}

/*
 * Creates a library, and loads it at once, so that the program learns of errors of the image. Frees the copy after a failure. Sets the
 * options that return something.
 */
static CUresult create(const struct gpuvm_image *image, void *copy, const struct gpuvm_jit_options *options, CUlibrary *library)
{
    uint64_t handle;
    struct library_object *created = take(image, copy, &handle);
    if (created == NULL) {
        free(copy);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct compilation compilation = {.library = created, .options = options};
    CUresult outcome = with_context(load_first, &compilation);
    struct gpuvm_jit_log log = gpuvm_jit_log_of(&compilation.output);
    gpuvm_jit_options_finish(options, &log, outcome);
    gpuvm_jit_output_free(&compilation.output);
    if (outcome != CUDA_SUCCESS) {
        give(created);
        return outcome;
    }
    gpuvm_slot_show(created, handle);
    *library = (CUlibrary)(uintptr_t)handle;
    return CUDA_SUCCESS;
}

static bool is_preserved(unsigned int count, const CUlibraryOption *options, void *const *values)
{
    for (unsigned int i = 0; i < count; i++) {
        if (options[i] == BINARY_IS_PRESERVED)
            return values[i] != NULL;
    }
    return false;
}

static CUresult create_from_data(
    const void *start, bool preserved, const struct gpuvm_jit_options *options, CUlibrary *library)
{
    struct gpuvm_image image;
    CUresult outcome = gpuvm_image_find(start, &image);
    void *copy = NULL;
    if (outcome == CUDA_SUCCESS && !preserved) {
        copy = malloc(image.length);
        if (copy == NULL)
            outcome = CUDA_ERROR_OUT_OF_MEMORY;
        else
            image.bytes = memcpy(copy, image.bytes, image.length);
    }
    if (outcome == CUDA_SUCCESS)
        return create(&image, copy, options, library);
    gpuvm_jit_options_finish(options, NULL, outcome);
    return outcome;
}

/* Checks both kinds of options, and reads those for the compiler. */
static CUresult read_options(
    unsigned int jit_count, const CUjit_option *jit_options, void **jit_values, unsigned int count, const CUlibraryOption *options,
    void *const *values, struct gpuvm_jit_options *read)
{
    if (count != 0 && (options == NULL || values == NULL))
        return CUDA_ERROR_INVALID_VALUE;
    return gpuvm_jit_options_read(jit_count, jit_options, jit_values, read);
}

CUresult gpuvm_hand_LibraryLoadData(
    CUlibrary *library, const void *image, CUjit_option *options, void **optionValues, unsigned int optionCount,
    CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int libraryOptionCount)
{
    struct gpuvm_jit_options read;
    CUresult outcome =
        read_options(optionCount, options, optionValues, libraryOptionCount, libraryOptions, libraryOptionValues, &read);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    return create_from_data(image, is_preserved(libraryOptionCount, libraryOptions, libraryOptionValues), &read, library);
}

CUresult gpuvm_hand_LibraryLoadFromFile(
    CUlibrary *library, const char *fileName, CUjit_option *options, void **optionValues, unsigned int optionCount,
    CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int libraryOptionCount)
{
    struct gpuvm_jit_options read;
    CUresult outcome =
        read_options(optionCount, options, optionValues, libraryOptionCount, libraryOptions, libraryOptionValues, &read);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    void *memory;
    struct gpuvm_image image;
    outcome = gpuvm_image_read(fileName, &memory, &image);
    if (outcome == CUDA_SUCCESS)
        return create(&image, memory, &read, library);
    gpuvm_jit_options_finish(&read, NULL, outcome);
    return outcome;
}

CUresult gpuvm_hand_LibraryUnload(CUlibrary library)
{
    struct library_object *unloaded = find(library);
    if (unloaded == NULL || !gpuvm_slot_hide(unloaded, (uint64_t)(uintptr_t)library))
        return CUDA_ERROR_INVALID_HANDLE;
    return give(unloaded);
}

CUresult gpuvm_local_LibraryGetModule(CUmodule *module, CUlibrary library)
{
    struct library_object *found = find(library);
    if (found == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    uint64_t handle;
    CUresult outcome = load_into_current(found, &handle);
    if (outcome == CUDA_SUCCESS)
        *module = (CUmodule)(uintptr_t)handle;
    return outcome;
}

struct search {
    const char *name;
    uint32_t index;
};

static CUresult find_index(const struct gpuvm_content *content, void *data)
{
    struct search *search = data;
    const struct gpuvm_kernel_entry *kernel = gpuvm_content_find(content, search->name);
    if (kernel == NULL)
        return CUDA_ERROR_NOT_FOUND;
    search->index = kernel->index;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_LibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    struct library_object *found = find(library);
    if (found == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    struct search search = {.name = name};
    CUresult outcome = with_content(found, find_index, &search);
    if (outcome == CUDA_SUCCESS)
        *kernel = (CUkernel)(uintptr_t)gpuvm_part_handle(GPUVM_KERNEL_LETTER, (uint64_t)(uintptr_t)library, search.index);
    return outcome;
}

CUresult gpuvm_hand_LibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name)
{
    struct library_object *found = find(library);
    if (found == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    uint64_t module;
    CUresult outcome = load_into_current(found, &module);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    uint64_t start = 0;
    uint64_t length = 0;
    outcome = gpuvm_send_ModuleGetGlobal(module, name, strlen(name), &start, &length);
    if (outcome == CUDA_SUCCESS && address != NULL)
        *address = start;
    if (outcome == CUDA_SUCCESS && bytes != NULL)
        *bytes = length;
    return outcome;
}

/* Library of a kernel; null if there is none. */
static struct library_object *library_of(uint64_t kernel)
{
    if (!gpuvm_has_letter(GPUVM_KERNEL_LETTER, kernel))
        return NULL;
    return gpuvm_table_find(&libraries, gpuvm_part_whole(GPUVM_LIBRARY_LETTER, kernel));
}

struct gpuvm_kernel_entry *gpuvm_library_kernel_find(uint64_t kernel, CUresult *outcome)
{
    struct library_object *library = library_of(kernel);
    *outcome = CUDA_ERROR_INVALID_HANDLE;
    if (library == NULL)
        return NULL;
    uint64_t module;
    *outcome = load_into_current(library, &module);
    if (*outcome != CUDA_SUCCESS)
        return NULL;
    *outcome = CUDA_ERROR_INVALID_HANDLE;
    const struct gpuvm_content *content = gpuvm_module_content(module);
    uint32_t index = gpuvm_part_index(kernel);
    return content != NULL && index < content->kernel_count ? &content->kernels[index] : NULL;
}

CUresult gpuvm_local_KernelGetFunction(CUfunction *function, CUkernel kernel)
{
    CUresult outcome;
    const struct gpuvm_kernel_entry *found = gpuvm_library_kernel_find((uint64_t)(uintptr_t)kernel, &outcome);
    if (found == NULL)
        return outcome;
    *function = gpuvm_function_of(found);
    return CUDA_SUCCESS;
}

/* Attribute of a kernel of a library, which needs no current context. */
struct kernel_attribute {
    uint32_t index;
    CUfunction_attribute attribute;
    int value;
};

static CUresult get_attribute(const struct gpuvm_content *content, void *data)
{
    struct kernel_attribute *wanted = data;
    if (wanted->index >= content->kernel_count)
        return CUDA_ERROR_INVALID_HANDLE;
    return gpuvm_function_attribute(&content->kernels[wanted->index], wanted->attribute, &wanted->value);
}

static CUresult set_attribute(const struct gpuvm_content *content, void *data)
{
    const struct kernel_attribute *wanted = data;
    if (wanted->index >= content->kernel_count)
        return CUDA_ERROR_INVALID_HANDLE;
    return gpuvm_function_set_attribute(&content->kernels[wanted->index], wanted->attribute, wanted->value);
}

static CUresult set_cache_config(const struct gpuvm_content *content, void *data)
{
    const struct kernel_attribute *wanted = data;
    if (wanted->index >= content->kernel_count)
        return CUDA_ERROR_INVALID_HANDLE;
    const struct gpuvm_kernel_entry *kernel = &content->kernels[wanted->index];
    return gpuvm_send_FuncSetCacheConfig(kernel->module, kernel->index, (uint32_t)wanted->value);
}

/* Runs an action for a kernel's library. */
static CUresult with_kernel(
    CUkernel kernel, CUdevice device, CUresult (*action)(const struct gpuvm_content *content, void *data),
    struct kernel_attribute *attribute)
{
    if (device != GPUVM_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    struct library_object *library = library_of((uint64_t)(uintptr_t)kernel);
    if (library == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    attribute->index = gpuvm_part_index((uint64_t)(uintptr_t)kernel);
    return with_content(library, action, attribute);
}

CUresult gpuvm_local_KernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)
{
    struct kernel_attribute wanted = {.attribute = attribute};
    CUresult outcome = with_kernel(kernel, device, get_attribute, &wanted);
    if (outcome == CUDA_SUCCESS)
        *value = wanted.value;
    return outcome;
}

CUresult gpuvm_hand_KernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)
{
    struct kernel_attribute wanted = {.attribute = attribute, .value = value};
    return with_kernel(kernel, device, set_attribute, &wanted);
}

CUresult gpuvm_hand_KernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device)
{
    struct kernel_attribute wanted = {.value = (int)config};
    return with_kernel(kernel, device, set_cache_config, &wanted);
}
