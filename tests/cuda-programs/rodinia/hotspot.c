/*
 * Reference of Rodinia's hotspot: simulates the temperatures of a square chip, and prints them as the program does: hotspot SIZE STEPS
 * TEMPERATURES POWERS. The archive's program for OpenMP leaves out most elements of the blocks along the edges.
 */
#include <stdio.h>
#include <stdlib.h>

/* The chip, as in the program. */
#define THICKNESS 0.0005f
#define WIDTH 0.016f
#define HEAT_CAPACITY 1.75e6
#define CONDUCTIVITY 100
#define CAPACITANCE_FACTOR 0.5
#define LARGEST_POWER 3.0e6
#define PRECISION 0.001
#define AMBIENT 80.0

static void read_values(const char *path, double *values, int count)
{
    FILE *file = fopen(path, "r");
    for (int i = 0; i < count; i++)
        if (file == NULL || fscanf(file, "%lf", &values[i]) != 1)
            exit(2);
    fclose(file);
}

int main(int count, char **words)
{
    int size = count == 5 ? atoi(words[1]) : 0, steps = size > 0 ? atoi(words[2]) : 0;
    if (steps <= 0)
        return 2;
    double *values = malloc(sizeof *values * size * size), *next = malloc(sizeof *next * size * size);
    double *power = malloc(sizeof *power * size * size);
    read_values(words[3], values, size * size);
    read_values(words[4], power, size * size);
    double width = WIDTH / size;
    double capacitance = CAPACITANCE_FACTOR * HEAT_CAPACITY * THICKNESS * width * width;
    double beside = 1 / (2.0 * CONDUCTIVITY * THICKNESS), below = THICKNESS / (CONDUCTIVITY * width * width);
    double time = PRECISION / (LARGEST_POWER / (CAPACITANCE_FACTOR * THICKNESS * HEAT_CAPACITY));
    for (int step = 0; step < steps; step++) {
        for (int y = 0; y < size; y++)
            for (int x = 0; x < size; x++) {
                double own = values[y * size + x];
                double sum = values[(y == 0 ? y : y - 1) * size + x] + values[(y == size - 1 ? y : y + 1) * size + x] +
                             values[y * size + (x == 0 ? x : x - 1)] + values[y * size + (x == size - 1 ? x : x + 1)];
                next[y * size + x] = own + time / capacitance * (power[y * size + x] + (sum - 4 * own) / beside + (AMBIENT - own) / below);
            }
        double *swapped = values;
        values = next, next = swapped;
    }
    for (int i = 0; i < size * size; i++)
        printf("%d\t%g\n", i, values[i]);
    return fflush(stdout) != 0;
}
