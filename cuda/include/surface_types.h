/* Types of surfaces of the CUDA runtime API. A GF100 has surfaces of arrays only, which gpuvm does not support: declarations alone. */
#ifndef GPUVM_SURFACE_TYPES_H
#define GPUVM_SURFACE_TYPES_H

#include "driver_types.h"

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03

enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};

typedef unsigned long long cudaSurfaceObject_t;

#endif
