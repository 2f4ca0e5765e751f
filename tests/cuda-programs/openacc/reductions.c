/*
 * Reductions in OpenACC: operators and types, reductions over gangs, workers and vector lanes, nested loops, and a product of matrices. Each result is
 * compared with the processor's. The exit status is 1 if one differs, or if the loops do not run on the GPU.
 */
#include <math.h>
#include <openacc.h>
#include <stdbool.h>
#include <stdio.h>

#define SIZE 20000
#define ROWS 60
#define COLUMNS 75

static int failures;

static void report(const char *name, bool right)
{
    printf("reductions: %s: %s\n", name, right ? "right" : "WRONG");
    failures += !right;
}

/* The GPU adds in another order than the processor. */
static bool near(double result, double expected, double tolerance) { return fabs(result - expected) <= tolerance * fabs(expected); }

static void runs_on_gpu(void)
{
    int on_gpu = 0;
#pragma acc parallel loop reduction(+ : on_gpu)
    for (int i = 0; i < SIZE; i++)
        on_gpu += acc_on_device(acc_device_nvidia) != 0;
    report("place of execution", on_gpu == SIZE);
}

static void integers(void)
{
    static int values[SIZE];
    for (int i = 0; i < SIZE; i++)
        values[i] = (i * 7919) % 10007 - 5000;
    int sum = 3, least = 0, greatest = 0, bits = ~0, any = 0, odd = 0;
    int expected_sum = 3, expected_least = 0, expected_greatest = 0, expected_bits = ~0, expected_any = 0, expected_odd = 0;
#pragma acc parallel loop copyin(values) reduction(+ : sum) reduction(min : least) reduction(max : greatest) reduction(& : bits) \
    reduction(| : any) reduction(^ : odd)
    for (int i = 0; i < SIZE; i++) {
        sum += values[i];
        least = values[i] < least ? values[i] : least;
        greatest = values[i] > greatest ? values[i] : greatest;
        bits &= values[i] | 0x55;
        any |= values[i] & 0xf0f;
        odd ^= values[i];
    }
    for (int i = 0; i < SIZE; i++) {
        expected_sum += values[i];
        expected_least = values[i] < expected_least ? values[i] : expected_least;
        expected_greatest = values[i] > expected_greatest ? values[i] : expected_greatest;
        expected_bits &= values[i] | 0x55;
        expected_any |= values[i] & 0xf0f;
        expected_odd ^= values[i];
    }
    report("int +", sum == expected_sum);
    report("int min", least == expected_least);
    report("int max", greatest == expected_greatest);
    report("int &", bits == expected_bits);
    report("int |", any == expected_any);
    report("int ^", odd == expected_odd);
}

static void logic(void)
{
    static int values[SIZE];
    for (int i = 0; i < SIZE; i++)
        values[i] = i == SIZE - 3 ? 0 : 1;
    int all = 1, some = 0;
#pragma acc parallel loop copyin(values) reduction(&& : all) reduction(|| : some)
    for (int i = 0; i < SIZE; i++) {
        all = all && values[i];
        some = some || !values[i];
    }
    report("&& and ||", all == 0 && some == 1);
}

static void wide_types(void)
{
    long long sum = 0, expected_sum = 0;
    double harmonic = 0, expected_harmonic = 0;
    float greatest = 0, product = 1, expected_product = 1;
#pragma acc parallel loop reduction(+ : sum) reduction(+ : harmonic) reduction(max : greatest) reduction(* : product)
    for (int i = 1; i <= SIZE; i++) {
        sum += (long long)i * i * i;
        harmonic += 1.0 / i;
        greatest = fmaxf(greatest, (float)((i * 31) % 10007));
        product *= 1 + 1.0f / (float)(i + SIZE);
    }
    for (int i = 1; i <= SIZE; i++) {
        expected_sum += (long long)i * i * i;
        expected_harmonic += 1.0 / i;
        expected_product *= 1 + 1.0f / (float)(i + SIZE);
    }
    report("long long +", sum == expected_sum);
    report("double +", near(harmonic, expected_harmonic, 1e-12));
    report("float max", greatest == 10006);
    report("float *", near(product, expected_product, 1e-3));
}

/* The sum of each row, by the workers and vector lanes of a gang; and the sum of all. */
static void rows(void)
{
    static double matrix[ROWS][COLUMNS], sums[ROWS];
    double total = 0, expected_total = 0;
    bool right = true;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            matrix[i][j] = i + 100 * j;
#pragma acc parallel loop gang copyin(matrix) copyout(sums) reduction(+ : total) num_workers(4) vector_length(32)
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
        for (int j = 0; j < COLUMNS; j++)
            sum += matrix[i][j];
        sums[i] = sum;
        total += sum;
    }
    for (int i = 0; i < ROWS; i++) {
        double expected = 0;
        for (int j = 0; j < COLUMNS; j++)
            expected += matrix[i][j];
        right = right && sums[i] == expected;
        expected_total += expected;
    }
    report("rows", right);
    report("all rows", total == expected_total);
}

static void product_of_matrices(void)
{
    static float a[ROWS][COLUMNS], b[COLUMNS][ROWS], c[ROWS][ROWS];
    bool right = true;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            a[i][j] = (i + j) % 10;
            b[j][i] = (i * j) % 7;
        }
#pragma acc parallel loop collapse(2) gang copyin(a, b) copyout(c)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            float sum = 0;
#pragma acc loop vector reduction(+ : sum)
            for (int k = 0; k < COLUMNS; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            float expected = 0;
            for (int k = 0; k < COLUMNS; k++)
                expected += a[i][k] * b[k][j];
            right = right && c[i][j] == expected; /* sums of small integers are exact */
        }
    report("product of matrices", right);
}

int main(void)
{
    runs_on_gpu();
    integers();
    logic();
    wide_types();
    rows();
    product_of_matrices();
    return failures != 0;
}
