/* Names and descriptions of errors. */
#include "gpuvm_cuda_api.h"

CUresult gpuvm_local_GetErrorName(CUresult error, const char **name)
{
    *name = gpuvm_status_name(error);
    return *name != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult gpuvm_local_GetErrorString(CUresult error, const char **text)
{
    *text = gpuvm_status_text(error);
    return *text != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
