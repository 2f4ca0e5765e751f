/*
 * Vectors in OpenACC: a sum, a = b + s * c with data that stay on the GPU, a stencil of several steps, an indirect assignment, functions of the C
 * library, and a histogram with atomic updates. Each result is compared with the processor's. The exit status is 1 if one differs, or if the loops do
 * not run on the GPU.
 */
#include <math.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 10000
#define STEPS 5
#define BINS 16

static int failures;

static void report(const char *name, int wrong)
{
    printf("vectors: %s: wrong=%d\n", name, wrong);
    failures += wrong != 0;
}

/* Number of elements that differ by more than a rounding of single precision. */
static int differences(const float *result, const float *expected, int count)
{
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += !(fabsf(result[i] - expected[i]) <= 1e-6f * fabsf(expected[i]));
    return wrong;
}

static void runs_on_gpu(void)
{
    int on_gpu = 0;
#pragma acc parallel copy(on_gpu)
    on_gpu = acc_on_device(acc_device_nvidia);
    report("place of execution", on_gpu != 1);
}

static void sum(void)
{
    static int a[SIZE], b[SIZE], c[SIZE];
    int wrong = 0;
    for (int i = 0; i < SIZE; i++) {
        a[i] = i;
        b[i] = 3 * i + 1;
    }
#pragma acc parallel loop copyin(a, b) copyout(c)
    for (int i = 0; i < SIZE; i++)
        c[i] = a[i] + b[i];
    for (int i = 0; i < SIZE; i++)
        wrong += c[i] != 4 * i + 1;
    report("sum", wrong);
}

/* The size is not known to the compiler, and the arrays are on the heap. */
static void scaled_sum(int size, float scale)
{
    float *a = malloc(size * sizeof *a), *b = malloc(size * sizeof *b), *expected = malloc(size * sizeof *expected);
    for (int i = 0; i < size; i++) {
        a[i] = i % 100;
        b[i] = i % 7;
        expected[i] = a[i] + 2 * scale * b[i] + 1;
    }
#pragma acc data copy(a[0:size]) copyin(b[0:size])
    {
#pragma acc parallel loop present(a[0:size], b[0:size])
        for (int i = 0; i < size; i++)
            a[i] += scale * b[i];
#pragma acc update self(b[0:size])
        for (int i = 0; i < size; i++)
            b[i] = scale * b[i] + 1;
#pragma acc update device(b[0:size])
#pragma acc parallel loop present(a[0:size], b[0:size])
        for (int i = 0; i < size; i++)
            a[i] += b[i];
    }
    report("scaled sum", differences(a, expected, size));
    free(a);
    free(b);
    free(expected);
}

static void step(const float *restrict from, float *restrict to)
{
#pragma acc parallel loop present(from[0:SIZE], to[0:SIZE]) gang vector vector_length(64)
    for (int i = 1; i < SIZE - 1; i++)
        to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
}

static void stencil(void)
{
    static float a[SIZE], b[SIZE], c[SIZE], d[SIZE];
    for (int i = 0; i < SIZE; i++)
        a[i] = b[i] = c[i] = d[i] = (i * 37) % 101;
#pragma acc data copy(a, b)
    for (int i = 0; i < STEPS; i++) {
        step(a, b);
        step(b, a);
    }
    for (int i = 0; i < 2 * STEPS; i++)
        for (int j = 1; j < SIZE - 1; j++)
            (i % 2 ? c : d)[j] = 0.25f * (i % 2 ? d : c)[j - 1] + 0.5f * (i % 2 ? d : c)[j] + 0.25f * (i % 2 ? d : c)[j + 1];
    report("stencil", differences(a, c, SIZE));
}

static void permutation(void)
{
    static int from[SIZE], to[SIZE], place[SIZE];
    int wrong = 0;
    for (int i = 0; i < SIZE; i++) {
        from[i] = i * i;
        place[i] = (i * 7919) % SIZE; /* a prime that does not divide SIZE */
    }
#pragma acc parallel loop independent copyin(from, place) copyout(to)
    for (int i = 0; i < SIZE; i++)
        to[place[i]] = from[i];
    for (int i = 0; i < SIZE; i++)
        wrong += to[place[i]] != i * i;
    report("permutation", wrong);
}

#pragma acc routine seq
static float distance(float x, float y) { return sqrtf(x * x + y * y); }

static void routine(void)
{
    static float result[SIZE], expected[SIZE];
    for (int i = 0; i < SIZE; i++)
        expected[i] = distance(i, SIZE - i);
#pragma acc parallel loop copyout(result)
    for (int i = 0; i < SIZE; i++)
        result[i] = distance(i, SIZE - i);
    report("routine", differences(result, expected, SIZE));
}

static void histogram(void)
{
    int bins[BINS] = {0}, expected[BINS] = {0}, wrong = 0;
    for (int i = 0; i < SIZE; i++)
        expected[(i * i / 3) % BINS]++;
#pragma acc parallel loop copy(bins)
    for (int i = 0; i < SIZE; i++) {
#pragma acc atomic update
        bins[(i * i / 3) % BINS]++;
    }
    for (int i = 0; i < BINS; i++)
        wrong += bins[i] != expected[i];
    report("histogram", wrong);
}

int main(void)
{
    runs_on_gpu();
    sum();
    scaled_sum(SIZE + 77, 1.5f);
    stencil();
    permutation();
    routine();
    histogram();
    return failures != 0;
}
