/* Checks of test programs: a failed check ends the process with status 1. */
#ifndef CHECKS_H
#define CHECKS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            _exit(1); \
        } \
    } while (0)

#define CHECK_EQUAL(expected, actual) \
    do { \
        long long expected_value = (long long)(expected); \
        long long actual_value = (long long)(actual); \
        if (expected_value != actual_value) { \
            fprintf(stderr, "%s:%d: %s: expected %lld, but was %lld\n", __FILE__, __LINE__, #actual, expected_value, actual_value); \
            _exit(1); \
        } \
    } while (0)

#define CHECK_SUCCESS(call) CHECK_EQUAL(CUDA_SUCCESS, call)

/* Waits until a condition is true. The test's deadline limits the wait. */
#define AWAIT(condition) \
    do { \
        while (!(condition)) \
            usleep(500); \
    } while (0)

/* Case of a test program. */
struct test_case {
    const char *name;
    void (*run)(void);
};

#define CASE(name) {#name, name}

/* Runs the case that the first argument names; without one, prints the names of all cases. */
int run_case(int count, char **arguments, const struct test_case *cases, size_t number);

#endif
