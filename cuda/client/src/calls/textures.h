/* References to textures of modules. */
#ifndef GPUVM_TEXTURES_H
#define GPUVM_TEXTURES_H

#include "gpuvm_cuda_types.h"

CUresult gpuvm_textures_open(uint32_t limit);

/* Forgets all references of a context that has ended. */
void gpuvm_textures_forget(uint64_t context);

/* Forgets all references of a module that has been unloaded. */
void gpuvm_textures_forget_module(uint64_t module);

#endif
