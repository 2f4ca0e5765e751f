/* Reports of the backend about kernels that failed. */
#ifndef GPUVM_REPORTS_H
#define GPUVM_REPORTS_H

#include "gpuvm_cuda_api.h"

/*
 * Called with the status of each call of the program. After a failure of a kernel, takes the backend's reports and writes them to standard
 * error: failed assertions, and, if the program's user asked for them (GPUVM_CUDA_FAULTS=1 or GPUVM_CUDA_DEBUG=1), positions of other
 * failures, which only software GPUs know. Must be called without locks.
 */
void gpuvm_reports_print(CUresult status);

#endif
