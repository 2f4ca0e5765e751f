#ifndef GPUVM_SHA256_H
#define GPUVM_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define GPUVM_SHA256_BYTES 32

/* Computes the SHA-256 hash of bytes (FIPS 180-4). */
void gpuvm_sha256(const void *bytes, size_t length, uint8_t hash[GPUVM_SHA256_BYTES]);

#endif
