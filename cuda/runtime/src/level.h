/* Version of CUDA whose library this is. All other sources are the same in all libraries. */
#ifndef GPUVM_LEVEL_H
#define GPUVM_LEVEL_H

/* 1000 * major + 10 * minor */
extern const int gpuvm_level;

/* Versions that changed numbers or structures. */
enum {
    LEVEL_HOST_ATOMICS = 8000,      /* cudaDeviceProp has four more members */
    LEVEL_BORDER_COLORS = 8000,     /* cudaTextureDesc has the colour of borders */
    LEVEL_SHARED_CARVEOUT = 9000,   /* cudaFuncAttributes has two more members */
    LEVEL_NEW_ERRORS = 10010,       /* cudaError has the numbers of CUresult */
    LEVEL_MEMORY_TYPES = 11000,     /* cudaPointerAttributes begins with the type, and describes memory that CUDA does not know */
    LEVEL_TEXTURE_FLAGS = 12000,    /* cudaTextureDesc has two more members */
    LEVEL_CLUSTERS = 12000          /* cudaFuncAttributes has six more members */
};

#endif
