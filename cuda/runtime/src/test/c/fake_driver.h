/* Driver library without a device, which counts what the runtime library does. */
#ifndef FAKE_DRIVER_H
#define FAKE_DRIVER_H

#include "cuda.h"

enum { FAKE_CONTEXTS = 3 };

/* Context 0 is the primary one. */
CUcontext fake_context(int index);

extern int fake_loads;
extern int fake_unloads;
extern CUfunction fake_launched;

/* Status of the next calls of cuCtxSynchronize. */
extern CUresult fake_status;

#endif
