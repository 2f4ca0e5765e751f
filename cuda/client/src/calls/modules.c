#include "modules.h"

#include <stdlib.h>
#include <string.h>

#include "exchange.h"
#include "gpuvm_cuda_senders.h"
#include "handles.h"
#include "memory.h"
#include "prints.h"
#include "sha256.h"
#include "textures.h"

/* Space for the first attempt to get a description; enough for some hundred kernels. */
#define DESCRIPTION_BYTES ((size_t)64 << 10)

/* Greatest length of a description. */
#define MAX_DESCRIPTION_BYTES ((size_t)64 << 20)

struct module_object {
    struct gpuvm_slot slot;
    struct gpuvm_content *_Atomic content;
};

static struct gpuvm_table modules = GPUVM_TABLE(GPUVM_MODULE_LETTER);

CUresult gpuvm_modules_open(uint32_t limit)
{
    return gpuvm_table_open(&modules, sizeof(struct module_object), limit < GPUVM_PART_LIMIT ? limit : GPUVM_PART_LIMIT);
}

/* Load of a module while it is under way. */
struct load {
    uint64_t context;
    uint64_t module;
    const struct gpuvm_image *image;
    uint8_t hash[GPUVM_SHA256_BYTES];
    void *sent;           /* image in the data area; null if the backend is asked for one that it has */
    uint8_t *description; /* in the data area */
    size_t capacity;
    size_t described;     /* bytes of the description */
    CUresult earlier;     /* error of an earlier call that a completion brought */
};

/* Sends the call once. Returns the call's own status. */
static CUresult attempt(struct load *load)
{
    uint64_t offset = load->sent != NULL ? gpuvm_data_offset(load->sent) : 0;
    size_t bytes = load->sent != NULL ? load->image->length : 0;
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    CUresult filled = gpuvm_fill_ModuleLoadData(&message, load->context, load->module, offset, bytes,
        gpuvm_data_offset(load->description), load->capacity, load->hash);
    wait.results[0] = 0;
    CUresult outcome = gpuvm_exchange(filled, &message, &wait);
    load->described = wait.results[0];
    if (outcome != wait.status)
        load->earlier = outcome;
    return wait.status;
}

/* Makes space for a description in the data area. */
static CUresult make_space(struct load *load, size_t bytes)
{
    if (load->description != NULL)
        gpuvm_data_release(load->description, 0);
    load->description = gpuvm_data_allocate(bytes);
    load->capacity = load->description != NULL ? bytes : 0;
    return load->description != NULL ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Puts the image into the data area. */
static CUresult put_image(struct load *load)
{
    load->sent = gpuvm_data_allocate(load->image->length);
    if (load->sent == NULL) {
        gpuvm_explain("image bytes=%zu, expected at most the free bytes of the data area", load->image->length);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(load->sent, load->image->bytes, load->image->length);
    return CUDA_SUCCESS;
}

/* Asks for an image that the backend has, then sends the image; enlarges the space for the description if it is too small. */
static CUresult request(struct load *load)
{
    CUresult outcome = make_space(load, DESCRIPTION_BYTES);
    while (outcome == CUDA_SUCCESS) {
        outcome = attempt(load);
        if (outcome == CUDA_SUCCESS)
            return CUDA_SUCCESS;
        if (outcome == CUDA_ERROR_NOT_FOUND && load->sent == NULL)
            outcome = put_image(load);
        else if (outcome == CUDA_ERROR_INVALID_VALUE && load->described > load->capacity && load->described <= MAX_DESCRIPTION_BYTES)
            outcome = make_space(load, load->described);
    }
    return outcome;
}

/* Makes the module's variables known as memory of the GPU. */
static void add_variables(const struct gpuvm_content *content, uint64_t context)
{
    for (uint32_t i = 0; i < content->variable_count; i++) {
        const struct gpuvm_variable *variable = &content->variables[i];
        struct gpuvm_range *range = variable->bytes != 0 ? malloc(sizeof *range) : NULL;
        if (range == NULL)
            continue;
        *range = (struct gpuvm_range){
            .start = variable->address, .bytes = variable->bytes, .context = context, .is_variable = true};
        if (!gpuvm_ranges_add(&gpuvm_device_memory, range))
            free(range);
    }
}

static void remove_variables(const struct gpuvm_content *content)
{
    for (uint32_t i = 0; i < content->variable_count; i++) {
        struct gpuvm_range found;
        uint64_t address = content->variables[i].address;
        if (gpuvm_ranges_find(&gpuvm_device_memory, address, &found) && found.start == address && found.is_variable)
            free(gpuvm_ranges_remove(&gpuvm_device_memory, address));
    }
}

/* Reads the description of a module that the backend has loaded, and makes the module visible; unloads it after a failure. */
static CUresult show(struct module_object *object, struct load *load)
{
    CUresult outcome = CUDA_ERROR_UNKNOWN;
    struct gpuvm_content *content = NULL;
    if (load->described <= load->capacity)
        content = gpuvm_content_read(load->description, load->described, load->module, load->context, &outcome);
    if (content != NULL && load->earlier != CUDA_SUCCESS) {
        gpuvm_content_free(content);
        content = NULL;
        outcome = load->earlier;
    }
    if (content == NULL) {
        gpuvm_send_ModuleUnload(load->module);
        return outcome;
    }
    add_variables(content, load->context);
    gpuvm_prints_add(content, load->context);
    gpuvm_slot_set_context(object, load->context);
    atomic_store(&object->content, content);
    gpuvm_slot_show(object, load->module);
    return CUDA_SUCCESS;
}

CUresult gpuvm_module_load(uint64_t context, const struct gpuvm_image *image, uint64_t *module)
{
    struct load load = {.context = context, .image = image, .earlier = CUDA_SUCCESS};
    struct module_object *object = gpuvm_table_take(&modules, &load.module);
    if (object == NULL) {
        gpuvm_explain("modules limit=%u", gpuvm_session_facts()->modules);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    gpuvm_sha256(image->bytes, image->length, load.hash);
    CUresult outcome = request(&load);
    if (outcome == CUDA_SUCCESS)
        outcome = show(object, &load);
    if (outcome == CUDA_SUCCESS)
        *module = load.module;
    else
        gpuvm_table_give(&modules, object);
    if (load.sent != NULL)
        gpuvm_data_release(load.sent, 0);
    if (load.description != NULL)
        gpuvm_data_release(load.description, 0);
    return outcome;
}

CUresult gpuvm_module_unload(uint64_t module)
{
    struct module_object *object = gpuvm_table_find(&modules, module);
    if (object == NULL || !gpuvm_slot_hide(object, module))
        return CUDA_ERROR_INVALID_HANDLE;
    struct gpuvm_content *content = atomic_exchange(&object->content, NULL);
    gpuvm_prints_remove(content);
    remove_variables(content);
    CUresult outcome = gpuvm_send_ModuleUnload(module);
    gpuvm_textures_forget_module(module);
    gpuvm_content_free(content);
    gpuvm_table_give(&modules, object);
    return outcome;
}

struct gpuvm_content *gpuvm_module_content(uint64_t module)
{
    struct module_object *object = gpuvm_table_find(&modules, module);
    return object != NULL ? atomic_load_explicit(&object->content, memory_order_acquire) : NULL;
}

uint64_t gpuvm_module_context(uint64_t module)
{
    const struct module_object *object = gpuvm_table_find(&modules, module);
    return object != NULL ? gpuvm_slot_context(object) : 0;
}

static void free_content(void *object)
{
    struct gpuvm_content *content = atomic_exchange(&((struct module_object *)object)->content, NULL);
    if (content != NULL)
        gpuvm_prints_forget(content);
    gpuvm_content_free(content);
}

void gpuvm_modules_forget(uint64_t context)
{
    gpuvm_table_forget(&modules, context, free_content);
}

CUresult gpuvm_wire_module(CUmodule module, uint64_t *handle)
{
    *handle = (uint64_t)(uintptr_t)module;
    return gpuvm_table_find(&modules, *handle) != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult gpuvm_module_compile_and_load(
    uint64_t context, const struct gpuvm_image *image, const struct gpuvm_jit_options *options, struct gpuvm_jit_output *output,
    uint64_t *module)
{
    *output = (struct gpuvm_jit_output){0};
    CUresult outcome = CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
    if (!image->is_ptx)
        outcome = gpuvm_module_load(context, image, module);
    if (outcome != CUDA_ERROR_JIT_COMPILER_NOT_FOUND)
        return outcome;
    struct gpuvm_jit_input input = {.name = "PTX", .bytes = image->bytes, .length = image->length};
    outcome = gpuvm_jit_link(context, options, &input, 1, output);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct gpuvm_image compiled = {.bytes = output->cubin, .length = output->length};
    return gpuvm_module_load(context, &compiled, module);
}

/* Loads a module into the current context. */
static CUresult load_into_current(const struct gpuvm_image *image, const struct gpuvm_jit_options *options, CUmodule *module)
{
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct gpuvm_jit_output output;
    uint64_t handle;
    outcome = gpuvm_module_compile_and_load(context, image, options, &output, &handle);
    if (outcome == CUDA_SUCCESS)
        *module = (CUmodule)(uintptr_t)handle;
    struct gpuvm_jit_log log = gpuvm_jit_log_of(&output);
    gpuvm_jit_options_finish(options, &log, outcome);
    gpuvm_jit_output_free(&output);
    return outcome;
}

CUresult gpuvm_hand_ModuleLoadData(CUmodule *module, const void *image)
{
    return gpuvm_hand_ModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult gpuvm_hand_ModuleLoadDataEx(
    CUmodule *module, const void *image, unsigned int optionCount, CUjit_option *options, void **optionValues)
{
    struct gpuvm_jit_options read;
    CUresult outcome = gpuvm_jit_options_read(optionCount, options, optionValues, &read);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct gpuvm_image found;
    outcome = gpuvm_image_find(image, &found);
    if (outcome == CUDA_SUCCESS)
        return load_into_current(&found, &read, module);
    gpuvm_jit_options_finish(&read, NULL, outcome);
    return outcome;
}

CUresult gpuvm_hand_ModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return gpuvm_hand_ModuleLoadData(module, image);
}

CUresult gpuvm_hand_ModuleLoad(CUmodule *module, const char *fileName)
{
    void *memory;
    struct gpuvm_image found;
    CUresult outcome = gpuvm_image_read(fileName, &memory, &found);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct gpuvm_jit_options none;
    gpuvm_jit_options_read(0, NULL, NULL, &none);
    outcome = load_into_current(&found, &none, module);
    free(memory);
    return outcome;
}

CUresult gpuvm_hand_ModuleUnload(CUmodule module)
{
    return gpuvm_module_unload((uint64_t)(uintptr_t)module);
}

CUresult gpuvm_local_ModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    const struct gpuvm_content *content = gpuvm_module_content((uint64_t)(uintptr_t)module);
    if (content == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    const struct gpuvm_kernel_entry *kernel = gpuvm_content_find(content, name);
    if (kernel == NULL)
        return CUDA_ERROR_NOT_FOUND;
    *function = gpuvm_function_of(kernel);
    return CUDA_SUCCESS;
}

/* Modules are loaded at once (CU_MODULE_EAGER_LOADING). */
CUresult gpuvm_local_ModuleGetLoadingMode(CUmoduleLoadingMode *mode)
{
    const CUmoduleLoadingMode eager = 1;
    *mode = eager;
    return CUDA_SUCCESS;
}
