/*
 * CUDA program that is killed: victim FOLDER SEED
 *
 * It makes random calls of all kinds, until it is killed. Calls may fail: the memory of the virtual machine may be used up, for instance.
 */
#include "clients.h"

enum { STREAMS = 4, PIECES = 16, BYTES = 1 << 20, MOST_PIECE = 4 << 20 };

static void at_host(void *data)
{
    (void)data;
}

int main(int count, char **arguments)
{
    if (count != 3)
        fail("arguments=%d, expected FOLDER SEED", count - 1);
    uint64_t random = strtoull(arguments[2], NULL, 10) | 1;
    if (next_random(&random) % 8 == 0) {
        cuInit(0);
        for (;;)
            cuDeviceGetCount(&(int){0});
    }
    struct device device = open_with_module(arguments[1]);
    CUstream streams[STREAMS] = {NULL};
    CUdeviceptr pieces[PIECES] = {0};
    CUevent event;
    void *pinned;
    char *host = allocate(BYTES);
    CALL(cuEventCreate(&event, 0));
    CALL(cuMemAllocHost(&pinned, BYTES));
    *(uint32_t *)pinned = 0;
    for (int i = 1; i < STREAMS; i++)
        CALL(cuStreamCreate(&streams[i], next_random(&random) % 2 == 0 ? 0 : CU_STREAM_NON_BLOCKING));
    for (;;) {
        CUstream stream = streams[next_random(&random) % STREAMS];
        CUdeviceptr *piece = &pieces[next_random(&random) % PIECES];
        CUcontext other;
        CUmodule module;
        switch (next_random(&random) % 16) {
        case 0:
        case 1:
            if (*piece != 0)
                cuMemFree(*piece);
            if (cuMemAlloc(piece, BYTES + next_random(&random) % MOST_PIECE) != CUDA_SUCCESS)
                *piece = 0;
            break;
        case 2:
            if (*piece != 0)
                cuMemcpyHtoD(*piece, host, BYTES);
            break;
        case 3:
            if (*piece != 0)
                cuMemcpyDtoH(host, *piece, BYTES);
            break;
        case 4:
            if (*piece != 0)
                cuMemcpyHtoDAsync(*piece, pinned, BYTES, stream);
            break;
        case 5:
            if (*piece != 0)
                cuMemcpyDtoHAsync((char *)pinned + BYTES / 2, *piece, BYTES / 2, stream);
            break;
        case 6:
        case 7:
            if (*piece != 0)
                launch_add(&device, *piece, BYTES / 4, 1, stream);
            break;
        case 8:
            cuLaunchHostFunc(stream, at_host, NULL);
            break;
        case 9:
            cuEventRecord(event, stream);
            break;
        case 10:
            cuStreamSynchronize(stream);
            break;
        case 11:
            cuCtxSynchronize();
            break;
        case 12:
            if (cuCtxCreate(&other, 0, 0) == CUDA_SUCCESS)
                cuCtxDestroy(other);
            break;
        case 13:
            if (next_random(&random) % 16 == 0)
                launch_spin(&device, (CUdeviceptr)(uintptr_t)pinned, stream);
            break;
        case 14:
            module = load_module(arguments[1], "hostile");
            cuModuleUnload(module);
            break;
        default:
            if (*piece != 0)
                cuMemsetD8(*piece, (unsigned char)next_random(&random), BYTES);
            break;
        }
    }
}
