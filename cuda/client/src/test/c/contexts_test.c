/* Tests of initialization, devices, contexts, and the tables for runtimes. */
#define _GNU_SOURCE

#include <stdatomic.h>

#include "api.h"

static void driver_must_be_initialized(void)
{
    int value;
    const char *text;
    CUcontext context;
    CHECK_STATUS(NOT_INITIALIZED, cuDeviceGetCount(&value));
    CHECK_STATUS(NOT_INITIALIZED, cuCtxCreate_v2(&context, 0, 0));
    CHECK_STATUS(NOT_INITIALIZED, cuMemFree_v2(1));
    CHECK_SUCCESS(cuDriverGetVersion(&value));
    CHECK_EQUAL(12040, value);
    CHECK_SUCCESS(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
    CHECK_EQUAL(0, strcmp("CUDA_ERROR_OUT_OF_MEMORY", text));
    CHECK_STATUS(INVALID_VALUE, cuInit(1));
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuDeviceGetCount(&value));
    CHECK_EQUAL(1, value);
    CHECK_SUCCESS(cuDriverGetVersion(&value));
    CHECK_EQUAL(12040, value);
}

static void errors_have_names_and_texts(void)
{
    const char *text;
    CHECK_SUCCESS(cuGetErrorString(CUDA_ERROR_INVALID_HANDLE, &text));
    CHECK(strlen(text) > 5);
    CHECK_SUCCESS(cuGetErrorName(CUDA_SUCCESS, &text));
    CHECK_EQUAL(0, strcmp("CUDA_SUCCESS", text));
    CHECK_STATUS(INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
    CHECK(text == NULL);
    CHECK_STATUS(INVALID_VALUE, cuGetErrorString((CUresult)12345, &text));
    CHECK(text == NULL);
    CHECK_STATUS(INVALID_VALUE, cuGetErrorName(CUDA_SUCCESS, NULL));
}

static void device_has_properties(void)
{
    CUdevice device;
    CUdevice same;
    char name[64];
    char tiny[4];
    char bus[16];
    char with_function[32];
    size_t bytes;
    int major;
    int minor;
    int value;
    CUuuid uuid;
    CUuuid again;
    CHECK_SUCCESS(cuInit(0));
    CHECK_STATUS(INVALID_DEVICE, cuDeviceGet(&device, 1));
    CHECK_STATUS(INVALID_DEVICE, cuDeviceGet(&device, -1));
    CHECK_SUCCESS(cuDeviceGet(&device, 0));
    CHECK_SUCCESS(cuDeviceGetName(name, sizeof name, device));
    CHECK(strlen(name) > 3);
    CHECK_SUCCESS(cuDeviceGetName(tiny, sizeof tiny, device));
    CHECK_EQUAL(3, strlen(tiny));
    CHECK_EQUAL(0, strncmp(name, tiny, 3));
    CHECK_STATUS(INVALID_VALUE, cuDeviceGetName(name, 0, device));
    CHECK_STATUS(INVALID_DEVICE, cuDeviceGetName(name, sizeof name, 1));
    CHECK_SUCCESS(cuDeviceTotalMem_v2(&bytes, device));
    CHECK(bytes >= 1 << 20);
    CHECK_SUCCESS(cuDeviceComputeCapability(&major, &minor, device));
    CHECK_EQUAL(2, major);
    CHECK_EQUAL(0, minor);
    CHECK_SUCCESS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    CHECK_EQUAL(1024, value);
    CHECK_SUCCESS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, device));
    CHECK_EQUAL(1, value);
    CHECK_SUCCESS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, device));
    CHECK_EQUAL(0, value);
    CHECK_SUCCESS(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_HOST_ALLOC_DMA_BUF_SUPPORTED, device));
    CHECK_EQUAL(0, value);
    CHECK_STATUS(INVALID_VALUE, cuDeviceGetAttribute(&value, (CUdevice_attribute)0, device));
    CHECK_STATUS(INVALID_VALUE, cuDeviceGetAttribute(&value, (CUdevice_attribute)100000, device));
    CHECK_STATUS(INVALID_DEVICE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 7));
    CHECK_SUCCESS(cuDeviceGetUuid(&uuid, device));
    CHECK_SUCCESS(cuDeviceGetUuid_v2(&again, device));
    CHECK_EQUAL(0, memcmp(&uuid, &again, sizeof uuid));
    CHECK_SUCCESS(cuDeviceGetPCIBusId(bus, sizeof bus, device));
    CHECK_EQUAL(12, strlen(bus));
    CHECK_STATUS(INVALID_VALUE, cuDeviceGetPCIBusId(bus, 12, device));
    CHECK_SUCCESS(cuDeviceGetByPCIBusId(&same, bus));
    CHECK_EQUAL(device, same);
    CHECK_SUCCESS(cuDeviceGetByPCIBusId(&same, bus + 5));
    snprintf(with_function, sizeof with_function, "%.10s", bus);
    CHECK_SUCCESS(cuDeviceGetByPCIBusId(&same, with_function));
    CHECK_STATUS(INVALID_DEVICE, cuDeviceGetByPCIBusId(&same, "0000:ff:1f.0"));
    CHECK_STATUS(INVALID_VALUE, cuDeviceGetByPCIBusId(&same, "first"));
    CHECK_STATUS(INVALID_VALUE, cuDeviceGetByPCIBusId(&same, "1:2:3:4"));
    CHECK_SUCCESS(cuDeviceCanAccessPeer(&value, device, device));
    CHECK_EQUAL(0, value);
    CHECK_STATUS(INVALID_DEVICE, cuDeviceCanAccessPeer(&value, device, 1));
}

static void contexts_form_stack(void)
{
    CUcontext current;
    CUcontext first = open_context();
    CUcontext second;
    CUdevice device;
    CHECK_SUCCESS(cuCtxCreate_v2(&second, 0, 0));
    CHECK(first != second);
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == second);
    CHECK_SUCCESS(cuCtxPopCurrent_v2(&current));
    CHECK(current == second);
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == first);
    for (int i = 0; i < 20; i++)
        CHECK_SUCCESS(cuCtxPushCurrent_v2(i % 2 == 0 ? second : first));
    for (int i = 19; i >= 0; i--) {
        CHECK_SUCCESS(cuCtxPopCurrent_v2(i % 3 == 0 ? NULL : &current));
        CHECK(i % 3 == 0 || current == (i % 2 == 0 ? second : first));
    }
    CHECK_SUCCESS(cuCtxSetCurrent(second));
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == second);
    CHECK_SUCCESS(cuCtxPopCurrent_v2(&current));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxPopCurrent_v2(&current));
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    CHECK_STATUS(INVALID_CONTEXT, cuCtxGetDevice(&device));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxSynchronize());
    CHECK_STATUS(INVALID_CONTEXT, cuCtxPushCurrent_v2(NULL));
    CHECK_SUCCESS(cuCtxSetCurrent(first));
    CHECK_SUCCESS(cuCtxSetCurrent(NULL));
    CHECK_SUCCESS(cuCtxSetCurrent(NULL));
    CHECK_SUCCESS(cuCtxDestroy_v2(second));
    CHECK_SUCCESS(cuCtxSetCurrent(first));
    CHECK_SUCCESS(cuCtxGetDevice(&device));
    CHECK_EQUAL(0, device);
    close_context(first);
}

static void context_is_zeroed_memory(void)
{
    CUcontext context = open_context();
    unsigned char zeros[1024] = {0};
    CHECK_EQUAL(0, memcmp(context, zeros, sizeof zeros));
    close_context(context);
}

static CUcontext shared_context;
static _Atomic int step;

static void *use_destroyed_context(void *data)
{
    CUdeviceptr address;
    CUcontext current;
    CHECK_SUCCESS(cuCtxSetCurrent(shared_context));
    CHECK_SUCCESS(cuCtxSynchronize());
    step = 1;
    AWAIT(step == 2);
    CHECK_STATUS(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CHECK_STATUS(CONTEXT_IS_DESTROYED, cuMemAlloc_v2(&address, 4096));
    CHECK_SUCCESS(cuCtxPopCurrent_v2(&current));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxSynchronize());
    return data;
}

static void destroyed_context_leaves_stack(void)
{
    pthread_t thread;
    CUcontext current;
    unsigned int version;
    shared_context = open_context();
    CHECK_EQUAL(0, pthread_create(&thread, NULL, use_destroyed_context, NULL));
    AWAIT(step == 1);
    CHECK_SUCCESS(cuCtxDestroy_v2(shared_context));
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    CHECK_STATUS(INVALID_CONTEXT, cuCtxDestroy_v2(shared_context));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxSetCurrent(shared_context));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxPushCurrent_v2(shared_context));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxGetApiVersion(shared_context, &version));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxDestroy_v2((CUcontext)&current));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxDestroy_v2(NULL));
    step = 2;
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    check_rules();
}

static void context_below_top_is_destroyed(void)
{
    CUcontext current;
    CUcontext first = open_context();
    CUcontext second;
    CHECK_SUCCESS(cuCtxCreate_v2(&second, 0, 0));
    CHECK_SUCCESS(cuCtxDestroy_v2(first));
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == second);
    close_context(second);
    CHECK_STATUS(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CHECK_SUCCESS(cuCtxPopCurrent_v2(NULL));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxSynchronize());
}

static void uses_of_context_are_counted(void)
{
    CUcontext context = open_context();
    CUcontext attached;
    CUcontext current;
    CHECK_STATUS(INVALID_VALUE, cuCtxAttach(&attached, 1));
    CHECK_STATUS(INVALID_VALUE, cuCtxAttach(NULL, 0));
    CHECK_SUCCESS(cuCtxAttach(&attached, 0));
    CHECK(attached == context);
    CHECK_SUCCESS(cuCtxAttach(&attached, 0));
    CHECK_SUCCESS(cuCtxDetach(context));
    CHECK_SUCCESS(cuCtxDetach(context));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuCtxDetach(context));
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    CHECK_STATUS(INVALID_CONTEXT, cuCtxDetach(context));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxAttach(&attached, 0));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&current, 0));
    CHECK_SUCCESS(cuCtxSetCurrent(current));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxAttach(&attached, 0));
    CHECK_STATUS(INVALID_CONTEXT, cuCtxDetach(current));
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    context = open_context();
    CHECK_SUCCESS(cuCtxAttach(&attached, 0));
    close_context(context);
}

static void contexts_are_limited(void)
{
    enum { MANY = 64 };
    CUcontext contexts[MANY];
    CUresult outcome = CUDA_SUCCESS;
    int count = 0;
    CHECK_SUCCESS(cuInit(0));
    while (count < MANY && (outcome = cuCtxCreate_v2(&contexts[count], 0, 0)) == CUDA_SUCCESS)
        count++;
    CHECK_STATUS(OUT_OF_MEMORY, outcome);
    CHECK(count >= 2);
    CHECK_SUCCESS(cuCtxDestroy_v2(contexts[0]));
    CHECK_SUCCESS(cuCtxSynchronize());
    for (int i = 0; (outcome = cuCtxCreate_v2(&contexts[0], 0, 0)) == CUDA_ERROR_OUT_OF_MEMORY && i < 2000; i++)
        usleep(1000);
    CHECK_SUCCESS(outcome);
    for (int i = 0; i < count; i++)
        CHECK_SUCCESS(cuCtxDestroy_v2(contexts[i]));
    check_rules();
}

static void context_has_properties(void)
{
    CUcontext context;
    CUcontext other;
    unsigned int flags;
    unsigned int version;
    unsigned long long number;
    unsigned long long number_of_other;
    unsigned int config;
    int least = 5;
    int greatest = 5;
    CHECK_SUCCESS(cuInit(0));
    CHECK_STATUS(INVALID_VALUE, cuCtxCreate_v2(&context, 0x3, 0));
    CHECK_STATUS(INVALID_VALUE, cuCtxCreate_v2(&context, 0x100, 0));
    CHECK_STATUS(INVALID_VALUE, cuCtxCreate_v2(NULL, 0, 0));
    CHECK_STATUS(INVALID_DEVICE, cuCtxCreate_v2(&context, 0, 1));
    CHECK_SUCCESS(cuCtxCreate_v2(&other, 0, 0));
    CHECK_SUCCESS(cuCtxCreate_v2(&context, 0x4 | 0x8, 0));
    CHECK_SUCCESS(cuCtxGetFlags(&flags));
    CHECK_EQUAL(0xc, flags);
    CHECK_SUCCESS(cuCtxGetApiVersion(context, &version));
    CHECK_EQUAL(3020, version);
    CHECK_SUCCESS(cuCtxGetApiVersion(NULL, &version));
    CHECK_SUCCESS(cuCtxGetId(NULL, &number));
    CHECK_SUCCESS(cuCtxGetId(other, &number_of_other));
    CHECK(number != number_of_other);
    CHECK_SUCCESS(cuCtxGetCacheConfig(&config));
    CHECK_EQUAL(0, config);
    CHECK_SUCCESS(cuCtxSetCacheConfig(2));
    CHECK_SUCCESS(cuCtxGetCacheConfig(&config));
    CHECK_EQUAL(2, config);
    CHECK_STATUS(INVALID_VALUE, cuCtxSetCacheConfig(4));
    CHECK_SUCCESS(cuCtxSetSharedMemConfig(2));
    CHECK_SUCCESS(cuCtxGetSharedMemConfig(&config));
    CHECK_EQUAL(1, config);
    CHECK_SUCCESS(cuCtxGetStreamPriorityRange(&least, &greatest));
    CHECK_EQUAL(0, least);
    CHECK_EQUAL(0, greatest);
    CHECK_SUCCESS(cuCtxGetStreamPriorityRange(NULL, NULL));
    CHECK_SUCCESS(cuProfilerStart());
    CHECK_SUCCESS(cuProfilerStop());
    CHECK_SUCCESS(cuCtxDestroy_v2(context));
    close_context(other);
    CHECK_STATUS(INVALID_CONTEXT, cuProfilerStart());
    CHECK_STATUS(INVALID_CONTEXT, cuCtxGetFlags(&flags));
}

static void context_has_stack_limit(void)
{
    size_t value;
    CUcontext context = open_context();
    CHECK_SUCCESS(cuCtxGetLimit(&value, 0));
    CHECK_EQUAL(1024, value);
    CHECK_SUCCESS(cuCtxSetLimit(0, 4096));
    CHECK_SUCCESS(cuCtxGetLimit(&value, 0));
    CHECK_EQUAL(4096, value);
    CHECK_STATUS(INVALID_VALUE, cuCtxSetLimit(0, (size_t)1 << 30));
    CHECK_STATUS(UNSUPPORTED_LIMIT, cuCtxSetLimit(1, 1 << 20));
    CHECK_STATUS(UNSUPPORTED_LIMIT, cuCtxGetLimit(&value, 2));
    CHECK_STATUS(INVALID_VALUE, cuCtxGetLimit(&value, 77));
    close_context(context);
}

static void primary_context_counts_uses(void)
{
    CUcontext primary;
    CUcontext again;
    CUcontext current;
    CUdeviceptr address;
    unsigned int flags;
    int is_active;
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
    CHECK_EQUAL(0, flags);
    CHECK_EQUAL(0, is_active);
    CHECK_STATUS(INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    CHECK_STATUS(INVALID_VALUE, cuDevicePrimaryCtxSetFlags_v2(0, 0x6));
    CHECK_SUCCESS(cuDevicePrimaryCtxSetFlags(0, 0x1));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK_SUCCESS(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&again, 0));
    CHECK(primary == again);
    CHECK_SUCCESS(cuCtxSetCurrent(primary));
    CHECK_SUCCESS(cuCtxGetFlags(&flags));
    CHECK_EQUAL(1, flags);
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 4096));
    CHECK_SUCCESS(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
    CHECK_EQUAL(1, flags);
    CHECK_EQUAL(1, is_active);
    CHECK_STATUS(INVALID_CONTEXT, cuCtxDestroy_v2(primary));
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
    CHECK_EQUAL(0, is_active);
    CHECK_STATUS(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CHECK_STATUS(INVALID_VALUE, cuMemFree_v2(address));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&again, 0));
    CHECK(primary == again);
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    CHECK_STATUS(INVALID_DEVICE, cuDevicePrimaryCtxRetain(&again, 1));
    CHECK_STATUS(INVALID_DEVICE, cuDevicePrimaryCtxRelease_v2(1));
    check_rules();
}

static void reset_leaves_uses(void)
{
    CUcontext primary;
    CUstream stream;
    CUdeviceptr address;
    int is_active;
    unsigned int flags;
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxReset_v2(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK_SUCCESS(cuCtxSetCurrent(primary));
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 1 << 16));
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    CHECK_SUCCESS(cuDevicePrimaryCtxReset(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
    CHECK_EQUAL(0, is_active);
    CHECK_STATUS(CONTEXT_IS_DESTROYED, cuMemAlloc_v2(&address, 1 << 16));
    CHECK_STATUS(INVALID_HANDLE, cuStreamDestroy_v2(stream));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK_SUCCESS(cuMemAlloc_v2(&address, 1 << 16));
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    CHECK_STATUS(INVALID_CONTEXT, cuDevicePrimaryCtxRelease_v2(0));
    check_rules();
}

static void reset_changes_number_of_primary_context(void)
{
    CUcontext primary;
    unsigned long long first;
    unsigned long long second;
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK_SUCCESS(cuCtxSetCurrent(primary));
    CHECK_SUCCESS(cuCtxGetId(NULL, &first));
    CHECK_SUCCESS(cuCtxGetId(primary, &second));
    CHECK_EQUAL(first, second);
    CHECK_SUCCESS(cuDevicePrimaryCtxReset_v2(0));
    CHECK_STATUS(CONTEXT_IS_DESTROYED, cuCtxGetId(NULL, &second));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK_SUCCESS(cuCtxGetId(NULL, &second));
    CHECK(first != second);
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
}

static void functions_are_found_by_version(void)
{
    void *function;
    CUdriverProcAddressQueryResult found;
    CHECK_SUCCESS(cuGetProcAddress("cuMemAlloc", &function, 3020, 0));
    CHECK(function == (void *)cuMemAlloc_v2);
    CHECK_SUCCESS(cuGetProcAddress_v2("cuMemAlloc", &function, 2000, 0, &found));
    CHECK(function == (void *)cuMemAlloc);
    CHECK_EQUAL(0, found);
    CHECK_SUCCESS(cuGetProcAddress("cuGetProcAddress", &function, 11030, 0));
    CHECK(function == (void *)cuGetProcAddress);
    CHECK_SUCCESS(cuGetProcAddress("cuGetProcAddress", &function, 12000, 0));
    CHECK(function == (void *)cuGetProcAddress_v2);
    CHECK_SUCCESS(cuGetProcAddress("cuLaunchKernel", &function, 12000, 2));
    CHECK(function == (void *)cuLaunchKernel_ptsz);
    CHECK_SUCCESS(cuGetProcAddress("cuLaunchKernel", &function, 12000, 1));
    CHECK(function == (void *)cuLaunchKernel);
    CHECK_STATUS(NOT_FOUND, cuGetProcAddress_v2("cuUnknown", &function, 12000, 0, &found));
    CHECK(function == NULL);
    CHECK_EQUAL(1, found);
    CHECK_STATUS(NOT_FOUND, cuGetProcAddress_v2("cuLaunchKernel", &function, 2000, 0, &found));
    CHECK_EQUAL(2, found);
    CHECK_STATUS(INVALID_VALUE, cuGetProcAddress("cuInit", &function, 12000, 4));
    CHECK_STATUS(NOT_FOUND, cuGetProcAddress_v2("", &function, 12000, 0, NULL));
}

static const CUuuid storage_identifier = {
    "\xc6\x93\x33\x6e\x11\x21\xdf\x11\xa8\xc3\x68\xf3\x55\xd8\x95\x93",
};
static const CUuuid runtime_identifier = {
    "\x6b\xd5\xfb\x6c\x5b\xf4\xe7\x4a\x89\x87\xd9\x39\x12\xfd\x9d\xf9",
};
static const CUuuid hooks_identifier = {
    "\xa0\x94\x79\x8c\x2e\x74\x2e\x74\x93\xf2\x08\x00\x20\x0c\x0a\x66",
};
static const CUuuid tls_identifier = {
    "\x42\xd8\x5a\x81\x23\xf6\xcb\x47\x82\x98\xf6\xe7\x8a\x3a\xec\xdc",
};
static const CUuuid checks_identifier = {
    "\x26\x3e\x88\x60\x7c\xd2\x61\x43\x92\xf6\xbb\xd5\x00\x6d\xfa\x7e",
};
static const CUuuid unknown_identifier = {
    "\xd4\x08\x20\x55\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c",
};

typedef void (*any_function)(void);
typedef CUresult (*put_function)(CUcontext, void *, void *, void (*)(CUcontext, void *, void *));
typedef CUresult (*remove_function)(CUcontext, void *);
typedef CUresult (*get_function)(void **, CUcontext, void *);

static int destroyed_values;
static CUcontext context_of_destructor;

static void destroy_value(CUcontext context, void *key, void *value)
{
    CHECK(key != NULL);
    CHECK(*(int *)value == 1);
    *(int *)value = 2;
    context_of_destructor = context;
    destroyed_values++;
}

static const any_function *table(const CUuuid *identifier)
{
    const void *found;
    CHECK_SUCCESS(cuGetExportTable(&found, identifier));
    return found;
}

static void contexts_have_storage(void)
{
    const any_function *functions = table(&storage_identifier);
    put_function put = (put_function)functions[0];
    remove_function remove = (remove_function)functions[1];
    get_function get = (get_function)functions[2];
    int key;
    int other_key;
    int values[12];
    void *found;
    CUcontext context = open_context();
    CUcontext primary;
    for (int i = 0; i < 12; i++)
        values[i] = 1;
    CHECK_STATUS(INVALID_HANDLE, get(&found, NULL, &key));
    CHECK_SUCCESS(put(NULL, &key, &values[0], destroy_value));
    CHECK_SUCCESS(put(context, &other_key, &values[1], NULL));
    CHECK_SUCCESS(get(&found, context, &key));
    CHECK(found == &values[0]);
    CHECK_SUCCESS(put(context, &key, &values[2], destroy_value));
    CHECK_SUCCESS(get(&found, NULL, &key));
    CHECK(found == &values[2]);
    CHECK_SUCCESS(remove(context, &other_key));
    CHECK_STATUS(INVALID_HANDLE, remove(context, &other_key));
    CHECK_STATUS(INVALID_HANDLE, get(&found, NULL, &other_key));
    for (int i = 3; i < 12; i++)
        CHECK_SUCCESS(put(context, &values[i], &values[i], destroy_value));
    CHECK_SUCCESS(cuCtxDestroy_v2(context));
    CHECK_EQUAL(10, destroyed_values);
    CHECK(context_of_destructor == context);
    CHECK_STATUS(INVALID_CONTEXT, get(&found, context, &key));
    CHECK_STATUS(INVALID_CONTEXT, get(&found, NULL, &key));
    values[0] = 1;
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK_SUCCESS(put(primary, &key, &values[0], destroy_value));
    CHECK_SUCCESS(cuDevicePrimaryCtxReset_v2(0));
    CHECK_EQUAL(11, destroyed_values);
    CHECK_STATUS(INVALID_HANDLE, get(&found, primary, &key));
    values[0] = 1;
    CHECK_SUCCESS(put(primary, &key, &values[0], destroy_value));
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    CHECK_EQUAL(12, destroyed_values);
}

static void runtimes_find_tables(void)
{
    const void *found;
    CUcontext primary;
    CUcontext retained;
    void *hooks = NULL;
    size_t words = 0;
    uint32_t first = 1;
    const void *second = &first;
    CHECK_STATUS(INVALID_VALUE, cuGetExportTable(&found, &unknown_identifier));
    CHECK(found == NULL);
    CHECK_STATUS(INVALID_VALUE, cuGetExportTable(NULL, &runtime_identifier));
    CHECK_SUCCESS(cuInit(0));
    const any_function *runtime = table(&runtime_identifier);
    CHECK_EQUAL(13 * 8, (size_t)runtime[0]);
    CHECK_SUCCESS(((CUresult (*)(CUcontext *, CUdevice))runtime[2])(&primary, 0));
    CHECK_STATUS(INVALID_DEVICE, ((CUresult (*)(CUcontext *, CUdevice))runtime[2])(&primary, 3));
    CHECK_SUCCESS(((CUresult (*)(size_t))runtime[7])(0));
    CHECK_STATUS(NOT_SUPPORTED, ((CUresult (*)(void))runtime[12])());
    CHECK_SUCCESS(cuCtxSetCurrent(primary));
    CHECK_STATUS(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&retained, 0));
    CHECK(primary == retained);
    CHECK_SUCCESS(cuCtxSynchronize());
    const any_function *callbacks = table(&hooks_identifier);
    CHECK_EQUAL(7 * 8, (size_t)callbacks[0]);
    ((void (*)(void **, size_t *))callbacks[2])(&hooks, &words);
    CHECK_EQUAL(1024, words);
    CHECK_EQUAL(0, ((uintptr_t *)hooks)[1023]);
    ((void (*)(void **, size_t *))callbacks[6])(&hooks, &words);
    CHECK_EQUAL(14, words);
    CHECK_EQUAL(0, ((uintptr_t *)hooks)[13]);
    CHECK_EQUAL(4 * 8, (size_t)table(&tls_identifier)[0]);
    const any_function *checks = table(&checks_identifier);
    CHECK_EQUAL(4 * 8, (size_t)checks[0]);
    CHECK_SUCCESS(((CUresult (*)(CUcontext, uint32_t *, const void **))checks[2])(primary, &first, &second));
    CHECK_EQUAL(0, first);
    CHECK(second == NULL);
    CHECK_EQUAL(0, ((uint32_t (*)(void))checks[3])());
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
}

static CUdeviceptr memory_of_destructor;

/* Runs after main. */
__attribute__((destructor)) static void use_after_main(void)
{
    if (memory_of_destructor == 0)
        return;
    CHECK_SUCCESS(cuMemsetD8_v2(memory_of_destructor, 7, 4096));
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuMemFree_v2(memory_of_destructor));
    CHECK_SUCCESS(cuDevicePrimaryCtxRelease_v2(0));
    puts("released after main");
    fflush(stdout);
}

static void library_answers_after_main(void)
{
    CUcontext primary;
    CHECK_SUCCESS(cuInit(0));
    CHECK_SUCCESS(cuDevicePrimaryCtxRetain(&primary, 0));
    CHECK_SUCCESS(cuCtxSetCurrent(primary));
    CHECK_SUCCESS(cuMemAlloc_v2(&memory_of_destructor, 4096));
}

static const struct test_case cases[] = {
    CASE(driver_must_be_initialized),
    CASE(errors_have_names_and_texts),
    CASE(device_has_properties),
    CASE(contexts_form_stack),
    CASE(context_is_zeroed_memory),
    CASE(destroyed_context_leaves_stack),
    CASE(context_below_top_is_destroyed),
    CASE(uses_of_context_are_counted),
    CASE(contexts_are_limited),
    CASE(context_has_properties),
    CASE(context_has_stack_limit),
    CASE(primary_context_counts_uses),
    CASE(reset_leaves_uses),
    CASE(reset_changes_number_of_primary_context),
    CASE(functions_are_found_by_version),
    CASE(contexts_have_storage),
    CASE(runtimes_find_tables),
    CASE(library_answers_after_main),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
