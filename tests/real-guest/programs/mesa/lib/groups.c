// Cooperating threads: shared memory with barriers, and atomics.

#include "gles.h"
#include "random.h"
#include "shaders.h"

#include <stdlib.h>
#include <string.h>

static const char version[] = "#version 310 es\nprecision highp float;\nprecision highp int;\n";

static GLuint program_of(const char *name, const char *text) {
    return gles_compute_program(name, (const char *const[]){version, text}, 2);
}

// Runs a program on the bound buffers, returns the content of one of them, and cleans up.
static uint32_t *dispatch(GLuint program, int x, int y, int z, GLuint result, int words) {
    glUseProgram(program);
    glDispatchCompute((GLuint)x, (GLuint)y, (GLuint)z);
    uint32_t *results = gles_read_storage(result, sizeof(uint32_t) * (size_t)words);
    gles_require_no_error("glDispatchCompute");
    glDeleteProgram(program);
    return results;
}

static GLuint storage(GLuint binding, int words, const uint32_t *data) {
    return gles_buffer(GL_SHADER_STORAGE_BUFFER, binding, sizeof(uint32_t) * (size_t)words, data);
}

// Compares the results and releases all memory.
static int64_t conclude(const char *what, uint32_t *actual, uint32_t *expected, int words,
                        GLuint in, GLuint out) {
    int64_t wrong = first_wrong_word(what, actual, expected, words);
    free(actual);
    free(expected);
    glDeleteBuffers(1, &in);
    glDeleteBuffers(1, &out);
    return wrong;
}

static uint32_t *random_words(uint64_t seed, int words) {
    uint32_t *data = malloc(sizeof(uint32_t) * (size_t)words);
    for (int i = 0; i < words; i++) {
        data[i] = random_word(&seed);
    }
    return data;
}

// Each thread stores its indices.
int64_t run_indices(uint64_t seed) {
    enum { X = 3, Y = 4, Z = 5, WIDE = 5, HIGH = 7, DEEP = 2, FIELDS = 6 };
    enum { COUNT = X * Y * Z * WIDE * HIGH * DEEP };
    static const char text[] =
        "layout(local_size_x = 5, local_size_y = 7, local_size_z = 2) in;\n"
        "layout(std430, binding = 1) writeonly buffer Results { uint result[]; };\n"
        "uniform uint mark;\n"
        "void main() {\n"
        "    uvec3 size = gl_NumWorkGroups * gl_WorkGroupSize, id = gl_GlobalInvocationID;\n"
        "    uint at = ((id.z * size.y + id.y) * size.x + id.x) * 6u;\n"
        "    result[at] = gl_LocalInvocationIndex ^ mark;\n"
        "    result[at + 1u] = id.x | id.y << 8 | id.z << 16;\n"
        "    result[at + 2u] = gl_WorkGroupID.x | gl_WorkGroupID.y << 8 | gl_WorkGroupID.z << 16;\n"
        "    uvec3 local = gl_LocalInvocationID;\n"
        "    result[at + 3u] = local.x | local.y << 8 | local.z << 16;\n"
        "    result[at + 4u] = gl_NumWorkGroups.x + 10u * gl_NumWorkGroups.y;\n"
        "    result[at + 5u] = gl_NumWorkGroups.z;\n"
        "}\n";
    GLuint out = storage(1, COUNT * FIELDS, NULL), program = program_of("indices", text);
    uint32_t mark = random_word(&seed);
    glUseProgram(program);
    glUniform1ui(glGetUniformLocation(program, "mark"), mark);
    uint32_t *actual = dispatch(program, X, Y, Z, out, COUNT * FIELDS);
    uint32_t *expected = malloc(sizeof(uint32_t) * COUNT * FIELDS), *next = expected;
    for (uint32_t z = 0; z < Z * DEEP; z++) {
        for (uint32_t y = 0; y < Y * HIGH; y++) {
            for (uint32_t x = 0; x < X * WIDE; x++) {
                uint32_t lx = x % WIDE, ly = y % HIGH, lz = z % DEEP;
                *next++ = ((lz * HIGH + ly) * WIDE + lx) ^ mark;
                *next++ = x | y << 8 | z << 16;
                *next++ = x / WIDE | (y / HIGH) << 8 | (z / DEEP) << 16;
                *next++ = lx | ly << 8 | lz << 16;
                *next++ = X + 10 * Y;
                *next++ = Z;
            }
        }
    }
    return conclude("indices", actual, expected, COUNT * FIELDS, 0, out);
}

// Sums of 256 words each in a tree, and all prefix sums.
int64_t run_reduction(uint64_t seed) {
    enum { THREADS = 256, GROUPS = 23, COUNT = THREADS * GROUPS, RESULTS = COUNT + GROUPS };
    static const char text[] =
        "layout(local_size_x = 256) in;\n"
        "layout(std430, binding = 0) readonly buffer Inputs { uint data[]; };\n"
        "layout(std430, binding = 1) writeonly buffer Results { uint result[]; };\n"
        "shared uint sums[256], prefix[2][256];\n"
        "void main() {\n"
        "    uint i = gl_LocalInvocationIndex, word = data[gl_GlobalInvocationID.x];\n"
        "    sums[i] = word;\n"
        "    prefix[0][i] = word;\n"
        "    for (uint half_ = 128u; half_ > 0u; half_ >>= 1) {\n"
        "        barrier();\n"
        "        if (i < half_) sums[i] += sums[i + half_];\n"
        "    }\n"
        "    uint from = 0u;\n"
        "    for (uint distance = 1u; distance < 256u; distance <<= 1) {\n"
        "        barrier();\n"
        "        uint sum = prefix[from][i];\n"
        "        if (i >= distance) sum += prefix[from][i - distance];\n"
        "        from = 1u - from;\n"
        "        prefix[from][i] = sum;\n"
        "    }\n"
        "    barrier();\n"
        "    result[gl_GlobalInvocationID.x] = prefix[from][i];\n"
        "    if (i == 0u) result[gl_NumWorkGroups.x * 256u + gl_WorkGroupID.x] = sums[0];\n"
        "}\n";
    uint32_t *data = random_words(seed, COUNT), *expected = malloc(sizeof(uint32_t) * RESULTS);
    for (int group = 0; group < GROUPS; group++) {
        uint32_t sum = 0;
        for (int i = 0; i < THREADS; i++) {
            sum += data[group * THREADS + i];
            expected[group * THREADS + i] = sum;
        }
        expected[COUNT + group] = sum;
    }
    GLuint in = storage(0, COUNT, data), out = storage(1, RESULTS, NULL);
    free(data);
    uint32_t *actual = dispatch(program_of("reduction", text), GROUPS, 1, 1, out, RESULTS);
    return conclude("reduction", actual, expected, RESULTS, in, out);
}

// Transposition of a matrix through tiles in shared memory.
int64_t run_transpose(uint64_t seed) {
    enum { TILE = 16, ACROSS = 7, DOWN = 5, WIDTH = TILE * ACROSS, HEIGHT = TILE * DOWN };
    static const char text[] =
        "layout(local_size_x = 16, local_size_y = 16) in;\n"
        "layout(std430, binding = 0) readonly buffer Inputs { uint data[]; };\n"
        "layout(std430, binding = 1) writeonly buffer Results { uint result[]; };\n"
        "shared uint tile[16][17];\n"
        "void main() {\n"
        "    uvec2 local = gl_LocalInvocationID.xy, group = gl_WorkGroupID.xy * 16u;\n"
        "    uvec2 size = gl_NumWorkGroups.xy * 16u;\n"
        "    tile[local.y][local.x] = data[(group.y + local.y) * size.x + group.x + local.x];\n"
        "    barrier();\n"
        "    result[(group.x + local.y) * size.y + group.y + local.x] = tile[local.x][local.y];\n"
        "}\n";
    uint32_t *data = random_words(seed, WIDTH * HEIGHT);
    uint32_t *expected = malloc(sizeof(uint32_t) * WIDTH * HEIGHT);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            expected[x * HEIGHT + y] = data[y * WIDTH + x];
        }
    }
    GLuint in = storage(0, WIDTH * HEIGHT, data), out = storage(1, WIDTH * HEIGHT, NULL);
    free(data);
    GLuint program = program_of("transpose", text);
    uint32_t *actual = dispatch(program, ACROSS, DOWN, 1, out, WIDTH * HEIGHT);
    return conclude("transpose", actual, expected, WIDTH * HEIGHT, in, out);
}

// Product of integer matrices, tile by tile: barriers within a loop.
int64_t run_matrix_product(uint64_t seed) {
    enum { TILE = 8, TILES = 6, SIZE = TILE * TILES, COUNT = SIZE * SIZE };
    static const char text[] =
        "layout(local_size_x = 8, local_size_y = 8) in;\n"
        "layout(std430, binding = 0) readonly buffer Inputs { uint data[]; };\n"
        "layout(std430, binding = 1) writeonly buffer Results { uint result[]; };\n"
        "shared uint left[8][8], right[8][8];\n"
        "void main() {\n"
        "    uvec2 id = gl_GlobalInvocationID.xy, at = gl_LocalInvocationID.xy;\n"
        "    uint size = gl_NumWorkGroups.x * 8u, sum = 0u;\n"
        "    for (uint k = 0u; k < size; k += 8u) {\n"
        "        left[at.y][at.x] = data[id.y * size + k + at.x];\n"
        "        right[at.y][at.x] = data[size * size + (k + at.y) * size + id.x];\n"
        "        barrier();\n"
        "        for (uint i = 0u; i < 8u; i++) sum += left[at.y][i] * right[i][at.x];\n"
        "        barrier();\n"
        "    }\n"
        "    result[id.y * size + id.x] = sum;\n"
        "}\n";
    uint32_t *data = random_words(seed, 2 * COUNT), *expected = calloc(COUNT, sizeof(uint32_t));
    for (int y = 0; y < SIZE; y++) {
        for (int x = 0; x < SIZE; x++) {
            for (int k = 0; k < SIZE; k++) {
                expected[y * SIZE + x] += data[y * SIZE + k] * data[COUNT + k * SIZE + x];
            }
        }
    }
    GLuint in = storage(0, 2 * COUNT, data), out = storage(1, COUNT, NULL);
    free(data);
    GLuint program = program_of("matrix product", text);
    uint32_t *actual = dispatch(program, TILES, TILES, 1, out, COUNT);
    return conclude("matrix product", actual, expected, COUNT, in, out);
}

// Atomic operations of all threads on a few words, in any order: 16 counters, then one word for
// each operation. The exchanged values are added up, so that a lost or duplicated value is
// detected.
#define ATOMIC_WORDS 28
#define ATOMIC_OPERATIONS(memory)                                                                  \
    "    atomicAdd(" memory "[word & 15u], 1u);\n"                                                 \
    "    atomicMin(" memory "[16], word);\n"                                                       \
    "    atomicMax(" memory "[17], word);\n"                                                       \
    "    atomicAnd(" memory "[18], word | 0xff00ff00u);\n"                                         \
    "    atomicOr(" memory "[19], word & 0x0ff00ff0u);\n"                                          \
    "    atomicXor(" memory "[20], word);\n"                                                       \
    "    atomicAdd(" memory "[21], atomicExchange(" memory "[22], id + 1u));\n"                    \
    "    uint seen = " memory "[23], before;\n"                                                    \
    "    do {\n"                                                                                   \
    "        before = seen;\n"                                                                     \
    "        seen = atomicCompSwap(" memory "[23], before, before + 3u);\n"                        \
    "    } while (seen != before);\n"                                                              \
    "    if ((word & 1u) != 0u) atomicAdd(" memory "[24], word >> 8);\n"                           \
    "    uint mine = atomicAdd(" memory "[25], 2u);\n"                                             \
    "    atomicXor(" memory "[26], mine);\n"

static const uint32_t atomics_before[ATOMIC_WORDS] = {[16] = UINT32_MAX, [18] = UINT32_MAX};

static void atomics_after(const uint32_t *data, int count, uint32_t *words) {
    memcpy(words, atomics_before, sizeof atomics_before);
    for (int i = 0; i < count; i++) {
        uint32_t word = data[i];
        words[word & 15]++;
        words[16] = word < words[16] ? word : words[16];
        words[17] = word > words[17] ? word : words[17];
        words[18] &= word | 0xff00ff00;
        words[19] |= word & 0x0ff00ff0;
        words[20] ^= word;
        words[23] += 3;
        words[24] += word & 1 ? word >> 8 : 0;
        words[25] += 2;
        words[26] ^= 2 * (uint32_t)i;
    }
}

int64_t run_storage_atomics(uint64_t seed) {
    enum { THREADS = 96, GROUPS = 19, COUNT = THREADS * GROUPS };
    static const char text[] =
        "layout(local_size_x = 96) in;\n"
        "layout(std430, binding = 0) readonly buffer Inputs { uint data[]; };\n"
        "layout(std430, binding = 1) coherent buffer Results { uint words[]; };\n"
        "void main() {\n"
        "    uint id = gl_GlobalInvocationID.x, word = data[id];\n" ATOMIC_OPERATIONS("words") "}\n";
    uint32_t *data = random_words(seed, COUNT), *expected = malloc(sizeof atomics_before);
    atomics_after(data, COUNT, expected);
    GLuint in = storage(0, COUNT, data), out = storage(1, ATOMIC_WORDS, atomics_before);
    free(data);
    GLuint program = program_of("storage atomics", text);
    uint32_t *actual = dispatch(program, GROUPS, 1, 1, out, ATOMIC_WORDS);
    // The exchanged values and the last remaining value are all numbers from 1 to the count.
    actual[21] += actual[22];
    expected[21] = (uint32_t)COUNT * (COUNT + 1) / 2;
    actual[22] = 0;
    return conclude("storage atomics", actual, expected, ATOMIC_WORDS, in, out);
}

int64_t run_shared_atomics(uint64_t seed) {
    enum { THREADS = 128, GROUPS = 9, COUNT = THREADS * GROUPS, RESULTS = GROUPS * ATOMIC_WORDS };
    static const char text[] =
        "layout(local_size_x = 128) in;\n"
        "layout(std430, binding = 0) readonly buffer Inputs { uint data[]; };\n"
        "layout(std430, binding = 1) writeonly buffer Results { uint result[]; };\n"
        "shared uint words[28];\n"
        "void main() {\n"
        "    uint id = gl_LocalInvocationIndex, word = data[gl_GlobalInvocationID.x];\n"
        "    if (id < 28u) words[id] = id == 16u || id == 18u ? 0xffffffffu : 0u;\n"
        "    barrier();\n" ATOMIC_OPERATIONS(
            "words") "    barrier();\n"
                     "    if (id < 28u) result[gl_WorkGroupID.x * 28u + id] = words[id];\n"
                     "}\n";
    uint32_t *data = random_words(seed, COUNT);
    uint32_t *expected = malloc(sizeof(uint32_t) * RESULTS);
    GLuint in = storage(0, COUNT, data), out = storage(1, RESULTS, NULL);
    GLuint program = program_of("shared atomics", text);
    uint32_t *actual = dispatch(program, GROUPS, 1, 1, out, RESULTS);
    for (int group = 0; group < GROUPS; group++) {
        uint32_t *words = expected + group * ATOMIC_WORDS, *got = actual + group * ATOMIC_WORDS;
        atomics_after(data + group * THREADS, THREADS, words);
        got[21] += got[22];
        words[21] = THREADS * (THREADS + 1) / 2;
        got[22] = 0;
    }
    free(data);
    return conclude("shared atomics", actual, expected, RESULTS, in, out);
}
