#define _POSIX_C_SOURCE 200809L

#include "links.h"

#include <stdlib.h>
#include <string.h>

#include "current.h"
#include "gpuvm_cuda_senders.h"
#include "handles.h"
#include "image.h"
#include "jit.h"
#include "session.h"

/* Kinds of inputs (CUjitInputType). */
enum { INPUT_CUBIN = 0, INPUT_PTX = 1, INPUT_FATBIN = 2, INPUT_OBJECT = 3, INPUT_LIBRARY = 4, INPUT_TYPES = 6 };

#define LINK_LIMIT 1024

/* Greatest number of inputs of a link, and of options, of which there are fewer kinds. */
#define INPUT_LIMIT 1024
#define OPTION_LIMIT 1024

/* Image of a link, in memory of the library. */
struct link_input {
    char *name;
    unsigned char *bytes;
    size_t length;
};

struct link_object {
    struct gpuvm_slot slot;
    pthread_mutex_t lock; /* of all following fields */
    bool has_lock;        /* whether the lock is initialized; remains when the slot is used again */
    struct gpuvm_jit_options options;
    CUjit_option *option_copies; /* of options; the values remain the program's */
    struct link_input *inputs;
    size_t count;
    struct gpuvm_jit_output output;
};

static struct gpuvm_table links = GPUVM_TABLE(GPUVM_LINK_LETTER);

CUresult gpuvm_links_open(void)
{
    return gpuvm_table_open(&links, sizeof(struct link_object), LINK_LIMIT);
}

static struct link_object *find(CUlinkState state)
{
    return gpuvm_table_find(&links, (uint64_t)(uintptr_t)state);
}

/*
 * Finds a link and takes its lock. Null, without the lock, if there is no such link: another thread may destroy the link while this
 * one waits for the lock, and a new link may have the slot then.
 */
static struct link_object *find_and_lock(CUlinkState state)
{
    struct link_object *link = find(state);
    if (link == NULL)
        return NULL;
    pthread_mutex_lock(&link->lock);
    if (find(state) == link)
        return link;
    pthread_mutex_unlock(&link->lock);
    return NULL;
}

/* Copies the kinds of options, because the program's array may end with the call. */
static CUresult keep_options(struct link_object *link)
{
    size_t bytes = link->options.count * sizeof *link->option_copies;
    link->option_copies = malloc(bytes != 0 ? bytes : 1);
    if (link->option_copies == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (bytes != 0)
        memcpy(link->option_copies, link->options.options, bytes);
    link->options.options = link->option_copies;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_LinkCreate(unsigned int optionCount, CUjit_option *options, void **optionValues, CUlinkState *state)
{
    struct gpuvm_jit_options read;
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    if (outcome == CUDA_SUCCESS && optionCount > OPTION_LIMIT)
        outcome = CUDA_ERROR_INVALID_VALUE;
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_jit_options_read(optionCount, options, optionValues, &read);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    uint64_t handle;
    struct link_object *created = gpuvm_table_take(&links, &handle);
    if (created == NULL) {
        gpuvm_explain("links limit=%d", LINK_LIMIT);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (!created->has_lock)
        pthread_mutex_init(&created->lock, NULL);
    created->has_lock = true;
    created->options = read;
    created->inputs = NULL;
    created->count = 0;
    created->output = (struct gpuvm_jit_output){0};
    outcome = keep_options(created);
    if (outcome != CUDA_SUCCESS) {
        gpuvm_table_give(&links, created);
        return outcome;
    }
    gpuvm_slot_show(created, handle);
    *state = (CUlinkState)(uintptr_t)handle;
    return CUDA_SUCCESS;
}

/* Adds a copy of an image. */
static CUresult add(struct link_object *link, const struct gpuvm_image *image, const char *name)
{
    if (link->count == INPUT_LIMIT) {
        gpuvm_explain("inputs of a link limit=%d", INPUT_LIMIT);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    struct link_input *inputs = realloc(link->inputs, (link->count + 1) * sizeof *inputs);
    if (inputs == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    link->inputs = inputs;
    struct link_input input = {
        .name = strdup(name), .bytes = malloc(image->length != 0 ? image->length : 1), .length = image->length};
    if (input.name == NULL || input.bytes == NULL) {
        free(input.name);
        free(input.bytes);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    memcpy(input.bytes, image->bytes, image->length);
    link->inputs[link->count++] = input;
    return CUDA_SUCCESS;
}

/* Checks the kind of an input and its own options, which have no further effect. */
static CUresult check(CUjitInputType type, unsigned int count, const CUjit_option *options, void **values)
{
    if ((uint32_t)type >= INPUT_TYPES)
        return CUDA_ERROR_INVALID_VALUE;
    if (type != INPUT_CUBIN && type != INPUT_PTX && type != INPUT_FATBIN) {
        gpuvm_explain("kind of an input=%u, expected a cubin (0), PTX (1) or a fatbin (2)", (unsigned int)type);
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    struct gpuvm_jit_options read;
    return gpuvm_jit_options_read(count, options, values, &read);
}

static CUresult add_image(CUlinkState state, CUjitInputType type, const struct gpuvm_image *image, const char *name)
{
    if ((type == INPUT_PTX) != image->is_ptx)
        return type == INPUT_PTX ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE;
    struct link_object *link = find_and_lock(state);
    if (link == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult outcome = add(link, image, name);
    pthread_mutex_unlock(&link->lock);
    return outcome;
}

CUresult gpuvm_local_LinkAddData(
    CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned int optionCount,
    CUjit_option *options, void **optionValues)
{
    if (find(state) == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult outcome = check(type, optionCount, options, optionValues);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct gpuvm_image image;
    void *copy;
    outcome = gpuvm_image_copy(data, bytes, &copy, &image);
    if (outcome != CUDA_SUCCESS)
        return type == INPUT_PTX && outcome == CUDA_ERROR_INVALID_IMAGE ? CUDA_ERROR_INVALID_PTX : outcome;
    outcome = add_image(state, type, &image, name != NULL ? name : "input");
    free(copy);
    return outcome;
}

CUresult gpuvm_local_LinkAddFile(
    CUlinkState state, CUjitInputType type, const char *path, unsigned int optionCount, CUjit_option *options, void **optionValues)
{
    if (find(state) == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    CUresult outcome = check(type, optionCount, options, optionValues);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    void *memory;
    struct gpuvm_image image;
    outcome = gpuvm_image_read(path, &memory, &image);
    if (outcome != CUDA_SUCCESS)
        return type == INPUT_PTX && outcome == CUDA_ERROR_INVALID_IMAGE ? CUDA_ERROR_INVALID_PTX : outcome;
    outcome = add_image(state, type, &image, path);
    free(memory);
    return outcome;
}

/* Links all inputs. The lock of the link is held. */
static CUresult complete(struct link_object *link, uint64_t context)
{
    if (link->count == 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct gpuvm_jit_input *inputs = calloc(link->count, sizeof *inputs);
    if (inputs == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < link->count; i++)
        inputs[i] = (struct gpuvm_jit_input){
            .name = link->inputs[i].name, .bytes = link->inputs[i].bytes, .length = link->inputs[i].length};
    gpuvm_jit_output_free(&link->output);
    CUresult outcome = gpuvm_jit_link(context, &link->options, inputs, link->count, &link->output);
    free(inputs);
    struct gpuvm_jit_log log = gpuvm_jit_log_of(&link->output);
    gpuvm_jit_options_finish(&link->options, &log, outcome);
    return outcome;
}

CUresult gpuvm_hand_LinkComplete(CUlinkState state, void **cubin, size_t *bytes)
{
    if (find(state) == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    uint64_t context;
    CUresult outcome = gpuvm_current_context(&context);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    struct link_object *link = find_and_lock(state);
    if (link == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    outcome = complete(link, context);
    if (outcome == CUDA_SUCCESS) {
        *cubin = link->output.cubin;
        if (bytes != NULL)
            *bytes = link->output.length;
    }
    pthread_mutex_unlock(&link->lock);
    return outcome;
}

CUresult gpuvm_local_LinkDestroy(CUlinkState state)
{
    /* With the lock, so that calls of other threads for the link have ended. */
    struct link_object *link = find_and_lock(state);
    if (link == NULL)
        return CUDA_ERROR_INVALID_HANDLE;
    gpuvm_slot_hide(link, (uint64_t)(uintptr_t)state);
    for (size_t i = 0; i < link->count; i++) {
        free(link->inputs[i].name);
        free(link->inputs[i].bytes);
    }
    free(link->inputs);
    free(link->option_copies);
    gpuvm_jit_output_free(&link->output);
    pthread_mutex_unlock(&link->lock);
    gpuvm_table_give(&links, link);
    return CUDA_SUCCESS;
}
