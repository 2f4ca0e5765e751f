/* Environment of the tests with the model. */
#define _GNU_SOURCE

#include <elf.h>

#include "api.h"
#include "model.h"

const bool is_real = false;

/* As the cubin of api.sass. */
static const struct model_kernel kernels[API_KERNELS] = {
    {"number", 12, 2, {0, 8}, {8, 4}, 1024, 0, 8},
    {"add", 12, 2, {0, 8}, {8, 4}, 1024, 0, 8},
    {"spin", 8, 1, {0}, {8}, 1024, 0, 6},
    {"pack", 32, 5, {0, 8, 10, 12, 16}, {8, 1, 2, 4, 16}, 1024, 0, 10},
    {"shared", 8, 1, {0}, {8}, 1024, 1024, 10},
    {"shape", 8, 1, {0}, {8}, 1024, 0, 10},
    {"poke", 8, 1, {0}, {8}, 1024, 0, 4},
    {"texel", 8, 1, {0}, {8}, 1024, 0, 8},
    {"scale", 8, 1, {0}, {8}, 512, 0, 63},
};

const void *api_image(size_t *bytes)
{
    static const Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, [EI_CLASS] = ELFCLASS64, [EI_DATA] = ELFDATA2LSB},
    };
    model_set_kernels(kernels, API_KERNELS);
    *bytes = sizeof header;
    return &header;
}

void check_rules(void)
{
    CHECK_EQUAL(0, model.violations);
    CHECK_EQUAL(0, model.waits);
    CHECK_EQUAL(0, model.pieces);
}

void close_context(CUcontext context)
{
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuCtxDestroy_v2(context));
    check_rules();
    CHECK_EQUAL(0, model.objects);
    CHECK_EQUAL(0, model.allocations);
    CHECK_EQUAL(0, model.data_ranges);
}
