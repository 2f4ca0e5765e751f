/* Tests of memory, launches, streams and events of the runtime API on a backend. */
#define _GNU_SOURCE

#include "runtime.h"

#include <pthread.h>
#include <stdint.h>

enum { WORDS = 64, BYTES = WORDS * 4 };

static void *allocate(size_t bytes)
{
    void *pointer;
    CHECK_DONE(cudaMalloc(&pointer, bytes));
    return pointer;
}

static void memory_is_copied_and_filled(void)
{
    unsigned char sent[BYTES], received[BYTES];
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (unsigned char)(i * 7);
    unsigned char *device = allocate(2 * BYTES);
    CHECK_DONE(cudaMemcpy(device, sent, BYTES, cudaMemcpyHostToDevice));
    CHECK_DONE(cudaMemcpy(device + BYTES, device, BYTES, cudaMemcpyDeviceToDevice));
    CHECK_DONE(cudaMemcpy(received, device + BYTES, BYTES, cudaMemcpyDefault));
    CHECK(memcmp(sent, received, BYTES) == 0);
    CHECK_DONE(cudaMemset(device + 4, 0xab, 8));
    CHECK_DONE(cudaMemcpy(received, device, BYTES, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(sent[3], received[3]);
    CHECK_EQUAL(0xab, received[4]);
    CHECK_EQUAL(0xab, received[11]);
    CHECK_EQUAL(sent[12], received[12]);
    CHECK_EQUAL(cudaErrorInvalidMemcpyDirection, cudaMemcpy(device, sent, 4, (enum cudaMemcpyKind)9));
    CHECK_DONE(cudaFree(device));
    CHECK_DONE(cudaFree(NULL));
    CHECK_EQUAL(cudaErrorInvalidValue, cudaFree(device));
}

static void empty_memory_is_null(void)
{
    void *pointer = &pointer;
    CHECK_DONE(cudaMalloc(&pointer, 0));
    CHECK(pointer == NULL);
    CHECK_EQUAL(cudaErrorInvalidValue, cudaMalloc(NULL, 4));
    CHECK_EQUAL(cudaErrorMemoryAllocation, cudaMalloc(&pointer, (size_t)1 << 39));
}

static void rows_of_pitched_memory_are_copied(void)
{
    enum { WIDTH = 20, HEIGHT = 5 };
    unsigned char sent[HEIGHT][WIDTH], received[HEIGHT][WIDTH];
    for (int i = 0; i < HEIGHT * WIDTH; i++)
        sent[i / WIDTH][i % WIDTH] = (unsigned char)i;
    void *device;
    size_t pitch;
    CHECK_DONE(cudaMallocPitch(&device, &pitch, WIDTH, HEIGHT));
    CHECK(pitch >= WIDTH);
    CHECK_DONE(cudaMemset2D(device, pitch, 0xff, WIDTH, HEIGHT));
    CHECK_DONE(cudaMemcpy2D(device, pitch, sent, WIDTH, WIDTH, HEIGHT - 1, cudaMemcpyHostToDevice));
    CHECK_DONE(cudaMemcpy2D(received, WIDTH, device, pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost));
    CHECK(memcmp(sent, received, WIDTH * (HEIGHT - 1)) == 0);
    CHECK_EQUAL(0xff, received[HEIGHT - 1][WIDTH - 1]);
    CHECK_EQUAL(cudaErrorInvalidPitchValue, cudaMemcpy2D(device, 8, sent, WIDTH, WIDTH, 1, cudaMemcpyHostToDevice));
    CHECK_DONE(cudaFree(device));
}

static void boxes_are_copied_and_filled(void)
{
    enum { WIDTH = 12, HEIGHT = 3, DEPTH = 4 };
    unsigned char sent[DEPTH][HEIGHT][WIDTH], received[DEPTH][HEIGHT][WIDTH];
    for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
        ((unsigned char *)sent)[i] = (unsigned char)i;
    struct cudaPitchedPtr device;
    const struct cudaExtent extent = {WIDTH, HEIGHT, DEPTH};
    CHECK_DONE(cudaMalloc3D(&device, extent));
    CHECK_EQUAL(WIDTH, device.xsize);
    CHECK_EQUAL(HEIGHT, device.ysize);
    struct cudaMemcpy3DParms copy = {
        .srcPtr = {sent, WIDTH, WIDTH, HEIGHT}, .dstPtr = device, .extent = extent, .kind = cudaMemcpyHostToDevice};
    CHECK_DONE(cudaMemcpy3D(&copy));
    /* The rows from the second on, of all slices. */
    struct cudaPitchedPtr rest = device;
    rest.ptr = (char *)device.ptr + device.pitch;
    CHECK_DONE(cudaMemset3D(rest, 0x5a, (struct cudaExtent){WIDTH, HEIGHT - 1, DEPTH}));
    copy = (struct cudaMemcpy3DParms){
        .srcPtr = device, .dstPtr = {received, WIDTH, WIDTH, HEIGHT}, .extent = extent, .kind = cudaMemcpyDeviceToHost};
    CHECK_DONE(cudaMemcpy3D(&copy));
    for (int z = 0; z < DEPTH; z++) {
        CHECK(memcmp(sent[z][0], received[z][0], WIDTH) == 0);
        CHECK_EQUAL(0x5a, received[z][1][0]);
        CHECK_EQUAL(0x5a, received[z][HEIGHT - 1][WIDTH - 1]);
    }
    CHECK_DONE(cudaFree(device.ptr));
}

static void pinned_memory_is_mapped(void)
{
    unsigned int *host;
    void *device;
    register_modules();
    CHECK_DONE(cudaHostAlloc((void **)&host, BYTES, cudaHostAllocMapped));
    CHECK_DONE(cudaHostGetDevicePointer(&device, host, 0));
    CHECK_DONE(launch(&number, WORDS, device, 5));
    CHECK_DONE(cudaDeviceSynchronize());
    for (unsigned int i = 0; i < WORDS; i++)
        CHECK_EQUAL(i + 5, host[i]);
    unsigned int flags;
    CHECK_DONE(cudaHostGetFlags(&flags, host));
    CHECK((flags & cudaHostAllocMapped) != 0);
    CHECK_DONE(cudaFreeHost(host));
    CHECK_DONE(cudaFreeHost(NULL));
}

static void registered_memory_is_copied_but_not_mapped(void)
{
    static unsigned int host[4096];
    CHECK_DONE(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
    CHECK_EQUAL(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
    CHECK_DONE(cudaHostUnregister(host));
    CHECK_EQUAL(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host));
    CHECK_EQUAL(cudaErrorNotSupported, cudaHostRegister(host, sizeof host, cudaHostRegisterMapped));
}

static void pointers_are_described(void)
{
    struct cudaPointerAttributes attributes;
    int local;
    void *device = allocate(BYTES);
    void *host;
    CHECK_DONE(cudaMallocHost(&host, BYTES));
    CHECK_DONE(cudaPointerGetAttributes(&attributes, device));
    CHECK_EQUAL(cudaMemoryTypeDevice, attributes.type);
    CHECK_EQUAL(0, attributes.device);
    CHECK(attributes.devicePointer == device);
    CHECK_DONE(cudaPointerGetAttributes(&attributes, host));
    CHECK_EQUAL(cudaMemoryTypeHost, attributes.type);
    CHECK(attributes.hostPointer == host);
    CHECK_DONE(cudaPointerGetAttributes(&attributes, &local));
    CHECK_EQUAL(cudaMemoryTypeUnregistered, attributes.type);
    CHECK(attributes.devicePointer == NULL);
    CHECK_EQUAL(cudaInvalidDeviceId, attributes.device);
}

static void free_memory_is_counted(void)
{
    size_t before, after, total;
    CHECK_DONE(cudaMemGetInfo(&before, &total));
    CHECK(before > 0 && before <= total);
    void *device = allocate((size_t)16 << 20);
    CHECK_DONE(cudaMemGetInfo(&after, NULL));
    CHECK(after <= before - ((size_t)16 << 20));
    CHECK_DONE(cudaFree(device));
}

static void kernel_of_cubin_runs(void)
{
    register_modules();
    void *device = allocate(BYTES);
    CHECK_DONE(launch(&number, WORDS, device, 100));
    CHECK_DONE(cudaGetLastError());
    check_words(device, WORDS, 100, 1);
}

static void kernel_of_fatbin_with_ptx_runs(void)
{
    register_modules();
    void *device = allocate(BYTES);
    CHECK_DONE(launch(&twice, WORDS, device, 7));
    check_words(device, WORDS, 7, 2);
}

static void configured_call_runs(void)
{
    register_modules();
    void *device = allocate(BYTES);
    unsigned int added = 9;
    CHECK_EQUAL(cudaErrorMissingConfiguration, cudaLaunch(&number));
    CHECK_DONE(cudaConfigureCall((dim3){2, 1, 1}, (dim3){WORDS / 2, 1, 1}, 0, NULL));
    CHECK_DONE(cudaSetupArgument(&device, sizeof device, 0));
    CHECK_DONE(cudaSetupArgument(&added, sizeof added, 8));
    CHECK_EQUAL(cudaErrorInvalidValue, cudaSetupArgument(&added, sizeof added, 4096));
    CHECK_DONE(cudaLaunch(&number));
    check_words(device, WORDS, 9, 1);
}

static void pushed_configurations_are_popped_in_reverse(void)
{
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
    CHECK_EQUAL(0, __cudaPushCallConfiguration((dim3){1, 2, 3}, (dim3){4, 5, 6}, 7, cudaStreamPerThread));
    CHECK_EQUAL(0, __cudaPushCallConfiguration((dim3){8, 1, 1}, (dim3){9, 1, 1}, 0, NULL));
    CHECK_DONE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    CHECK_EQUAL(8, grid.x);
    CHECK(stream == NULL);
    CHECK_DONE(__cudaPopCallConfiguration(&grid, &block, &shared, &stream));
    CHECK_EQUAL(3, grid.z);
    CHECK_EQUAL(5, block.y);
    CHECK_EQUAL(7, shared);
    CHECK(stream == cudaStreamPerThread);
    CHECK_EQUAL(cudaErrorMissingConfiguration, __cudaPopCallConfiguration(&grid, &block, &shared, &stream));
}

static void wrong_launches_fail(void)
{
    register_modules();
    char unknown;
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(&unknown, 1, NULL, 0));
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, launch(counters, 1, NULL, 0));
    CHECK_EQUAL(cudaErrorInvalidConfiguration, launch(&number, 0, NULL, 0));
    CHECK_EQUAL(cudaErrorInvalidConfiguration, launch(&number, 1025, NULL, 0));
    CHECK_EQUAL(cudaErrorLaunchOutOfResources, launch(&scale, 1024, NULL, 0));
}

static void variables_are_copied(void)
{
    register_modules();
    unsigned int sent[16], received[16] = {0};
    void *address, *device = allocate(BYTES);
    size_t bytes;
    for (unsigned int i = 0; i < 16; i++)
        sent[i] = i * i;
    CHECK_DONE(cudaGetSymbolSize(&bytes, counters));
    CHECK_EQUAL(sizeof counters, bytes);
    CHECK_DONE(cudaGetSymbolAddress(&address, counters));
    CHECK_DONE(cudaMemcpyToSymbol(counters, sent, sizeof sent, 0, cudaMemcpyHostToDevice));
    CHECK_DONE(launch(&twice, 3, device, 0));
    CHECK_DONE(cudaMemcpyFromSymbol(received, counters, sizeof received, 0, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(3, received[0]);
    CHECK_EQUAL(225, received[15]);
    CHECK_DONE(cudaMemcpyFromSymbol(received, counters, 4, 8, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(4, received[0]);
    check_words((char *)address + 4, 1, 1, 0);
    CHECK_EQUAL(cudaErrorInvalidValue, cudaMemcpyToSymbol(counters, sent, 8, 60, cudaMemcpyHostToDevice));
    CHECK_EQUAL(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, sent));
    CHECK_EQUAL(cudaErrorInvalidMemcpyDirection, cudaMemcpyToSymbol(counters, sent, 4, 0, cudaMemcpyDeviceToHost));
}

static void attributes_of_kernels_are_read(void)
{
    register_modules();
    struct cudaFuncAttributes attributes;
    int blocks;
    CHECK_DONE(cudaFuncGetAttributes(&attributes, &scale));
    CHECK_EQUAL(63, attributes.numRegs);
    CHECK_EQUAL(512, attributes.maxThreadsPerBlock);
    CHECK_EQUAL(20, attributes.binaryVersion);
    CHECK_DONE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &scale, 512, 0));
    CHECK_EQUAL(1, blocks);
    CHECK_EQUAL(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&attributes, &blocks));
}

static void streams_and_events_order_work(void)
{
    register_modules();
    cudaStream_t first, second;
    cudaEvent_t start, end;
    float milliseconds = -1;
    unsigned int *host;
    void *device = allocate(BYTES);
    CHECK_DONE(cudaStreamCreate(&first));
    CHECK_DONE(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    CHECK_DONE(cudaEventCreate(&start));
    CHECK_DONE(cudaEventCreate(&end));
    CHECK_DONE(cudaMallocHost((void **)&host, BYTES));
    unsigned int added = 3;
    void *parameters[] = {&device, &added};
    CHECK_DONE(cudaEventRecord(start, first));
    CHECK_DONE(cudaMemsetAsync(device, 0, BYTES, first));
    CHECK_DONE(cudaLaunchKernel(&number, (dim3){1, 1, 1}, (dim3){WORDS, 1, 1}, parameters, 0, first));
    CHECK_DONE(cudaEventRecord(end, first));
    CHECK_DONE(cudaStreamWaitEvent(second, end, 0));
    CHECK_DONE(cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, second));
    CHECK_DONE(cudaStreamSynchronize(second));
    CHECK_EQUAL(WORDS + 2, host[WORDS - 1]);
    CHECK_DONE(cudaEventSynchronize(end));
    CHECK_DONE(cudaEventQuery(end));
    CHECK_DONE(cudaStreamQuery(first));
    CHECK_DONE(cudaEventElapsedTime(&milliseconds, start, end));
    CHECK(milliseconds >= 0);
    CHECK_DONE(cudaStreamDestroy(first));
    CHECK_DONE(cudaEventDestroy(start));
    CHECK_EQUAL(cudaErrorInvalidResourceHandle, cudaStreamDestroy(NULL));
    CHECK_EQUAL(cudaErrorInvalidResourceHandle, cudaStreamSynchronize(first));
}

/* Names of CUDA for programs whose default stream is the calling thread's. */
cudaError_t cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **parameters, size_t sharedBytes, cudaStream_t stream);
cudaError_t cudaMemcpy_ptds(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);

static void thread_stream_orders_work(void)
{
    register_modules();
    unsigned int added = 1, received = 0;
    void *device = allocate(BYTES);
    void *parameters[] = {&device, &added};
    CHECK_DONE(cudaLaunchKernel_ptsz(&number, (dim3){1, 1, 1}, (dim3){WORDS, 1, 1}, parameters, 0, NULL));
    CHECK_DONE(cudaMemcpy_ptds(&received, (char *)device + 4, 4, cudaMemcpyDeviceToHost));
    CHECK_EQUAL(2, received);
}

struct told {
    _Atomic int calls;
    cudaError_t status;
};

static void tell(cudaStream_t stream, cudaError_t status, void *data)
{
    struct told *told = data;
    (void)stream;
    told->status = status;
    told->calls++;
}

static void tell_function(void *data)
{
    ((struct told *)data)->calls++;
}

static void host_functions_run_in_order(void)
{
    struct told told = {0, cudaErrorUnknown};
    cudaStream_t stream;
    CHECK_DONE(cudaStreamCreate(&stream));
    CHECK_DONE(cudaStreamAddCallback(stream, tell, &told, 0));
    CHECK_DONE(cudaLaunchHostFunc(stream, tell_function, &told));
    CHECK_DONE(cudaStreamSynchronize(stream));
    CHECK_EQUAL(2, told.calls);
    CHECK_EQUAL(cudaSuccess, told.status);
    CHECK_EQUAL(cudaErrorInvalidValue, cudaStreamAddCallback(stream, tell, &told, 1));
}

static void printed_text_appears_at_synchronization(void)
{
    register_modules();
    char text[64];
    FILE *file = tmpfile();
    CHECK(file != NULL);
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    CHECK(dup2(fileno(file), STDOUT_FILENO) >= 0);
    CHECK_DONE(launch(&hello, 2, NULL, 42));
    CHECK_DONE(cudaDeviceSynchronize());
    fflush(stdout);
    CHECK(dup2(saved, STDOUT_FILENO) >= 0);
    size_t length = (size_t)lseek(fileno(file), 0, SEEK_END);
    CHECK(length < sizeof text);
    CHECK(pread(fileno(file), text, length, 0) == (ssize_t)length);
    text[length] = '\0';
    CHECK(strcmp("value 42\nvalue 42\n", text) == 0);
}

static void *launch_in_thread(void *device)
{
    cudaError_t outcome = launch(&number, WORDS, device, 77);
    return (void *)(uintptr_t)(outcome != cudaSuccess ? outcome : cudaDeviceSynchronize());
}

static void threads_share_the_context(void)
{
    register_modules();
    void *device = allocate(BYTES), *outcome;
    pthread_t thread;
    CHECK_EQUAL(0, pthread_create(&thread, NULL, launch_in_thread, device));
    CHECK_EQUAL(0, pthread_join(thread, &outcome));
    CHECK_EQUAL(cudaSuccess, (uintptr_t)outcome);
    check_words(device, WORDS, 77, 1);
}

int main(int count, char **arguments)
{
    static const struct test_case cases[] = {
        CASE(memory_is_copied_and_filled),
        CASE(empty_memory_is_null),
        CASE(rows_of_pitched_memory_are_copied),
        CASE(boxes_are_copied_and_filled),
        CASE(pinned_memory_is_mapped),
        CASE(registered_memory_is_copied_but_not_mapped),
        CASE(pointers_are_described),
        CASE(free_memory_is_counted),
        CASE(kernel_of_cubin_runs),
        CASE(kernel_of_fatbin_with_ptx_runs),
        CASE(configured_call_runs),
        CASE(pushed_configurations_are_popped_in_reverse),
        CASE(wrong_launches_fail),
        CASE(variables_are_copied),
        CASE(attributes_of_kernels_are_read),
        CASE(streams_and_events_order_work),
        CASE(thread_stream_orders_work),
        CASE(host_functions_run_in_order),
        CASE(printed_text_appears_at_synchronization),
        CASE(threads_share_the_context),
    };
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
