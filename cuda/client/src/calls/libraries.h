/* Libraries: images that are loaded into contexts as modules when they are first used there. */
#ifndef GPUVM_LIBRARIES_H
#define GPUVM_LIBRARIES_H

#include "modules.h"

CUresult gpuvm_libraries_open(void);

/* As gpuvm_function_find, for the handle of a library's kernel. */
struct gpuvm_kernel_entry *gpuvm_library_kernel_find(uint64_t kernel, CUresult *outcome);

#endif
