/* Devices and contexts. Each device has a primary context, which the library uses unless the program makes another context current. */
#ifndef GPUVM_DEVICES_H
#define GPUVM_DEVICES_H

#include "driver.h"

/* Number of the current context, which no other context ever has. Called after gpuvm_runtime_enter_context. */
cudaError_t gpuvm_context_number(uint64_t *number);

/* Checks an ordinal. */
cudaError_t gpuvm_check_device(int device);

/* Value of an attribute of the device of the calling thread, or 0. */
int gpuvm_device_attribute(CUdevice_attribute attribute);

#endif
