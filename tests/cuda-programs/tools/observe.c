/*
 * Library for LD_PRELOAD that makes runs of a CUDA program repeatable and its results visible: time() is constant, and each memory that
 * cudaMemcpy copies from the device to the host is written to a file copy-000, copy-001, ... in the folder GPUVM_COPIES, and memory that it
 * copies to the device to input-000, input-001, ...
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SUCCESS 0
#define HOST_TO_DEVICE 1 /* cudaMemcpyHostToDevice */
#define DEVICE_TO_HOST 2 /* cudaMemcpyDeviceToHost */
#define SECONDS 1000000007

time_t time(time_t *result)
{
    if (result != NULL)
        *result = SECONDS;
    return SECONDS;
}

static void save(const char *kind, int number, const void *memory, size_t bytes)
{
    const char *folder = getenv("GPUVM_COPIES");
    char path[4096];
    if (folder == NULL)
        return;
    snprintf(path, sizeof path, "%s/%s-%03d", folder, kind, number);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(memory, 1, bytes, file) != bytes || fclose(file) != 0) {
        perror(path);
        _Exit(1);
    }
}

int cudaMemcpy(void *destination, const void *source, size_t bytes, int kind)
{
    static int inputs, copies;
    typedef int function(void *, const void *, size_t, int);
    function *copy = (function *)dlsym(RTLD_NEXT, "cudaMemcpy");
    if (copy == NULL) {
        fprintf(stderr, "observe: no cudaMemcpy: %s\n", dlerror());
        _Exit(1);
    }
    int result = copy(destination, source, bytes, kind);
    if (result == SUCCESS && kind == HOST_TO_DEVICE)
        save("input", inputs++, source, bytes);
    if (result == SUCCESS && kind == DEVICE_TO_HOST)
        save("copy", copies++, destination, bytes);
    return result;
}
