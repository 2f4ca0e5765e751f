/* Modules of contexts, and their functions. */
#ifndef GPUVM_MODULES_H
#define GPUVM_MODULES_H

#include "content.h"
#include "image.h"
#include "jit.h"

CUresult gpuvm_modules_open(uint32_t limit);

/* Loads a module of machine code into a context and sets *module to its handle. */
CUresult gpuvm_module_load(uint64_t context, const struct gpuvm_image *image, uint64_t *module);

/*
 * Loads a module as gpuvm_module_load; compiles it before if it is PTX, or a fatbin whose only image for the device is PTX. Sets the
 * output, also after a failure; the caller frees it.
 */
CUresult gpuvm_module_compile_and_load(
    uint64_t context, const struct gpuvm_image *image, const struct gpuvm_jit_options *options, struct gpuvm_jit_output *output,
    uint64_t *module);

/* Unloads a module. CUDA_ERROR_INVALID_HANDLE if there is none with this handle. */
CUresult gpuvm_module_unload(uint64_t module);

/* Returns the content of a module, or null. Valid until the module is unloaded. */
struct gpuvm_content *gpuvm_module_content(uint64_t module);

/* Returns the handle of a module's context; 0 if there is no such module. */
uint64_t gpuvm_module_context(uint64_t module);

/* Forgets all modules of a context that has ended. */
void gpuvm_modules_forget(uint64_t context);

/*
 * Returns the kernel of a function, or of a library's kernel in the current context, into which the library may be loaded. A function
 * is a part of a module's handle, so that this needs no table. Null if there is none; the outcome says why.
 */
struct gpuvm_kernel_entry *gpuvm_function_find(CUfunction function, CUresult *outcome);

/* Function of a kernel. */
CUfunction gpuvm_function_of(const struct gpuvm_kernel_entry *kernel);

/* Value of an attribute of a kernel. */
CUresult gpuvm_function_attribute(const struct gpuvm_kernel_entry *kernel, CUfunction_attribute attribute, int *value);

/* Sets an attribute of a kernel, which the backend checks as well. */
CUresult gpuvm_function_set_attribute(struct gpuvm_kernel_entry *kernel, CUfunction_attribute attribute, int value);

#endif
