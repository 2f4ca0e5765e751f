/* Tests of errors, devices and the four libraries of the runtime API on a backend. */
#define _GNU_SOURCE

#include "runtime.h"

#include <dlfcn.h>
#include <stdint.h>
#include <sys/wait.h>

enum { WORDS = 32 };

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);

static void last_error_stays_until_taken(void)
{
    void *pointer;
    CHECK_EQUAL(cudaErrorInvalidDevice, cudaSetDevice(17));
    CHECK_DONE(cudaMalloc(&pointer, 4));
    CHECK_EQUAL(cudaErrorInvalidDevice, cudaPeekAtLastError());
    CHECK_EQUAL(cudaErrorInvalidDevice, cudaGetLastError());
    CHECK_EQUAL(cudaSuccess, cudaGetLastError());
    CHECK(strcmp("cudaErrorInvalidDevice", cudaGetErrorName(cudaErrorInvalidDevice)) == 0);
    CHECK(strlen(cudaGetErrorString(cudaErrorInvalidDevice)) > 0);
    CHECK(strcmp("unrecognized error code", cudaGetErrorString((cudaError_t)12345)) == 0);
}

/* A kernel's error is returned by each following call, until the program resets the device. */
static void check_sticky(cudaError_t expected)
{
    void *pointer;
    CHECK_EQUAL(expected, cudaDeviceSynchronize());
    CHECK_EQUAL(expected, cudaGetLastError());
    CHECK_EQUAL(expected, cudaMalloc(&pointer, 4));
    CHECK_EQUAL(expected, cudaDeviceSynchronize());
    CHECK_DONE(cudaDeviceReset());
    cudaGetLastError();
    CHECK_DONE(cudaMalloc(&pointer, WORDS * 4));
    CHECK_DONE(launch(&twice, WORDS, pointer, 1));
    check_words(pointer, WORDS, 1, 2);
    CHECK_EQUAL(cudaSuccess, cudaGetLastError());
}

static void trap_is_sticky_until_reset(void)
{
    register_modules();
    CHECK_DONE(launch(&fail, 1, NULL, 0));
    check_sticky(cudaErrorLaunchFailure);
}

static void illegal_address_is_sticky_until_reset(void)
{
    register_modules();
    CHECK_DONE(launch(&poke, 1, (void *)0x10, 0));
    check_sticky(cudaErrorIllegalAddress);
}

static void failed_assertion_is_sticky_until_reset(void)
{
    register_modules();
    CHECK_DONE(launch(&check, 1, NULL, 3));
    check_sticky(cudaErrorAssert);
}

static void reset_frees_memory_and_modules(void)
{
    register_modules();
    void *device;
    for (unsigned int i = 0; i < 3; i++) {
        CHECK_DONE(cudaMalloc(&device, WORDS * 4));
        CHECK_DONE(launch(&number, WORDS, device, i));
        check_words(device, WORDS, i, 1);
        CHECK_DONE(cudaDeviceReset());
    }
    CHECK_EQUAL(cudaErrorInvalidValue, cudaFree(device));
}

static void reset_by_the_driver_api_loads_modules_again(void)
{
    register_modules();
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CHECK(driver != NULL);
    int (*reset)(int);
    *(void **)&reset = dlsym(driver, "cuDevicePrimaryCtxReset_v2");
    CHECK(reset != NULL);
    unsigned int value;
    void *device;
    for (unsigned int i = 1; i < 4; i++) {
        CHECK_DONE(cudaMalloc(&device, WORDS * 4));
        CHECK_DONE(launch(&number, WORDS, device, i));
        check_words(device, WORDS, i, 1);
        CHECK_DONE(cudaMemcpyToSymbol(counters, &i, sizeof i, 0, cudaMemcpyHostToDevice));
        CHECK_DONE(cudaMemcpyFromSymbol(&value, counters, sizeof value, 0, cudaMemcpyDeviceToHost));
        CHECK_EQUAL(i, value);
        CHECK_EQUAL(0, reset(0));
    }
    CHECK_DONE(cudaDeviceReset());
    CHECK_DONE(cudaMalloc(&device, WORDS * 4));
    CHECK_DONE(launch(&twice, WORDS, device, 1));
    check_words(device, WORDS, 1, 2);
}

static void device_has_properties(void)
{
    struct cudaDeviceProp properties;
    int count, device, value;
    CHECK_DONE(cudaGetDeviceCount(&count));
    CHECK_EQUAL(1, count);
    CHECK_DONE(cudaGetDevice(&device));
    CHECK_EQUAL(0, device);
    CHECK_DONE(cudaSetDevice(0));
    CHECK_DONE(cudaGetDeviceProperties_v2(&properties, 0));
    CHECK(strlen(properties.name) > 0);
    CHECK_EQUAL(2, properties.major);
    CHECK_EQUAL(0, properties.minor);
    CHECK_EQUAL(32, properties.warpSize);
    CHECK_EQUAL(1024, properties.maxThreadsPerBlock);
    CHECK_EQUAL(1024, properties.maxThreadsDim[0]);
    CHECK_EQUAL(1, properties.unifiedAddressing);
    CHECK(properties.totalGlobalMem > 0);
    CHECK_DONE(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK_EQUAL(value, properties.multiProcessorCount);
    CHECK_EQUAL(cudaErrorInvalidDevice, cudaGetDeviceProperties_v2(&properties, 1));
    CHECK_DONE(cudaChooseDevice(&device, &properties));
    CHECK_EQUAL(0, device);
    CHECK_EQUAL(cudaErrorInvalidDevice, cudaDeviceEnablePeerAccess(0, 0));
    CHECK_DONE(cudaRuntimeGetVersion(&value));
    CHECK_EQUAL(12040, value);
    CHECK_DONE(cudaDriverGetVersion(&value));
    CHECK(value >= 12000);
}

static void unsupported_functions_say_so(void)
{
    void *pointer;
    CHECK_EQUAL(cudaErrorNotSupported, cudaMallocManaged(&pointer, 4, cudaMemAttachGlobal));
    CHECK_EQUAL(cudaErrorNotSupported, cudaGetLastError());
}

static void child_of_fork_is_not_initialized(void)
{
    void *pointer;
    int status;
    CHECK_DONE(cudaMalloc(&pointer, 4));
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQUAL(cudaErrorInitializationError, cudaMalloc(&pointer, 4));
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQUAL(0, status);
}

static void no_backend_is_no_device(void)
{
    int count = 7;
    void *pointer;
    setenv("GPUVM_CUDA", "unix:/nonexistent/cuda.sock", 1);
    CHECK_EQUAL(cudaErrorNoDevice, cudaGetDeviceCount(&count));
    CHECK_EQUAL(0, count);
    CHECK_EQUAL(cudaErrorNoDevice, cudaMalloc(&pointer, 4));
    CHECK_EQUAL(cudaErrorNoDevice, cudaGetLastError());
    /* A launch that fails takes its configuration. */
    for (int i = 0; i < 100; i++) {
        CHECK_DONE(cudaConfigureCall((dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, NULL));
        CHECK_EQUAL(cudaErrorNoDevice, cudaLaunch(&number));
    }
}

/* Started by the next case, without a path to the driver library. */
static void without_driver(void)
{
    int version = 7;
    void *pointer;
    if (getenv("LD_LIBRARY_PATH") != NULL)
        return;
    CHECK_EQUAL(cudaErrorInsufficientDriver, cudaMalloc(&pointer, 4));
    CHECK_DONE(cudaDriverGetVersion(&version));
    CHECK_EQUAL(0, version);
    CHECK_DONE(cudaRuntimeGetVersion(&version));
}

/* The program finds the runtime library by its own path; the runtime library has no path to the driver. */
static void no_driver_is_insufficient_driver(void)
{
    unsetenv("LD_LIBRARY_PATH");
    execl("/proc/self/exe", "errors_test", "without_driver", NULL);
    CHECK(0);
}

/* One of the four libraries. */
struct library {
    void *handle;
    const char *version; /* of the symbols; null if they have none */
};

static struct library open_library(const char *name, const char *version)
{
    struct library library = {dlopen(name, RTLD_NOW | RTLD_LOCAL), version};
    if (library.handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    CHECK(library.handle != NULL);
    return library;
}

static void *find(struct library library, const char *name)
{
    void *found = library.version != NULL ? dlvsym(library.handle, name, library.version) : dlsym(library.handle, name);
    if (found == NULL)
        fprintf(stderr, "%s\n", dlerror());
    CHECK(found != NULL);
    return found;
}

/* Calls a function of a library; the last parameter is the function's type. */
#define CALL(library, name, ...) ((__typeof__(name) *)find(library, #name))(__VA_ARGS__)

static void check_library(const char *name, const char *version, int expected, size_t properties_bytes, int no_symbol)
{
    struct library library = open_library(name, version);
    unsigned char properties[2048];
    int level;
    void *pointer;
    memset(properties, 0xa5, sizeof properties);
    CHECK_DONE(CALL(library, cudaRuntimeGetVersion, &level));
    CHECK_EQUAL(expected, level);
    CHECK_DONE(CALL(library, cudaGetDeviceProperties, (struct cudaDeviceProp *)(void *)properties, 0));
    for (size_t i = properties_bytes; i < sizeof properties; i++)
        CHECK_EQUAL(0xa5, properties[i]);
    CHECK(properties[properties_bytes - 1] != 0xa5);
    CHECK_DONE(CALL(library, cudaMalloc, &pointer, 64));
    CHECK_EQUAL(no_symbol, CALL(library, cudaGetSymbolAddress, &pointer, properties));
    CHECK_EQUAL(no_symbol, CALL(library, cudaGetLastError));
    CHECK(strcmp("cudaErrorInvalidSymbol", CALL(library, cudaGetErrorName, (cudaError_t)no_symbol)) == 0);
    CHECK_DONE(CALL(library, cudaFree, pointer));
}

static void libraries_have_the_structures_and_numbers_of_their_version(void)
{
    check_library("libcudart.so.7.5", NULL, 7050, 632, 13);
    check_library("libcudart.so.8.0", NULL, 8000, 648, 13);
    check_library("libcudart.so.11.0", "libcudart.so.11.0", 11080, offsetof(struct cudaDeviceProp, hostRegisterSupported), 13);
    check_library("libcudart.so.12", "libcudart.so.12", 12040, offsetof(struct cudaDeviceProp, hostRegisterSupported), 13);
    /* The number of an error that CUDA 10.1 changed. */
    struct library old = open_library("libcudart.so.8.0", NULL);
    CHECK_EQUAL(10, CALL(old, cudaSetDevice, 17));
    CHECK(strcmp("cudaErrorInvalidDevice", CALL(old, cudaGetErrorName, (cudaError_t)10)) == 0);
}

static void unknown_pointer_is_an_error_before_cuda_11(void)
{
    struct library old = open_library("libcudart.so.8.0", NULL);
    struct {
        enum cudaMemoryType type;
        int device;
        void *device_pointer;
        void *host_pointer;
        int is_managed;
    } attributes;
    void *pointer;
    CHECK_EQUAL(11, CALL(old, cudaPointerGetAttributes, (struct cudaPointerAttributes *)(void *)&attributes, &old));
    CHECK_DONE(CALL(old, cudaMalloc, &pointer, 64));
    CHECK_DONE(CALL(old, cudaPointerGetAttributes, (struct cudaPointerAttributes *)(void *)&attributes, pointer));
    CHECK_EQUAL(cudaMemoryTypeDevice, attributes.type);
    CHECK(attributes.device_pointer == pointer);
    CHECK_EQUAL(0, attributes.is_managed);
}

void __cudaRegisterTexture(void **handle, const struct textureReference *host, const void **device, const char *name, int dimensions,
    int isNormalized, int isExternal);

static void texture_reference_reads_linear_memory(void)
{
    struct library library = open_library("libcudart.so.11.0", "libcudart.so.11.0");
    static struct textureReference texture = {.channelDesc = {32, 0, 0, 0, cudaChannelFormatKindUnsigned}};
    struct wrapper wrapper = WRAPPER(test_cubin());
    unsigned int sent[WORDS], received[WORDS];
    void *in, *out;
    size_t offset = 1;
    for (unsigned int i = 0; i < WORDS; i++)
        sent[i] = 3 * i + 1;
    void **handle = CALL(library, __cudaRegisterFatBinary, &wrapper);
    CALL(library, __cudaRegisterFunction, handle, &texel, &texel, "texel", -1, NULL, NULL, NULL, NULL, NULL);
    CALL(library, __cudaRegisterTexture, handle, &texture, NULL, "texture", 1, 0, 0);
    CHECK_DONE(CALL(library, cudaMalloc, &in, sizeof sent));
    CHECK_DONE(CALL(library, cudaMalloc, &out, sizeof sent));
    CHECK_DONE(CALL(library, cudaMemcpy, in, sent, sizeof sent, cudaMemcpyHostToDevice));
    CHECK_DONE(CALL(library, cudaBindTexture, &offset, &texture, in, &texture.channelDesc, 4294967295u));
    CHECK_EQUAL(0, offset);
    void *parameters[] = {&out};
    CHECK_DONE(CALL(library, cudaLaunchKernel, &texel, (dim3){1, 1, 1}, (dim3){WORDS, 1, 1}, parameters, 0, NULL));
    CHECK_DONE(CALL(library, cudaMemcpy, received, out, sizeof received, cudaMemcpyDeviceToHost));
    CHECK(memcmp(sent, received, sizeof sent) == 0);
    CHECK_DONE(CALL(library, cudaUnbindTexture, &texture));
    struct cudaChannelFormatDesc three = {32, 32, 32, 0, cudaChannelFormatKindFloat};
    CHECK_EQUAL(cudaErrorInvalidChannelDescriptor, CALL(library, cudaBindTexture, NULL, &texture, in, &three, 64));
    CALL(library, __cudaUnregisterFatBinary, handle);
}

/* cudaTextureDesc has grown: a library writes no more than its version has. */
static void texture_object_has_the_structures_of_its_version(void)
{
    static const struct {
        const char *name;
        const char *version;
        size_t bytes;
    } libraries[] = {
        {"libcudart.so.7.5", NULL, 48},
        {"libcudart.so.8.0", NULL, 64},
        {"libcudart.so.11.0", "libcudart.so.11.0", 64},
        {"libcudart.so.12", "libcudart.so.12", sizeof(struct cudaTextureDesc)},
    };
    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        struct library library = open_library(libraries[i].name, libraries[i].version);
        struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear}, found;
        unsigned char given[sizeof(struct cudaTextureDesc) + 16], received[sizeof given];
        cudaTextureObject_t object, other;
        memset(given, 1, sizeof given);
        memset(&((struct cudaTextureDesc *)(void *)given)->readMode, 0, sizeof(enum cudaTextureReadMode));
        memset(received, 0xa5, sizeof received);
        resource.res.linear.desc = (struct cudaChannelFormatDesc){32, 32, 0, 0, cudaChannelFormatKindSigned};
        resource.res.linear.sizeInBytes = 64;
        CHECK_DONE(CALL(library, cudaMalloc, &resource.res.linear.devPtr, 64));
        CHECK_DONE(CALL(library, cudaCreateTextureObject, &object, &resource, (struct cudaTextureDesc *)(void *)given, NULL));
        CHECK_DONE(CALL(library, cudaCreateTextureObject, &other, &resource, (struct cudaTextureDesc *)(void *)given, NULL));
        CHECK(object != other);
        CHECK_DONE(CALL(library, cudaGetTextureObjectTextureDesc, (struct cudaTextureDesc *)(void *)received, object));
        CHECK(memcmp(given, received, libraries[i].bytes) == 0);
        for (size_t byte = libraries[i].bytes; byte < sizeof received; byte++)
            CHECK_EQUAL(0xa5, received[byte]);
        CHECK_DONE(CALL(library, cudaGetTextureObjectResourceDesc, &found, other));
        CHECK_EQUAL(64, found.res.linear.sizeInBytes);
        struct cudaResourceViewDesc view;
        CHECK(CALL(library, cudaGetTextureObjectResourceViewDesc, &view, object) != cudaSuccess);
        CHECK_DONE(CALL(library, cudaDestroyTextureObject, object));
        CHECK(CALL(library, cudaDestroyTextureObject, object) != cudaSuccess);
        CHECK_DONE(CALL(library, cudaGetTextureObjectResourceDesc, &found, other));
        CHECK_DONE(CALL(library, cudaDestroyTextureObject, other));
    }
}

static void unregistered_module_is_unknown(void)
{
    struct wrapper wrapper = WRAPPER(test_cubin());
    void *device;
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &number, &number, "number", -1, NULL, NULL, NULL, NULL, NULL);
    CHECK_DONE(cudaMalloc(&device, WORDS * 4));
    CHECK_DONE(launch(&number, WORDS, device, 0));
    __cudaUnregisterFatBinary(handle);
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&number, WORDS, device, 0));
}

static void module_without_code_for_the_device_fails_at_the_launch(void)
{
    struct wrapper wrapper = WRAPPER("this is no module");
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &number, &number, "number", -1, NULL, NULL, NULL, NULL, NULL);
    CHECK_DONE(cudaDeviceSynchronize());
    CHECK(launch(&number, 1, NULL, 0) != cudaSuccess);
    CHECK(cudaGetLastError() != cudaSuccess);
    __cudaUnregisterFatBinary(handle);
}

int main(int count, char **arguments)
{
    static const struct test_case cases[] = {
        CASE(last_error_stays_until_taken),
        CASE(trap_is_sticky_until_reset),
        CASE(illegal_address_is_sticky_until_reset),
        CASE(failed_assertion_is_sticky_until_reset),
        CASE(reset_frees_memory_and_modules),
        CASE(reset_by_the_driver_api_loads_modules_again),
        CASE(device_has_properties),
        CASE(unsupported_functions_say_so),
        CASE(child_of_fork_is_not_initialized),
        CASE(no_backend_is_no_device),
        CASE(without_driver),
        CASE(no_driver_is_insufficient_driver),
        CASE(libraries_have_the_structures_and_numbers_of_their_version),
        CASE(unknown_pointer_is_an_error_before_cuda_11),
        CASE(texture_reference_reads_linear_memory),
        CASE(texture_object_has_the_structures_of_its_version),
        CASE(unregistered_module_is_unknown),
        CASE(module_without_code_for_the_device_fails_at_the_launch),
    };
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
