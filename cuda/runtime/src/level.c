/* Compiled for each library, with its version. */
#include "level.h"

const int gpuvm_level = GPUVM_RUNTIME_LEVEL;
