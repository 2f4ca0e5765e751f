#define _GNU_SOURCE

#include "runtime.h"

#include <stdint.h>

char number, add, poke, texel, scale, twice, fail, hello, check;
unsigned int counters[16];

static const char ptx[] =
    ".version 3.2\n"
    ".target sm_20\n"
    ".address_size 64\n"
    ".extern .func (.param .b32 status) vprintf (.param .b64 format, .param .b64 arguments);\n"
    ".extern .func __assertfail (.param .b64 message, .param .b64 file, .param .b32 line, .param .b64 function, .param .b64 size);\n"
    /* "value %d\n" */
    ".global .align 1 .b8 format[10] = {118, 97, 108, 117, 101, 32, 37, 100, 10, 0};\n"
    ".visible .global .align 4 .u32 counters[16];\n"
    /* out[i] = 2 * i + added; counters[0] += 1 */
    ".visible .entry twice(.param .u64 out, .param .u32 added)\n"
    "{\n"
    "  .reg .u32 %r<5>;\n"
    "  .reg .u64 %rd<5>;\n"
    "  ld.param.u64 %rd1, [out];\n"
    "  ld.param.u32 %r1, [added];\n"
    "  mov.u32 %r2, %tid.x;\n"
    "  mad.lo.u32 %r3, %r2, 2, %r1;\n"
    "  mul.wide.u32 %rd2, %r2, 4;\n"
    "  add.u64 %rd3, %rd1, %rd2;\n"
    "  st.global.u32 [%rd3], %r3;\n"
    "  mov.u64 %rd4, counters;\n"
    "  red.global.add.u32 [%rd4], 1;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry fail(.param .u64 unused, .param .u32 unused2)\n"
    "{\n"
    "  trap;\n"
    "  ret;\n"
    "}\n"
    ".visible .entry hello(.param .u64 unused, .param .u32 value)\n"
    "{\n"
    "  .local .align 8 .b8 arguments[8];\n"
    "  .reg .u32 %r<3>;\n"
    "  .reg .u64 %rd<5>;\n"
    "  ld.param.u32 %r1, [value];\n"
    "  mov.u64 %rd1, arguments;\n"
    "  st.local.u32 [%rd1], %r1;\n"
    "  cvta.local.u64 %rd2, %rd1;\n"
    "  mov.u64 %rd3, format;\n"
    "  cvta.global.u64 %rd4, %rd3;\n"
    "  {\n"
    "    .param .b64 p0;\n"
    "    .param .b64 p1;\n"
    "    .param .b32 r0;\n"
    "    st.param.b64 [p0], %rd4;\n"
    "    st.param.b64 [p1], %rd2;\n"
    "    call.uni (r0), vprintf, (p0, p1);\n"
    "    ld.param.b32 %r2, [r0];\n"
    "  }\n"
    "  ret;\n"
    "}\n"
    /* assert(false) */
    ".visible .entry check(.param .u64 unused, .param .u32 line)\n"
    "{\n"
    "  .reg .u32 %r<2>;\n"
    "  .reg .u64 %rd<4>;\n"
    "  ld.param.u32 %r1, [line];\n"
    "  mov.u64 %rd1, format;\n"
    "  cvta.global.u64 %rd2, %rd1;\n"
    "  mov.u64 %rd3, 1;\n"
    "  {\n"
    "    .param .b64 p0;\n"
    "    .param .b64 p1;\n"
    "    .param .b32 p2;\n"
    "    .param .b64 p3;\n"
    "    .param .b64 p4;\n"
    "    st.param.b64 [p0], %rd2;\n"
    "    st.param.b64 [p1], %rd2;\n"
    "    st.param.b32 [p2], %r1;\n"
    "    st.param.b64 [p3], %rd2;\n"
    "    st.param.b64 [p4], %rd3;\n"
    "    call.uni __assertfail, (p0, p1, p2, p3, p4);\n"
    "  }\n"
    "  ret;\n"
    "}\n";

/* Fatbin with one entry. The format is described in gf100/isa (Fatbin, FatbinEntry). */
struct fatbin {
    uint32_t magic;
    uint16_t version;
    uint16_t header_bytes;
    uint64_t bytes; /* after the header */
    struct {
        uint16_t kind;
        uint16_t version;
        uint32_t header_bytes;
        uint64_t bytes; /* after the entry's header, a multiple of 8 */
        uint32_t compressed_bytes;
        uint32_t options;
        uint16_t minor;
        uint16_t major;
        uint32_t architecture;
        uint32_t name_offset;
        uint32_t name_bytes;
        uint64_t flags;
        uint64_t zero;
        uint64_t decompressed_bytes;
    } entry;
    char content[(sizeof ptx + 7) / 8 * 8];
};

const void *test_fatbin(void)
{
    static struct fatbin fatbin;
    fatbin.magic = 0xba55ed50u;
    fatbin.version = 1;
    fatbin.header_bytes = offsetof(struct fatbin, entry);
    fatbin.bytes = sizeof fatbin - offsetof(struct fatbin, entry);
    fatbin.entry.kind = 1; /* PTX */
    fatbin.entry.version = 0x101;
    fatbin.entry.header_bytes = sizeof fatbin.entry;
    fatbin.entry.bytes = sizeof fatbin.content;
    fatbin.entry.major = 3;
    fatbin.entry.minor = 2;
    fatbin.entry.architecture = 20;
    fatbin.entry.flags = 0x11; /* 64 bits, Linux */
    memcpy(fatbin.content, ptx, sizeof ptx);
    return &fatbin;
}

const void *test_cubin(void)
{
    static unsigned char image[1 << 20];
    const char *path = getenv("GPUVM_TEST_CUBIN");
    CHECK(path != NULL);
    FILE *file = fopen(path, "rb");
    CHECK(file != NULL);
    CHECK(fread(image, 1, sizeof image, file) > 0);
    fclose(file);
    return image;
}

static void add_kernel(void **handle, char *host, const char *name)
{
    __cudaRegisterFunction(handle, host, host, name, -1, NULL, NULL, NULL, NULL, NULL);
}

static void **handles[2];

/* As in programs, modules are unloaded after main. */
static void unregister_modules(void)
{
    __cudaUnregisterFatBinary(handles[1]);
    __cudaUnregisterFatBinary(handles[0]);
}

void register_modules(void)
{
    static struct wrapper cubin;
    static struct wrapper fatbin;
    cubin = (struct wrapper)WRAPPER(test_cubin());
    fatbin = (struct wrapper)WRAPPER(test_fatbin());
    void **handle = handles[0] = __cudaRegisterFatBinary(&cubin);
    CHECK(handle != NULL);
    CHECK_EQUAL(0, atexit(unregister_modules));
    add_kernel(handle, &number, "number");
    add_kernel(handle, &add, "add");
    add_kernel(handle, &poke, "poke");
    add_kernel(handle, &scale, "scale");
    __cudaRegisterFatBinaryEnd(handle);
    handle = handles[1] = __cudaRegisterFatBinary(&fatbin);
    CHECK(handle != NULL);
    add_kernel(handle, &twice, "twice");
    add_kernel(handle, &fail, "fail");
    add_kernel(handle, &hello, "hello");
    add_kernel(handle, &check, "check");
    __cudaRegisterVar(handle, (char *)counters, (char *)counters, "counters", 0, sizeof counters, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

cudaError_t launch(const void *kernel, unsigned int threads, void *first, unsigned int second)
{
    void *parameters[] = {&first, &second};
    return cudaLaunchKernel(kernel, (dim3){1, 1, 1}, (dim3){threads, 1, 1}, parameters, 0, NULL);
}

void check_words(const void *device, unsigned int count, unsigned int first, unsigned int step)
{
    unsigned int *words = calloc(count, sizeof *words);
    CHECK(words != NULL);
    CHECK_DONE(cudaMemcpy(words, device, count * sizeof *words, cudaMemcpyDeviceToHost));
    for (unsigned int i = 0; i < count; i++)
        CHECK_EQUAL(first + i * step, words[i]);
    free(words);
}
