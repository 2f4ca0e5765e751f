#include "sha256.h"

#include <string.h>

#define BLOCK_BYTES 64
#define ROUNDS 64
#define WORDS 8
#define LENGTH_BYTES 8

/* Fractional parts of the cube roots of the first 64 primes: FIPS 180-4, section 4.2.2. */
static const uint32_t round_constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* Fractional parts of the square roots of the first 8 primes: FIPS 180-4, section 5.3.3. */
static const uint32_t initial_state[WORDS] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static uint32_t rotate(uint32_t value, int bits)
{
    return value >> bits | value << (32 - bits);
}

static uint32_t read_big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void write_big_endian(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void expand(const uint8_t *block, uint32_t schedule[ROUNDS])
{
    for (int i = 0; i < BLOCK_BYTES / 4; i++)
        schedule[i] = read_big_endian(block + 4 * i);
    for (int i = BLOCK_BYTES / 4; i < ROUNDS; i++) {
        uint32_t early = schedule[i - 15];
        uint32_t late = schedule[i - 2];
        schedule[i] = schedule[i - 16] + (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) + schedule[i - 7] +
            (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
    }
}

static void add_block(uint32_t state[WORDS], const uint8_t *block)
{
    uint32_t schedule[ROUNDS];
    expand(block, schedule);
    uint32_t w[WORDS];
    memcpy(w, state, sizeof w);
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t choice = (w[4] & w[5]) ^ (~w[4] & w[6]);
        uint32_t majority = (w[0] & w[1]) ^ (w[0] & w[2]) ^ (w[1] & w[2]);
        uint32_t first = w[7] + (rotate(w[4], 6) ^ rotate(w[4], 11) ^ rotate(w[4], 25)) + choice + round_constants[i] + schedule[i];
        uint32_t second = (rotate(w[0], 2) ^ rotate(w[0], 13) ^ rotate(w[0], 22)) + majority;
        memmove(w + 1, w, (WORDS - 1) * sizeof w[0]);
        w[4] += first;
        w[0] = first + second;
    }
    for (int i = 0; i < WORDS; i++)
        state[i] += w[i];
}

void gpuvm_sha256(const void *bytes, size_t length, uint8_t hash[GPUVM_SHA256_BYTES])
{
    uint32_t state[WORDS];
    memcpy(state, initial_state, sizeof state);
    const uint8_t *next = bytes;
    size_t left = length;
    for (; left >= BLOCK_BYTES; left -= BLOCK_BYTES, next += BLOCK_BYTES)
        add_block(state, next);

    /* The rest, a one bit, zeros, and the number of bits: one block, or two if the number does not fit. */
    uint8_t end[2 * BLOCK_BYTES] = {0};
    if (left != 0)
        memcpy(end, next, left);
    end[left] = 0x80;
    size_t end_bytes = left + 1 + LENGTH_BYTES <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    uint64_t bits = (uint64_t)length * 8;
    write_big_endian(end + end_bytes - LENGTH_BYTES, (uint32_t)(bits >> 32));
    write_big_endian(end + end_bytes - LENGTH_BYTES / 2, (uint32_t)bits);
    for (size_t at = 0; at < end_bytes; at += BLOCK_BYTES)
        add_block(state, end + at);

    for (int i = 0; i < WORDS; i++)
        write_big_endian(hash + 4 * i, state[i]);
}
