/* Options of a load for the compiler of PTX. There is no such compiler, but programs read its log. */
#ifndef GPUVM_JIT_OPTIONS_H
#define GPUVM_JIT_OPTIONS_H

#include "gpuvm_cuda_types.h"

/* Checks that there are as many options as the program says. */
CUresult gpuvm_jit_options_check(unsigned int count, const CUjit_option *options, void *const *values);

/* Sets the options that return something, for the outcome of a load: logs and the time. */
void gpuvm_jit_options_finish(unsigned int count, const CUjit_option *options, void **values, CUresult outcome);

#endif
