/*
 * Declarations of the CUDA driver API for the programs of rodinia-cudadrv, written from NVIDIA's public documentation.
 */
#ifndef RODINIA_CUDA_H
#define RODINIA_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif
#include "../../cuda-clients/programs/c/cuda.h"

CUresult cuModuleLoad(CUmodule *module, const char *path);
#define cuModuleGetGlobal cuModuleGetGlobal_v2
CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
#ifdef __cplusplus
}
#endif
#endif
