/*
 * Compares two files of 32-bit words: compare FILE REFERENCE RELATIVE ABSOLUTE. Two words agree if they are equal, or if they are
 * floats whose difference is at most ABSOLUTE, or at most RELATIVE times the larger magnitude. All NaNs are equal. Prints the number of words, the number of words
 * that differ by more than ABSOLUTE, and the largest relative difference.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Magnitudes beyond which a word is a whole number rather than a float. */
#define LEAST_FLOAT 1e-20f
#define GREATEST_FLOAT 1e20f

static int is_float(float a) { return a == 0 || (fabsf(a) >= LEAST_FLOAT && fabsf(a) <= GREATEST_FLOAT); }

static double difference(uint32_t a, uint32_t b, double absolute)
{
    float x, y;
    if (a == b) return 0;
    memcpy(&x, &a, sizeof(x));
    memcpy(&y, &b, sizeof(y));
    if (isnan(x) && isnan(y)) return 0;
    if (fabs((double)x - y) <= absolute) return 0;
    if (!is_float(x) || !is_float(y)) return INFINITY;
    return fabs((double)x - y) / fmax(fabs(x), fabs(y));
}

int main(int count, char **words)
{
    FILE *files[2];
    long total = 0, differing = 0, wrong = 0;
    double largest = 0;
    uint32_t a, b;
    if (count != 5) return 2;
    for (int i = 0; i < 2; i++) {
        if (!(files[i] = fopen(words[i + 1], "rb"))) {
            perror(words[i + 1]);
            return 2;
        }
    }
    double tolerance = atof(words[3]), absolute = atof(words[4]);
    for (;;) {
        size_t first = fread(&a, sizeof(a), 1, files[0]);
        size_t second = fread(&b, sizeof(b), 1, files[1]);
        if (first != second) {
            printf("lengths differ after %ld words\n", total);
            return 1;
        }
        if (!first) break;
        double found = difference(a, b, absolute);
        total++;
        differing += found > 0;
        wrong += found > tolerance;
        largest = fmax(largest, found);
    }
    printf("words=%ld differing=%ld largest=%.2g wrong=%ld\n", total, differing, largest, wrong);
    return total == 0 || wrong > 0;
}
