/*
 * Library in the place of libcuda.so.1 for the negative control: forwards each call to the library under test, except that launches, copies
 * or fills succeed without an effect. A client that checks its results then fails.
 *
 *   GPUVM_NO_EFFECT_LIBRARY  path of the library under test
 *   GPUVM_NO_EFFECT          kinds of calls without an effect: any of launches, copies, fills, separated by commas
 *   GPUVM_NO_EFFECT_COUNT    file to which the numbers of these calls are appended, whose sum counts: 1 at the first, so that a process that
 *                            is killed counts, too, and the rest at the end; default: none
 *
 * build generates names.h and forwards.S, which contain the exported names of the library under test.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h" /* const char *const names[]: NAMES names, in the order of forwards.S */

#define SUCCESS 0

/* Kind of calls. A name belongs to it if it begins with `prefix`, but not with `except`. */
struct kind {
    const char *name, *prefix, *except;
};

static const struct kind kinds[] = {
    {"launches", "cuLaunch", "cuLaunchHostFunc"},
    {"copies", "cuMemcpy", NULL},
    {"fills", "cuMemset", NULL},
};

typedef int get_proc_address(const char *, void **, int, unsigned long long);
typedef int get_proc_address_v2(const char *, void **, int, unsigned long long, int *);

/* Target of each name; the code in forwards.S jumps to it. */
__attribute__((visibility("hidden"))) void *gpuvm_targets[NAMES];

/* Function of the library under test for each name. */
static void *functions[NAMES];

static get_proc_address *real_get_proc_address;
static get_proc_address_v2 *real_get_proc_address_v2;
static atomic_long suppressed;

_Noreturn static void give_up(const char *what, const char *reason)
{
    fprintf(stderr, "no-effect: %s: %s\n", what, reason);
    abort();
}

static void append(long calls)
{
    const char *path = getenv("GPUVM_NO_EFFECT_COUNT");
    FILE *file = path == NULL ? NULL : fopen(path, "a");
    if (file != NULL) {
        fprintf(file, "%ld\n", calls);
        fclose(file);
    }
}

/* Stands for a function of any signature: the arguments are not used. */
static int succeed(void)
{
    if (atomic_fetch_add_explicit(&suppressed, 1, memory_order_relaxed) == 0)
        append(1);
    return SUCCESS;
}

static int begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static int has_no_effect(const char *name, const char *wanted)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(wanted, kinds[i].name) != NULL && begins(name, kinds[i].prefix) &&
            (kinds[i].except == NULL || !begins(name, kinds[i].except)))
            return 1;
    return 0;
}

/* Replaces a function of the library under test by the target of its name. */
static void replace(void **function)
{
    for (int i = 0; *function != NULL && i < NAMES; i++)
        if (functions[i] == *function) {
            *function = gpuvm_targets[i];
            return;
        }
}

static int get_address(const char *symbol, void **function, int version, unsigned long long flags)
{
    int result = real_get_proc_address(symbol, function, version, flags);
    if (result == SUCCESS && function != NULL)
        replace(function);
    return result;
}

static int get_address_v2(const char *symbol, void **function, int version, unsigned long long flags, int *status)
{
    int result = real_get_proc_address_v2(symbol, function, version, flags, status);
    if (result == SUCCESS && function != NULL)
        replace(function);
    return result;
}

__attribute__((constructor)) static void load(void)
{
    const char *path = getenv("GPUVM_NO_EFFECT_LIBRARY"), *wanted = getenv("GPUVM_NO_EFFECT");
    if (path == NULL || wanted == NULL)
        give_up("environment", "expected GPUVM_NO_EFFECT_LIBRARY and GPUVM_NO_EFFECT");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        give_up(path, dlerror());
    for (int i = 0; i < NAMES; i++) {
        functions[i] = dlsym(library, names[i]);
        if (functions[i] == NULL)
            give_up(names[i], "not in the library under test");
        gpuvm_targets[i] = has_no_effect(names[i], wanted) ? (void *)succeed : functions[i];
        if (strcmp(names[i], "cuGetProcAddress") == 0) {
            real_get_proc_address = (get_proc_address *)functions[i];
            gpuvm_targets[i] = (void *)get_address;
        } else if (strcmp(names[i], "cuGetProcAddress_v2") == 0) {
            real_get_proc_address_v2 = (get_proc_address_v2 *)functions[i];
            gpuvm_targets[i] = (void *)get_address_v2;
        }
    }
}

__attribute__((destructor)) static void count(void)
{
    long calls = atomic_load(&suppressed);
    append(calls == 0 ? 0 : calls - 1);
}
