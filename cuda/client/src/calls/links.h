/* Links: images that are linked to one cubin. */
#ifndef GPUVM_LINKS_H
#define GPUVM_LINKS_H

#include "gpuvm_cuda_types.h"

CUresult gpuvm_links_open(void);

#endif
