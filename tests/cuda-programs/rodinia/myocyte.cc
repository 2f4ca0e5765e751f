/*
 * Check of Rodinia's myocyte: for each launch of its kernel, evaluates the functions of the program for OpenMP with the state that the program
 * has copied to the GPU, and compares the rates of change with those that it has copied back: myocyte FOLDER, which has the files input-NNN and
 * copy-NNN of observe.c. The program's own output does not serve: its solver accepts errors that are as large as the values, and
 * small differences decide about the size of its steps.
 *
 * Two rates agree if they differ by a small part of the larger one, or by a small multiple of the change that a change of the state
 * in its last digits causes. Compiled with the folder of the program for OpenMP in the path of headers.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "define.c"

#include "cam.c"
#include "ecc.c"

#define RELATIVE 1e-4
#define PERTURBATION 1e-6f
#define PERTURBATIONS 3
#define SENSITIVITY 10
#define PARAMETERS_OF_CUDA 18
#define CYCLE 15 /* index of the cycle's length in the parameters of the program for CUDA, 0 in those for OpenMP */
#define COMPARTMENTS 3
#define RATES (EQUATIONS + COMPARTMENTS)

/* First equation and calcium concentration of each compartment, and index of its first parameter. */
static const struct {
    int equation, calcium, parameter;
} compartments[COMPARTMENTS] = {{46, 35, 1}, {61, 36, 6}, {76, 37, 11}};

static int read_values(const char *folder, const char *kind, int number, float *values, int count)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%03d", folder, kind, number);
    FILE *file = fopen(path, "rb");
    int complete = file != NULL && fread(values, sizeof *values, count, file) == (size_t)count;
    if (file != NULL)
        fclose(file);
    return complete;
}

static void evaluate(float *state, float *parameters, float *rates)
{
    ecc(0, state, 0, parameters, 0, rates);
    for (int i = 0; i < COMPARTMENTS; i++)
        rates[EQUATIONS + i] = cam(0, state, compartments[i].equation, parameters, compartments[i].parameter, rates,
                                   state[compartments[i].calcium] * 1e3f);
}

int main(int count, char **words)
{
    float state[EQUATIONS], cuda[PARAMETERS_OF_CUDA], parameters[PARAMETERS], rates[RATES];
    long compared = 0, launches = 0;
    if (count != 2)
        return 2;
    for (int launch = 0; read_values(words[1], "input", 2 * launch, state, EQUATIONS); launch++, launches++) {
        float expected[RATES] = {0}, moved[RATES] = {0}, sensitivity[RATES] = {0};
        if (!read_values(words[1], "input", 2 * launch + 1, cuda, PARAMETERS_OF_CUDA) ||
            !read_values(words[1], "copy", 2 * launch, rates, EQUATIONS) ||
            !read_values(words[1], "copy", 2 * launch + 1, rates + EQUATIONS, COMPARTMENTS)) {
            printf("launch %d: no results\n", launch);
            return 1;
        }
        parameters[0] = cuda[CYCLE];
        for (int i = 1; i < PARAMETERS; i++)
            parameters[i] = cuda[i - 1];
        evaluate(state, parameters, expected);
        for (int round = 0; round < PERTURBATIONS; round++) {
            float other[EQUATIONS];
            for (int i = 0; i < EQUATIONS; i++)
                other[i] = state[i] * (1 + ((i * 7 + round * 13) % 3 - 1) * PERTURBATION);
            evaluate(other, parameters, moved);
            for (int i = 0; i < RATES; i++)
                sensitivity[i] = fmaxf(sensitivity[i], fabsf(moved[i] - expected[i]));
        }
        for (int i = 0; i < RATES; i++) {
            /* The solver tries steps that are too large. */
            if (!isfinite(expected[i]) || !isfinite(sensitivity[i]))
                continue;
            double difference = fabs((double)rates[i] - expected[i]);
            if (!(difference <= RELATIVE * fabs(expected[i]) + SENSITIVITY * sensitivity[i])) {
                printf("launch %d: rate %d is %g, expected %g\n", launch, i, rates[i], expected[i]);
                return 1;
            }
            compared++;
        }
    }
    printf("launches=%ld rates=%ld\n", launches, compared);
    return compared > 0 ? 0 : 2;
}
