/* Checks of the programs in this folder. A failed check ends the program with status 1, unless the program continues elsewhere. */
#ifndef CUDA_CLIENTS_CHECK_H
#define CUDA_CLIENTS_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda.h"

/* Length of a name in messages. */
#define NAME_BYTES 128

/* Most bytes of a module. */
#define MODULE_BYTES (1 << 20)

/* Length of a message of a failed check; longer ones are cut. */
#define MESSAGE_BYTES 512

/* If not NULL, called with the message of a failed check, instead of the end of the program. It does not return. */
__attribute__((weak)) void (*on_failure)(const char *message);

_Noreturn __attribute__((format(printf, 1, 2))) static inline void fail(const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (on_failure != NULL)
        on_failure(message);
    fprintf(stderr, "FAILED: %s\n", message);
    exit(EXIT_FAILURE);
}

static inline void check_call(CUresult result, const char *call)
{
    const char *name = NULL;
    if (result == CUDA_SUCCESS)
        return;
    if (cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
        name = "unknown error";
    fail("%s: %s (%d)", call, name, result);
}

/* Fails unless a call of the CUDA API succeeds. */
#define CALL(call) check_call(call, #call)

static inline void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL)
        fail("out of memory, bytes=%zu", bytes);
    return memory;
}

/* Creates a context on the first device. */
static inline CUcontext open_device(void)
{
    CUdevice device;
    CUcontext context;
    CALL(cuInit(0));
    CALL(cuDeviceGet(&device, 0));
    CALL(cuCtxCreate(&context, 0, device));
    return context;
}

/* Loads a module from FOLDER/NAME.cubin. */
static inline CUmodule load_module(const char *folder, const char *name)
{
    char path[4096];
    CUmodule module;
    snprintf(path, sizeof path, "%s/%s.cubin", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail("%s: cannot be opened", path);
    char *image = allocate(MODULE_BYTES);
    size_t bytes = fread(image, 1, MODULE_BYTES, file);
    fclose(file);
    if (bytes == 0 || bytes == MODULE_BYTES)
        fail("%s: bytes=%zu, expected 1 to %d", path, bytes, MODULE_BYTES - 1);
    CALL(cuModuleLoadData(&module, image));
    free(image);
    return module;
}

#endif
