/* Lower and upper triangular matrices whose product is a given matrix, computed in place, by tiles, without pivoting. */
#include <math.h>
#include <string.h>

#include "workload.h"

static unsigned size, tiles, columns; /* columns: the size, rounded up to whole tiles */
static size_t bytes;
static float *matrix, *decomposed, *expected;
static CUmodule module;
static CUfunction diagonal, perimeter, internal;
static CUdeviceptr memory;

/* The textbook's three loops. Products and differences are fused, as in the kernels. */
__attribute__((target_clones("fma", "default"))) static void decompose(float *elements, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const float *pivot = elements + k * n;
        for (size_t i = k + 1; i < n; i++) {
            float *row = elements + i * n;
            float factor = row[k] / pivot[k];
            row[k] = factor;
            for (size_t j = k + 1; j < n; j++)
                row[j] = fmaf(-factor, pivot[j], row[j]);
        }
    }
}

/* Returns a number from 0 to below 1. */
static float fraction(uint64_t *state)
{
    return (float)(next_random(state) >> 8) / (float)(1 << 24);
}

static void prepare(unsigned wanted, uint64_t seed)
{
    uint64_t state = seed;
    free(matrix);
    free(decomposed);
    free(expected);
    size = wanted;
    tiles = (size + TILE - 1) / TILE;
    columns = tiles * TILE;
    bytes = (size_t)columns * columns * sizeof *matrix;
    matrix = allocate(bytes);
    decomposed = allocate(bytes);
    expected = allocate(bytes);
    memset(decomposed, 0, bytes);
    for (size_t row = 0; row < columns; row++)
        for (size_t column = 0; column < columns; column++) {
            int inside = row < size && column < size;
            float element = inside ? 2 * fraction(&state) - 1 : 0;
            if (row == column)
                element = inside ? (float)size + fraction(&state) : 1;
            matrix[row * columns + column] = element;
        }
    memcpy(expected, matrix, bytes);
    decompose(expected, columns);
}

static void initialize(const char *folder)
{
    module = load_module(folder, "lud");
    CALL(cuModuleGetFunction(&diagonal, module, "diagonal"));
    CALL(cuModuleGetFunction(&perimeter, module, "perimeter"));
    CALL(cuModuleGetFunction(&internal, module, "internal"));
    CALL(cuMemAlloc(&memory, bytes));
}

static void wipe(void)
{
    CALL(cuMemsetD8(memory, WIPED, bytes));
    CALL(cuCtxSynchronize());
}

static void copy_in(void)
{
    CALL(cuMemcpyHtoD(memory, matrix, bytes));
    CALL(cuCtxSynchronize());
}

static void launch(void)
{
    for (unsigned step = 0; step < tiles; step++) {
        unsigned rest = tiles - 1 - step;
        void *parameters[] = {&memory, &columns, &step};
        launch_squares(diagonal, 1, 1, parameters);
        if (rest > 0) {
            launch_squares(perimeter, rest, 2, parameters);
            launch_squares(internal, rest, rest, parameters);
        }
    }
    CALL(cuCtxSynchronize());
}

static void copy_out(void)
{
    CALL(cuMemcpyDtoH(decomposed, memory, bytes));
}

static void verify(void)
{
    require_equal("decomposed", (const uint32_t *)decomposed, (const uint32_t *)expected, (size_t)columns * columns);
}

static void close(void)
{
    CALL(cuMemFree(memory));
    CALL(cuModuleUnload(module));
}

/* A division for each element below the diagonal; for each diagonal element, a product and a subtraction for each element below and right of it. */
static struct work work(void)
{
    uint64_t n = size;
    return (struct work){bytes, bytes, 3ull * tiles - 2, n * (n - 1) / 2 + n * (n - 1) * (2 * n - 1) / 3, "flop"};
}

const struct workload lud = {"lud", 1, 4096, prepare, initialize, wipe, copy_in, launch, copy_out, verify, close, work};
