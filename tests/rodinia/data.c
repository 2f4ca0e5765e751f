/*
 * Prints synthetic inputs of Rodinia's programs, always the same: data KIND [SIZE]. The kinds are grid (SIZE * SIZE floats, one per line),
 * image (a PGM of 502 * 458 pixels), storms (SIZE records), video (SIZE frames), keys (SIZE different numbers), graph (SIZE nodes), mesh (SIZE *
 * SIZE elements for a flow), bytes (SIZE bytes), text (SIZE letters of different frequencies), floats (SIZE floats from 0 to 1), points (SIZE points
 * around five centers), cells (SIZE frames of a video with round cells), genome (SIZE bases) and reads (parts of 40 bases of the genome).
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGE_ROWS 502
#define IMAGE_COLUMNS 458
#define VIDEO_WIDTH 656
#define VIDEO_HEIGHT 744
#define CELLS_WIDTH 640
#define CELLS_HEIGHT 480

static uint32_t state = 12345;

static uint32_t next(uint32_t limit)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static void grid(int size)
{
    for (int i = 0; i < size * size; i++) printf("%.6f\n", 320 + next(1000) / 100.0);
}

static void image(void)
{
    printf("P2\n%d %d\n255\n", IMAGE_COLUMNS, IMAGE_ROWS);
    for (int i = 0; i < IMAGE_ROWS * IMAGE_COLUMNS; i++) printf("%u\n", 1 + next(255));
}

static void storms(int count)
{
    for (int i = 0; i < count; i++) {
        printf("%4d %2u %2u %2u %2u %-9s %5.1f %5.1f %4u %4u\n", 1950 + i % 55, 1 + next(12), 1 + next(28), next(4) * 6, 1 + next(28), "STORM",
               7 + next(630) / 10.0, next(3580) / 10.0, 10 + next(155), next(900));
    }
}

static void word(uint32_t value) { fwrite(&value, 4, 1, stdout); }

static void header(const char *name, uint32_t bytes)
{
    fwrite(name, 4, 1, stdout);
    word(bytes);
}

static int wave_pixel(int x, int y, int time)
{
    double wave = sin((x + 3 * time) * 0.07) * cos((y - 2 * time) * 0.05) + sin(x * y * 0.0003);
    return (int)(128 + 50 * wave + next(8));
}

/* Bright cells with dark rims in a grid, which move. */
static int cell_pixel(int x, int y, int time)
{
    const int distance = 64, radius = 10;
    double dx = (x - 2 * time) % distance - distance / 2, dy = (y - time) % distance - distance / 2;
    double from_rim = sqrt(dx * dx + dy * dy) - radius;
    return (int)(120 + 80 / (1 + exp(2 * from_rim)) - 40 * exp(-from_rim * from_rim / 4) + next(4));
}

/* An AVI of uncompressed frames of 8 bits, with an index. */
static void video(int frames, int width, int height, int (*pixel)(int, int, int))
{
    const uint32_t frame = width * height, movie = 4 + frames * (8 + frame), index = frames * 16;
    const uint32_t main_bytes = 56, stream_bytes = 56, format_bytes = 40;
    const uint32_t stream_list = 4 + 8 + stream_bytes + 8 + format_bytes, header_list = 4 + 8 + main_bytes + 8 + stream_list;
    header("RIFF", 4 + 8 + header_list + 8 + movie + 8 + index);
    fwrite("AVI ", 4, 1, stdout);
    header("LIST", header_list);
    fwrite("hdrl", 4, 1, stdout);
    header("avih", main_bytes);
    uint32_t main_header[14] = {40000, 0, 0, 0x10, frames, 0, 1, frame, width, height};
    fwrite(main_header, 4, 14, stdout);
    header("LIST", stream_list);
    fwrite("strl", 4, 1, stdout);
    header("strh", stream_bytes);
    fwrite("vidsDIB ", 8, 1, stdout);
    uint32_t stream_header[12] = {0, 0, 0, 1, 25, 0, frames, frame};
    fwrite(stream_header, 4, 12, stdout);
    header("strf", format_bytes);
    uint32_t format[10] = {format_bytes, width, height, 1 | 8 << 16, 0, frame};
    fwrite(format, 4, 10, stdout);
    header("LIST", movie);
    fwrite("movi", 4, 1, stdout);
    for (int i = 0; i < frames; i++) {
        header("00db", frame);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) putchar(pixel(x, y, i));
        }
    }
    header("idx1", index);
    for (int i = 0; i < frames; i++) {
        fwrite("00db", 4, 1, stdout);
        word(0x10);
        word(4 + i * (8 + frame));
        word(frame);
    }
}

/* A permutation of 0, 1, ..., SIZE - 1, behind its length. */
static void keys(int size)
{
    const int prime = 7919;
    printf("%d\n", size);
    for (long i = 0; i < size; i++) printf("%ld\n", i * prime % size);
}

/* A directed graph: degrees, the number of the first node, and edges with costs. A ring connects all nodes. */
static void graph(int nodes)
{
    const int largest = 6;
    int *degrees = malloc(sizeof *degrees * nodes), edges = 0;
    printf("%d\n", nodes);
    for (int i = 0; i < nodes; i++) {
        degrees[i] = 1 + next(largest);
        printf("%d %d\n", edges, degrees[i]);
        edges += degrees[i];
    }
    printf("\n0\n\n%d\n", edges);
    for (int i = 0; i < nodes; i++) {
        printf("%d %u\n", (i + 1) % nodes, 1 + next(10));
        for (int j = 1; j < degrees[i]; j++) printf("%u %u\n", next(nodes), 1 + next(10));
    }
    free(degrees);
}

/* Square elements with their areas, and the neighbor and the normal of each side: a flow in a channel whose walls have waves. */
static void mesh(int size)
{
    const int open_end = -2, wall = 0;
    const double height = 0.1;
    printf("%d\n", size * size);
    for (int i = 0; i < size * size; i++) {
        int x = i % size, y = i / size;
        double wave = height * sin(2 * M_PI * (x + 0.5) / size);
        printf("1 %d -1 0 0", x == 0 ? open_end : i);
        printf(" %d 1 0 0", x == size - 1 ? open_end : i + 2);
        printf(" %d %.6f -1 0", y == 0 ? wall : i + 1 - size, y == 0 ? wave : 0);
        printf(" %d %.6f 1 0\n", y == size - 1 ? wall : i + 1 + size, y == size - 1 ? -wave : 0);
    }
}

static void bytes(int count)
{
    for (int i = 0; i < count; i++) putchar((int)(128 + 90 * sin(i * 0.02) + next(32)));
}

static void text(int count)
{
    const int letters = 40;
    for (int i = 0; i < count; i++) putchar('A' + next(1 + next(letters)));
}

static void floats(int count)
{
    for (int i = 0; i < count; i++) printf("%.7f\n", next(1 << 24) / (double)(1 << 24));
}

static void points(int count)
{
    const int centers = 5, features = 8;
    for (int i = 0; i < count; i++) {
        printf("%d", i);
        for (int j = 0; j < features; j++) printf(" %.3f", (i % centers * 37 + j * 11) % 50 + next(1000) / 100.0);
        putchar('\n');
    }
}

static char base(int i) { return "ACGT"[(i * 2654435761u >> 13 ^ i * 40503u >> 7) & 3]; }

static void genome(int count)
{
    const int line = 60;
    printf(">genome\n");
    for (int i = 0; i < count; i++) printf(i % line == line - 1 ? "%c\n" : "%c", base(i));
    putchar('\n');
}

/* Every second read has another base in its middle. */
static void reads(int count)
{
    const int length = 40, number = 64;
    for (int i = 0; i < number; i++) {
        int first = next(count - length);
        printf(">read%d\n", i);
        for (int j = 0; j < length; j++) putchar(i % 2 == 1 && j == length / 2 ? 'A' : base(first + j));
        putchar('\n');
    }
}

int main(int count, char **words)
{
    int size = count > 2 ? atoi(words[2]) : 0;
    if (count < 2) return 2;
    if (!strcmp(words[1], "grid")) grid(size);
    else if (!strcmp(words[1], "image")) image();
    else if (!strcmp(words[1], "storms")) storms(size);
    else if (!strcmp(words[1], "video")) video(size, VIDEO_WIDTH, VIDEO_HEIGHT, wave_pixel);
    else if (!strcmp(words[1], "cells")) video(size, CELLS_WIDTH, CELLS_HEIGHT, cell_pixel);
    else if (!strcmp(words[1], "floats")) floats(size);
    else if (!strcmp(words[1], "points")) points(size);
    else if (!strcmp(words[1], "genome")) genome(size);
    else if (!strcmp(words[1], "reads")) reads(size);
    else if (!strcmp(words[1], "keys")) keys(size);
    else if (!strcmp(words[1], "graph")) graph(size);
    else if (!strcmp(words[1], "mesh")) mesh(size);
    else if (!strcmp(words[1], "bytes")) bytes(size);
    else if (!strcmp(words[1], "text")) text(size);
    else return 2;
    return fflush(stdout) != 0;
}
