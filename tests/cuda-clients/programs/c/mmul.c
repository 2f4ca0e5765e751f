/* Product of two square matrices of integers, by tiles. */
#include "workload.h"

enum { A, B, PRODUCT, MATRICES };

static unsigned size;
static size_t bytes;
static uint32_t *a, *b, *product, *expected;
static CUmodule module;
static CUfunction kernel;
static CUdeviceptr memory[MATRICES];

static void multiply(void)
{
    for (size_t i = 0; i < size; i++) {
        uint32_t *row = expected + i * size;
        for (size_t k = 0; k < size; k++)
            for (size_t j = 0; j < size; j++)
                row[j] += a[i * size + k] * b[k * size + j];
    }
}

static void prepare(unsigned wanted, uint64_t seed)
{
    uint64_t state = seed;
    free(a);
    free(b);
    free(product);
    free(expected);
    size = wanted;
    bytes = (size_t)size * size * sizeof *a;
    a = allocate(bytes);
    b = allocate(bytes);
    product = allocate(bytes);
    expected = allocate(bytes);
    for (size_t i = 0; i < (size_t)size * size; i++) {
        a[i] = next_random(&state);
        b[i] = next_random(&state);
        product[i] = 0;
        expected[i] = 0;
    }
    multiply();
}

static void initialize(const char *folder)
{
    module = load_module(folder, "mmul");
    CALL(cuModuleGetFunction(&kernel, module, "mmul"));
    for (int i = 0; i < MATRICES; i++)
        CALL(cuMemAlloc(&memory[i], bytes));
}

static void wipe(void)
{
    for (int i = 0; i < MATRICES; i++)
        CALL(cuMemsetD8(memory[i], WIPED, bytes));
    CALL(cuCtxSynchronize());
}

static void copy_in(void)
{
    CALL(cuMemcpyHtoD(memory[A], a, bytes));
    CALL(cuMemcpyHtoD(memory[B], b, bytes));
    CALL(cuCtxSynchronize());
}

static void launch(void)
{
    unsigned tiles = (size + TILE - 1) / TILE;
    void *parameters[] = {&memory[A], &memory[B], &memory[PRODUCT], &size};
    launch_squares(kernel, tiles, tiles, parameters);
    CALL(cuCtxSynchronize());
}

static void copy_out(void)
{
    CALL(cuMemcpyDtoH(product, memory[PRODUCT], bytes));
}

static void verify(void)
{
    require_equal("product", product, expected, (size_t)size * size);
}

static void close(void)
{
    for (int i = 0; i < MATRICES; i++)
        CALL(cuMemFree(memory[i]));
    CALL(cuModuleUnload(module));
}

static struct work work(void)
{
    return (struct work){2 * bytes, bytes, 1, 2ull * size * size * size, "op"};
}

const struct workload mmul = {"mmul", 1, 8192, prepare, initialize, wipe, copy_in, launch, copy_out, verify, close, work};
