/* Addresses that this process and the GPU use for the same memory. */
#ifndef GPUVM_ADDRESSES_H
#define GPUVM_ADDRESSES_H

#include <stddef.h>
#include <stdint.h>

/*
 * Reserves addresses, a multiple of GPUVM_ADDRESS_UNIT, within those of the GPU: no memory, no access, not inherited by children. Returns
 * the first one, or 0. Explains a failure with the mapping that is in the way.
 */
uint64_t gpuvm_reserve(uint64_t bytes);

/* Ends a reservation, and unmaps what is in it. */
void gpuvm_unreserve(uint64_t address, uint64_t bytes);

#endif
