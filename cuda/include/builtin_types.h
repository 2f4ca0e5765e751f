/* All types of the CUDA runtime API. */
#ifndef GPUVM_BUILTIN_TYPES_H
#define GPUVM_BUILTIN_TYPES_H
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"
#include "vector_types.h"
#endif
