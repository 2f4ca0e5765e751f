/* Tests of modules, functions, libraries, occupancy and textures. */
#define _GNU_SOURCE

#include "api.h"

static CUmodule load(void)
{
    CUmodule module;
    size_t bytes;
    CHECK_SUCCESS(cuModuleLoadData(&module, api_image(&bytes)));
    return module;
}

static CUfunction function(CUmodule module, const char *name)
{
    CUfunction found;
    CHECK_SUCCESS(cuModuleGetFunction(&found, module, name));
    return found;
}

/* Launches number(out, added) with one block of 32 threads, and checks its effect. */
static void check_number(CUfunction number, unsigned int added)
{
    CUdeviceptr out;
    unsigned int results[32];
    void *parameters[] = {&out, &added};
    CHECK_SUCCESS(cuMemAlloc_v2(&out, sizeof results));
    CHECK_SUCCESS(cuMemsetD8_v2(out, 0xff, sizeof results));
    CHECK_SUCCESS(cuLaunchKernel(number, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
    CHECK_SUCCESS(cuMemcpyDtoH_v2(results, out, sizeof results));
    for (unsigned int i = 0; i < 32; i++)
        CHECK_EQUAL(is_real ? i + added : 0xffffffff, results[i]);
    CHECK_SUCCESS(cuMemFree_v2(out));
}

static void modules_have_functions(void)
{
    CUcontext context = open_context();
    CUmodule module = load();
    CUmodule again = load();
    CUmodule owner;
    CUfunction number = function(module, "number");
    CUfunction found;
    unsigned int mode;
    CHECK(module != again);
    CHECK_SUCCESS(cuModuleGetFunction(&found, module, "number"));
    CHECK(found == number);
    CHECK(function(again, "number") != number);
    CHECK_SUCCESS(cuFuncGetModule(&owner, number));
    CHECK(owner == module);
    CHECK_STATUS(NOT_FOUND, cuModuleGetFunction(&found, module, "numbe"));
    CHECK_STATUS(NOT_FOUND, cuModuleGetFunction(&found, module, ""));
    CHECK_STATUS(INVALID_VALUE, cuModuleGetFunction(&found, module, NULL));
    CHECK_STATUS(INVALID_HANDLE, cuModuleGetFunction(&found, (CUmodule)number, "number"));
    CHECK_STATUS(INVALID_HANDLE, cuModuleGetFunction(&found, NULL, "number"));
    CHECK_SUCCESS(cuModuleGetLoadingMode(&mode));
    CHECK_EQUAL(1, mode);
    check_number(number, 7);
    check_number(function(again, "number"), 8);
    CHECK_SUCCESS(cuModuleUnload(module));
    CHECK_STATUS(INVALID_HANDLE, cuModuleUnload(module));
    CHECK_STATUS(INVALID_HANDLE, cuFuncGetModule(&owner, number));
    CHECK_STATUS(INVALID_HANDLE, cuLaunchKernel(number, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    CHECK_SUCCESS(cuModuleUnload(again));
    for (int i = 0; i < 100; i++) {
        module = load();
        CHECK_STATUS(INVALID_HANDLE, cuFuncGetModule(&owner, number));
        CHECK_SUCCESS(cuModuleUnload(module));
    }
    module = load();
    close_context(context);
    CHECK_STATUS(INVALID_CONTEXT, cuModuleLoadData(&module, api_image(&(size_t){0})));
}

static void modules_are_loaded_from_files(void)
{
    CUcontext context = open_context();
    char path[256];
    snprintf(path, sizeof path, "%s/gpuvm-test-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    int file = mkstemp(path);
    size_t bytes;
    const void *image = api_image(&bytes);
    CUmodule module;
    CHECK(file >= 0);
    CHECK_EQUAL(bytes, write(file, image, bytes));
    CHECK_SUCCESS(cuModuleLoad(&module, path));
    check_number(function(module, "number"), 3);
    CHECK_SUCCESS(cuModuleUnload(module));
    CHECK_EQUAL(0, ftruncate(file, (off_t)bytes / 2));
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoad(&module, path));
    CHECK_EQUAL(0, ftruncate(file, 0));
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoad(&module, path));
    close(file);
    unlink(path);
    CHECK_STATUS(FILE_NOT_FOUND, cuModuleLoad(&module, path));
    CHECK_STATUS(FILE_NOT_FOUND, cuModuleLoad(&module, "/tmp"));
    CHECK_STATUS(INVALID_VALUE, cuModuleLoad(&module, NULL));
    close_context(context);
}

/* Kinds of images in a fatbin. */
enum { IMAGE_PTX = 1, IMAGE_ELF = 2 };

/* Fatbin with one image, in the format of nvcc: a header, and an entry with the image behind its own header. */
static unsigned char *fatbin_of(uint16_t kind, const void *image, size_t bytes, size_t *length)
{
    enum { HEADER = 16, ENTRY_HEADER = 64 };
    *length = HEADER + ENTRY_HEADER + (bytes + 7) / 8 * 8;
    unsigned char *made = calloc(1, *length);
    uint32_t magic = 0xba55ed50;
    uint16_t words[] = {1, HEADER};
    uint64_t content = *length - HEADER;
    memcpy(made, &magic, 4);
    memcpy(made + 4, words, 4);
    memcpy(made + 8, &content, 8);
    /* kind, version, header length, image length, and the architecture */
    uint16_t kinds[] = {kind, 0x101};
    uint32_t entry_header = ENTRY_HEADER;
    uint64_t image_bytes = (bytes + 7) / 8 * 8;
    uint32_t architecture = 20;
    memcpy(made + HEADER, kinds, 4);
    memcpy(made + HEADER + 4, &entry_header, 4);
    memcpy(made + HEADER + 8, &image_bytes, 8);
    memcpy(made + HEADER + 28, &architecture, 4);
    memcpy(made + HEADER + ENTRY_HEADER, image, bytes);
    return made;
}

static unsigned char *fatbin(size_t *length)
{
    size_t bytes;
    const void *image = api_image(&bytes);
    return fatbin_of(IMAGE_ELF, image, bytes, length);
}

struct wrapper {
    uint32_t magic;
    uint32_t version;
    const void *data;
    void *unused;
};

static void fatbins_are_loaded(void)
{
    CUcontext context = open_context();
    CUmodule module;
    size_t length;
    unsigned char *made = fatbin(&length);
    struct wrapper wrapper = {0x466243b1, 1, made, NULL};
    CHECK_SUCCESS(cuModuleLoadFatBinary(&module, made));
    check_number(function(module, "number"), 4);
    CHECK_SUCCESS(cuModuleUnload(module));
    CHECK_SUCCESS(cuModuleLoadData(&module, &wrapper));
    check_number(function(module, "number"), 5);
    CHECK_SUCCESS(cuModuleUnload(module));
    wrapper.data = NULL;
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoadData(&module, &wrapper));
    made[6] = 15;
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoadData(&module, made));
    free(made);

    /* As runtimes do it. */
    const void *table;
    static const CUuuid identifier = {"\x6b\xd5\xfb\x6c\x5b\xf4\xe7\x4a\x89\x87\xd9\x39\x12\xfd\x9d\xf9"};
    CHECK_SUCCESS(cuGetExportTable(&table, &identifier));
    void *const *functions = table;
    made = fatbin(&length);
    wrapper.data = made;
    CHECK_SUCCESS(((CUresult (*)(CUmodule *, const void *, void *, void *, unsigned int))functions[6])(&module, &wrapper, NULL, NULL, 0));
    check_number(function(module, "number"), 6);
    CHECK_SUCCESS(((CUresult (*)(const void *, CUmodule *, void *, void *, unsigned int))functions[8])(made, &module, NULL, NULL, 0));
    CHECK_SUCCESS(((CUresult (*)(CUmodule *, const void *))functions[1])(&module, &wrapper));
    check_number(function(module, "number"), 7);
    free(made);
    close_context(context);
}

static void other_images_are_refused(void)
{
    CUcontext context = open_context();
    CUmodule module;
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoadData(&module, ""));
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoadData(&module, "text"));
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoadData(&module, "\x7f" "ELF\x1\x1                                                          "));
    CHECK_STATUS(INVALID_VALUE, cuModuleLoadData(&module, NULL));
    CHECK_STATUS(INVALID_VALUE, cuModuleLoadData(NULL, "text"));
    CHECK_STATUS(INVALID_VALUE, cuModuleLoadDataEx(&module, "text", 1, NULL, NULL));
    close_context(context);
}

/* Kernel number(out, added) of api.sass. */
static const char number_ptx[] =
    "// out[i] = i + added\n"
    ".version 3.0\n"
    ".target sm_20\n"
    ".address_size 64\n"
    ".visible .entry number(.param .u64 out, .param .u32 added)\n"
    "{\n"
    "    .reg .u32 %i, %sum;\n"
    "    .reg .u64 %at, %offset;\n"
    "    mov.u32 %i, %tid.x;\n"
    "    ld.param.u32 %sum, [added];\n"
    "    add.u32 %sum, %sum, %i;\n"
    "    ld.param.u64 %at, [out];\n"
    "    mul.wide.u32 %offset, %i, 4;\n"
    "    add.u64 %at, %at, %offset;\n"
    "    st.global.u32 [%at], %sum;\n"
    "    ret;\n"
    "}\n";

static const char wrong_ptx[] =
    ".version 3.0\n.target sm_20\n.visible .entry k()\n{\n    error.u32 %a, %b;\n    ret;\n}\n";

/* Sets the kernels of the model, which are those of all its modules. */
static void set_kernels(void)
{
    size_t bytes;
    api_image(&bytes);
}

static void ptx_is_compiled(void)
{
    CUcontext context = open_context();
    CUmodule module;
    set_kernels();
    for (unsigned int i = 0; i < 2; i++) {
        CHECK_SUCCESS(cuModuleLoadData(&module, number_ptx));
        check_number(function(module, "number"), 20 + i);
        CHECK_SUCCESS(cuModuleUnload(module));
    }
    CHECK_SUCCESS(cuModuleLoadFatBinary(&module, number_ptx));
    CHECK_SUCCESS(cuModuleUnload(module));
    if (is_real) {
        size_t length;
        unsigned char *made = fatbin_of(IMAGE_PTX, number_ptx, sizeof number_ptx, &length);
        struct wrapper wrapper = {0x466243b1, 1, made, NULL};
        CHECK_SUCCESS(cuModuleLoadFatBinary(&module, &wrapper));
        check_number(function(module, "number"), 25);
        CHECK_SUCCESS(cuModuleUnload(module));
        free(made);
    }
    char info[2000] = "unchanged";
    char errors[200] = "unchanged";
    CUjit_option options[] = {3, 4, 5, 6, 2, 0, 7, 12, 9, 8, 14, 11, 13, 10};
    void *values[] = {info, (void *)sizeof info, errors, (void *)sizeof errors, NULL, (void *)16, (void *)4, (void *)1, (void *)20,
        NULL, (void *)2, NULL, (void *)1, NULL};
    CHECK_SUCCESS(cuModuleLoadDataEx(&module, number_ptx, sizeof options / sizeof options[0], options, values));
    check_number(function(module, "number"), 30);
    CHECK_SUCCESS(cuModuleUnload(module));
    CHECK_EQUAL(strlen(info), (size_t)values[1]);
    CHECK_EQUAL(0, (size_t)values[3]);
    CHECK_EQUAL(0, errors[0]);
    float milliseconds;
    memcpy(&milliseconds, &values[4], sizeof milliseconds);
    CHECK(milliseconds > 0);
    if (is_real) {
        CHECK(strstr(info, "number") != NULL);
        CHECK(strstr(info, "registers") != NULL);
    }
    close_context(context);
}

static void errors_of_ptx_are_logged(void)
{
    CUcontext context = open_context();
    CUmodule module;
    char errors[200] = "unchanged";
    char short_log[8] = "!";
    CUjit_option options[] = {5, 6};
    void *values[] = {errors, (void *)sizeof errors};
    CHECK_STATUS(INVALID_PTX, cuModuleLoadData(&module, wrong_ptx));
    CHECK_STATUS(INVALID_PTX, cuModuleLoadDataEx(&module, wrong_ptx, 2, options, values));
    CHECK(strstr(errors, "PTX, line ") != NULL);
    CHECK(strstr(errors, ": error: ") != NULL);
    CHECK_EQUAL(strlen(errors), (size_t)values[1]);
    values[0] = short_log;
    values[1] = (void *)sizeof short_log;
    CHECK_STATUS(INVALID_PTX, cuModuleLoadDataEx(&module, wrong_ptx, 2, options, values));
    CHECK_EQUAL(7, strlen(short_log));
    CHECK_EQUAL(7, (size_t)values[1]);
    values[1] = (void *)sizeof short_log;
    CHECK_STATUS(INVALID_IMAGE, cuModuleLoadDataEx(&module, "text", 2, options, values));
    CHECK_EQUAL(7, (size_t)values[1]);
    size_t bytes;
    values[1] = (void *)sizeof short_log;
    CHECK_SUCCESS(cuModuleLoadDataEx(&module, api_image(&bytes), 2, options, values));
    CHECK_EQUAL(0, (size_t)values[1]);
    if (is_real) {
        CHECK_STATUS(UNSUPPORTED_PTX_VERSION, cuModuleLoadData(&module, ".version 99.0\n.target sm_20\n"));
        CHECK_STATUS(
            NO_BINARY_FOR_GPU,
            cuModuleLoadData(&module,
                ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n    bmsk.clamp.b32 %v, %v, 1;\n    ret;\n}\n"));
    }
    close_context(context);
}

static void jit_options_are_checked(void)
{
    CUcontext context = open_context();
    CUmodule module;
    CUjit_option option = 34;
    void *value = NULL;
    CHECK_STATUS(INVALID_VALUE, cuModuleLoadDataEx(&module, number_ptx, 1, &option, &value));
    option = 7;
    value = (void *)5;
    CHECK_STATUS(INVALID_VALUE, cuModuleLoadDataEx(&module, number_ptx, 1, &option, &value));
    option = 9;
    value = (void *)35;
    CHECK_STATUS(NO_BINARY_FOR_GPU, cuModuleLoadDataEx(&module, number_ptx, 1, &option, &value));
    option = 20;
    value = (void *)1;
    CHECK_STATUS(NOT_SUPPORTED, cuModuleLoadDataEx(&module, number_ptx, 1, &option, &value));
    option = 1;
    value = (void *)1025;
    CHECK_STATUS(INVALID_VALUE, cuModuleLoadDataEx(&module, number_ptx, 1, &option, &value));
    value = (void *)1024;
    CHECK_SUCCESS(cuModuleLoadDataEx(&module, number_ptx, 1, &option, &value));
    CHECK_EQUAL(1024, (size_t)value);
    close_context(context);
}

static void modules_are_linked(void)
{
    CUcontext context = open_context();
    CUlinkState state;
    CUmodule module;
    void *cubin;
    size_t bytes;
    char errors[200] = "unchanged";
    CUjit_option options[] = {5, 6};
    void *values[] = {errors, (void *)sizeof errors};
    set_kernels();
    CHECK_STATUS(INVALID_VALUE, cuLinkCreate_v2(1, NULL, NULL, &state));
    CHECK_SUCCESS(cuLinkCreate_v2(2, options, values, &state));
    CHECK_STATUS(INVALID_VALUE, cuLinkComplete(state, &cubin, &bytes));
    CHECK_STATUS(INVALID_VALUE, cuLinkAddData_v2(state, 6, (void *)number_ptx, sizeof number_ptx, NULL, 0, NULL, NULL));
    CHECK_STATUS(NOT_SUPPORTED, cuLinkAddData_v2(state, 4, (void *)number_ptx, sizeof number_ptx, NULL, 0, NULL, NULL));
    CHECK_STATUS(INVALID_PTX, cuLinkAddData_v2(state, 1, "text", 4, NULL, 0, NULL, NULL));
    CHECK_STATUS(INVALID_IMAGE, cuLinkAddData_v2(state, 0, (void *)number_ptx, sizeof number_ptx, NULL, 0, NULL, NULL));
    CHECK_STATUS(FILE_NOT_FOUND, cuLinkAddFile_v2(state, 1, "/tmp/there-is-no-such-file.ptx", 0, NULL, NULL));
    CHECK_SUCCESS(cuLinkAddData_v2(state, 1, (void *)number_ptx, strlen(number_ptx), "number.ptx", 0, NULL, NULL));
    CHECK_SUCCESS(cuLinkComplete(state, &cubin, &bytes));
    CHECK(bytes >= 64);
    CHECK_EQUAL(0, (size_t)values[1]);
    CHECK_SUCCESS(cuModuleLoadData(&module, cubin));
    check_number(function(module, "number"), 40);
    CHECK_SUCCESS(cuLinkDestroy(state));
    CHECK_STATUS(INVALID_HANDLE, cuLinkDestroy(state));
    CHECK_STATUS(INVALID_HANDLE, cuLinkComplete(state, &cubin, &bytes));
    CHECK_STATUS(INVALID_HANDLE, cuLinkAddData_v2(state, 1, (void *)number_ptx, 1, NULL, 0, NULL, NULL));
    check_number(function(module, "number"), 41);
    values[1] = (void *)sizeof errors;
    CHECK_SUCCESS(cuLinkCreate_v2(2, options, values, &state));
    CHECK_SUCCESS(cuLinkAddData_v2(state, 1, (void *)wrong_ptx, sizeof wrong_ptx, "wrong.ptx", 0, NULL, NULL));
    CHECK_STATUS(INVALID_PTX, cuLinkComplete(state, &cubin, &bytes));
    CHECK(strstr(errors, "error") != NULL);
    CHECK_EQUAL(strlen(errors), (size_t)values[1]);
    CHECK_SUCCESS(cuLinkDestroy(state));
    CHECK_STATUS(INVALID_HANDLE, cuLinkDestroy(NULL));
    close_context(context);
    CHECK_STATUS(INVALID_CONTEXT, cuLinkCreate_v2(0, NULL, NULL, &state));
}

static void modules_have_variables(void)
{
    CUcontext context = open_context();
    CUmodule module = load();
    CUdeviceptr address;
    CUdeviceptr out;
    CUdeviceptr base;
    size_t bytes;
    unsigned int kind;
    if (is_real) {
        unsigned int factor = 0;
        unsigned int results[8];
        CHECK_SUCCESS(cuModuleGetGlobal_v2(&address, &bytes, module, "factor"));
        CHECK_EQUAL(4, bytes);
        CHECK_SUCCESS(cuMemcpyDtoH_v2(&factor, address, 4));
        CHECK_EQUAL(42, factor);
        CHECK_SUCCESS(cuMemsetD32_v2(address, 5, 1));
        CHECK_SUCCESS(cuMemAlloc_v2(&out, sizeof results));
        void *parameters[] = {&out};
        CHECK_SUCCESS(cuLaunchKernel(function(module, "scale"), 1, 1, 1, 8, 1, 1, 0, NULL, parameters, NULL));
        CHECK_SUCCESS(cuMemcpyDtoH_v2(results, out, sizeof results));
        for (unsigned int i = 0; i < 8; i++)
            CHECK_EQUAL(5 * i, results[i]);
        CHECK_SUCCESS(cuModuleGetGlobal_v2(NULL, &bytes, module, "factor"));
        CHECK_SUCCESS(cuModuleGetGlobal_v2(&address, NULL, module, "factor"));
        CHECK_SUCCESS(cuModuleGetGlobal_v2(NULL, NULL, module, "factor"));
        CHECK_STATUS(NOT_FOUND, cuModuleGetGlobal_v2(&address, &bytes, module, "unknown"));
        CHECK_SUCCESS(cuPointerGetAttribute(&kind, 2, address));
        CHECK_EQUAL(2, kind);
        CHECK_SUCCESS(cuMemGetAddressRange_v2(&base, &bytes, address + 3));
        CHECK_EQUAL(address, base);
        CHECK_STATUS(INVALID_VALUE, cuMemFree_v2(address));
        CHECK_SUCCESS(cuModuleUnload(module));
        CHECK_STATUS(NOT_FOUND, cuMemGetAddressRange_v2(&base, &bytes, address));
        CHECK_STATUS(INVALID_HANDLE, cuModuleGetGlobal_v2(&address, &bytes, module, "factor"));
    }
    close_context(context);
}

static void functions_have_attributes(void)
{
    CUcontext context = open_context();
    CUmodule module = load();
    CUfunction shared = function(module, "shared");
    CUfunction scale = function(module, "scale");
    int value;
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 0, shared));
    CHECK_EQUAL(1024, value);
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 0, scale));
    CHECK_EQUAL(512, value);
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 1, shared));
    CHECK_EQUAL(1024, value);
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 4, scale));
    CHECK_EQUAL(63, value);
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 6, shared));
    CHECK_EQUAL(20, value);
    for (unsigned int i = 0; i < 16; i++)
        CHECK_SUCCESS(cuFuncGetAttribute(&value, i, shared));
    CHECK_STATUS(INVALID_VALUE, cuFuncGetAttribute(&value, 16, shared));
    CHECK_STATUS(INVALID_HANDLE, cuFuncGetAttribute(&value, 0, (CUfunction)module));
    CHECK_STATUS(INVALID_HANDLE, cuFuncGetAttribute(&value, 0, NULL));
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 8, shared));
    CHECK_EQUAL(47 << 10, value);
    CHECK_SUCCESS(cuFuncSetAttribute(shared, 8, 2048));
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 8, shared));
    CHECK_EQUAL(2048, value);
    CHECK_STATUS(INVALID_VALUE, cuFuncSetAttribute(shared, 8, 48 << 10));
    CHECK_STATUS(INVALID_VALUE, cuFuncSetAttribute(shared, 8, -1));
    CHECK_STATUS(INVALID_VALUE, cuFuncSetAttribute(shared, 0, 5));
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 9, shared));
    CHECK_EQUAL(-1, value);
    CHECK_SUCCESS(cuFuncSetAttribute(shared, 9, 50));
    CHECK_SUCCESS(cuFuncGetAttribute(&value, 9, shared));
    CHECK_EQUAL(50, value);
    CHECK_STATUS(INVALID_VALUE, cuFuncSetAttribute(shared, 9, 101));
    CHECK_SUCCESS(cuFuncSetCacheConfig(shared, 1));
    CHECK_STATUS(INVALID_VALUE, cuFuncSetCacheConfig(shared, 4));
    CHECK_SUCCESS(cuFuncSetSharedMemConfig(shared, 2));
    CHECK_SUCCESS(cuCtxSynchronize());
    close_context(context);
}

static size_t shared_of_threads(int threads)
{
    return (size_t)threads * 64;
}

static void occupancy_is_that_of_sm_20(void)
{
    CUcontext context = open_context();
    CUmodule module = load();
    CUfunction number = function(module, "number");
    CUfunction shared = function(module, "shared");
    CUfunction scale = function(module, "scale");
    int blocks;
    int threads;
    int multiprocessors;
    CHECK_SUCCESS(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    /* 8 blocks, 48 warps, 48 KiB of shared memory, 32768 registers */
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, number, 32, 0));
    CHECK_EQUAL(8, blocks);
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, number, 512, 0));
    CHECK_EQUAL(3, blocks);
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, number, 1024, 0));
    CHECK_EQUAL(1, blocks);
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared, 32, 15 << 10));
    CHECK_EQUAL(3, blocks);
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared, 32, 48 << 10));
    CHECK_EQUAL(0, blocks);
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 256, 0));
    CHECK_EQUAL(2, blocks);
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, scale, 513, 0));
    CHECK_EQUAL(0, blocks);
    CHECK_SUCCESS(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, number, 33, 0, 1));
    CHECK_EQUAL(8, blocks);
    CHECK_STATUS(INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, number, 33, 0, 2));
    CHECK_STATUS(INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, number, 0, 0));
    CHECK_STATUS(INVALID_HANDLE, cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 32, 0));
    CHECK_SUCCESS(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, number, NULL, 0, 0));
    CHECK_EQUAL(768, threads);
    CHECK_EQUAL(2 * multiprocessors, blocks);
    CHECK_SUCCESS(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, number, NULL, 0, 100));
    CHECK_EQUAL(100, threads);
    CHECK_EQUAL(8 * multiprocessors, blocks);
    CHECK_SUCCESS(cuOccupancyMaxPotentialBlockSizeWithFlags(&blocks, &threads, scale, NULL, 0, 0, 0));
    CHECK_EQUAL(512, threads);
    CHECK_SUCCESS(cuOccupancyMaxPotentialBlockSize(&blocks, &threads, number, shared_of_threads, 0, 0));
    CHECK_EQUAL(768, threads);
    CHECK_EQUAL(1 * multiprocessors, blocks);
    close_context(context);
}

static void libraries_are_loaded_into_contexts(void)
{
    CUcontext context = open_context();
    CUcontext other;
    CUlibrary library;
    CUkernel number;
    CUkernel missing;
    CUfunction found;
    CUfunction found_in_other;
    CUmodule module;
    CUmodule module_of_other;
    CUdeviceptr address;
    size_t bytes;
    int value;
    CUlibraryOption options[] = {1};
    void *values[] = {(void *)1};
    const void *image = api_image(&bytes);
    CHECK_SUCCESS(cuLibraryLoadData(&library, image, NULL, NULL, 0, options, values, 1));
    CHECK_SUCCESS(cuLibraryGetKernel(&number, library, "number"));
    CHECK_STATUS(NOT_FOUND, cuLibraryGetKernel(&missing, library, "missing"));
    CHECK_SUCCESS(cuKernelGetFunction(&found, number));
    check_number(found, 1);
    /* A kernel may be launched as a function. */
    check_number((CUfunction)number, 2);
    CHECK_SUCCESS(cuLibraryGetModule(&module, library));
    check_number(function(module, "number"), 3);
    CHECK_SUCCESS(cuKernelGetAttribute(&value, 0, number, 0));
    CHECK_EQUAL(1024, value);
    CHECK_SUCCESS(cuKernelSetAttribute(8, 1024, number, 0));
    CHECK_SUCCESS(cuKernelGetAttribute(&value, 8, number, 0));
    CHECK_EQUAL(1024, value);
    CHECK_SUCCESS(cuKernelSetCacheConfig(number, 2, 0));
    CHECK_STATUS(INVALID_DEVICE, cuKernelGetAttribute(&value, 0, number, 1));
    CHECK_STATUS(INVALID_HANDLE, cuKernelGetAttribute(&value, 0, (CUkernel)library, 0));
    if (is_real) {
        CHECK_SUCCESS(cuLibraryGetGlobal(&address, &bytes, library, "factor"));
        CHECK_EQUAL(4, bytes);
        CHECK_SUCCESS(cuLibraryGetGlobal(NULL, NULL, library, "factor"));
        CHECK_STATUS(NOT_FOUND, cuLibraryGetGlobal(&address, &bytes, library, "missing"));
    }
    CHECK_SUCCESS(cuCtxCreate_v2(&other, 0, 0));
    CHECK_SUCCESS(cuLibraryGetModule(&module_of_other, library));
    CHECK(module != module_of_other);
    CHECK_SUCCESS(cuKernelGetFunction(&found_in_other, number));
    CHECK(found != found_in_other);
    check_number(found_in_other, 4);
    CHECK_SUCCESS(cuCtxDestroy_v2(other));
    check_number((CUfunction)number, 5);
    CHECK_SUCCESS(cuLibraryUnload(library));
    CHECK_STATUS(INVALID_HANDLE, cuLibraryUnload(library));
    CHECK_STATUS(INVALID_HANDLE, cuKernelGetFunction(&found, number));
    CHECK_STATUS(INVALID_HANDLE, cuModuleUnload(module));
    CHECK_STATUS(INVALID_HANDLE, cuLibraryGetModule(&module, library));
    CHECK_STATUS(INVALID_PTX, cuLibraryLoadData(&library, wrong_ptx, NULL, NULL, 0, NULL, NULL, 0));
    CHECK_STATUS(INVALID_VALUE, cuLibraryLoadData(&library, image, NULL, NULL, 0, NULL, NULL, 1));
    close_context(context);
}

static void libraries_need_no_context(void)
{
    CUlibrary library;
    CUkernel number;
    CUfunction found;
    CUcontext context;
    size_t bytes;
    unsigned int flags;
    int value;
    int is_active;
    CHECK_SUCCESS(cuInit(0));
    const void *image = api_image(&bytes);
    void *changing = malloc(bytes);
    memcpy(changing, image, bytes);
    CHECK_SUCCESS(cuLibraryLoadData(&library, changing, NULL, NULL, 0, NULL, NULL, 0));
    memset(changing, 0, bytes);
    free(changing);
    CHECK_SUCCESS(cuLibraryGetKernel(&number, library, "number"));
    CHECK_SUCCESS(cuKernelGetAttribute(&value, 0, number, 0));
    CHECK_EQUAL(1024, value);
    CHECK_STATUS(INVALID_CONTEXT, cuKernelGetFunction(&found, number));
    CHECK_SUCCESS(cuDevicePrimaryCtxGetState(0, &flags, &is_active));
    CHECK_EQUAL(0, is_active);
    context = open_context();
    CHECK_SUCCESS(cuKernelGetFunction(&found, number));
    check_number(found, 9);
    CHECK_SUCCESS(cuLibraryUnload(library));
    close_context(context);
}

static void givenFile_whenLibraryIsLoaded_thenItsKernelsRun(void)
{
    CUcontext context = open_context();
    char path[] = "/tmp/gpuvm-test-XXXXXX";
    int file = mkstemp(path);
    size_t bytes;
    const void *image = api_image(&bytes);
    CUlibrary library;
    CUkernel number;
    CHECK(file >= 0);
    CHECK_EQUAL(bytes, write(file, image, bytes));
    CHECK_SUCCESS(cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
    /* The library needs the file no longer, also for another context. */
    CHECK_EQUAL(0, ftruncate(file, (off_t)bytes / 2));
    CHECK_STATUS(INVALID_IMAGE, cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
    close(file);
    unlink(path);
    CHECK_STATUS(FILE_NOT_FOUND, cuLibraryLoadFromFile(&library, path, NULL, NULL, 0, NULL, NULL, 0));
    CHECK_STATUS(INVALID_VALUE, cuLibraryLoadFromFile(&library, NULL, NULL, NULL, 0, NULL, NULL, 0));
    CHECK_STATUS(INVALID_VALUE, cuLibraryLoadFromFile(&library, path, NULL, NULL, 1, NULL, NULL, 0));
    CHECK_SUCCESS(cuLibraryGetKernel(&number, library, "number"));
    check_number((CUfunction)number, 11);
    CUcontext other;
    CHECK_SUCCESS(cuCtxCreate_v2(&other, 0, 0));
    check_number((CUfunction)number, 12);
    CHECK_SUCCESS(cuCtxDestroy_v2(other));
    CHECK_SUCCESS(cuLibraryUnload(library));
    close_context(context);
}

static void textures_read_linear_memory(void)
{
    CUcontext context = open_context();
    CUmodule module = load();
    CUtexref texture;
    CUtexref again;
    CUdeviceptr texels;
    CUdeviceptr out;
    size_t offset = 1;
    unsigned int values[32];
    CHECK_SUCCESS(cuModuleGetTexRef(&texture, module, "texture"));
    CHECK_SUCCESS(cuModuleGetTexRef(&again, module, "texture"));
    CHECK(texture == again);
    CHECK_STATUS(NOT_FOUND, cuModuleGetTexRef(&again, module, "missing"));
    CHECK_STATUS(INVALID_HANDLE, cuModuleGetTexRef(&again, NULL, "texture"));
    CHECK_SUCCESS(cuMemAlloc_v2(&texels, 4096));
    CHECK_SUCCESS(cuMemAlloc_v2(&out, sizeof values));
    for (unsigned int i = 0; i < 32; i++)
        values[i] = 1000 + i;
    CHECK_SUCCESS(cuMemcpyHtoD_v2(texels, values, sizeof values));
    CHECK_SUCCESS(cuTexRefSetFormat(texture, 3, 1));
    CHECK_SUCCESS(cuTexRefSetFlags(texture, 1));
    CHECK_STATUS(INVALID_VALUE, cuTexRefSetFormat(texture, 3, 5));
    CHECK_SUCCESS(cuTexRefSetAddress_v2(&offset, texture, texels, sizeof values));
    CHECK_EQUAL(0, offset);
    CHECK_SUCCESS(cuTexRefSetAddress_v2(NULL, texture, texels, sizeof values));
    if (is_real) {
        CHECK_SUCCESS(cuTexRefSetAddressMode(texture, 0, 1));
        CHECK_SUCCESS(cuTexRefSetFilterMode(texture, 0));
        void *parameters[] = {&out};
        CHECK_SUCCESS(cuLaunchKernel(function(module, "texel"), 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL));
        memset(values, 0, sizeof values);
        CHECK_SUCCESS(cuMemcpyDtoH_v2(values, out, sizeof values));
        for (unsigned int i = 0; i < 32; i++)
            CHECK_EQUAL(1000 + i, values[i]);
    }
    CHECK_SUCCESS(cuModuleUnload(module));
    CHECK_STATUS(INVALID_HANDLE, cuTexRefSetFlags(texture, 1));
    for (int i = 0; i < 100; i++) {
        module = load();
        CHECK_SUCCESS(cuModuleGetTexRef(&texture, module, "texture"));
        CHECK_SUCCESS(cuModuleUnload(module));
    }
    close_context(context);
}

static void libraries_of_ptx_are_compiled_once(void)
{
    CHECK_SUCCESS(cuInit(0));
    CUlibrary library;
    CUkernel kernel;
    CUfunction number;
    char info[2000];
    CUjit_option jit_options[] = {3, 4, 12};
    void *jit_values[] = {info, (void *)sizeof info, (void *)1};
    CUlibraryOption options[] = {1};
    void *values[] = {(void *)1};
    set_kernels();
    CHECK_SUCCESS(cuLibraryLoadData(&library, number_ptx, jit_options, jit_values, 3, options, values, 1));
    CHECK_EQUAL(strlen(info), (size_t)jit_values[1]);
    CHECK_SUCCESS(cuLibraryGetKernel(&kernel, library, "number"));
    for (unsigned int i = 0; i < 2; i++) {
        CUcontext context = open_context();
        CHECK_SUCCESS(cuKernelGetFunction(&number, kernel));
        check_number(number, 50 + i);
        CHECK_SUCCESS(cuCtxSynchronize());
        CHECK_SUCCESS(cuCtxDestroy_v2(context));
    }
    CHECK_SUCCESS(cuLibraryUnload(library));
    check_rules();
}

/* Prints "thread 0", "thread 1" and so on, in any order. */
static const char printing_ptx[] =
    ".version 4.3\n.target sm_20\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .b8 text[11] = {116, 104, 114, 101, 97, 100, 32, 37, 100, 10, 0};\n"
    ".visible .entry threads() {\n"
    " .local .align 8 .b8 arguments[8]; .reg .b64 %f, %a; .reg .b32 %n, %r;\n"
    " mov.u32 %n, %tid.x; st.local.u32 [arguments], %n; mov.u64 %a, arguments; cvta.local.u64 %a, %a;\n"
    " mov.u64 %f, text; cvta.global.u64 %f, %f; call (%r), vprintf, (%f, %a); ret; }\n";

/* Checks that standard output, in a file, has `count` lines of each of 32 threads. */
static void check_lines(FILE *file, unsigned int count)
{
    unsigned int lines[32] = {0};
    unsigned int thread;
    rewind(file);
    while (fscanf(file, "thread %u\n", &thread) == 1 && thread < 32)
        lines[thread]++;
    CHECK(feof(file));
    for (unsigned int i = 0; i < 32; i++)
        CHECK_EQUAL(count, lines[i]);
}

static void kernels_print(void)
{
    if (!is_real)
        return;
    CUcontext context = open_context();
    CUmodule module;
    CUstream stream;
    CHECK_SUCCESS(cuModuleLoadData(&module, printing_ptx));
    CUfunction threads = function(module, "threads");
    CHECK_SUCCESS(cuStreamCreate(&stream, 0));
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    FILE *file = tmpfile();
    dup2(fileno(file), STDOUT_FILENO);
    CHECK_SUCCESS(cuLaunchKernel(threads, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    CHECK_SUCCESS(cuCtxSynchronize());
    check_lines(file, 1);
    CHECK_SUCCESS(cuLaunchKernel(threads, 1, 1, 1, 32, 1, 1, 0, stream, NULL, NULL));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    CHECK_SUCCESS(cuStreamSynchronize(stream));
    check_lines(file, 2);
    CHECK_SUCCESS(cuLaunchKernel(threads, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    CHECK_SUCCESS(cuModuleUnload(module));
    check_lines(file, 3);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    fclose(file);
    CHECK_SUCCESS(cuStreamDestroy_v2(stream));
    close_context(context);
}

static const struct test_case cases[] = {
    CASE(kernels_print),
    CASE(modules_have_functions),
    CASE(modules_are_loaded_from_files),
    CASE(fatbins_are_loaded),
    CASE(other_images_are_refused),
    CASE(ptx_is_compiled),
    CASE(errors_of_ptx_are_logged),
    CASE(jit_options_are_checked),
    CASE(modules_are_linked),
    CASE(libraries_of_ptx_are_compiled_once),
    CASE(modules_have_variables),
    CASE(functions_have_attributes),
    CASE(occupancy_is_that_of_sm_20),
    CASE(libraries_are_loaded_into_contexts),
    CASE(libraries_need_no_context),
    CASE(givenFile_whenLibraryIsLoaded_thenItsKernelsRun),
    CASE(textures_read_linear_memory),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, cases, sizeof cases / sizeof cases[0]);
}
