/* The parts of the other half of the library that the transport uses, and the begin of a session. */
#define _GNU_SOURCE

#include <fcntl.h>
#include <unistd.h>

#include "checks.h"
#include "fake_backend.h"

CUresult prepare_nothing(const struct gpuvm_facts *facts)
{
    (void)facts;
    return CUDA_SUCCESS;
}

const char *explanation(CUresult expected)
{
    static char text[2048];
    int ends[2];
    CHECK_EQUAL(0, pipe2(ends, O_CLOEXEC));
    int previous = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    setenv("GPUVM_CUDA_DEBUG", "1", 1);
    CUresult outcome = gpuvm_session_open(prepare_nothing);
    unsetenv("GPUVM_CUDA_DEBUG");
    dup2(previous, STDERR_FILENO);
    close(previous);
    ssize_t length = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    CHECK_EQUAL(expected, outcome);
    CHECK(length >= 0);
    text[length] = '\0';
    return text;
}

CUresult gpuvm_current_context(uint64_t *handle)
{
    *handle = 1;
    return CUDA_SUCCESS;
}
