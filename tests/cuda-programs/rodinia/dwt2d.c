/*
 * Reference of Rodinia's dwt2d: forward wavelet transform of one color of a square image. dwt2d 53|97 SIZE LEVELS r|g|b reads the image from
 * standard input, and prints the bytes that the program writes: the coefficients, scaled and clipped, the bands of a level one after another:
 * low-low (with the bands of the next level in its place), high-low, low-high, high-high. ITU-T Rec. T.800, annex F.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the lifting scheme of the transform 9/7, and the scale of high coefficients. */
static const double steps97[] = {-1.586134342, -0.05298011854, 0.8829110762, 0.4435068522};
#define SCALE97 1.23017410491400

/* Index of an element beyond an end of a line, which is continued as in a mirror. */
static int mirrored(int index, int size)
{
    if (index < 0)
        return -index;
    return index < size ? index : 2 * (size - 1) - index;
}

static void transform_line53(double *line, int stride, int size)
{
    int i;
    for (i = 1; i < size; i += 2)
        line[i * stride] -= (int)(line[mirrored(i - 1, size) * stride] + line[mirrored(i + 1, size) * stride]) / 2;
    for (i = 0; i < size; i += 2)
        line[i * stride] += (int)(line[mirrored(i - 1, size) * stride] + line[mirrored(i + 1, size) * stride] + 2) / 4;
}

static void transform_line97(double *line, int stride, int size)
{
    int i, step;
    for (step = 0; step < 4; step++)
        for (i = 1 - step % 2; i < size; i += 2)
            line[i * stride] += steps97[step] * (line[mirrored(i - 1, size) * stride] + line[mirrored(i + 1, size) * stride]);
    for (i = 0; i < size; i++)
        line[i * stride] *= i % 2 == 0 ? 1 / SCALE97 : SCALE97;
}

static void transform(double *image, int size, int levels, int kind)
{
    int x, y, half = size / 2;
    double *bands = malloc(sizeof *bands * size * size);
    for (x = 0; x < size; x++)
        (kind == 53 ? transform_line53 : transform_line97)(image + x, size, size);
    for (y = 0; y < size; y++)
        (kind == 53 ? transform_line53 : transform_line97)(image + y * size, 1, size);
    for (y = 0; y < size; y++)
        for (x = 0; x < size; x++)
            bands[(2 * (y % 2) + x % 2) * half * half + y / 2 * half + x / 2] = image[y * size + x];
    memcpy(image, bands, sizeof *bands * size * size);
    free(bands);
    if (levels > 1)
        transform(image, half, levels - 1, kind);
}

int main(int count, char **words)
{
    int kind, size, levels, component, i, c;
    double *image;
    if (count != 5)
        return 2;
    kind = atoi(words[1]), size = atoi(words[2]), levels = atoi(words[3]), component = strchr("rgb", words[4][0]) - "rgb";
    image = malloc(sizeof *image * size * size);
    for (i = 0; i < size * size * 3 && (c = getchar()) != EOF; i++)
        if (i % 3 == component)
            image[i / 3] = kind == 53 ? c - 128 : c / 255.0 - 0.5;
    transform(image, size, levels, kind);
    for (i = 0; i < size * size; i++) {
        double value = kind == 53 ? image[i] + 128 : (image[i] + 0.5) * 255;
        printf("%d\n", value > 255 ? 255 : value < 0 ? 0 : (int)value);
    }
    return fflush(stdout) != 0;
}
