/* All functions of the driver that the runtime library needs; those that fake_driver.c does not define answer CUDA_ERROR_NOT_SUPPORTED. */
#include "driver_functions.h"

#define NOT_SUPPORTED 801

#define REST(name) \
    __attribute__((weak)) int name(void); \
    int name(void) \
    { \
        return NOT_SUPPORTED; \
    }
#define REST_TWIN(name) REST(name##_ptds)

GPUVM_DRIVER_FUNCTIONS(REST)
GPUVM_DRIVER_TWINS(REST_TWIN)
