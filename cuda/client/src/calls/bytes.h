/* Copies of the processor. */
#ifndef GPUVM_BYTES_H
#define GPUVM_BYTES_H

#include <stddef.h>

/* Copies bytes, also between ranges that overlap. */
void gpuvm_copy_bytes(void *to, const void *from, size_t bytes);

#endif
