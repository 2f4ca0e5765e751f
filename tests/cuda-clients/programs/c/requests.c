/* Requests in JSON, one object of strings and integers per line, and their answers. */
#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "requests.h"

enum {
    LINE_BYTES = 4096,
    /* Most repetitions of one request. */
    MOST_COUNT = 4096,
    /* Launches before the measured ones, as in the Java class LaunchDelay. */
    DELAY_WARM_UP = 20
};

static const char *const phase_keys[PHASES] = {"initialize", "copyIn", "launch", "copyOut", "close"};

/* Keys of requests that are strings or integers; absent ones are empty or 0. */
struct request {
    char what[NAME_BYTES], workload[NAME_BYTES], phase[NAME_BYTES], direction[NAME_BYTES];
    int64_t id, size, seed, bytes, count;
};

static const char *folder;
static CUcontext context;

/* Run that is prepared, or NULL, and whether its memory exists. */
static const struct workload *open_run;
static bool is_initialized;

/* Place to continue after a failed request, and the reason. */
static jmp_buf refused;
static char reason[MESSAGE_BYTES];

/* ---- The line ---- */

static const char *skip_space(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* Reads a string without escapes into `text`; returns the rest, or NULL. */
static const char *read_string(const char *at, char text[NAME_BYTES])
{
    size_t length = 0;
    if (*at++ != '"')
        return NULL;
    while (*at != '"') {
        if (*at == '\0' || *at == '\\' || length == NAME_BYTES - 1)
            return NULL;
        text[length++] = *at++;
    }
    text[length] = '\0';
    return at + 1;
}

static char *string_of(struct request *request, const char *key)
{
    static char other[NAME_BYTES];
    if (strcmp(key, "do") == 0)
        return request->what;
    if (strcmp(key, "workload") == 0)
        return request->workload;
    if (strcmp(key, "phase") == 0)
        return request->phase;
    return strcmp(key, "direction") == 0 ? request->direction : other;
}

static int64_t *integer_of(struct request *request, const char *key)
{
    static int64_t other;
    if (strcmp(key, "id") == 0)
        return &request->id;
    if (strcmp(key, "size") == 0)
        return &request->size;
    if (strcmp(key, "seed") == 0)
        return &request->seed;
    if (strcmp(key, "bytes") == 0)
        return &request->bytes;
    return strcmp(key, "count") == 0 ? &request->count : &other;
}

/* Reads a key and its value; returns the rest, or NULL. */
static const char *read_member(const char *at, struct request *request)
{
    char key[NAME_BYTES];
    at = read_string(skip_space(at), key);
    if (at == NULL || *(at = skip_space(at)) != ':')
        return NULL;
    at = skip_space(at + 1);
    if (*at == '"')
        return read_string(at, string_of(request, key));
    char *end;
    *integer_of(request, key) = strtoll(at, &end, 10);
    return end == at ? NULL : end;
}

static bool parse(const char *line, struct request *request)
{
    memset(request, 0, sizeof *request);
    const char *at = skip_space(line);
    if (*at != '{')
        return false;
    do {
        at = read_member(at + 1, request);
        if (at == NULL)
            return false;
        at = skip_space(at);
    } while (*at == ',');
    return *at == '}' && *skip_space(at + 1) == '\0';
}

/* ---- Execution ---- */

static int64_t in_range(const char *key, int64_t value, int64_t most)
{
    if (value < 1 || value > most)
        fail("%s=%" PRId64 ", expected 1 to %" PRId64, key, value, most);
    return value;
}

static void close_run(void)
{
    const struct workload *run = open_run;
    open_run = NULL;
    if (run != NULL && is_initialized)
        run->close();
    is_initialized = false;
}

static const struct workload *prepared_run(void)
{
    if (open_run == NULL)
        fail("no run is prepared");
    return open_run;
}

static void prepare(const struct request *request)
{
    close_run();
    const struct workload *workload = workload_named(request->workload);
    unsigned size = (unsigned)in_range("size", request->size, INT32_MAX);
    prepare_workload(workload, size, (uint64_t)request->seed);
    open_run = workload;
}

static enum phase phase_named(const char *key)
{
    for (int i = 0; i < PHASES; i++)
        if (strcmp(phase_keys[i], key) == 0)
            return (enum phase)i;
    fail("phase=%s, expected one of initialize, copyIn, launch, copyOut, close", key);
}

static void print_work(FILE *answer, const struct workload *workload)
{
    struct work work = workload->work();
    fprintf(
        answer, ",\"work\":{\"bytesIn\":%" PRIu64 ",\"bytesOut\":%" PRIu64 ",\"launches\":%" PRIu64 ",\"operations\":%" PRIu64 ",\"unit\":\"%s\"}",
        work.bytes_in, work.bytes_out, work.launches, work.operations, work.unit);
}

static void answer_phase(FILE *answer, const struct request *request)
{
    enum phase phase = phase_named(request->phase);
    const struct workload *run = prepared_run();
    if (phase != INITIALIZE && !is_initialized)
        fail("phase=%s, expected initialize first", request->phase);
    if (phase == INITIALIZE && is_initialized)
        fail("the run is already initialized");
    if (phase == CLOSE) {
        print_work(answer, run);
        open_run = NULL;
    }
    is_initialized = phase != CLOSE;
    fprintf(answer, ",\"ns\":%" PRIu64, run_phase(run, phase, folder));
}

static void answer_run(FILE *answer, const struct request *request)
{
    close_run();
    const struct workload *workload = workload_named(request->workload);
    unsigned size = (unsigned)in_range("size", request->size, INT32_MAX);
    uint64_t ns[PHASES], total = 0;
    run_workload(workload, size, (uint64_t)request->seed, folder, ns);
    for (int i = 0; i < PHASES; i++) {
        fprintf(answer, "%s\"%s\":%" PRIu64, i == 0 ? ",\"phasesNs\":{" : ",", phase_keys[i], ns[i]);
        total += ns[i];
    }
    fprintf(answer, "},\"ns\":%" PRIu64, total);
    print_work(answer, workload);
}

static void print_times(FILE *answer, const uint64_t *ns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(answer, "%s%" PRIu64, i == 0 ? ",\"timesNs\":[" : ",", ns[i]);
    fputc(']', answer);
}

static void answer_delay(FILE *answer, const struct request *request)
{
    static uint64_t ns[MOST_COUNT];
    size_t count = (size_t)in_range("count", request->count, MOST_COUNT);
    CUmodule module = load_module(folder, "nop");
    CUfunction kernel;
    CALL(cuModuleGetFunction(&kernel, module, "nop"));
    for (size_t i = 0; i < DELAY_WARM_UP + count; i++) {
        uint64_t start = now();
        CALL(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
        CALL(cuStreamSynchronize(NULL));
        if (i >= DELAY_WARM_UP)
            ns[i - DELAY_WARM_UP] = now() - start;
    }
    CALL(cuModuleUnload(module));
    print_times(answer, ns, count);
}

static void copy(bool is_in, CUdeviceptr memory, void *host, size_t bytes)
{
    if (is_in)
        CALL(cuMemcpyHtoDAsync(memory, host, bytes, NULL));
    else
        CALL(cuMemcpyDtoHAsync(host, memory, bytes, NULL));
    CALL(cuStreamSynchronize(NULL));
}

/* Copies once, so that all pages exist, and then repeatedly. */
static void answer_copy(FILE *answer, const struct request *request)
{
    static uint64_t ns[MOST_COUNT];
    size_t count = (size_t)in_range("count", request->count, MOST_COUNT);
    size_t bytes = (size_t)in_range("bytes", request->bytes, INT64_MAX);
    bool is_in = strcmp(request->direction, "in") == 0;
    if (!is_in && strcmp(request->direction, "out") != 0)
        fail("direction=%s, expected one of in, out", request->direction);
    void *host;
    CUdeviceptr memory;
    CALL(cuMemAllocHost(&host, bytes));
    CALL(cuMemAlloc(&memory, bytes));
    memset(host, 1, bytes);
    copy(is_in, memory, host, bytes);
    for (size_t i = 0; i < count; i++) {
        uint64_t start = now();
        copy(is_in, memory, host, bytes);
        ns[i] = now() - start;
    }
    CALL(cuMemFree(memory));
    CALL(cuMemFreeHost(host));
    print_times(answer, ns, count);
}

static void execute(const char *what, const struct request *request, FILE *answer)
{
    if (strcmp(what, "prepare") == 0)
        prepare(request);
    else if (strcmp(what, "wipe") == 0)
        prepared_run()->wipe();
    else if (strcmp(what, "phase") == 0)
        answer_phase(answer, request);
    else if (strcmp(what, "verify") == 0)
        prepared_run()->verify();
    else if (strcmp(what, "run") == 0)
        answer_run(answer, request);
    else if (strcmp(what, "copy") == 0)
        answer_copy(answer, request);
    else if (strcmp(what, "delay") == 0)
        answer_delay(answer, request);
    else
        fail("do=%s, expected one of prepare, wipe, phase, verify, run, copy, delay", what);
}

/* ---- Answers ---- */

static void refuse(const char *message)
{
    snprintf(reason, sizeof reason, "%s", message);
    longjmp(refused, 1);
}

static void print_reason(void)
{
    fputs(",\"error\":\"", stdout);
    for (const char *at = reason; *at != '\0'; at++)
        if (*at == '"' || *at == '\\')
            printf("\\%c", *at);
        else
            putchar(iscntrl((unsigned char)*at) ? ' ' : *at);
    putchar('"');
}

/* Replaces the context, with everything in it. */
static void begin_anew(void)
{
    open_run = NULL;
    is_initialized = false;
    cuCtxDestroy(context); /* a failed kernel may have lost it */
    context = open_device();
}

/* Executes the request of a line. Returns whether it succeeded; if not, the reason is set. */
static bool execute_line(const char *line, struct request *request, FILE *answer)
{
    on_failure = refuse;
    if (setjmp(refused) != 0) {
        on_failure = NULL;
        return false;
    }
    if (!parse(line, request))
        fail("not a line of JSON with strings and integers");
    execute(request->what, request, answer);
    on_failure = NULL;
    return true;
}

static void answer_line(const char *line)
{
    static struct request request;
    char *text;
    size_t bytes;
    FILE *answer = open_memstream(&text, &bytes);
    if (answer == NULL)
        fail("out of memory");
    bool is_done = execute_line(line, &request, answer);
    fclose(answer);
    printf("{\"id\":%" PRId64, request.id);
    if (is_done)
        fputs(text, stdout);
    else
        print_reason();
    puts("}");
    fflush(stdout);
    free(text);
    if (!is_done)
        begin_anew();
}

void answer_requests(CUcontext opened, uint64_t context_ns, const char *modules)
{
    static char line[LINE_BYTES];
    char name[NAME_BYTES];
    CUdevice device;
    context = opened;
    folder = modules;
    CALL(cuDeviceGet(&device, 0));
    CALL(cuDeviceGetName(name, sizeof name, device));
    printf("{\"ready\":true,\"gpu\":\"%s\",\"contextNs\":%" PRIu64 "}\n", name, context_ns);
    fflush(stdout);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strchr(line, '\n') == NULL && !feof(stdin))
            fail("request: bytes=%zu or more, limit=%d", strlen(line), LINE_BYTES - 2);
        answer_line(line);
    }
    close_run();
    CALL(cuCtxDestroy(context));
}
