/* Output of printf in kernels: the library writes it to standard output when a call has waited for the kernels. */
#ifndef GPUVM_PRINTS_H
#define GPUVM_PRINTS_H

#include "content.h"

/* Makes the buffer of a module known, if the module has one. */
void gpuvm_prints_add(const struct gpuvm_content *content, uint64_t context);

/* Forgets the buffer of a module whose context has ended. */
void gpuvm_prints_forget(const struct gpuvm_content *content);

/* Forgets the buffer of a module that is unloaded, after writing what is in it if the module's context is current. */
void gpuvm_prints_remove(const struct gpuvm_content *content);

/*
 * Writes what the kernels of the current context have printed, and empties the buffers. Called after a call that waits for the GPU, with
 * its answer, which it returns. Costs nothing while no module prints. Kernels that other threads launch meanwhile may lose output.
 */
CUresult gpuvm_prints_write(CUresult outcome);

#endif
