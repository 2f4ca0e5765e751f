/* Environment of the tests with a backend. */
#define _GNU_SOURCE

#include "api.h"

const bool is_real = true;

const void *api_image(size_t *bytes)
{
    static unsigned char image[1 << 20];
    static size_t length;
    if (length == 0) {
        const char *path = getenv("GPUVM_TEST_CUBIN");
        CHECK(path != NULL);
        FILE *file = fopen(path, "rb");
        CHECK(file != NULL);
        length = fread(image, 1, sizeof image, file);
        fclose(file);
    }
    *bytes = length;
    return image;
}

void check_rules(void)
{
}

void close_context(CUcontext context)
{
    CHECK_SUCCESS(cuCtxSynchronize());
    CHECK_SUCCESS(cuCtxDestroy_v2(context));
}
