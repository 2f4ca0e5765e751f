/*
 * Extracts the modules of a file with fatbins: fatbins FILE FOLDER writes N.cubin, the code for sm_20, and N.ptx, the PTX, of the Nth
 * fatbin that has both. The format is described in gf100/isa (Fatbin, FatbinEntry).
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0xba55ed50u
#define HEADER_BYTES 16
#define PTX 1
#define CUBIN 2
#define ARCHITECTURE 20
#define COMPRESSED_LZ4 0x2000
#define MOST_BYTES (64u << 20)

static uint32_t u32(const uint8_t *at) { uint32_t value; memcpy(&value, at, 4); return value; }
static uint64_t u64(const uint8_t *at) { uint64_t value; memcpy(&value, at, 8); return value; }

/* Decompresses a block of LZ4; returns whether it had the expected length. */
static int decompress(const uint8_t *from, size_t bytes, uint8_t *to, size_t expected)
{
    const uint8_t *end = from + bytes;
    size_t done = 0;
    while (from < end) {
        uint8_t token = *from++, next;
        size_t count = token >> 4;
        if (count == 15) do { if (from >= end) return 0; next = *from++; count += next; } while (next == 255);
        if (count > (size_t)(end - from) || count > expected - done) return 0;
        memcpy(to + done, from, count);
        done += count;
        from += count;
        if (from == end) break;
        if (end - from < 2) return 0;
        size_t distance = from[0] | from[1] << 8;
        from += 2;
        count = token & 15;
        if (count == 15) do { if (from >= end) return 0; next = *from++; count += next; } while (next == 255);
        count += 4;
        if (distance == 0 || distance > done || count > expected - done) return 0;
        for (size_t i = 0; i < count; i++, done++) to[done] = to[done - distance];
    }
    return done == expected;
}

static void save(const char *folder, int number, const char *kind, const uint8_t *bytes, size_t count)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%d.%s", folder, number, kind);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file)) {
        perror(path);
        exit(1);
    }
}

int main(int count, char **words)
{
    if (count != 3) return 2;
    FILE *file = fopen(words[1], "rb");
    if (!file) {
        perror(words[1]);
        return 1;
    }
    uint8_t *all = malloc(MOST_BYTES);
    size_t size = fread(all, 1, MOST_BYTES, file);
    int number = 0;
    for (size_t at = 0; at + HEADER_BYTES <= size; at += 8) {
        if (u32(all + at) != MAGIC || u64(all + at + 8) > size - at) continue;
        size_t end = at + HEADER_BYTES + u64(all + at + 8);
        const uint8_t *cubin = NULL;
        size_t cubin_bytes = 0, ptx_bytes = 0;
        uint8_t *ptx = NULL;
        for (size_t entry = at + HEADER_BYTES; entry + 64 <= end;) {
            const uint8_t *header = all + entry, *payload = header + u32(header + 4);
            uint64_t bytes = u64(header + 8), flags = u64(header + 40);
            int kind = header[0] | header[1] << 8;
            if (bytes > end - entry) break;
            if (kind == CUBIN && u32(header + 28) == ARCHITECTURE && !(flags & 0xf000)) {
                cubin = payload;
                cubin_bytes = bytes;
            } else if (kind == PTX && (flags & COMPRESSED_LZ4)) {
                ptx_bytes = u64(header + 56);
                ptx = ptx_bytes > MOST_BYTES ? NULL : malloc(ptx_bytes);
                if (!ptx || !decompress(payload, u32(header + 16), ptx, ptx_bytes)) return 1;
            } else if (kind == PTX) {
                ptx_bytes = bytes;
                ptx = memcpy(malloc(bytes), payload, bytes);
            }
            entry += u32(header + 4) + bytes;
        }
        if (cubin && ptx) {
            while (ptx_bytes && !ptx[ptx_bytes - 1]) ptx_bytes--;
            save(words[2], number, "cubin", cubin, cubin_bytes);
            save(words[2], number++, "ptx", ptx, ptx_bytes);
        }
        free(ptx);
    }
    printf("%d\n", number);
    return 0;
}
