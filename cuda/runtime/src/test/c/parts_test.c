/* Tests of the library's parts, with a driver library that has no device. */
#define _GNU_SOURCE

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "checks.h"
#include "errors.h"
#include "fake_driver.h"
#include "host_table.h"
#include "images.h"
#include "stubs.h"

#define CHECK_DONE(call) CHECK_EQUAL(cudaSuccess, call)

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threadLimit, uint3 *thread, uint3 *block,
    dim3 *blockShape, dim3 *gridShape, int *warpSize);

enum { ADDRESSES = 10000 };

static char addresses[ADDRESSES];
static char values[ADDRESSES];

static void table_finds_what_was_set(void)
{
    static struct gpuvm_host_table table = GPUVM_HOST_TABLE;
    CHECK(gpuvm_host_table_find(&table, addresses) == NULL);
    for (size_t i = 0; i < ADDRESSES; i++)
        CHECK(gpuvm_host_table_set(&table, &addresses[i], &values[i]));
    for (size_t i = 0; i < ADDRESSES; i++)
        CHECK(gpuvm_host_table_find(&table, &addresses[i]) == &values[i]);
    CHECK(gpuvm_host_table_find(&table, &table) == NULL);
    CHECK(gpuvm_host_table_find(&table, NULL) == NULL);
}

static void table_forgets_what_was_removed(void)
{
    static struct gpuvm_host_table table = GPUVM_HOST_TABLE;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < ADDRESSES; i++)
            CHECK(gpuvm_host_table_set(&table, &addresses[i], &values[i]));
        for (size_t i = 0; i < ADDRESSES; i += 2)
            CHECK(gpuvm_host_table_set(&table, &addresses[i], NULL));
        for (size_t i = 0; i < ADDRESSES; i++)
            CHECK(gpuvm_host_table_find(&table, &addresses[i]) == (i % 2 == 0 ? NULL : &values[i]));
    }
    CHECK(gpuvm_host_table_set(&table, &table, NULL));
}

static struct gpuvm_host_table shared = GPUVM_HOST_TABLE;
static _Atomic size_t published;
static _Atomic int is_done;

/* Addresses that were set stay visible while the table grows. */
static void *read_published(void *unused)
{
    size_t seen = 0;
    while (!atomic_load(&is_done) || seen < ADDRESSES) {
        size_t count = atomic_load(&published);
        for (; seen < count; seen++)
            CHECK(gpuvm_host_table_find(&shared, &addresses[seen]) == &values[seen]);
        for (size_t i = 0; i < count; i += 97)
            CHECK(gpuvm_host_table_find(&shared, &addresses[i]) == &values[i]);
    }
    return unused;
}

static void table_grows_beside_readers(void)
{
    pthread_t readers[2];
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(0, pthread_create(&readers[i], NULL, read_published, NULL));
    for (size_t i = 0; i < ADDRESSES; i++) {
        CHECK(gpuvm_host_table_set(&shared, &addresses[i], &values[i]));
        atomic_store(&published, i + 1);
    }
    atomic_store(&is_done, 1);
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(0, pthread_join(readers[i], NULL));
}

static struct {
    unsigned int magic;
    unsigned int version;
    const void *fatbin;
    void *unused;
} first = {0x466243b1u, 1, "first", NULL}, second = {0x466243b1u, 1, "second", NULL}, broken = {0x466243b1u, 1, "broken", NULL};

static char kernel, other;

static void register_kernel(void **handle, const char *host, const char *name)
{
    __cudaRegisterFunction(handle, host, (char *)(uintptr_t)host, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static cudaError_t launch(const void *host)
{
    return cudaLaunchKernel(host, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0, NULL);
}

static void module_is_loaded_at_the_first_launch_of_each_context(void)
{
    void **handle = __cudaRegisterFatBinary(&first);
    register_kernel(handle, &kernel, "kernel");
    register_kernel(handle, &other, "other");
    CHECK_DONE(cudaDeviceSynchronize());
    CHECK_EQUAL(0, fake_loads);
    CHECK_DONE(launch(&kernel));
    CHECK_DONE(launch(&other));
    CHECK_DONE(launch(&kernel));
    CHECK_EQUAL(1, fake_loads);
    CUfunction in_primary = fake_launched;
    cuCtxSetCurrent(fake_context(1));
    CHECK_DONE(launch(&kernel));
    CHECK_EQUAL(2, fake_loads);
    CHECK(fake_launched != in_primary);
    cuCtxSetCurrent(fake_context(0));
    CHECK_DONE(launch(&kernel));
    CHECK(fake_launched == in_primary);
    CHECK_EQUAL(2, fake_loads);
    __cudaUnregisterFatBinary(handle);
    CHECK_EQUAL(2, fake_unloads);
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&kernel));
}

static void reset_forgets_modules_of_its_context(void)
{
    void **handle = __cudaRegisterFatBinary(&first);
    register_kernel(handle, &kernel, "kernel");
    for (int i = 1; i <= 3; i++) {
        CHECK_DONE(launch(&kernel));
        CHECK_EQUAL(i, fake_loads);
        CHECK_DONE(cudaDeviceReset());
    }
    __cudaUnregisterFatBinary(handle);
    CHECK_EQUAL(0, fake_unloads);
}

/* Two libraries may have the same inline kernel: the dynamic linker gives both the host function of one. */
static void kernel_of_two_images_stays_until_both_are_unregistered(void)
{
    void **one = __cudaRegisterFatBinary(&first);
    void **two = __cudaRegisterFatBinary(&second);
    register_kernel(one, &kernel, "kernel");
    register_kernel(two, &kernel, "kernel");
    CHECK_DONE(launch(&kernel));
    __cudaUnregisterFatBinary(one);
    CHECK_DONE(launch(&kernel));
    CHECK_EQUAL(1, fake_loads);
    one = __cudaRegisterFatBinary(&first);
    register_kernel(one, &kernel, "kernel");
    __cudaUnregisterFatBinary(one);
    CHECK_DONE(launch(&kernel));
    __cudaUnregisterFatBinary(two);
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&kernel));
}

static void wrong_registrations_are_refused(void)
{
    int no_wrapper = 5;
    CHECK(__cudaRegisterFatBinary(&no_wrapper) == NULL);
    CHECK(__cudaRegisterFatBinary(NULL) == NULL);
    register_kernel(NULL, &kernel, "kernel");
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&kernel));
    __cudaUnregisterFatBinary(NULL);
    void **handle = __cudaRegisterFatBinary(&broken);
    register_kernel(handle, &kernel, "kernel");
    CHECK_EQUAL(cudaErrorInvalidKernelImage, launch(&kernel));
    __cudaUnregisterFatBinary(handle);
    handle = __cudaRegisterFatBinary(&first);
    register_kernel(handle, &kernel, "missing");
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&kernel));
    __cudaUnregisterFatBinary(handle);
}

static void many_images_are_registered(void)
{
    enum { IMAGES = 500 };
    static void **handles[IMAGES];
    for (size_t i = 0; i < IMAGES; i++) {
        handles[i] = __cudaRegisterFatBinary(&first);
        register_kernel(handles[i], &addresses[i], "kernel");
    }
    for (size_t i = 0; i < IMAGES; i += 3)
        CHECK_DONE(launch(&addresses[i]));
    for (size_t i = 0; i < IMAGES; i++)
        __cudaUnregisterFatBinary(handles[i]);
    CHECK_EQUAL(fake_loads, fake_unloads);
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&addresses[0]));
}

static void *take_error(void *unused)
{
    CHECK_EQUAL(cudaSuccess, cudaGetLastError());
    return unused;
}

static void errors_belong_to_threads(void)
{
    pthread_t thread;
    fake_status = CUDA_ERROR_LAUNCH_FAILED;
    CHECK_EQUAL(cudaErrorLaunchFailure, cudaDeviceSynchronize());
    fake_status = CUDA_SUCCESS;
    CHECK_EQUAL(0, pthread_create(&thread, NULL, take_error, NULL));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_DONE(cudaDeviceSynchronize());
    CHECK_EQUAL(cudaErrorLaunchFailure, cudaPeekAtLastError());
    CHECK_EQUAL(cudaErrorLaunchFailure, cudaGetLastError());
    CHECK_EQUAL(cudaSuccess, cudaPeekAtLastError());
}

static void not_ready_is_an_error_too(void)
{
    fake_status = CUDA_ERROR_NOT_READY;
    CHECK_EQUAL(cudaErrorNotReady, cudaDeviceSynchronize());
    CHECK_EQUAL(cudaErrorNotReady, cudaGetLastError());
}

static void all_errors_of_the_header_have_names(void)
{
    for (size_t i = 0; i < gpuvm_error_count; i++) {
        CHECK(strlen(gpuvm_errors[i].name) > 0 && strlen(gpuvm_errors[i].text) > 0);
        CHECK(strcmp(gpuvm_errors[i].name, cudaGetErrorName((cudaError_t)gpuvm_errors[i].value)) == 0);
    }
    CHECK(strcmp("cudaErrorAssert", cudaGetErrorName(cudaErrorAssert)) == 0);
    CHECK(strcmp("cudaErrorNotReady", cudaGetErrorName(cudaErrorNotReady)) == 0);
    CHECK(strcmp("cudaErrorMissingConfiguration", cudaGetErrorName(cudaErrorMissingConfiguration)) == 0);
}

static void nested_configurations_are_limited(void)
{
    unsigned int outcome = 0, count = 0;
    while (outcome == 0 && count < 1000) {
        outcome = __cudaPushCallConfiguration((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, NULL);
        count++;
    }
    CHECK_EQUAL(cudaErrorMemoryAllocation, outcome);
}

int main(int count, char **arguments)
{
    static const struct test_case cases[] = {
        CASE(table_finds_what_was_set),
        CASE(table_forgets_what_was_removed),
        CASE(table_grows_beside_readers),
        CASE(module_is_loaded_at_the_first_launch_of_each_context),
        CASE(reset_forgets_modules_of_its_context),
        CASE(kernel_of_two_images_stays_until_both_are_unregistered),
        CASE(wrong_registrations_are_refused),
        CASE(many_images_are_registered),
        CASE(errors_belong_to_threads),
        CASE(not_ready_is_an_error_too),
        CASE(all_errors_of_the_header_have_names),
        CASE(nested_configurations_are_limited),
    };
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
