// Divergent threads, private memory of threads, and input from uniforms and buffers.

#include "gles.h"
#include "random.h"
#include "shaders.h"

#include <stdlib.h>
#include <string.h>

static const char head[] =
    "#version 310 es\nprecision highp float;\nprecision highp int;\n"
    "layout(local_size_x = 64) in;\n"
    "layout(std430, binding = 0) readonly buffer Inputs { uint data[]; };\n"
    "layout(std430, binding = 1) writeonly buffer Results { uint result[]; };\n";

enum { THREADS = 64, GROUPS = 11, COUNT = THREADS * GROUPS };

// Runs a shader, one thread for each word, and compares one word of each with a function's result.
static int64_t run_words(const char *name, const char *text, const uint32_t *data,
                         uint32_t (*expect)(uint32_t word)) {
    GLuint program = gles_compute_program(name, (const char *const[]){head, text}, 2);
    GLuint in = gles_buffer(GL_SHADER_STORAGE_BUFFER, 0, sizeof(uint32_t) * COUNT, data);
    GLuint out = gles_buffer(GL_SHADER_STORAGE_BUFFER, 1, sizeof(uint32_t) * COUNT, NULL);
    glUseProgram(program);
    glDispatchCompute(GROUPS, 1, 1);
    uint32_t expected[COUNT], *actual = gles_read_storage(out, sizeof expected);
    gles_require_no_error(name);
    for (int i = 0; i < COUNT; i++) {
        expected[i] = expect(data[i]);
    }
    int64_t wrong = first_wrong_word(name, actual, expected, COUNT);
    free(actual);
    glDeleteBuffers(1, &in);
    glDeleteBuffers(1, &out);
    glDeleteProgram(program);
    return wrong;
}

static void fill_words(uint64_t seed, uint32_t *data) {
    for (int i = 0; i < COUNT; i++) {
        data[i] = random_word(&seed);
    }
}

static uint32_t collatz(uint32_t word) {
    uint32_t steps = 0;
    for (uint32_t n = (word & 0xfff) + 1; n != 1; steps++) {
        n = n & 1 ? 3 * n + 1 : n / 2;
    }
    return steps;
}

// Loops of very different lengths.
int64_t run_collatz(uint64_t seed) {
    static const char text[] =
        "void main() {\n"
        "    uint n = (data[gl_GlobalInvocationID.x] & 0xfffu) + 1u, steps = 0u;\n"
        "    while (n != 1u) {\n"
        "        if ((n & 1u) != 0u) n = 3u * n + 1u; else n >>= 1;\n"
        "        steps++;\n"
        "    }\n"
        "    result[gl_GlobalInvocationID.x] = steps;\n"
        "}\n";
    uint32_t data[COUNT];
    fill_words(seed, data);
    return run_words("collatz", text, data, collatz);
}

static uint32_t search(uint32_t word, uint32_t limit) {
    for (uint32_t i = 0; i < limit; i++) {
        if ((word >> (i & 31) & 7) == 5) {
            return i;
        }
    }
    return 99;
}

static uint32_t nested(uint32_t word) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < (word & 15); i++) {
        if ((word >> i & 3) == 2) {
            continue;
        }
        for (uint32_t j = 0; j < 20; j++) {
            if (j * i > (word >> 8 & 63)) {
                break;
            }
            switch (((word >> j) + i) & 3) {
            case 0:
                sum += j;
                break;
            case 1:
                sum ^= 0x55;
                // fall through
            case 2:
                sum += 7 * i;
                break;
            default:
                sum = sum << 1 | sum >> 31;
            }
        }
        if (sum > 0xf0000000) {
            return sum + search(word, i);
        }
    }
    return sum + (word & 1 ? search(word, 29) : 0);
}

// Nested loops with all kinds of exits, and functions that return early.
int64_t run_nested_loops(uint64_t seed) {
    static const char text[] =
        "uint search(uint word, uint limit) {\n"
        "    for (uint i = 0u; i < limit; i++) {\n"
        "        if ((word >> (i & 31u) & 7u) == 5u) return i;\n"
        "    }\n"
        "    return 99u;\n"
        "}\n"
        "uint nested(uint word) {\n"
        "    uint sum = 0u;\n"
        "    for (uint i = 0u; i < (word & 15u); i++) {\n"
        "        if ((word >> i & 3u) == 2u) continue;\n"
        "        for (uint j = 0u; j < 20u; j++) {\n"
        "            if (j * i > (word >> 8 & 63u)) break;\n"
        "            switch ((word >> j) + i & 3u) {\n"
        "            case 0u: sum += j; break;\n"
        "            case 1u: sum ^= 0x55u;\n"
        "            case 2u: sum += 7u * i; break;\n"
        "            default: sum = sum << 1 | sum >> 31;\n"
        "            }\n"
        "        }\n"
        "        if (sum > 0xf0000000u) return sum + search(word, i);\n"
        "    }\n"
        "    return sum + ((word & 1u) != 0u ? search(word, 29u) : 0u);\n"
        "}\n"
        "void main() {\n"
        "    uint i = gl_GlobalInvocationID.x;\n"
        "    if (i < uint(data.length())) result[i] = nested(data[i]);\n"
        "}\n";
    uint32_t data[COUNT];
    fill_words(seed, data);
    return run_words("nested loops", text, data, nested);
}

static uint32_t sorted(uint32_t word) {
    uint32_t values[16], hash = 0;
    for (int i = 0; i < 16; i++) {
        values[i] = (word >> i) * 2654435761u;
    }
    for (int i = 1; i < 16; i++) {
        uint32_t value = values[i];
        int j = i;
        for (; j > 0; j--) {
            if (values[j - 1] <= value) {
                break;
            }
            values[j] = values[j - 1];
        }
        values[j] = value;
    }
    for (int i = 0; i < 16; i++) {
        hash = hash * 31 + values[i];
    }
    return hash ^ values[word & 15];
}

// Private array of each thread with computed indices. No element is read in the same condition as
// the check of its index: Mesa would read it in any case, and an access beyond a thread's memory is
// an error of the GPU.
int64_t run_sort(uint64_t seed) {
    static const char text[] =
        "void main() {\n"
        "    uint values[16], hash = 0u, word = data[gl_GlobalInvocationID.x];\n"
        "    for (int i = 0; i < 16; i++) values[i] = (word >> i) * 2654435761u;\n"
        "    for (int i = 1; i < 16; i++) {\n"
        "        uint value = values[i];\n"
        "        int j = i;\n"
        "        for (; j > 0; j--) {\n"
        "            if (values[j - 1] <= value) break;\n"
        "            values[j] = values[j - 1];\n"
        "        }\n"
        "        values[j] = value;\n"
        "    }\n"
        "    for (int i = 0; i < 16; i++) hash = hash * 31u + values[i];\n"
        "    result[gl_GlobalInvocationID.x] = hash ^ values[word & 15u];\n"
        "}\n";
    uint32_t data[COUNT];
    fill_words(seed, data);
    return run_words("sort", text, data, sorted);
}

static uint32_t table[256];
static uint32_t factor, offsets[4];

static uint32_t from_uniforms(uint32_t word) {
    uint32_t sum = 0;
    for (int i = 0; i < 5; i++) {
        sum = sum * factor + table[(word >> (i * 5)) & 255];
    }
    return sum + offsets[word & 3];
}

// Words of a uniform buffer at indices that differ from thread to thread, and uniforms of the
// program, which another dispatch changes.
int64_t run_uniforms(uint64_t seed) {
    static const char text[] =
        "layout(std140, binding = 2) uniform Table { uvec4 table[64]; };\n"
        "uniform uint factor;\n"
        "uniform uvec4 offsets;\n"
        "void main() {\n"
        "    uint word = data[gl_GlobalInvocationID.x], sum = 0u;\n"
        "    for (int i = 0; i < 5; i++) {\n"
        "        uint at = word >> (i * 5) & 255u;\n"
        "        sum = sum * factor + table[at >> 2][at & 3u];\n"
        "    }\n"
        "    result[gl_GlobalInvocationID.x] = sum + offsets[word & 3u];\n"
        "}\n";
    uint32_t data[COUNT];
    fill_words(seed, data);
    GLuint program = gles_compute_program("uniforms", (const char *const[]){head, text}, 2);
    GLuint in = gles_buffer(GL_SHADER_STORAGE_BUFFER, 0, sizeof data, data);
    GLuint out = gles_buffer(GL_SHADER_STORAGE_BUFFER, 1, sizeof data, NULL);
    int64_t wrong = -1;
    for (int round = 0; round < 3 && wrong < 0; round++) {
        for (int i = 0; i < 256; i++) {
            table[i] = random_word(&seed);
        }
        factor = random_word(&seed);
        for (int i = 0; i < 4; i++) {
            offsets[i] = random_word(&seed);
        }
        GLuint uniforms = gles_buffer(GL_UNIFORM_BUFFER, 2, sizeof table, table);
        glUseProgram(program);
        glUniform1ui(glGetUniformLocation(program, "factor"), factor);
        glUniform4uiv(glGetUniformLocation(program, "offsets"), 1, offsets);
        glDispatchCompute(GROUPS, 1, 1);
        uint32_t expected[COUNT], *actual = gles_read_storage(out, sizeof expected);
        gles_require_no_error("uniforms");
        for (int i = 0; i < COUNT; i++) {
            expected[i] = from_uniforms(data[i]);
        }
        wrong = first_wrong_word("uniforms", actual, expected, COUNT);
        free(actual);
        glDeleteBuffers(1, &uniforms);
    }
    glDeleteBuffers(1, &in);
    glDeleteBuffers(1, &out);
    glDeleteProgram(program);
    return wrong;
}

// Dispatch whose size the GPU reads from a buffer, after a dispatch that wrote its input.
int64_t run_indirect(uint64_t seed) {
    static const char first[] =
        "void main() { uint i = gl_GlobalInvocationID.x; result[i] = data[i] * 3u; }\n";
    static const char second[] =
        "void main() { uint i = gl_GlobalInvocationID.x; result[i] = data[i] + gl_NumWorkGroups.x; "
        "}\n";
    static const uint32_t size[] = {77, 77, GROUPS, 1, 1};
    uint32_t data[COUNT], expected[COUNT];
    fill_words(seed, data);
    GLuint programs[] = {
        gles_compute_program("indirect 1", (const char *const[]){head, first}, 2),
        gles_compute_program("indirect 2", (const char *const[]){head, second}, 2),
    };
    GLuint sizes = gles_buffer(GL_SHADER_STORAGE_BUFFER, 3, sizeof size, size);
    GLuint a = gles_buffer(GL_SHADER_STORAGE_BUFFER, 0, sizeof data, data);
    GLuint b = gles_buffer(GL_SHADER_STORAGE_BUFFER, 1, sizeof data, NULL);
    glUseProgram(programs[0]);
    glDispatchCompute(GROUPS, 1, 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, b);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, a);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, sizes);
    glUseProgram(programs[1]);
    glDispatchComputeIndirect(2 * sizeof(uint32_t));
    uint32_t *actual = gles_read_storage(a, sizeof data);
    gles_require_no_error("indirect");
    for (int i = 0; i < COUNT; i++) {
        expected[i] = data[i] * 3 + GROUPS;
    }
    int64_t wrong = first_wrong_word("indirect", actual, expected, COUNT);
    free(actual);
    glDeleteBuffers(1, &sizes);
    glDeleteBuffers(1, &a);
    glDeleteBuffers(1, &b);
    glDeleteProgram(programs[0]);
    glDeleteProgram(programs[1]);
    return wrong;
}
