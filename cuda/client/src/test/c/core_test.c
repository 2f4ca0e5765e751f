/* Tests of the library's transport with a backend without a GPU. */
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "checks.h"
#include "core.h"
#include "cuda_wire.h"
#include "fake_backend.h"
#include "gpuvm_cuda_senders.h"
#include "session.h"

enum {
    THREADS = 6,
    /* Parts of the data area that the library keeps: the ring of arguments, and a piece of staging memory. */
    KEPT_BYTES = (256 << 10) + (64 << 10)
};

extern char **environ;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static CUresult free_memory(uint64_t address)
{
    return gpuvm_send_MemFree(address);
}

static CUresult launch(const void *parameters, size_t bytes)
{
    return gpuvm_send_LaunchKernel(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, parameters, bytes);
}

/* Sends a call whose result is its operand. */
static uint64_t echo(uint64_t value)
{
    uint64_t address = 0;
    CHECK_SUCCESS(gpuvm_send_MemAlloc(1, value, &address));
    return address - gpuvm_core.device_start;
}

static CUresult synchronize(void)
{
    return gpuvm_send_CtxSynchronize(1);
}

static void start_threads(pthread_t *threads, int count, void *(*run)(void *))
{
    for (int i = 0; i < count; i++)
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, run, (void *)(intptr_t)i));
}

static void join_threads(pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++)
        CHECK_EQUAL(0, pthread_join(threads[i], NULL));
}

/* Waits for a child that must succeed. */
static void expect_success(pid_t child)
{
    int status;
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
}

static void open_with(struct fake_options options)
{
    fake_start(options);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
}

static pid_t open_with_process(struct fake_options options)
{
    pid_t backend = fake_start_process(options);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    return backend;
}

static void expect_lost(void)
{
    CHECK_EQUAL(GPUVM_LOST, gpuvm_send_Nop());
    CHECK_EQUAL(GPUVM_LOST, free_memory(1));
    CHECK_EQUAL(GPUVM_LOST, gpuvm_enter(GPUVM_OP_DeviceGet));
    CHECK_EQUAL(CUDA_SUCCESS, gpuvm_enter_anytime(GPUVM_OP_GetErrorName));
    CHECK_EQUAL(GPUVM_LOST, gpuvm_session_open(prepare_nothing));
}

/* Begin of a session */

static void givenBackend_whenSessionOpens_thenFactsAndAddressesAreValid(void)
{
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_enter(GPUVM_OP_DeviceGet));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_send_Nop());
    CHECK_EQUAL(CUDA_SUCCESS, gpuvm_enter_anytime(GPUVM_OP_Init));
    CHECK(gpuvm_session_facts() == NULL);

    open_with((struct fake_options){0});

    const struct gpuvm_facts *facts = gpuvm_session_facts();
    CHECK(facts != NULL);
    CHECK_EQUAL(12040, facts->driver_version);
    CHECK_EQUAL(1, facts->devices);
    CHECK_EQUAL(FAKE_VRAM_BYTES, facts->vram_bytes);
    CHECK_EQUAL(1, facts->contexts);
    CHECK_EQUAL(5, facts->texture_references);
    CHECK_EQUAL(64, strlen(facts->name));
    CHECK_EQUAL(0, strcmp(facts->bus_id, "0000:00:00.0"));
    CHECK_EQUAL(0xab, facts->uuid[15]);
    CHECK_EQUAL(120, facts->attributes);
    CHECK_EQUAL(-119, facts->attribute[119]);

    uint8_t *data = gpuvm_data_address(0);
    CHECK_EQUAL(0, (uintptr_t)data % GPUVM_ADDRESS_UNIT);
    CHECK(gpuvm_is_data_range(data, 8 << 20));
    CHECK(!gpuvm_is_data_range(data, (8 << 20) + 1));
    CHECK(!gpuvm_is_data_range(data - 1, 1));
    uint64_t address = gpuvm_core.device_start + echo(0);
    CHECK(gpuvm_is_device_range(address, 1));
    CHECK(!gpuvm_is_device_range(address - 1, 1));
    CHECK(!gpuvm_is_device_range(address, SIZE_MAX));
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    CHECK_EQUAL(1, atomic_load(&fake->sessions));
    CHECK_SUCCESS(gpuvm_enter(GPUVM_OP_DeviceGet));
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void *open_session(void *unused)
{
    (void)unused;
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    CHECK_SUCCESS(gpuvm_send_Nop());
    return NULL;
}

static void givenSeveralThreads_whenAllOpenSession_thenOneSessionBegins(void)
{
    fake_start((struct fake_options){0});
    pthread_t threads[THREADS];
    start_threads(threads, THREADS, open_session);
    join_threads(threads, THREADS);
    CHECK_EQUAL(1, atomic_load(&fake->sessions));
}

static _Atomic bool is_preparing;
static _Atomic bool may_finish;

static CUresult prepare_slowly(const struct gpuvm_facts *facts)
{
    CHECK_EQUAL(12040, facts->driver_version);
    CHECK_SUCCESS(gpuvm_send_Nop()); /* it may call the backend */
    atomic_store(&is_preparing, true);
    AWAIT(atomic_load(&may_finish));
    return CUDA_SUCCESS;
}

static void *open_slowly(void *unused)
{
    (void)unused;
    CHECK_SUCCESS(gpuvm_session_open(prepare_slowly));
    return NULL;
}

static void givenPreparation_whenOtherThreadsCall_thenTheyAreNotInitializedBeforeItsEnd(void)
{
    fake_start((struct fake_options){0});
    pthread_t thread;
    CHECK_EQUAL(0, pthread_create(&thread, NULL, open_slowly, NULL));
    AWAIT(atomic_load(&is_preparing));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_enter(GPUVM_OP_DeviceGet));
    CHECK(gpuvm_session_facts() == NULL);
    atomic_store(&may_finish, true);
    join_threads(&thread, 1);
    CHECK_SUCCESS(gpuvm_enter(GPUVM_OP_DeviceGet));
}

static CUresult refuse(const struct gpuvm_facts *facts)
{
    (void)facts;
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static void givenPreparationThatFails_whenSessionOpens_thenItsErrorIsTheAnswerAndSessionEnds(void)
{
    fake_start((struct fake_options){0});
    CHECK_EQUAL(CUDA_ERROR_OUT_OF_MEMORY, gpuvm_session_open(refuse));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_enter(GPUVM_OP_DeviceGet));
    AWAIT(atomic_load(&fake->ended) == 1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
}

static void givenNoBackend_whenSessionOpens_thenThereIsNoDevice(void)
{
    const char *endpoints[] = {"unix:/nonexistent/socket", "tcp:host", "unix:", "pci:../x", "pci:ffff:ff:1f.7"};
    for (size_t i = 0; i < sizeof endpoints / sizeof *endpoints; i++) {
        setenv("GPUVM_CUDA", endpoints[i], 1);
        CHECK_EQUAL(CUDA_ERROR_NO_DEVICE, gpuvm_session_open(prepare_nothing));
        CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_enter(GPUVM_OP_DeviceGet));
    }
    open_with((struct fake_options){0});
    CHECK_SUCCESS(gpuvm_send_Nop());
}

static void givenBackendThatRefuses_whenSessionOpens_thenReasonIsExplained(void)
{
    fake_start((struct fake_options){.refusal = "sessions=17, limit=16"});
    CHECK(strstr(explanation(CUDA_ERROR_DEVICE_UNAVAILABLE), "sessions=17, limit=16") != NULL);
}

static void givenBackendWithOtherCalls_whenSessionOpens_thenDriverMismatch(void)
{
    fake_start((struct fake_options){.wire_hash = 1});
    CHECK_EQUAL(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, gpuvm_session_open(prepare_nothing));
    CHECK_EQUAL(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, gpuvm_session_open(prepare_nothing));
    AWAIT(atomic_load(&fake->ended) == 2);
}

static void givenBackendThatLies_whenSessionOpens_thenDriverMismatch(void)
{
    for (enum fake_lie lie = FAKE_OTHER_MAGIC; lie < FAKE_UNKNOWN_NUMBERS; lie++) {
        pid_t child = fork();
        if (child == 0) {
            fake_start((struct fake_options){.lie = lie});
            CHECK_EQUAL(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, gpuvm_session_open(prepare_nothing));
            CHECK(gpuvm_session_facts() == NULL);
            _exit(0);
        }
        expect_success(child);
    }
}

/* Opens a session with a backend that lies, in a child. */
static void expect_refusal(enum fake_lie lie, CUresult expected, const char *reason)
{
    pid_t child = fork();
    if (child == 0) {
        fake_start((struct fake_options){.lie = lie});
        CHECK(strstr(explanation(expected), reason) != NULL);
        _exit(0);
    }
    expect_success(child);
}

static void givenAnswerWithFourDescriptors_whenSessionOpens_thenItIsRefused(void)
{
    expect_refusal(FAKE_FOUR_DESCRIPTORS, CUDA_ERROR_DEVICE_UNAVAILABLE, "three descriptors");
}

static void givenFileShorterThanItsArea_whenSessionOpens_thenItIsRefused(void)
{
    expect_refusal(FAKE_SHORT_FILE, CUDA_ERROR_DEVICE_UNAVAILABLE, "bytes of the file=");
}

static void givenFileThatMayShrink_whenSessionOpens_thenItIsRefused(void)
{
    expect_refusal(FAKE_UNSEALED_FILE, CUDA_ERROR_DEVICE_UNAVAILABLE, "seals=");
}

static void givenRingsBehindDataArea_whenCallsFollow_thenTheyAreExecuted(void)
{
    open_with((struct fake_options){.has_rings_last = true});
    for (uint64_t i = 0; i < 200; i++)
        CHECK_EQUAL(i, echo(i));
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void givenPreferredAddressesInUse_whenSessionOpens_thenOthersAreReserved(void)
{
    void *wanted = (void *)UINT64_C(0x4100000000);
    void *map = mmap(wanted, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(map == wanted);
    open_with((struct fake_options){0});
    CHECK(gpuvm_data_address(0) > map);
    CHECK_EQUAL(0, (uintptr_t)gpuvm_data_address(0) % GPUVM_ADDRESS_UNIT);
    CHECK_SUCCESS(gpuvm_send_Nop());
}

#ifndef __SANITIZE_THREAD__
static void givenAllAddressesInUse_whenSessionOpens_thenMappingInTheWayIsNamed(void)
{
    /* Leaves small gaps around mappings that exist. */
    uint64_t unit = UINT64_C(1) << 30;
    for (uint64_t at = UINT64_C(1) << 32; at < UINT64_C(1) << 40; at += unit)
        mmap((void *)at, unit, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    fake_start((struct fake_options){0});
    const char *text = explanation(CUDA_ERROR_OPERATING_SYSTEM);
    CHECK(strstr(text, "(anonymous)") != NULL);
    CHECK(strstr(text, "bytes=") != NULL);
}
#endif

/* Calls */

static void givenCallsWithoutReply_whenCallWithReplyFollows_thenAllWereExecutedInOrder(void)
{
    open_with((struct fake_options){0});
    uint64_t before = gpuvm_latest_call();
    for (int i = 0; i < 1000; i++)
        CHECK_SUCCESS(free_memory(1));
    CHECK_EQUAL(0x123, echo(0x123));
    CHECK_EQUAL(before + 1001, gpuvm_latest_call());
    CHECK_EQUAL(before + 1001, atomic_load(&fake->calls) + (atomic_load(&fake->calls) == before + 1000));
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void givenFailedCallWithoutReply_whenCallWithReplyFollows_thenItReturnsErrorOnce(void)
{
    open_with((struct fake_options){0});
    CHECK_SUCCESS(free_memory(FAKE_BAD_ADDRESS));
    CHECK_SUCCESS(free_memory(FAKE_BAD_ADDRESS));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, gpuvm_send_Nop());
    CHECK_SUCCESS(gpuvm_send_Nop());
}

static void givenFailedCall_whenCallWithReplyFails_thenItReturnsItsOwnErrorAndNextCallTheOther(void)
{
    open_with((struct fake_options){0});
    CHECK_SUCCESS(free_memory(FAKE_BAD_ADDRESS));
    CHECK_EQUAL(CUDA_ERROR_NOT_SUPPORTED, gpuvm_send_EventQuery(1));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, gpuvm_send_Nop());
    CHECK_SUCCESS(gpuvm_send_Nop());
}

static void givenFailedCall_whenThreadWaitsForRetiredCalls_thenNextCallReturnsError(void)
{
    open_with((struct fake_options){.retire_lag = 4});
    CHECK_SUCCESS(free_memory(FAKE_BAD_ADDRESS));
    CHECK_SUCCESS(gpuvm_await_retired(gpuvm_latest_call()));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, gpuvm_send_Nop());
}

static void givenArgumentsOfAllLengths_whenLaunched_thenBackendReceivesThem(void)
{
    open_with((struct fake_options){.submission_entries = 16, .data_bytes = 1 << 20});
    uint64_t random = 42;
    uint64_t hash = 0;
    static uint8_t parameters[GPUVM_MAX_ARGUMENT_BYTES];
    for (int i = 0; i < 5000; i++) {
        size_t bytes = next_random(&random) % 4097;
        for (size_t b = 0; b < bytes; b++)
            parameters[b] = (uint8_t)next_random(&random);
        uint64_t entry[] = {1, 2, 3, 4};
        uint64_t words[8 + sizeof parameters / 8] = {5, 6, 7, 8, 9, 10, 11, bytes};
        memcpy(words + 8, parameters, bytes);
        hash = fake_hash(hash, entry, sizeof entry);
        hash = fake_hash(hash, words, 64 + (bytes + 7) / 8 * 8);
        CHECK_SUCCESS(launch(parameters, bytes));
    }
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(5000, atomic_load(&fake->launches));
    CHECK_EQUAL(hash, atomic_load(&fake->launch_hash));
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void givenTooManyArguments_whenCallBegins_thenInvalidValueAndRingIsFree(void)
{
    open_with((struct fake_options){0});
    struct gpuvm_message message;
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, gpuvm_begin(&message, GPUVM_OP_LaunchKernel, GPUVM_NO_REPLY | GPUVM_SPILLED, 8200));
    CHECK_SUCCESS(gpuvm_begin(&message, GPUVM_OP_LaunchKernel, GPUVM_NO_REPLY | GPUVM_SPILLED, GPUVM_MAX_ARGUMENT_BYTES));
    memset(message.arguments, 0, GPUVM_MAX_ARGUMENT_BYTES);
    CHECK_SUCCESS(gpuvm_submit(&message));
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static _Atomic int progress;

static void *free_many(void *unused)
{
    (void)unused;
    for (int i = 0; i < 1000; i++) {
        CHECK_SUCCESS(free_memory(1));
        atomic_fetch_add(&progress, 1);
    }
    return NULL;
}

static void givenFullRing_whenBackendContinues_thenWaitingThreadsContinue(void)
{
    open_with((struct fake_options){.submission_entries = 16});
    atomic_store(&fake->is_held, true);
    pthread_t threads[2];
    start_threads(threads, 2, free_many);
    AWAIT(atomic_load(&progress) == 16);
    usleep(10000);
    CHECK_EQUAL(16, atomic_load(&progress));
    atomic_store(&fake->is_held, false);
    join_threads(threads, 2);
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void *mix_calls(void *argument)
{
    uint64_t random = (uint64_t)(intptr_t)argument + 1;
    for (int i = 0; i < 2000; i++) {
        uint64_t value = next_random(&random) & 0xffffff;
        if (value % 3 == 0) {
            CHECK_SUCCESS(free_memory(1));
        } else if (value % 3 == 1) {
            CHECK_SUCCESS(launch(&value, sizeof value));
        } else {
            CHECK_EQUAL(value, echo(value));
        }
    }
    return NULL;
}

static void givenSeveralThreads_whenAllCall_thenEachReceivesItsOwnResults(void)
{
    open_with((struct fake_options){.submission_entries = 32, .completion_entries = 16});
    pthread_t threads[THREADS];
    start_threads(threads, THREADS, mix_calls);
    join_threads(threads, THREADS);
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void givenMoreThreadsThanCompletionEntries_whenAllWait_thenAllComplete(void)
{
    enum { MANY = 40 };
    open_with((struct fake_options){.submission_entries = 16, .completion_entries = 16});
    pthread_t threads[MANY];
    start_threads(threads, MANY, mix_calls);
    join_threads(threads, MANY);
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static _Atomic int ended;

static void *wait_for_event(void *argument)
{
    CHECK_SUCCESS(gpuvm_send_EventSynchronize((uint64_t)(intptr_t)argument));
    atomic_fetch_add(&ended, 1);
    return NULL;
}

static void givenSeveralWaitingThreads_whenWaitsEndInReverseOrder_thenEachThreadContinues(void)
{
    open_with((struct fake_options){0});
    pthread_t threads[THREADS];
    start_threads(threads, THREADS, wait_for_event);
    AWAIT(atomic_load(&fake->waits) == THREADS);
    for (int i = THREADS - 1; i >= 0; i--) {
        usleep(2000); /* the threads sleep */
        CHECK_EQUAL(THREADS - 1 - i, atomic_load(&ended));
        CHECK_EQUAL(7, echo(7)); /* a call of another thread does not wait for theirs */
        CHECK_SUCCESS(gpuvm_send_EventRecordWithFlags((uint64_t)i, 1, 0));
        AWAIT(atomic_load(&ended) == THREADS - i);
        pthread_join(threads[i], NULL);
    }
    CHECK(atomic_load(&fake->signals) > 0);
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void *wait_often(void *argument)
{
    uint64_t event = (uint64_t)(intptr_t)argument;
    for (int i = 0; i < 300; i++)
        CHECK_SUCCESS(gpuvm_send_EventSynchronize(event));
    return NULL;
}

static void *record_often(void *argument)
{
    uint64_t event = (uint64_t)(intptr_t)argument;
    uint64_t random = event + 1;
    for (int i = 0; i < 300; i++) {
        if (next_random(&random) % 4 == 0)
            usleep((useconds_t)(next_random(&random) % 200));
        CHECK_SUCCESS(gpuvm_send_EventRecordWithFlags(event, 1, 0));
    }
    return NULL;
}

static void givenThreadsThatWaitForOneAnother_whenPausesVary_thenNoWakeUpIsMissed(void)
{
    open_with((struct fake_options){0});
    pthread_t waiters[THREADS];
    pthread_t recorders[THREADS];
    start_threads(waiters, THREADS, wait_often);
    start_threads(recorders, THREADS, record_often);
    join_threads(recorders, THREADS);
    join_threads(waiters, THREADS);
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void givenSeveralPublishedCalls_whenAwaitedInAnyOrder_thenResultsAreTheirOwn(void)
{
    enum { CALLS = 10 };
    open_with((struct fake_options){.completion_entries = 16});
    for (int round = 0; round < 100; round++) {
        struct gpuvm_wait waits[CALLS];
        for (uint64_t i = 0; i < CALLS; i++) {
            struct gpuvm_message message;
            CHECK_SUCCESS(gpuvm_fill_MemAlloc(&message, 1, i));
            CHECK_SUCCESS(gpuvm_publish(&message, &waits[i]));
        }
        AWAIT(gpuvm_has_arrived(&waits[CALLS - 1]));
        for (int i = CALLS - 1; i >= 0; i--) {
            int at = (i * 3 + round) % CALLS;
            CHECK_SUCCESS(gpuvm_await(&waits[at]));
            CHECK_EQUAL(at, waits[at].results[0] - gpuvm_core.device_start);
        }
    }
}

static void givenCompletionsOfUnknownCalls_whenTheyArrive_thenTheyHaveNoEffect(void)
{
    open_with((struct fake_options){.lie = FAKE_UNKNOWN_NUMBERS, .completion_entries = 64});
    for (uint64_t i = 0; i < 500; i++)
        CHECK_EQUAL(i, echo(i));
}

/* Wake-ups */

static void givenSleepingBackend_whenCallIsPublished_thenBackendIsWoken(void)
{
    open_with((struct fake_options){0});
    for (int i = 0; i < 20; i++) {
        uint64_t calls = atomic_load(&fake->calls);
        uint64_t sleeps = atomic_load(&fake->sleeps);
        AWAIT(atomic_load(&fake->sleeps) > sleeps);
        uint64_t wakes = atomic_load(&fake->wakes);
        CHECK_SUCCESS(free_memory(1));
        AWAIT(atomic_load(&fake->calls) > calls);
        /* The backend looks at the ring every 10 ms by itself; it sleeps at nearly all other times. */
        CHECK(atomic_load(&fake->wakes) <= wakes + 1);
    }
    CHECK(atomic_load(&fake->wakes) >= 10);
}

static void givenBackendThatIsAwake_whenManyCallsFollow_thenNoMessageWakesIt(void)
{
    open_with((struct fake_options){.is_busy = true, .submission_entries = 1024});
    for (int i = 0; i < 20000; i++)
        CHECK_SUCCESS(free_memory(1));
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(0, atomic_load(&fake->wakes));
    CHECK_EQUAL(0, atomic_load(&fake->sleeps));
}

#ifndef __SANITIZE_THREAD__
/* From now on, system calls of this thread end the process, except those that a call makes ten times in a second. */
static void forbid_system_calls(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_poll, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    CHECK_EQUAL(0, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
    CHECK_EQUAL(0, syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

static void givenBackendThatIsAwake_whenCallsWithoutReplyFollow_thenTheyMakeNoSystemCall(void)
{
    open_with((struct fake_options){.is_busy = true, .submission_entries = 65536, .data_bytes = 64 << 20});
    CHECK_SUCCESS(gpuvm_send_Nop());
    uint64_t parameter = 1;
    forbid_system_calls();
    for (int i = 0; i < 20000; i++) {
        CHECK_SUCCESS(gpuvm_enter(GPUVM_OP_LaunchKernel));
        /* The arguments of 1000 launches fit, whatever the backend has taken. */
        CHECK_SUCCESS(i % 20 == 0 ? launch(&parameter, sizeof parameter) : free_memory(1));
        CHECK_SUCCESS(gpuvm_leave(GPUVM_OP_LaunchKernel, CUDA_SUCCESS));
    }
    syscall(SYS_exit_group, 0);
}
#endif

/* End of the backend */

static void *expect_lost_event(void *argument)
{
    CHECK_EQUAL(GPUVM_LOST, gpuvm_send_EventSynchronize((uint64_t)(intptr_t)argument));
    return NULL;
}

static void givenWaitingThreads_whenBackendIsKilled_thenAllCallsAreLost(void)
{
    pid_t backend = open_with_process((struct fake_options){0});
    pthread_t threads[THREADS];
    start_threads(threads, THREADS, expect_lost_event);
    AWAIT(atomic_load(&fake->waits) == THREADS);
    CHECK_EQUAL(0, kill(backend, SIGKILL));
    join_threads(threads, THREADS);
    expect_lost();
}

static void givenWaitingThreads_whenBackendClosesConnection_thenAllCallsAreLost(void)
{
    open_with((struct fake_options){0});
    pthread_t threads[THREADS];
    start_threads(threads, THREADS, expect_lost_event);
    AWAIT(atomic_load(&fake->waits) == THREADS);
    atomic_store(&fake->must_close, true);
    join_threads(threads, THREADS);
    expect_lost();
}

static void givenIdleProgram_whenBackendIsKilled_thenFunctionsWithoutCallsReportIt(void)
{
    pid_t backend = open_with_process((struct fake_options){.is_busy = true});
    CHECK_EQUAL(0, kill(backend, SIGKILL));
    CHECK_EQUAL(backend, waitpid(backend, NULL, 0));
    AWAIT(gpuvm_enter(GPUVM_OP_DeviceGet) == GPUVM_LOST);
    expect_lost();
    CHECK(gpuvm_session_facts() != NULL);
}

static void *free_until_lost(void *unused)
{
    (void)unused;
    while (free_memory(1) == CUDA_SUCCESS)
        ;
    return NULL;
}

static void givenFullRing_whenBackendIsKilled_thenWaitingThreadsContinue(void)
{
    pid_t backend = open_with_process((struct fake_options){.submission_entries = 16});
    atomic_store(&fake->is_held, true);
    pthread_t threads[THREADS];
    start_threads(threads, THREADS, free_until_lost);
    usleep(20000);
    CHECK_EQUAL(0, kill(backend, SIGKILL));
    join_threads(threads, THREADS);
    expect_lost();
}

static void givenUnretiredCalls_whenBackendIsKilled_thenWaitForThemEnds(void)
{
    pid_t backend = open_with_process((struct fake_options){.retire_lag = 1000});
    atomic_store(&fake->is_held, true);
    void *first = gpuvm_data_allocate(7 << 20);
    CHECK(first != NULL);
    CHECK_SUCCESS(free_memory(1));
    gpuvm_data_free(first);
    CHECK_EQUAL(0, kill(backend, SIGKILL));
    CHECK(gpuvm_data_allocate(7 << 20) == NULL);
    expect_lost();
}

static void givenBackendThatStops_whenKilledWhileManyThreadsCall_thenNoThreadHangs(void)
{
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        if (child == 0) {
            pid_t backend = open_with_process((struct fake_options){.submission_entries = 32});
            pthread_t threads[THREADS];
            start_threads(threads, THREADS - 2, free_until_lost);
            start_threads(threads + THREADS - 2, 2, expect_lost_event);
            usleep(1000 + 500 * (useconds_t)round);
            CHECK_EQUAL(0, kill(backend, SIGKILL));
            join_threads(threads, THREADS);
            expect_lost();
            _exit(0);
        }
        expect_success(child);
    }
}

/* Forked children */

static void expect_uninitialized(void)
{
    struct gpuvm_message message;
    struct gpuvm_staging staging;
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_enter(GPUVM_OP_DeviceGet));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_session_open(prepare_nothing));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_begin(&message, GPUVM_OP_Nop, 0, 0));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_staging_take(&staging, 1));
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_launch_host_function(1, NULL, NULL));
    CHECK(gpuvm_data_allocate(1) == NULL);
    CHECK_EQUAL(CUDA_SUCCESS, gpuvm_enter_anytime(GPUVM_OP_GetErrorName));
}

static void givenSession_whenProcessForks_thenChildIsUninitializedAndParentContinues(void)
{
    open_with((struct fake_options){0});
    pid_t child = fork();
    if (child == 0) {
        expect_uninitialized();
        _exit(0);
    }
    expect_success(child);
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(0, atomic_load(&fake->ended));
}

static void givenSession_whenProcessForksWithoutHandlers_thenChildIsUninitialized(void)
{
    open_with((struct fake_options){0});
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (child == 0) {
        expect_uninitialized();
        _exit(0);
    }
    expect_success(child);
    CHECK_SUCCESS(gpuvm_send_Nop());
}

static _Atomic bool must_stop;

static void *call_until_stopped(void *argument)
{
    uint64_t random = (uint64_t)(intptr_t)argument + 1;
    while (!atomic_load(&must_stop)) {
        CHECK_SUCCESS(free_memory(1));
        struct gpuvm_staging staging;
        CHECK_SUCCESS(gpuvm_staging_take(&staging, 1 + next_random(&random) % 100000));
        gpuvm_staging_give(&staging, gpuvm_latest_call());
        void *first = gpuvm_data_allocate(next_random(&random) % 100000);
        CHECK(first != NULL);
        gpuvm_data_free(first);
        CHECK_SUCCESS(gpuvm_send_Nop());
    }
    return NULL;
}

static void givenThreadsThatHoldLocks_whenProcessForks_thenChildDoesNotHang(void)
{
    open_with((struct fake_options){0});
    pthread_t threads[THREADS];
    start_threads(threads, THREADS, call_until_stopped);
    for (int i = 0; i < 40; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(60);
            expect_uninitialized();
            _exit(0);
        }
        expect_success(child);
    }
    atomic_store(&must_stop, true);
    join_threads(threads, THREADS);
    CHECK_SUCCESS(gpuvm_send_Nop());
}

static void givenNoSession_whenProcessForks_thenChildOpensItsOwn(void)
{
    fake_start_process((struct fake_options){0});
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
            CHECK_SUCCESS(gpuvm_send_Nop());
            _exit(0);
        }
        expect_success(child);
    }
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(4, atomic_load(&fake->sessions));
}

static void givenChildThatLivesLonger_whenParentEnds_thenSessionEnds(void)
{
    int ends[2];
    CHECK_EQUAL(0, pipe(ends));
    fake_start_process((struct fake_options){0});
    pid_t parent = fork();
    if (parent == 0) {
        CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
        if (fork() == 0) {
            char byte;
            close(ends[1]);
            ssize_t ignored = read(ends[0], &byte, 1); /* until the test ends */
            (void)ignored;
            _exit(0);
        }
        _exit(0);
    }
    expect_success(parent);
    AWAIT(atomic_load(&fake->ended) == 1);
}

static int count_descriptors(void)
{
    int count = 0;
    for (int fd = 0; fd < 1024; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void givenSession_whenProgramIsSpawned_thenItInheritsNoDescriptor(void)
{
    int before = count_descriptors();
    fake_start_process((struct fake_options){0});
    CHECK_EQUAL(before, count_descriptors());
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    CHECK(count_descriptors() > before);
    char text[16];
    snprintf(text, sizeof text, "%d", before);
    char *arguments[] = {"/proc/self/exe", "expectDescriptors", text, NULL};
    pid_t child;
    CHECK_EQUAL(0, posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ));
    expect_success(child);
    child = vfork();
    if (child == 0) {
        execv("/proc/self/exe", arguments);
        _exit(1);
    }
    expect_success(child);
    CHECK_SUCCESS(gpuvm_send_Nop());
}

/* End of the process */

static void call_at_end(void)
{
    CHECK_SUCCESS(gpuvm_enter(GPUVM_OP_MemFree));
    CHECK_SUCCESS(free_memory(1));
    CHECK_EQUAL(5, echo(5));
    CHECK_SUCCESS(synchronize());
    _exit(0);
}

static void ignore_function(void *data, CUresult status)
{
    (void)data;
    (void)status;
}

/* Static, so that it runs after handlers of atexit. */
static bool must_call_at_end;

__attribute__((destructor)) static void call_in_destructor(void)
{
    if (must_call_at_end)
        call_at_end();
}

static void givenThreadsThatWait_whenMainReturns_thenDestructorsCanCall(void)
{
    fake_start_process((struct fake_options){0});
    pid_t child = fork();
    if (child == 0) {
        CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
        pthread_t threads[2];
        start_threads(threads, 2, wait_for_event);
        CHECK_SUCCESS(gpuvm_launch_host_function(3, ignore_function, NULL));
        AWAIT(atomic_load(&fake->waits) == 2);
        must_call_at_end = true;
        exit(1); /* the destructor ends the process with status 0 */
    }
    expect_success(child);
    AWAIT(atomic_load(&fake->ended) == 1);
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

/* GPUVM_CUDA_SYNC */

static void givenSynchronousCalls_whenCallWithoutReplyFails_thenItReturnsItsError(void)
{
    setenv("GPUVM_CUDA_SYNC", "1", 1);
    open_with((struct fake_options){0});
    uint64_t parameter = 1;
    CHECK_SUCCESS(launch(&parameter, sizeof parameter));
    CHECK_EQUAL(1, atomic_load(&fake->synchronizations));
    atomic_store(&fake->fail_launches_with, CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_EQUAL(CUDA_ERROR_ILLEGAL_ADDRESS, launch(&parameter, sizeof parameter));
    CHECK_EQUAL(2, atomic_load(&fake->synchronizations));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, free_memory(FAKE_BAD_ADDRESS));
    CHECK_SUCCESS(free_memory(1));
    CHECK_EQUAL(2, atomic_load(&fake->synchronizations));
}

/* Host functions */

static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
static int order[4096];
static int order_length;

static void note_order(void *data, CUresult status)
{
    CHECK_SUCCESS(status);
    CHECK(gpuvm_in_host_function());
    CHECK_EQUAL(CUDA_ERROR_NOT_PERMITTED, gpuvm_enter(GPUVM_OP_MemFree));
    CHECK_SUCCESS(gpuvm_enter_anytime(GPUVM_OP_GetErrorName));
    pthread_mutex_lock(&order_lock);
    order[order_length++] = (int)(intptr_t)data;
    pthread_mutex_unlock(&order_lock);
}

static void givenManyHostFunctions_whenStreamReachesThem_thenTheyRunInOrder(void)
{
    enum { FUNCTIONS = 1000 };
    open_with((struct fake_options){.submission_entries = 32, .completion_entries = 16});
    for (int i = 0; i < FUNCTIONS; i++) {
        CHECK_SUCCESS(gpuvm_launch_host_function(1, note_order, (void *)(intptr_t)i));
        if (i % 10 == 0)
            CHECK_SUCCESS(gpuvm_send_Nop());
    }
    CHECK_SUCCESS(gpuvm_send_StreamSynchronize(1));
    pthread_mutex_lock(&order_lock); /* for ThreadSanitizer, which does not know the backend's part in the order */
    CHECK_EQUAL(FUNCTIONS, order_length);
    for (int i = 0; i < FUNCTIONS; i++)
        CHECK_EQUAL(i, order[i]);
    pthread_mutex_unlock(&order_lock);
    CHECK(!gpuvm_in_host_function());
    CHECK_EQUAL(FUNCTIONS, atomic_load(&fake->functions_done));
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static _Atomic bool may_return;
static _Atomic bool has_begun;

static void block(void *data, CUresult status)
{
    (void)data;
    CHECK_SUCCESS(status);
    atomic_store(&has_begun, true);
    AWAIT(atomic_load(&may_return));
}

static void givenHostFunctionThatWaits_whenOtherThreadsCall_thenTheyProceed(void)
{
    open_with((struct fake_options){0});
    CHECK_SUCCESS(gpuvm_launch_host_function(1, block, NULL));
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    CHECK_SUCCESS(gpuvm_fill_StreamSynchronize(&message, 1));
    CHECK_SUCCESS(gpuvm_publish(&message, &wait));
    AWAIT(atomic_load(&has_begun));
    for (int i = 0; i < 100; i++)
        CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK(!gpuvm_has_arrived(&wait));
    atomic_store(&may_return, true);
    CHECK_SUCCESS(gpuvm_await(&wait));
}

static _Atomic int lost_functions;

static void expect_lost_function(void *data, CUresult status)
{
    (void)data;
    CHECK_EQUAL(GPUVM_LOST, status);
    atomic_fetch_add(&lost_functions, 1);
}

static void givenPendingHostFunctions_whenBackendIsKilled_thenTheyRunWithError(void)
{
    pid_t backend = open_with_process((struct fake_options){0});
    CHECK_SUCCESS(gpuvm_launch_host_function(1, block, NULL));
    AWAIT(atomic_load(&has_begun));
    for (int i = 0; i < 5; i++)
        CHECK_SUCCESS(gpuvm_launch_host_function(1, expect_lost_function, NULL));
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(0, kill(backend, SIGKILL));
    CHECK_EQUAL(backend, waitpid(backend, NULL, 0));
    atomic_store(&may_return, true);
    AWAIT(atomic_load(&lost_functions) == 5);
    CHECK_EQUAL(GPUVM_LOST, gpuvm_launch_host_function(1, ignore_function, NULL));
}

static void note_failure(void *data, CUresult status)
{
    (void)data;
    CHECK_SUCCESS(status);
    atomic_store(&has_begun, true);
}

static void note_refusal(void *data, CUresult status)
{
    (void)data;
    CHECK_EQUAL(CUDA_ERROR_INVALID_HANDLE, status);
    atomic_store(&has_begun, true);
}

static void givenFailedCall_whenCompletionOfHostFunctionDescribesIt_thenNextCallReturnsError(void)
{
    open_with((struct fake_options){0});
    CHECK_SUCCESS(free_memory(FAKE_BAD_ADDRESS));
    CHECK_SUCCESS(gpuvm_launch_host_function(1, note_failure, NULL));
    AWAIT(atomic_load(&has_begun));
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, gpuvm_send_Nop());
}

static void givenHostFunctionThatBackendRefuses_whenCallWithReplyFollows_thenItReturnsError(void)
{
    open_with((struct fake_options){0});
    atomic_store(&fake->fail_functions_with, CUDA_ERROR_INVALID_HANDLE);
    CHECK_SUCCESS(gpuvm_launch_host_function(1, note_refusal, NULL));
    AWAIT(atomic_load(&has_begun));
    CHECK_EQUAL(CUDA_ERROR_INVALID_HANDLE, gpuvm_send_Nop());
    CHECK_SUCCESS(gpuvm_send_Nop());
}

/* Data area */

static void givenRandomAllocations_whenFreed_thenNoneOverlapAndAllSpaceReturns(void)
{
    enum { SLOTS = 200, STEPS = 20000 };
    open_with((struct fake_options){.data_bytes = 32 << 20});
    static struct {
        uint8_t *first;
        size_t bytes;
    } slots[SLOTS];
    uint64_t random = 4711;
    for (int step = 0; step < STEPS; step++) {
        int at = (int)(next_random(&random) % SLOTS);
        if (slots[at].first == NULL) {
            size_t bytes = next_random(&random) % (256 << 10);
            uint8_t *first = gpuvm_data_allocate(bytes);
            if (first == NULL)
                continue;
            CHECK_EQUAL(0, (uintptr_t)first % 4096);
            CHECK(gpuvm_is_data_range(first, bytes));
            for (int i = 0; i < SLOTS; i++)
                CHECK(slots[i].first == NULL || first + bytes <= slots[i].first || slots[i].first + slots[i].bytes <= first);
            slots[at].first = first;
            slots[at].bytes = bytes;
        } else {
            void *found;
            size_t bytes;
            uint8_t *inside = slots[at].first + (slots[at].bytes == 0 ? 0 : next_random(&random) % slots[at].bytes);
            CHECK(gpuvm_data_find(inside, &found, &bytes));
            CHECK(found == slots[at].first);
            CHECK_EQUAL(slots[at].bytes, bytes);
            if (next_random(&random) % 2 == 0) {
                gpuvm_data_free(slots[at].first);
                CHECK(!gpuvm_data_find(inside, &found, &bytes));
                slots[at].first = NULL;
            }
        }
        if (step % 100 == 0)
            CHECK_SUCCESS(free_memory(1));
    }
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].first != NULL)
            gpuvm_data_free(slots[i].first);
    /* All but what the library keeps, in one piece. */
    size_t most = (32 << 20) - KEPT_BYTES;
    void *all = gpuvm_data_allocate(most);
    CHECK(all != NULL);
    CHECK(gpuvm_data_allocate(1) == NULL);
    CHECK(gpuvm_data_allocate(SIZE_MAX) == NULL);
    gpuvm_data_free(all);
    gpuvm_data_free(all); /* has no effect */
    CHECK(gpuvm_data_allocate(most) != NULL);
}

static void givenReleasedRange_whenItsCallHasNotRetired_thenRangeIsNotReused(void)
{
    open_with((struct fake_options){.retire_lag = 1000});
    size_t most = (8 << 20) - KEPT_BYTES;
    uint8_t *all = gpuvm_data_allocate(most);
    CHECK(all != NULL);
    CHECK_SUCCESS(free_memory(1));
    uint64_t number = gpuvm_latest_call();
    CHECK(!gpuvm_has_retired(number));
    gpuvm_data_free(all);
    void *again = gpuvm_data_allocate(most); /* waits */
    CHECK(again == all);
    CHECK(gpuvm_has_retired(number));
    gpuvm_data_release(again, 0);
    CHECK(gpuvm_data_allocate(most) == all);
}

/* Staging */

static void *copy_pieces(void *argument)
{
    enum { BYTES = 1 << 20 };
    uint64_t start = gpuvm_core.device_start + (uint64_t)(intptr_t)argument * 2 * BYTES;
    uint64_t random = (uint64_t)(intptr_t)argument + 1;
    uint8_t *expected = malloc(BYTES);
    for (int round = 0; round < 20; round++) {
        for (size_t done = 0; done < BYTES;) {
            struct gpuvm_staging staging;
            size_t wanted = 1 + next_random(&random) % 200000;
            if (wanted > BYTES - done)
                wanted = BYTES - done;
            CHECK_SUCCESS(gpuvm_staging_take(&staging, wanted));
            CHECK(staging.length >= 1 && staging.length <= wanted);
            CHECK_EQUAL(staging.offset, gpuvm_data_offset(staging.bytes));
            memset(staging.bytes, (int)next_random(&random), staging.length);
            memcpy(expected + done, staging.bytes, staging.length);
            struct gpuvm_message message;
            CHECK_SUCCESS(gpuvm_fill_MemcpyHtoDAsync(&message, start + done, staging.offset, staging.length, 1));
            CHECK_SUCCESS(gpuvm_submit(&message));
            gpuvm_staging_give(&staging, message.sequence);
            done += staging.length;
        }
        for (size_t done = 0; done < BYTES;) {
            struct gpuvm_staging staging;
            CHECK_SUCCESS(gpuvm_staging_take(&staging, BYTES - done));
            CHECK_SUCCESS(gpuvm_send_MemcpyDtoH(staging.offset, start + done, staging.length, 1));
            CHECK_EQUAL(0, memcmp(expected + done, staging.bytes, staging.length));
            gpuvm_staging_give(&staging, 0);
            done += staging.length;
        }
    }
    free(expected);
    return NULL;
}

static void givenCopiesThatRetireLate_whenStagingIsReused_thenNoByteIsOverwrittenEarly(void)
{
    open_with((struct fake_options){.data_bytes = 4 << 20, .retire_lag = 25});
    pthread_t threads[4];
    start_threads(threads, 4, copy_pieces);
    join_threads(threads, 4);
    CHECK_EQUAL(0, atomic_load(&fake->violations));
}

static void givenNoUnusedPiece_whenTried_thenNotReady(void)
{
    open_with((struct fake_options){.data_bytes = 1 << 20, .retire_lag = 1000});
    CHECK_SUCCESS(free_memory(1));
    struct gpuvm_staging staging;
    CUresult outcome = CUDA_SUCCESS;
    size_t bytes = 0;
    while (outcome == CUDA_SUCCESS) {
        outcome = gpuvm_staging_try(&staging, 1 << 16);
        if (outcome == CUDA_SUCCESS) {
            bytes += staging.length;
            gpuvm_staging_give(&staging, gpuvm_latest_call());
        }
    }
    CHECK_EQUAL(CUDA_ERROR_NOT_READY, outcome);
    CHECK_EQUAL(256 << 10, bytes);
    CHECK_SUCCESS(gpuvm_staging_take(&staging, 1 << 16));
    gpuvm_staging_give(&staging, 0);
    CHECK_EQUAL(CUDA_ERROR_INVALID_VALUE, gpuvm_staging_take(&staging, 0));
    /* What staging does not use is available to allocations. */
    CHECK_SUCCESS(synchronize());
    CHECK(gpuvm_data_allocate((1 << 20) - 2 * (64 << 10)) != NULL);
}

static void givenProgramThatAllocatesWholeDataArea_whenBytesMustBeStaged_thenThereIsMemory(void)
{
    open_with((struct fake_options){0});
    for (size_t bytes = 8 << 20; bytes >= 4096; bytes /= 2)
        while (gpuvm_data_allocate(bytes) != NULL)
            ;
    alarm(30);
    struct gpuvm_staging staging;
    for (int i = 0; i < 100; i++) {
        CHECK_SUCCESS(gpuvm_staging_take(&staging, 1 << 20));
        CHECK(staging.length >= 1);
        gpuvm_staging_give(&staging, 0);
        CHECK(gpuvm_data_allocate(4096) == NULL);
    }
}

/* Trace. GPUVM_CUDA_TRACE is read when the library is loaded. */

static void givenTraceFile_whenFunctionsAreCalled_thenEachHasLine(void)
{
    const char *path = getenv("GPUVM_CUDA_TRACE");
    if (path == NULL) {
        char file[256];
        snprintf(file, sizeof file, "%s/trace-%d", getenv("TMPDIR") == NULL ? "/tmp" : getenv("TMPDIR"), (int)getpid());
        setenv("GPUVM_CUDA_TRACE", file, 1);
        char *arguments[] = {"/proc/self/exe", (char *)__func__, NULL};
        execv("/proc/self/exe", arguments);
        _exit(1);
    }
    CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_leave(GPUVM_OP_DeviceGet, gpuvm_enter(GPUVM_OP_DeviceGet)));
    open_with((struct fake_options){0});
    CHECK_SUCCESS(gpuvm_enter(GPUVM_OP_MemFree));
    CHECK_SUCCESS(gpuvm_leave(GPUVM_OP_MemFree, free_memory(1)));
    CHECK_EQUAL(CUDA_ERROR_NOT_SUPPORTED, gpuvm_unsupported("cuGraphCreate"));
    FILE *trace = fopen(path, "re");
    CHECK(trace != NULL);
    const char *expected[][2] = {
        {"cuDeviceGet", "CUDA_ERROR_NOT_INITIALIZED"}, {"cuMemFree", "CUDA_SUCCESS"}, {"cuGraphCreate", "CUDA_ERROR_NOT_SUPPORTED"}};
    for (size_t i = 0; i < 3; i++) {
        char line[512];
        char name[128];
        char status[128];
        double time;
        int process;
        int thread;
        CHECK(fgets(line, sizeof line, trace) != NULL);
        CHECK(sscanf(line, "%lf %d %d %127s %127s", &time, &process, &thread, name, status) == 5);
        CHECK_EQUAL(getpid(), process);
        CHECK_EQUAL(0, strcmp(expected[i][0], name));
        CHECK_EQUAL(0, strcmp(expected[i][1], status));
        if (i == 1)
            CHECK(strstr(line, "call=2\n") != NULL);
    }
    fclose(trace);
    unlink(path);
}

static const struct test_case CASES[] = {
    CASE(givenBackend_whenSessionOpens_thenFactsAndAddressesAreValid),
    CASE(givenSeveralThreads_whenAllOpenSession_thenOneSessionBegins),
    CASE(givenPreparation_whenOtherThreadsCall_thenTheyAreNotInitializedBeforeItsEnd),
    CASE(givenPreparationThatFails_whenSessionOpens_thenItsErrorIsTheAnswerAndSessionEnds),
    CASE(givenNoBackend_whenSessionOpens_thenThereIsNoDevice),
    CASE(givenBackendThatRefuses_whenSessionOpens_thenReasonIsExplained),
    CASE(givenBackendWithOtherCalls_whenSessionOpens_thenDriverMismatch),
    CASE(givenBackendThatLies_whenSessionOpens_thenDriverMismatch),
    CASE(givenAnswerWithFourDescriptors_whenSessionOpens_thenItIsRefused),
    CASE(givenFileShorterThanItsArea_whenSessionOpens_thenItIsRefused),
    CASE(givenFileThatMayShrink_whenSessionOpens_thenItIsRefused),
    CASE(givenRingsBehindDataArea_whenCallsFollow_thenTheyAreExecuted),
    CASE(givenPreferredAddressesInUse_whenSessionOpens_thenOthersAreReserved),
#ifndef __SANITIZE_THREAD__ /* which needs addresses, and makes system calls, itself */
    CASE(givenAllAddressesInUse_whenSessionOpens_thenMappingInTheWayIsNamed),
    CASE(givenBackendThatIsAwake_whenCallsWithoutReplyFollow_thenTheyMakeNoSystemCall),
#endif
    CASE(givenCallsWithoutReply_whenCallWithReplyFollows_thenAllWereExecutedInOrder),
    CASE(givenFailedCallWithoutReply_whenCallWithReplyFollows_thenItReturnsErrorOnce),
    CASE(givenFailedCall_whenCallWithReplyFails_thenItReturnsItsOwnErrorAndNextCallTheOther),
    CASE(givenFailedCall_whenThreadWaitsForRetiredCalls_thenNextCallReturnsError),
    CASE(givenArgumentsOfAllLengths_whenLaunched_thenBackendReceivesThem),
    CASE(givenTooManyArguments_whenCallBegins_thenInvalidValueAndRingIsFree),
    CASE(givenFullRing_whenBackendContinues_thenWaitingThreadsContinue),
    CASE(givenSeveralThreads_whenAllCall_thenEachReceivesItsOwnResults),
    CASE(givenMoreThreadsThanCompletionEntries_whenAllWait_thenAllComplete),
    CASE(givenSeveralWaitingThreads_whenWaitsEndInReverseOrder_thenEachThreadContinues),
    CASE(givenThreadsThatWaitForOneAnother_whenPausesVary_thenNoWakeUpIsMissed),
    CASE(givenSeveralPublishedCalls_whenAwaitedInAnyOrder_thenResultsAreTheirOwn),
    CASE(givenCompletionsOfUnknownCalls_whenTheyArrive_thenTheyHaveNoEffect),
    CASE(givenSleepingBackend_whenCallIsPublished_thenBackendIsWoken),
    CASE(givenBackendThatIsAwake_whenManyCallsFollow_thenNoMessageWakesIt),
    CASE(givenWaitingThreads_whenBackendIsKilled_thenAllCallsAreLost),
    CASE(givenWaitingThreads_whenBackendClosesConnection_thenAllCallsAreLost),
    CASE(givenIdleProgram_whenBackendIsKilled_thenFunctionsWithoutCallsReportIt),
    CASE(givenFullRing_whenBackendIsKilled_thenWaitingThreadsContinue),
    CASE(givenUnretiredCalls_whenBackendIsKilled_thenWaitForThemEnds),
    CASE(givenBackendThatStops_whenKilledWhileManyThreadsCall_thenNoThreadHangs),
    CASE(givenSession_whenProcessForks_thenChildIsUninitializedAndParentContinues),
    CASE(givenSession_whenProcessForksWithoutHandlers_thenChildIsUninitialized),
    CASE(givenThreadsThatHoldLocks_whenProcessForks_thenChildDoesNotHang),
    CASE(givenNoSession_whenProcessForks_thenChildOpensItsOwn),
    CASE(givenChildThatLivesLonger_whenParentEnds_thenSessionEnds),
    CASE(givenSession_whenProgramIsSpawned_thenItInheritsNoDescriptor),
    CASE(givenThreadsThatWait_whenMainReturns_thenDestructorsCanCall),
    CASE(givenSynchronousCalls_whenCallWithoutReplyFails_thenItReturnsItsError),
    CASE(givenManyHostFunctions_whenStreamReachesThem_thenTheyRunInOrder),
    CASE(givenHostFunctionThatWaits_whenOtherThreadsCall_thenTheyProceed),
    CASE(givenPendingHostFunctions_whenBackendIsKilled_thenTheyRunWithError),
    CASE(givenFailedCall_whenCompletionOfHostFunctionDescribesIt_thenNextCallReturnsError),
    CASE(givenHostFunctionThatBackendRefuses_whenCallWithReplyFollows_thenItReturnsError),
    CASE(givenRandomAllocations_whenFreed_thenNoneOverlapAndAllSpaceReturns),
    CASE(givenReleasedRange_whenItsCallHasNotRetired_thenRangeIsNotReused),
    CASE(givenCopiesThatRetireLate_whenStagingIsReused_thenNoByteIsOverwrittenEarly),
    CASE(givenNoUnusedPiece_whenTried_thenNotReady),
    CASE(givenProgramThatAllocatesWholeDataArea_whenBytesMustBeStaged_thenThereIsMemory),
    CASE(givenTraceFile_whenFunctionsAreCalled_thenEachHasLine),
};

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "expectDescriptors") == 0) {
        CHECK_EQUAL(atoi(arguments[2]), count_descriptors());
        return 0;
    }
    return run_case(count, arguments, CASES, sizeof CASES / sizeof *CASES);
}
