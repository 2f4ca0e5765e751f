// Arithmetic: expressions that are each written once, and compiled by Mesa for the GPU and by the C
// compiler for the processor. Functions cover differences of syntax.

#include "gles.h"
#include "random.h"
#include "report.h"
#include "shaders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tgmath.h>

enum { THREADS = 64, GROUPS = 13, COUNT = THREADS * GROUPS };

int64_t first_wrong_word(const char *what, const uint32_t *actual, const uint32_t *expected,
                         int words) {
    for (int i = 0; i < words; i++) {
        if (actual[i] != expected[i]) {
            report_note("%s: word %d is %08x, expected %08x", what, i, actual[i], expected[i]);
            return (int64_t)i * 4;
        }
    }
    return -1;
}

// Expressions over two words a and b; sa and sb are the same words, signed.
#define INTEGER_EXPRESSIONS(E)                                                                     \
    E(a + b)                                                                                       \
    E(a - b)                                                                                       \
    E(-a)                                                                                          \
    E(a * b)                                                                                       \
    E(a * 12345u + b)                                                                              \
    E(high_product(a, b))                                                                          \
    E(signed_high_product(sa, sb))                                                                 \
    E(a / (b | 1u))                                                                                \
    E(a % (b | 1u))                                                                                \
    E(a / 7u)                                                                                      \
    E(a % 1000u)                                                                                   \
    E((a & 0xffffu) * (b & 0xffffu))                                                               \
    E((sa >> 1) / (sb | 3))                                                                        \
    E((sa >> 1) / 10)                                                                              \
    E((sa >> 4) / ((sb >> 20) | 1))                                                                \
    E(a << (b & 31u))                                                                              \
    E(a >> (b & 31u))                                                                              \
    E(sa >> (b & 31u))                                                                             \
    E((a << 5) - a)                                                                                \
    E((a << 3) + b)                                                                                \
    E(a & b)                                                                                       \
    E(a | b)                                                                                       \
    E(a ^ b)                                                                                       \
    E(~a)                                                                                          \
    E(a & ~b)                                                                                      \
    E((a & b) | (~a & 0x00ff00ffu))                                                                \
    E(bits_taken(a, 5, 11))                                                                        \
    E(signed_bits_taken(sa, 7, 9))                                                                 \
    E(bits_put(a, b, 9, 13))                                                                       \
    E(reversed(a))                                                                                 \
    E(ones(a))                                                                                     \
    E(lowest_one(a & b & 0xfffffff0u))                                                             \
    E(highest_one(a >> (b & 31u)))                                                                 \
    E(signed_highest(sa >> (b & 31u)))                                                             \
    E(carry_of(a, b))                                                                              \
    E(borrow_of(a, b))                                                                             \
    E(a < b ? a : b)                                                                               \
    E(sa > sb ? sa : sb)                                                                           \
    E(sa < 0 ? -sa : sa)                                                                           \
    E(a == b)                                                                                      \
    E((a & 15u) >= (b & 15u))                                                                      \
    E((sa >> 28) <= (sb >> 28))                                                                    \
    E((sa >> 28) != (sb >> 28))                                                                    \
    E((a > b) != (sa > sb))                                                                        \
    E((a & 0xffu) + ((b >> 8) & 0xffu) * 3u)

static const char integer_functions[] =
    "uint high_product(uint x, uint y) { uint h, l; umulExtended(x, y, h, l); return h; }\n"
    "int signed_high_product(int x, int y) { int h, l; imulExtended(x, y, h, l); return h; }\n"
    "uint bits_taken(uint x, int from, int count) { return bitfieldExtract(x, from, count); }\n"
    "int signed_bits_taken(int x, int from, int count) { return bitfieldExtract(x, from, count); }\n"
    "uint bits_put(uint x, uint y, int from, int count) {\n"
    "    return bitfieldInsert(x, y, from, count);\n"
    "}\n"
    "uint reversed(uint x) { return bitfieldReverse(x); }\n"
    "int ones(uint x) { return bitCount(x); }\n"
    "int lowest_one(uint x) { return findLSB(x); }\n"
    "int highest_one(uint x) { return findMSB(x); }\n"
    "int signed_highest(int x) { return findMSB(x); }\n"
    "uint carry_of(uint x, uint y) { uint c; uaddCarry(x, y, c); return c; }\n"
    "uint borrow_of(uint x, uint y) { uint c; usubBorrow(x, y, c); return c; }\n";

static uint32_t high_product(uint32_t x, uint32_t y) { return (uint32_t)((uint64_t)x * y >> 32); }

static int32_t signed_high_product(int32_t x, int32_t y) {
    return (int32_t)((int64_t)x * y >> 32);
}

static uint32_t bits_taken(uint32_t x, int from, int count) {
    return x >> from & ((1u << count) - 1);
}

static int32_t signed_bits_taken(int32_t x, int from, int count) {
    return (int32_t)((uint32_t)x << (32 - from - count)) >> (32 - count);
}

static uint32_t bits_put(uint32_t x, uint32_t y, int from, int count) {
    uint32_t mask = ((1u << count) - 1) << from;
    return (x & ~mask) | (y << from & mask);
}

static uint32_t reversed(uint32_t x) {
    uint32_t y = 0;
    for (int i = 0; i < 32; i++) {
        y |= (x >> i & 1) << (31 - i);
    }
    return y;
}

static int ones(uint32_t x) {
    int count = 0;
    for (; x; x &= x - 1) {
        count++;
    }
    return count;
}

static int lowest_one(uint32_t x) {
    for (int i = 0; i < 32; i++) {
        if (x >> i & 1) {
            return i;
        }
    }
    return -1;
}

static int highest_one(uint32_t x) {
    int i = 31;
    while (i >= 0 && !(x >> i & 1)) {
        i--;
    }
    return i;
}

static int signed_highest(int32_t x) { return highest_one((uint32_t)(x < 0 ? ~x : x)); }

static uint32_t carry_of(uint32_t x, uint32_t y) { return x + y < x; }

static uint32_t borrow_of(uint32_t x, uint32_t y) { return x < y; }

// Line of the shader for an expression.
#define STORE_WORD(expression) "    store(uint(" #expression "));\n"
#define STORE_FLOAT(tolerance, expression) "    store(floatBitsToUint(" #expression "));\n"

// Runs a shader with three input words a thread and one output word for each expression.
static uint32_t *evaluate(const char *name, const char *functions, const char *expressions,
                          const uint32_t *inputs, int outputs) {
    char store[256];
    snprintf(store, sizeof store,
             "uint next;\n"
             "void store(uint word) { result[gl_GlobalInvocationID.x * %uu + next++] = word; }\n",
             outputs);
    const char *sources[] = {
        "#version 310 es\n"
        "#extension GL_EXT_gpu_shader5 : enable\n"
        "precision highp float;\nprecision highp int;\n"
        "layout(local_size_x = 64) in;\n"
        "layout(std430, binding = 0) readonly buffer Inputs { uint data[]; };\n"
        "layout(std430, binding = 1) writeonly buffer Results { uint result[]; };\n",
        store,
        functions,
        "void main() {\n"
        "    uint at = gl_GlobalInvocationID.x * 3u;\n"
        "    next = 0u;\n"
        "    uint a = data[at], b = data[at + 1u];\n"
        "    int sa = int(a), sb = int(b);\n"
        "    float x = uintBitsToFloat(a), y = uintBitsToFloat(b);\n"
        "    float z = uintBitsToFloat(data[at + 2u]);\n",
        expressions,
        "}\n",
    };
    size_t bytes = sizeof(uint32_t) * COUNT * (size_t)outputs;
    GLuint program = gles_compute_program(name, sources, sizeof sources / sizeof *sources);
    GLuint in = gles_buffer(GL_SHADER_STORAGE_BUFFER, 0, sizeof(uint32_t) * COUNT * 3, inputs);
    GLuint out = gles_buffer(GL_SHADER_STORAGE_BUFFER, 1, bytes, NULL);
    glUseProgram(program);
    glDispatchCompute(GROUPS, 1, 1);
    uint32_t *results = gles_read_storage(out, bytes);
    gles_require_no_error(name);
    glDeleteBuffers(1, &in);
    glDeleteBuffers(1, &out);
    glDeleteProgram(program);
    return results;
}

// Returns random words, and sometimes an edge case.
static uint32_t random_operand(uint64_t *state) {
    static const uint32_t special[] = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff};
    uint32_t word = random_word(state);
    if (word % 4 == 0) {
        return special[random_word(state) % (sizeof special / sizeof *special)];
    }
    return word >> (random_word(state) % 3 * 8);
}

int64_t run_integers(uint64_t seed) {
#define ONE(expression) +1
    enum { OUTPUTS = 0 INTEGER_EXPRESSIONS(ONE) };
    static const char *const texts[] = {
#define TEXT(expression) #expression,
        INTEGER_EXPRESSIONS(TEXT)};
    uint32_t inputs[COUNT * 3];
    for (int i = 0; i < COUNT * 3; i++) {
        inputs[i] = random_operand(&seed);
    }
    uint32_t *results = evaluate("integers", integer_functions, INTEGER_EXPRESSIONS(STORE_WORD),
                                 inputs, OUTPUTS);
    int64_t wrong = -1;
    for (int i = 0; i < COUNT && wrong < 0; i++) {
        uint32_t a = inputs[i * 3], b = inputs[i * 3 + 1];
        int32_t sa = (int32_t)a, sb = (int32_t)b;
        // Wraps around as in the shader.
        uint32_t expected[] = {
#define WORD(expression) (uint32_t)(expression),
            INTEGER_EXPRESSIONS(WORD)};
        for (int k = 0; k < OUTPUTS && wrong < 0; k++) {
            uint32_t actual = results[i * OUTPUTS + k];
            if (actual != expected[k]) {
                report_note("%s with a=%08x b=%08x is %08x, expected %08x", texts[k], a, b, actual,
                            expected[k]);
                wrong = ((int64_t)i * OUTPUTS + k) * 4;
            }
        }
    }
    free(results);
    return wrong;
}

// Tolerance of a result, relative to the expected value, and absolute. The GPU has no divider and
// no square root: reciprocals and roots are accurate to about 1 in 2^22, sine and cosine to 2^-20
// after the reduction of the angle, which costs bits for large angles.
struct tolerance {
    double relative, absolute;
};

static const struct tolerance exact = {0, 0}, fused_or_not = {0x1p-22, 0x1p-120},
                              quotient = {0x1p-21, 0x1p-120}, root = {0x1p-20, 0x1p-120},
                              angle = {0, 0x1p-17}, exponent = {0x1p-20, 0x1p-120},
                              logarithm = {0x1p-19, 0x1p-19}, power = {0x1p-15, 0x1p-120};

// Expressions over floats x and z of either sign, and positive y.
#define FLOAT_EXPRESSIONS(E)                                                                       \
    E(exact, x + z)                                                                                \
    E(exact, x - y)                                                                                \
    E(exact, x * z)                                                                                \
    E(exact, fused(x, y, z))                                                                       \
    E(exact, fused(-x, y, -z))                                                                     \
    E(exact, -x)                                                                                   \
    E(exact, absolute(x))                                                                          \
    E(exact, smaller(x, z))                                                                        \
    E(exact, larger(x, z))                                                                         \
    E(exact, floor(x))                                                                             \
    E(exact, ceil(x))                                                                              \
    E(exact, trunc(x))                                                                             \
    E(exact, to_even(x))                                                                           \
    E(exact, x < z ? y : -y)                                                                       \
    E(exact, x >= 0.0f ? 2.5f : -0.5f)                                                             \
    E(exact, limited(x))                                                                           \
    E(fused_or_not, absolute(x) * y + absolute(z))                                                 \
    E(quotient, x / y)                                                                             \
    E(quotient, 1.0f / y)                                                                          \
    E(root, sqrt(y))                                                                               \
    E(root, inverse_root(y))                                                                       \
    E(angle, sin(x))                                                                               \
    E(angle, cos(x))                                                                               \
    E(exponent, exp2(x * 0.25f))                                                                   \
    E(logarithm, log2(y))                                                                          \
    E(power, pow(y, 1.5f))

static const char float_functions[] =
    "float fused(float p, float q, float r) { return fma(p, q, r); }\n"
    "float absolute(float p) { return abs(p); }\n"
    "float smaller(float p, float q) { return min(p, q); }\n"
    "float larger(float p, float q) { return max(p, q); }\n"
    "float to_even(float p) { return roundEven(p); }\n"
    "float limited(float p) { return clamp(p, 0.0f, 1.0f); }\n"
    "float inverse_root(float p) { return inversesqrt(p); }\n";

static float fused(float p, float q, float r) { return fma(p, q, r); }

static float absolute(float p) { return fabs(p); }

static float smaller(float p, float q) { return p < q ? p : q; }

static float larger(float p, float q) { return p > q ? p : q; }

static float to_even(float p) { return rint(p); }

static float limited(float p) { return p < 0 ? 0 : p > 1 ? 1 : p; }

static float inverse_root(float p) { return 1 / sqrt(p); }

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_close(float actual, float expected, struct tolerance tolerance) {
    if (tolerance.relative == 0 && tolerance.absolute == 0) {
        return bits_of(actual) == bits_of(expected);
    }
    double difference = fabs((double)actual - (double)expected);
    return difference <= tolerance.relative * fabs((double)expected) + tolerance.absolute;
}

int64_t run_floats(uint64_t seed) {
#define ONE_FLOAT(tolerance, expression) +1
    enum { OUTPUTS = 0 FLOAT_EXPRESSIONS(ONE_FLOAT) };
    static const char *const texts[] = {
#define FLOAT_TEXT(tolerance, expression) #expression,
        FLOAT_EXPRESSIONS(FLOAT_TEXT)};
    const struct tolerance tolerances[] = {
#define TOLERANCE(tolerance, expression) tolerance,
        FLOAT_EXPRESSIONS(TOLERANCE)};
    uint32_t inputs[COUNT * 3];
    for (int i = 0; i < COUNT; i++) {
        inputs[i * 3] = bits_of(random_float(&seed, -50, 50));
        inputs[i * 3 + 1] = bits_of(random_float(&seed, 0.001f, i % 2 ? 1 : 1000));
        inputs[i * 3 + 2] = bits_of(random_float(&seed, -2, 2));
    }
    uint32_t *results =
        evaluate("floats", float_functions, FLOAT_EXPRESSIONS(STORE_FLOAT), inputs, OUTPUTS);
    int64_t wrong = -1;
    for (int i = 0; i < COUNT && wrong < 0; i++) {
        float x = float_of(inputs[i * 3]), y = float_of(inputs[i * 3 + 1]);
        float z = float_of(inputs[i * 3 + 2]);
        float expected[] = {
#define VALUE(tolerance, expression) expression,
            FLOAT_EXPRESSIONS(VALUE)};
        for (int k = 0; k < OUTPUTS && wrong < 0; k++) {
            float actual = float_of(results[i * OUTPUTS + k]);
            if (!is_close(actual, expected[k], tolerances[k])) {
                report_note("%s with x=%a y=%a z=%a is %a, expected %a", texts[k], (double)x,
                            (double)y, (double)z, (double)actual, (double)expected[k]);
                wrong = ((int64_t)i * OUTPUTS + k) * 4;
            }
        }
    }
    free(results);
    return wrong;
}

// Expressions over words a and b, and small floats made from them; the results are words.
#define CONVERSION_EXPRESSIONS(E)                                                                  \
    E(float_bits(to_float(a)))                                                                     \
    E(float_bits(signed_to_float(sa)))                                                             \
    E(float_bits(signed_to_float(sa >> 12)))                                                       \
    E(to_signed(signed_to_float(sa >> 12) * 0.125f))                                               \
    E(to_unsigned(to_float(a >> 8) * 0.0625f))                                                     \
    E(to_signed(to_float(b & 0xffffu) - 1234.75f))                                                 \
    E(half_pair(signed_to_float(sa >> 16) * 0.03125f, to_float(b & 0x7ffu)))                       \
    E(float_bits(low_half(b & 0x3bffu)))                                                           \
    E(float_bits(high_half((a & 0x7bffu) << 16)))                                                  \
    E(unorm_bytes(to_float(a & 0xffu) * 0.00390625f))                                              \
    E(is_nan(quiet_nan(a)))                                                                        \
    E(is_infinite(infinity_of(sa)))                                                                \
    E(infinity_of(sa) > to_float(b))                                                               \
    E(quiet_nan(a) < to_float(b))

static const char conversion_functions[] =
    "float to_float(uint x) { return float(x); }\n"
    "float signed_to_float(int x) { return float(x); }\n"
    "int to_signed(float x) { return int(x); }\n"
    "uint to_unsigned(float x) { return uint(x); }\n"
    "uint float_bits(float x) { return floatBitsToUint(x); }\n"
    "uint half_pair(float x, float y) { return packHalf2x16(vec2(x, y)); }\n"
    "float low_half(uint x) { return unpackHalf2x16(x).x; }\n"
    "float high_half(uint x) { return unpackHalf2x16(x).y; }\n"
    "uint unorm_bytes(float x) { return packUnorm4x8(vec4(x, 1.0, 0.0, 1.0 - x)); }\n"
    "float quiet_nan(uint x) { return uintBitsToFloat(0x7fc00000u | x & 0xffffu); }\n"
    "float infinity_of(int x) { return uintBitsToFloat(0x7f800000u | uint(x) & 0x80000000u); }\n"
    "bool is_nan(float x) { return isnan(x); }\n"
    "bool is_infinite(float x) { return isinf(x); }\n";

static float to_float(uint32_t x) { return (float)x; }

static float signed_to_float(int32_t x) { return (float)x; }

static int32_t to_signed(float x) { return (int32_t)x; }

static uint32_t to_unsigned(float x) { return (uint32_t)x; }

static uint32_t float_bits(float x) { return bits_of(x); }

static uint32_t half_bits(float x) {
    _Float16 half = (_Float16)x;
    uint16_t bits;
    memcpy(&bits, &half, sizeof bits);
    return bits;
}

static uint32_t half_pair(float x, float y) { return half_bits(x) | half_bits(y) << 16; }

static float low_half(uint32_t x) {
    uint16_t bits = (uint16_t)x;
    _Float16 half;
    memcpy(&half, &bits, sizeof half);
    return half;
}

static float high_half(uint32_t x) { return low_half(x >> 16); }

static uint32_t unorm_bytes(float x) {
    uint32_t low = (uint32_t)rint(x * 255.0f), high = (uint32_t)rint((1 - x) * 255.0f);
    return low | 0xff00 | high << 24;
}

static float quiet_nan(uint32_t x) { return float_of(0x7fc00000 | (x & 0xffff)); }

static float infinity_of(int32_t x) { return float_of(0x7f800000 | ((uint32_t)x & 0x80000000)); }

static bool is_nan(float x) { return isnan(x); }

static bool is_infinite(float x) { return isinf(x); }

int64_t run_conversions(uint64_t seed) {
    enum { OUTPUTS = 0 CONVERSION_EXPRESSIONS(ONE) };
    static const char *const texts[] = {CONVERSION_EXPRESSIONS(TEXT)};
    uint32_t inputs[COUNT * 3];
    for (int i = 0; i < COUNT * 3; i++) {
        inputs[i] = random_operand(&seed);
    }
    uint32_t *results = evaluate("conversions", conversion_functions,
                                 CONVERSION_EXPRESSIONS(STORE_WORD), inputs, OUTPUTS);
    int64_t wrong = -1;
    for (int i = 0; i < COUNT && wrong < 0; i++) {
        uint32_t a = inputs[i * 3], b = inputs[i * 3 + 1];
        int32_t sa = (int32_t)a;
        uint32_t expected[] = {CONVERSION_EXPRESSIONS(WORD)};
        for (int k = 0; k < OUTPUTS && wrong < 0; k++) {
            uint32_t actual = results[i * OUTPUTS + k];
            if (actual != expected[k]) {
                report_note("%s with a=%08x b=%08x is %08x, expected %08x", texts[k], a, b, actual,
                            expected[k]);
                wrong = ((int64_t)i * OUTPUTS + k) * 4;
            }
        }
    }
    free(results);
    return wrong;
}
