/*
 * Adds two vectors of floats on the GPU, and compares each element of the sum with the processor's.
 *
 *   vectoradd FOLDER      FOLDER contains clients.cubin
 *
 * Exit status: 0 if the sum is right.
 */
#include "check.h"

#define ELEMENTS 1000003u /* no multiple of the block, so that the last block has threads without an element */
#define THREADS 256u

static void print_device(void)
{
    CUdevice device;
    char name[NAME_BYTES];
    int version, count, major, minor;
    CALL(cuDriverGetVersion(&version));
    CALL(cuDeviceGetCount(&count));
    if (count < 1)
        fail("devices=%d, expected at least 1", count);
    CALL(cuDeviceGet(&device, 0));
    CALL(cuDeviceGetName(name, sizeof name, device));
    CALL(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    CALL(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    printf("%s, compute capability %d.%d, driver version %d\n", name, major, minor, version);
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fputs("usage: vectoradd FOLDER\n", stderr);
        return 2;
    }
    CUcontext context = open_device();
    print_device();
    CUmodule module = load_module(arguments[1], "clients");
    CUfunction kernel;
    CALL(cuModuleGetFunction(&kernel, module, "vadd"));

    size_t bytes = ELEMENTS * sizeof(float);
    float *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes);
    for (unsigned i = 0; i < ELEMENTS; i++) {
        a[i] = (float)i;
        b[i] = 0.5f * (float)(i % 1024);
        c[i] = -1;
    }
    CUdeviceptr onDevice[3];
    for (int i = 0; i < 3; i++)
        CALL(cuMemAlloc(&onDevice[i], bytes));
    CALL(cuMemcpyHtoD(onDevice[0], a, bytes));
    CALL(cuMemcpyHtoD(onDevice[1], b, bytes));
    CALL(cuMemsetD8(onDevice[2], 0xff, bytes));

    unsigned elements = ELEMENTS;
    void *parameters[] = {&onDevice[0], &onDevice[1], &onDevice[2], &elements};
    CALL(cuLaunchKernel(kernel, (ELEMENTS + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, NULL, parameters, NULL));
    CALL(cuMemcpyDtoH(c, onDevice[2], bytes));
    for (unsigned i = 0; i < ELEMENTS; i++)
        if (c[i] != a[i] + b[i])
            fail("c[%u]=%g, expected %g", i, c[i], a[i] + b[i]);

    for (int i = 0; i < 3; i++)
        CALL(cuMemFree(onDevice[i]));
    CALL(cuModuleUnload(module));
    CALL(cuCtxDestroy(context));
    printf("passed: the sums of %u elements are right\n", ELEMENTS);
    return EXIT_SUCCESS;
}
