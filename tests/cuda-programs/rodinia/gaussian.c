/*
 * Reference of Rodinia's gaussian: eliminates the matrix that the program generates with the option -s, without pivots, in double
 * precision. Prints the matrix or the right side after the elimination: gaussian SIZE matrix|vector.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of the generated matrix: 10 * exp(-0.01 * distance from the diagonal); the right side is 1. */
#define SCALE 10
#define DECAY -0.01f

int main(int count, char **words)
{
    int size = count == 3 ? atoi(words[1]) : 0, row, column, pivot;
    double *a, *b;
    if (size <= 0)
        return 2;
    a = malloc(sizeof *a * size * size);
    b = malloc(sizeof *b * size);
    for (row = 0; row < size; row++) {
        b[row] = 1;
        for (column = 0; column < size; column++)
            a[row * size + column] = (float)(SCALE * exp(DECAY * abs(row - column)));
    }
    for (pivot = 0; pivot < size; pivot++) {
        for (row = pivot + 1; row < size; row++) {
            double factor = a[row * size + pivot] / a[pivot * size + pivot];
            for (column = pivot; column < size; column++)
                a[row * size + column] -= factor * a[pivot * size + column];
            b[row] -= factor * b[pivot];
        }
    }
    if (strcmp(words[2], "matrix") == 0) {
        for (row = 0; row < size * size; row++)
            printf("%.9g\n", a[row]);
    } else {
        for (row = 0; row < size; row++)
            printf("%.9g\n", b[row]);
    }
    return fflush(stdout) != 0;
}
