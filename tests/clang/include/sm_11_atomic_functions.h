#include "cuda_kernels.h"
