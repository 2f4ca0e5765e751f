/* Tests of calls that fail in the backend, which the model makes fail. */
#define _GNU_SOURCE

#include "api.h"
#include "model.h"

/* Makes the next call with an opcode fail. */
static void fail_next(uint32_t opcode, CUresult status)
{
    model.fail_status = status;
    model.fail_opcode = opcode;
}

/* Makes the next completion bring the error of an earlier call. */
static void bring_earlier(void)
{
    model.earlier = CUDA_ERROR_LAUNCH_FAILED;
}

static void refused_context_leaves_nothing(void)
{
    CUcontext context;
    CUcontext current;
    CHECK_SUCCESS(cuInit(0));
    fail_next(GPUVM_OP_CtxCreate, CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(OUT_OF_MEMORY, cuCtxCreate_v2(&context, 0, 0));
    fail_next(GPUVM_OP_DevicePrimaryCtxRetain, CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(OUT_OF_MEMORY, cuDevicePrimaryCtxRetain(&context, 0));
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    CHECK_STATUS(INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    for (int i = 0; i < 100; i++) {
        fail_next(GPUVM_OP_CtxCreate, CUDA_ERROR_OUT_OF_MEMORY);
        CHECK_STATUS(OUT_OF_MEMORY, cuCtxCreate_v2(&context, 0, 0));
    }
    close_context(open_context());
}

static void earlier_error_undoes_context(void)
{
    CUcontext context;
    CHECK_SUCCESS(cuInit(0));
    bring_earlier();
    CHECK_STATUS(LAUNCH_FAILED, cuCtxCreate_v2(&context, 0, 0));
    bring_earlier();
    CHECK_STATUS(LAUNCH_FAILED, cuDevicePrimaryCtxRetain(&context, 0));
    CHECK_EQUAL(0, model.objects);
    close_context(open_context());
}

static void earlier_error_undoes_allocation(void)
{
    CUcontext context = open_context();
    CUdeviceptr address = 5;
    fail_next(GPUVM_OP_MemAlloc, CUDA_ERROR_OUT_OF_MEMORY);
    CHECK_STATUS(OUT_OF_MEMORY, cuMemAlloc_v2(&address, 4096));
    bring_earlier();
    CHECK_STATUS(LAUNCH_FAILED, cuMemAlloc_v2(&address, 4096));
    CHECK_EQUAL(5, address);
    CHECK_EQUAL(0, model.allocations);
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 4096));
    close_context(context);
}

static void earlier_error_undoes_load(void)
{
    CUcontext context = open_context();
    CUmodule module;
    CUtexref texture;
    size_t bytes;
    const void *image = api_image(&bytes);
    fail_next(GPUVM_OP_ModuleLoadData, CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK_STATUS(NO_BINARY_FOR_GPU, cuModuleLoadData(&module, image));
    uint64_t objects = model.objects;
    bring_earlier();
    CHECK_STATUS(LAUNCH_FAILED, cuModuleLoadData(&module, image));
    CHECK_EQUAL(objects, model.objects);
    CHECK_SUCCESS(cuModuleLoadData(&module, image));
    bring_earlier();
    CHECK_STATUS(LAUNCH_FAILED, cuModuleGetTexRef(&texture, module, "texture"));
    CHECK_SUCCESS(cuModuleGetTexRef(&texture, module, "texture"));
    CHECK_SUCCESS(cuTexRefSetFlags(texture, 1));
    close_context(context);
}

static void image_is_sent_once(void)
{
    CUcontext context = open_context();
    CUmodule module;
    size_t bytes;
    const void *image = api_image(&bytes);
    for (int i = 0; i < 5; i++) {
        CHECK_SUCCESS(cuModuleLoadData(&module, image));
        CHECK_EQUAL(1, model.images_sent);
    }
    close_context(context);
}

static void long_description_is_requested_again(void)
{
    enum { KERNELS = 16 };
    static char names[KERNELS][4090];
    static struct model_kernel kernels[KERNELS];
    CUcontext context = open_context();
    CUmodule module;
    CUfunction function;
    size_t bytes;
    const void *image = api_image(&bytes);
    for (int i = 0; i < KERNELS; i++) {
        memset(names[i], 'a' + i, sizeof names[i] - 1);
        kernels[i] = (struct model_kernel){.name = names[i], .max_threads = 1024};
    }
    model_set_kernels(kernels, KERNELS);
    CHECK_SUCCESS(cuModuleLoadData(&module, image));
    for (int i = 0; i < KERNELS; i++)
        CHECK_SUCCESS(cuModuleGetFunction(&function, module, names[i]));
    close_context(context);
}

static void givenParametersWithoutBytes_whenLaunchedWithoutPointers_thenInvalidValue(void)
{
    static const struct model_kernel kernel = {.name = "empty", .parameter_count = 2, .max_threads = 1024};
    CUcontext context = open_context();
    CUmodule module;
    CUfunction function;
    size_t bytes;
    const void *image = api_image(&bytes);
    unsigned char value = 0;
    void *pointers[] = {&value, &value};
    model_set_kernels(&kernel, 1);
    CHECK_SUCCESS(cuModuleLoadData(&module, image));
    CHECK_SUCCESS(cuModuleGetFunction(&function, module, "empty"));
    CHECK_STATUS(INVALID_VALUE, cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CHECK_SUCCESS(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, NULL, pointers, NULL));
    close_context(context);
}

static void failed_copy_returns_error(void)
{
    enum { BYTES = 400000 };
    CUcontext context = open_context();
    CUdeviceptr device;
    unsigned char *bytes = malloc(BYTES);
    CHECK_SUCCESS(cuMemAlloc_v2(&device, BYTES));
    fail_next(GPUVM_OP_MemcpyDtoH, CUDA_ERROR_LAUNCH_FAILED);
    CHECK_STATUS(LAUNCH_FAILED, cuMemcpyDtoH_v2(bytes, device, BYTES));
    check_rules();
    fail_next(GPUVM_OP_MemcpyHtoDAsync, CUDA_ERROR_LAUNCH_FAILED);
    CHECK_SUCCESS(cuMemcpyHtoD_v2(device, bytes, BYTES));
    CHECK_STATUS(LAUNCH_FAILED, cuCtxSynchronize());
    bring_earlier();
    memset(bytes, 0xff, BYTES);
    CHECK_SUCCESS(cuMemsetD8_v2(device, 3, BYTES));
    CHECK_STATUS(LAUNCH_FAILED, cuMemcpyDtoH_v2(bytes, device, 100));
    CHECK_EQUAL(3, bytes[99]);
    free(bytes);
    close_context(context);
}

static const struct test_case cases[] = {
    CASE(refused_context_leaves_nothing),
    CASE(earlier_error_undoes_context),
    CASE(earlier_error_undoes_allocation),
    CASE(earlier_error_undoes_load),
    CASE(image_is_sent_once),
    CASE(long_description_is_requested_again),
    CASE(givenParametersWithoutBytes_whenLaunchedWithoutPointers_thenInvalidValue),
    CASE(failed_copy_returns_error),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
