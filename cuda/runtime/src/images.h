/*
 * Images: the code for the device that a program registers, and its kernels, variables and textures (symbols). An image becomes a module of
 * a context when the context first uses one of its symbols.
 */
#ifndef GPUVM_IMAGES_H
#define GPUVM_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "driver.h"

/* What an image or a symbol is in one context. */
struct gpuvm_instance {
    _Atomic uint64_t number;  /* of the context; 0 if the context has ended, and the instance is free */
    _Atomic uintptr_t value;  /* module, function, address or texture reference */
    CUcontext context;
    struct gpuvm_instance *next;
};

enum gpuvm_symbol_kind { GPUVM_KERNEL, GPUVM_VARIABLE, GPUVM_TEXTURE };

struct gpuvm_symbol {
    enum gpuvm_symbol_kind kind;
    const void *host;            /* address in the program */
    char *name;                  /* in the module */
    size_t bytes;                /* of a variable, as registered */
    bool is_normalized;          /* whether a texture returns integers as fractions */
    struct gpuvm_image *image;
    struct gpuvm_symbol *next;   /* of the same image */
    struct gpuvm_symbol *hidden; /* other symbol with the same host address, of an image that was registered before */
    struct gpuvm_instance *_Atomic instances;
};

struct gpuvm_image {
    const void *code; /* fatbin */
    struct gpuvm_symbol *symbols;
    struct gpuvm_instance *_Atomic instances;
    struct gpuvm_image *previous;
    struct gpuvm_image *following;
};

/* Registers an image; null if the memory is exhausted. */
struct gpuvm_image *gpuvm_image_add(const void *code);

/* Unloads an image's modules, and forgets the image and its symbols. */
void gpuvm_image_remove(struct gpuvm_image *image);

/* Registers a symbol of an image; null if the memory is exhausted. The name is copied. */
struct gpuvm_symbol *gpuvm_symbol_add(struct gpuvm_image *image, enum gpuvm_symbol_kind kind, const void *host, const char *name);

/* Symbol of a kind with an address in the program; null if there is none. */
struct gpuvm_symbol *gpuvm_symbol_find(enum gpuvm_symbol_kind kind, const void *host);

/* Loads the symbol's image into the current context, if necessary, and finds what the symbol is there. */
cudaError_t gpuvm_symbol_value(struct gpuvm_symbol *symbol, uintptr_t *value);

/* Kernel of a host function in the current context; cudaErrorInvalidDeviceFunction if there is none. */
cudaError_t gpuvm_kernel_of(const void *host, CUfunction *function);

/* Forgets the modules of a context that has ended. */
void gpuvm_images_forget(uint64_t number);

#endif
