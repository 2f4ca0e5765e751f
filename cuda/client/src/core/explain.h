/* Lines for the program's user; see gpuvm_explain in session.h. */
#ifndef GPUVM_EXPLAIN_H
#define GPUVM_EXPLAIN_H

#include <stdbool.h>

/* Returns whether the user asked for lines (GPUVM_CUDA_DEBUG). */
bool gpuvm_is_explaining(void);

#endif
