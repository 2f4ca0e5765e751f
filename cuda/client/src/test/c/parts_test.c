/* Tests of parts of the calls' meaning that programs do not see. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>

#include "../../calls/bytes.h"
#include "../../calls/content.h"
#include "../../calls/current.h"
#include "../../calls/handles.h"
#include "../../calls/launch.h"
#include "../../calls/printed_text.h"
#include "../../calls/prints.h"
#include "../../calls/ranges.h"
#include "../../calls/sha256.h"
#include "api.h"
#include "model.h"

static void check_hash(const char *text, size_t repeat, const char *expected)
{
    uint8_t hash[GPUVM_SHA256_BYTES];
    char hex[2 * GPUVM_SHA256_BYTES + 1];
    size_t length = strlen(text);
    char *bytes = malloc(length * repeat + 1);
    for (size_t i = 0; i < repeat; i++)
        memcpy(bytes + i * length, text, length);
    gpuvm_sha256(bytes, length * repeat, hash);
    for (int i = 0; i < GPUVM_SHA256_BYTES; i++)
        sprintf(hex + 2 * i, "%02x", hash[i]);
    CHECK_EQUAL(0, strcmp(expected, hex));
    free(bytes);
}

/* Examples of FIPS 180-4, and lengths at which the padding needs another block. */
static void hashes_are_those_of_sha_256(void)
{
    check_hash("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_hash("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_hash("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    check_hash("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    check_hash("a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    check_hash("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

/* Copies within one buffer as memmove does, also where source and destination overlap. */
static void check_bytes(size_t to, size_t from, size_t bytes)
{
    size_t all = (to > from ? to : from) + bytes + 1;
    unsigned char *copied = malloc(all);
    unsigned char *expected = malloc(all);
    fill_pattern(copied, all, (unsigned int)bytes);
    memcpy(expected, copied, all);
    memmove(expected + to, expected + from, bytes);
    gpuvm_copy_bytes(copied + to, copied + from, bytes);
    CHECK_EQUAL(0, memcmp(expected, copied, all));
    free(copied);
    free(expected);
}

static void bytes_are_copied_at_all_alignments(void)
{
    enum { LONG = 1 << 20, FAR = 2 * LONG };
    for (size_t offset = 0; offset < 65; offset += 13) {
        check_bytes(FAR + offset, 3, LONG + offset);
        check_bytes(offset, FAR, LONG + 63 - offset);
        check_bytes(FAR, offset, LONG - 1);
    }
    check_bytes(FAR, 0, 0);
    check_bytes(100, 0, LONG + 77);
    check_bytes(0, 100, LONG + 77);
    check_bytes(LONG + 77, 0, LONG + 77);
    check_bytes(0, 0, LONG);
}

static void handles_have_generations(void)
{
    struct gpuvm_table table = GPUVM_TABLE('X');
    uint64_t handle;
    uint64_t other;
    CHECK_EQUAL(0, gpuvm_table_find(&table, 1) != NULL);
    CHECK_SUCCESS(gpuvm_table_open(&table, sizeof(struct gpuvm_slot), 2));
    void *object = gpuvm_table_take(&table, &handle);
    CHECK_EQUAL(1, (uint32_t)handle);
    CHECK_EQUAL('X', handle >> 56);
    CHECK(gpuvm_table_find(&table, handle) == NULL);
    gpuvm_slot_show(object, handle);
    CHECK(gpuvm_table_find(&table, handle) == object);
    CHECK(gpuvm_table_find(&table, handle + 1) == NULL);
    CHECK(gpuvm_table_find(&table, handle ^ UINT64_C(1) << 60) == NULL);
    CHECK(gpuvm_table_find(&table, (uint32_t)handle) == NULL);
    CHECK(gpuvm_table_find(&table, 0) == NULL);
    CHECK(gpuvm_table_find(&table, UINT64_MAX) == NULL);
    void *second = gpuvm_table_take(&table, &other);
    CHECK_EQUAL(2, (uint32_t)other);
    CHECK(gpuvm_table_take(&table, &(uint64_t){0}) == NULL);
    CHECK(gpuvm_slot_hide(object, handle));
    CHECK(!gpuvm_slot_hide(object, handle));
    gpuvm_table_give(&table, object);
    uint64_t again;
    CHECK(gpuvm_table_take(&table, &again) == object);
    CHECK(again != handle && (uint32_t)again == 1);
    gpuvm_slot_show(object, again);
    CHECK(gpuvm_table_find(&table, handle) == NULL);
    gpuvm_slot_set_context(object, 7);
    gpuvm_slot_set_context(second, 8);
    gpuvm_slot_show(second, other);
    gpuvm_table_forget(&table, 7, NULL);
    CHECK(gpuvm_table_find(&table, again) == NULL);
    CHECK(gpuvm_table_find(&table, other) == second);
    uint64_t part = gpuvm_part_handle('P', other, 1234);
    CHECK(gpuvm_has_letter('P', part));
    CHECK_EQUAL(1234, gpuvm_part_index(part));
    CHECK_EQUAL(other, gpuvm_part_whole('X', part));
}

/* Generations wrap around without a handle of 0. */
static void generations_wrap_around(void)
{
    struct gpuvm_table table = GPUVM_TABLE('X');
    uint64_t handle;
    CHECK_SUCCESS(gpuvm_table_open(&table, sizeof(struct gpuvm_slot), 1));
    struct gpuvm_slot *slot = gpuvm_table_take(&table, &handle);
    slot->generation = GPUVM_HANDLE_GENERATION_MASK;
    gpuvm_table_give(&table, slot);
    CHECK(gpuvm_table_take(&table, &handle) == slot);
    CHECK_EQUAL(1, slot->generation);
    CHECK_EQUAL('X', handle >> 56);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Random ranges, compared with an array of the addresses' ranges. */
static void ranges_are_those_of_array(void)
{
    enum { ADDRESSES = 2000, ROUNDS = 20000, CONTEXTS = 3 };
    static uint64_t owners[ADDRESSES]; /* start of the range that an address belongs to, plus 1 */
    struct gpuvm_ranges ranges = GPUVM_RANGES;
    uint64_t seed = 88172645463325252;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t start = next_random(&seed) % ADDRESSES;
        uint64_t bytes = next_random(&seed) % 20 + 1;
        struct gpuvm_range found;
        CHECK_EQUAL(owners[start] != 0, gpuvm_ranges_find(&ranges, start, &found));
        CHECK(owners[start] == 0 || found.start + 1 == owners[start]);
        if (next_random(&seed) % 2 == 0) {
            struct gpuvm_range *range = calloc(1, sizeof *range);
            bool is_free = start + bytes <= ADDRESSES;
            range->start = start;
            range->bytes = bytes;
            range->context = start % CONTEXTS;
            for (uint64_t i = start; i < start + bytes && i < ADDRESSES; i++)
                is_free = is_free && owners[i] == 0;
            bool was_added = start + bytes <= ADDRESSES && gpuvm_ranges_add(&ranges, range);
            CHECK_EQUAL(is_free, was_added);
            for (uint64_t i = start; is_free && i < start + bytes; i++)
                owners[i] = start + 1;
            if (!is_free)
                free(range);
        } else {
            struct gpuvm_range *removed = gpuvm_ranges_remove(&ranges, start);
            CHECK_EQUAL(owners[start] == start + 1, removed != NULL);
            for (uint64_t i = start; removed != NULL && i < start + removed->bytes; i++)
                owners[i] = 0;
            free(removed);
        }
    }
    for (uint64_t context = 0; context < CONTEXTS; context++) {
        struct gpuvm_range *removed = gpuvm_ranges_remove_all(&ranges, context);
        while (removed != NULL) {
            struct gpuvm_range *next = removed->right;
            CHECK_EQUAL(context, removed->start % CONTEXTS);
            CHECK_EQUAL(removed->start + 1, owners[removed->start]);
            for (uint64_t i = 0; i < removed->bytes; i++)
                owners[removed->start + i] = 0;
            free(removed);
            removed = next;
        }
    }
    for (int i = 0; i < ADDRESSES; i++)
        CHECK_EQUAL(0, owners[i]);
    CHECK(ranges.root == NULL);
}

static void put_u32(uint8_t *at, uint32_t value)
{
    memcpy(at, &value, sizeof value);
}

enum { KERNEL = 16, VARIABLE = KERNEL + 64, PARAMETER = VARIABLE + 32, NAMES = PARAMETER + 8, DESCRIPTION = NAMES + 8 };

/* Description of a kernel "ker" with one parameter, and a variable "var". */
static void describe(uint8_t *description)
{
    memset(description, 0, DESCRIPTION);
    put_u32(description, 1);
    put_u32(description + 4, 1);
    put_u32(description + 8, 1);
    put_u32(description + 12, 8);
    put_u32(description + KERNEL + 4, 3);
    put_u32(description + KERNEL + 8, 16);
    put_u32(description + KERNEL + 16, 1);
    put_u32(description + KERNEL + 20, 1024);
    put_u32(description + VARIABLE, 4);
    put_u32(description + VARIABLE + 4, 3);
    put_u32(description + PARAMETER, 8);
    put_u32(description + PARAMETER + 4, 8);
    memcpy(description + NAMES, "ker\0var", 8);
}

static void invalid_descriptions_are_refused(void)
{
    uint8_t description[DESCRIPTION];
    CUresult outcome;
    /* field, and a value that is not valid in it */
    static const uint32_t changes[][2] = {
        {0, 2}, {0, UINT32_MAX}, {4, 2}, {4, UINT32_MAX}, {8, 2}, {8, UINT32_MAX}, {12, 9}, {12, 7}, {12, UINT32_MAX},
        {KERNEL, 8}, {KERNEL, UINT32_MAX}, {KERNEL + 4, 2}, {KERNEL + 4, UINT32_MAX}, {KERNEL + 8, 15}, {KERNEL + 8, 4353},
        {KERNEL + 12, 1}, {KERNEL + 12, UINT32_MAX}, {KERNEL + 16, 2}, {KERNEL + 16, UINT32_MAX}, {VARIABLE, 9}, {VARIABLE + 4, 4},
        {PARAMETER, 9}, {PARAMETER, UINT32_MAX}, {PARAMETER + 4, 9}, {PARAMETER + 4, UINT32_MAX},
        {KERNEL + 20, UINT32_MAX}, {KERNEL + 24, UINT32_MAX}, {KERNEL + 28, UINT32_MAX}, {KERNEL + 32, UINT32_MAX}, {KERNEL + 36, 256},
        {KERNEL + 36, 1 << 27}, {KERNEL + 40, UINT32_MAX}, {KERNEL + 44, UINT32_MAX}, {VARIABLE + 16, 1},
    };
    describe(description);
    struct gpuvm_content *content = gpuvm_content_read(description, sizeof description, 99, 55, &outcome);
    CHECK_SUCCESS(outcome);
    CHECK_EQUAL(1, content->kernel_count);
    CHECK(gpuvm_content_find(content, "ker") == &content->kernels[0]);
    CHECK(gpuvm_content_find(content, "var") == NULL);
    CHECK_EQUAL(0, strcmp("var", content->variables[0].name));
    CHECK_EQUAL(99, content->kernels[0].module);
    CHECK_EQUAL(55, content->kernels[0].context);
    gpuvm_content_free(content);
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        describe(description);
        put_u32(description + changes[i][0], changes[i][1]);
        if (gpuvm_content_read(description, sizeof description, 99, 55, &outcome) != NULL) {
            fprintf(stderr, "field %u with value %u was not refused\n", changes[i][0], changes[i][1]);
            _exit(1);
        }
        CHECK_EQUAL(changes[i][0] == 0 && changes[i][1] > 0x10000 ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_UNKNOWN, outcome);
    }
    describe(description);
    for (size_t length = 0; length < sizeof description; length++) {
        uint8_t *shorter = malloc(length + 1);
        memcpy(shorter, description, length);
        CHECK(gpuvm_content_read(shorter, length, 99, 55, &outcome) == NULL);
        free(shorter);
    }
}

/* Checks the last launch, which has the shape 2, 3, 4 and 5, 6, 7. */
static void check_launch(uint32_t kernel, uint32_t flags, uint32_t shared_bytes, uint64_t stream, const void *parameters, size_t bytes)
{
    static const uint32_t grid[] = {2, 3, 4};
    static const uint32_t block[] = {5, 6, 7};
    CHECK_EQUAL(kernel, model.launch.kernel);
    CHECK_EQUAL(flags, model.launch.flags);
    CHECK_EQUAL(0, memcmp(grid, model.launch.grid, sizeof grid));
    CHECK_EQUAL(0, memcmp(block, model.launch.block, sizeof block));
    CHECK_EQUAL(shared_bytes, model.launch.dynamic_shared_bytes);
    CHECK_EQUAL(stream, model.launch.stream);
    CHECK_EQUAL(bytes, model.launch.parameter_bytes);
    CHECK_EQUAL(0, memcmp(parameters, model.launch.parameters, bytes));
}

static void givenParameters_whenLaunched_thenBackendReceivesThem(void)
{
    CUcontext context = open_context();
    CUmodule module;
    CUfunction pack;
    CUstream stream;
    size_t image_bytes;
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&image_bytes)));
    CHECK_SUCCESS(cuModuleGetFunction(&pack, module, "pack"));
    CHECK_SUCCESS(cuStreamCreate(&stream, 1));
    uint64_t out = UINT64_C(0x1122334455667788);
    unsigned char byte = 0x99;
    unsigned short half = 0xbbaa;
    unsigned int word = 0xffeeddcc;
    unsigned int pair[4] = {1, 2, 3, 4};
    static const unsigned char packed[32] = {
        0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x99, 0, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
    void *pointers[] = {&out, &byte, &half, &word, pair};
    CHECK_SUCCESS(cuLaunchKernel(pack, 2, 3, 4, 5, 6, 7, 8, stream, pointers, NULL));
    check_launch(KERNEL_PACK, 0, 8, (uintptr_t)stream, packed, sizeof packed);
    CHECK_SUCCESS(cuLaunchCooperativeKernel(pack, 2, 3, 4, 5, 6, 7, 16, stream, pointers));
    check_launch(KERNEL_PACK, 1, 16, (uintptr_t)stream, packed, sizeof packed);

    unsigned char buffer[40];
    size_t bytes = sizeof buffer;
    fill_pattern(buffer, sizeof buffer, 1);
    void *extra[] = {(void *)2, &bytes, (void *)1, buffer, NULL};
    CUlaunchConfig config = {.gridDimX = 2, .gridDimY = 3, .gridDimZ = 4, .blockDimX = 5, .blockDimY = 6, .blockDimZ = 7, .sharedMemBytes = 24, .hStream = stream};
    CHECK_SUCCESS(cuLaunchKernelEx(&config, pack, NULL, extra));
    check_launch(KERNEL_PACK, 0, 24, (uintptr_t)stream, buffer, sizeof packed);
    close_context(context);
}

/* Appends a record with up to 4 arguments to a buffer, and a string behind them. */
static size_t add_record(uint8_t *buffer, size_t at, const char *format, const uint64_t *arguments, const char *string)
{
    uint32_t format_bytes = (uint32_t)strlen(format) + 1;
    size_t first = 8 + ((format_bytes + 7) & ~(size_t)7);
    uint32_t bytes = (uint32_t)((first + 4 * sizeof *arguments + strlen(string) + 1 + 7) & ~(size_t)7);
    memcpy(buffer + at, &bytes, sizeof bytes);
    memcpy(buffer + at + 4, &format_bytes, sizeof format_bytes);
    memcpy(buffer + at + 8, format, format_bytes);
    memcpy(buffer + at + first, arguments, 4 * sizeof *arguments);
    memcpy(buffer + at + first + 4 * sizeof *arguments, string, strlen(string) + 1);
    return at + bytes;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Checks the text of a record. */
static void check_print(const char *expected, const char *format, const uint64_t *arguments, const char *string)
{
    uint8_t buffer[1024] = {0};
    char *text = NULL;
    size_t length;
    size_t bytes = add_record(buffer, GPUVM_PRINTF_HEADER_BYTES, format, arguments, string);
    FILE *out = open_memstream(&text, &length);
    gpuvm_printf_write(out, buffer, bytes);
    fclose(out);
    if (strcmp(expected, text) != 0)
        printf("text: %s\n", text);
    CHECK_EQUAL(0, strcmp(expected, text));
    free(text);
}

static void printed_text_is_that_of_printf(void)
{
    const uint64_t numbers[4] = {0xfffffffb, 0xfffffffb, 255, UINT64_MAX};
    const uint64_t doubles[4] = {bits_of(1.5), bits_of(-2), bits_of(1e10), 6};
    /* The string is behind a header of 8 bytes, a format of up to 24, and 4 arguments. */
    const uint64_t text[4] = {8 + 24 + 32, 0, 65, 0x1234};
    check_print("-5 4294967291 ff -1\n", "%d %u %x %lld\n", numbers, "");
    check_print("   -5|-5   |000ff", "%5d|%-5i|%05x", numbers, "");
    check_print("1.50 -2 1e+10", "%.2f %g %g", doubles, "");
    check_print("[  abc] [(null)] A 0x1234", "[%5s] [%s] %c %p", text, "abc");
    check_print("100% %y %", "100%% %y %", numbers, "");
    check_print("  -5", "%n%*d", (const uint64_t[4]){0, 4, 0xfffffffb, 0}, "");
}

/* Records come from a guest's memory. */
static void damaged_records_are_not_printed(void)
{
    uint8_t buffer[256];
    const uint64_t arguments[4] = {40, 1000000, UINT64_MAX, 48};
    FILE *out = fopen("/dev/null", "w");
    unsigned int random = 1;
    for (int i = 0; i < 100000; i++) {
        memset(buffer, 0, sizeof buffer);
        size_t bytes = add_record(buffer, GPUVM_PRINTF_HEADER_BYTES, "%s %s %s %s", arguments, "abc");
        for (int change = 0; change < 3; change++) {
            random = random * 1103515245 + 12345;
            buffer[(random >> 8) % bytes] = (uint8_t)(random >> 20);
        }
        gpuvm_printf_write(out, buffer, bytes);
    }
    fclose(out);
}

static CUcontext print_context;

static void *synchronize(void *data)
{
    (void)data;
    CHECK_SUCCESS(cuCtxSetCurrent(print_context));
    CHECK_SUCCESS(cuCtxSynchronize());
    return NULL;
}

/* Makes a full pipe the standard output; returns the end to read from. */
static int block_output(void)
{
    int ends[2];
    const char filler[512] = {0};
    CHECK_EQUAL(0, pipe(ends));
    CHECK_EQUAL(0, fcntl(ends[1], F_SETFL, O_NONBLOCK));
    while (write(ends[1], filler, sizeof filler) > 0)
        ;
    CHECK_EQUAL(EAGAIN, errno);
    CHECK_EQUAL(0, fcntl(ends[1], F_SETFL, 0));
    CHECK_EQUAL(STDOUT_FILENO, dup2(ends[1], STDOUT_FILENO));
    close(ends[1]);
    return ends[0];
}

/* A program whose standard output is not read waits only in the call that prints. */
static void blocked_output_delays_no_other_call(void)
{
    uint8_t buffer[256] = {0};
    char text[4096];
    CUdeviceptr memory;
    pthread_t printing;
    uint64_t context;
    print_context = open_context();
    CHECK_SUCCESS(gpuvm_current_context(&context));
    CHECK_SUCCESS(cuMemAlloc_v2(&memory, GPUVM_PRINTF_HEADER_BYTES + GPUVM_PRINTF_CAPACITY));
    uint32_t used =
        (uint32_t)(add_record(buffer, GPUVM_PRINTF_HEADER_BYTES, "%d end\n", (const uint64_t[4]){7, 0, 0, 0}, "") -
            GPUVM_PRINTF_HEADER_BYTES);
    memcpy(buffer, &used, sizeof used);
    CHECK_SUCCESS(cuMemcpyHtoD_v2(memory, buffer, sizeof buffer));
    struct gpuvm_variable variable = {GPUVM_PRINTF_SYMBOL, memory, GPUVM_PRINTF_HEADER_BYTES + GPUVM_PRINTF_CAPACITY};
    struct gpuvm_content content = {.variable_count = 1, .variables = &variable};
    struct gpuvm_content other = content;
    gpuvm_prints_add(&content, context);
    int output = block_output();
    CHECK_EQUAL(0, pthread_create(&printing, NULL, synchronize, NULL));
    /* The printing call empties the buffer before it writes. Asynchronous copies do not print. */
    for (used = 1; used != 0; usleep(500)) {
        CHECK_SUCCESS(cuMemcpyDtoHAsync_v2(&used, memory, sizeof used, NULL));
        AWAIT(cuStreamQuery(NULL) == CUDA_SUCCESS);
    }

    CHECK_SUCCESS(cuCtxSynchronize());
    gpuvm_prints_add(&other, context);
    gpuvm_prints_remove(&other);

    size_t length = 0;
    while (length < 6 || memcmp(text + length - 6, "7 end\n", 6) != 0) {
        memmove(text, text + (length < 6 ? 0 : length - 6), length < 6 ? length : 6);
        length = length < 6 ? length : 6;
        ssize_t bytes = read(output, text + length, sizeof text - length);
        CHECK(bytes > 0);
        length += (size_t)bytes;
    }
    CHECK_EQUAL(0, pthread_join(printing, NULL));
    gpuvm_prints_forget(&content);
    CHECK_SUCCESS(cuMemFree_v2(memory));
    close_context(print_context);
}

static const struct test_case cases[] = {
    CASE(blocked_output_delays_no_other_call),
    CASE(printed_text_is_that_of_printf),
    CASE(damaged_records_are_not_printed),
    CASE(givenParameters_whenLaunched_thenBackendReceivesThem),
    CASE(hashes_are_those_of_sha_256),
    CASE(bytes_are_copied_at_all_alignments),
    CASE(handles_have_generations),
    CASE(generations_wrap_around),
    CASE(ranges_are_those_of_array),
    CASE(invalid_descriptions_are_refused),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
