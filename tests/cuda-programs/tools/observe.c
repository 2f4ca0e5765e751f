/*
 * Library for LD_PRELOAD that makes runs of a CUDA program repeatable and its results visible: time() is constant, and each memory that
 * cudaMemcpy copies from the device to the host is written to a file copy-000, copy-001, ... in the folder GPUVM_COPIES.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SUCCESS 0
#define DEVICE_TO_HOST 2 /* cudaMemcpyDeviceToHost */
#define SECONDS 1000000007

time_t time(time_t *result)
{
    if (result != NULL)
        *result = SECONDS;
    return SECONDS;
}

static void save(const void *memory, size_t bytes)
{
    static int count;
    const char *folder = getenv("GPUVM_COPIES");
    char path[4096];
    if (folder == NULL)
        return;
    snprintf(path, sizeof path, "%s/copy-%03d", folder, count++);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(memory, 1, bytes, file) != bytes || fclose(file) != 0) {
        perror(path);
        _Exit(1);
    }
}

int cudaMemcpy(void *destination, const void *source, size_t bytes, int kind)
{
    typedef int function(void *, const void *, size_t, int);
    function *copy = (function *)dlsym(RTLD_NEXT, "cudaMemcpy");
    if (copy == NULL) {
        fprintf(stderr, "observe: no cudaMemcpy: %s\n", dlerror());
        _Exit(1);
    }
    int result = copy(destination, source, bytes, kind);
    if (result == SUCCESS && kind == DEVICE_TO_HOST)
        save(destination, bytes);
    return result;
}
