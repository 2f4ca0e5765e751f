/* Text of the records that kernels append to a module's buffer for printf; PrintfBuffer.java specifies the buffer. */
#ifndef GPUVM_PRINTED_TEXT_H
#define GPUVM_PRINTED_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Name of the variable that contains the buffer. */
#define GPUVM_PRINTF_SYMBOL "__gpuvm_printf"

/* Bytes before the records, and greatest number of bytes of all records. */
#define GPUVM_PRINTF_HEADER_BYTES 16
#define GPUVM_PRINTF_CAPACITY (UINT32_C(1) << 20)

/* Returns the number of bytes in use of a buffer with this header. */
size_t gpuvm_printf_used(const uint8_t *header);

/* Returns the number of calls of printf whose records did not fit. */
uint32_t gpuvm_printf_dropped(const uint8_t *header);

/* Writes the text of all records of a buffer. The contents are not trusted. */
void gpuvm_printf_write(FILE *out, const uint8_t *buffer, size_t bytes);

#endif
