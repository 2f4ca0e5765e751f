/*
 * Tests of sessions of a PCI function, with files in place of its registers and areas. The library is compiled with GPUVM_PCI_DEVICES, the
 * folder of the functions.
 */
#define _GNU_SOURCE

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "checks.h"
#include "core.h"
#include "cuda_wire.h"
#include "fake_backend.h"
#include "gpuvm_cuda_senders.h"
#include "gpuvm_ring.h"
#include "session.h"

#define PV_PCI_MAGIC UINT32_C(0x56507067)
#define FIRST "0000:00:04.0"
#define SECOND "0000:00:05.0"

enum { WAITERS = 3 };

static const char *path(const char *name)
{
    static char text[512];
    snprintf(text, sizeof text, "%s/%s", GPUVM_PCI_DEVICES, name);
    return text;
}

static void remove_folder(const char *name)
{
    static const char *const FILES[] = {"vendor", "device", "enable", "resource0", "resource2"};
    char file[512];
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
        snprintf(file, sizeof file, "%s/%s", path(name), FILES[i]);
        unlink(file);
    }
    rmdir(path(name));
}

/* Starts one function for CUDA, the only one. */
static void start(uint32_t sessions)
{
    mkdir(GPUVM_PCI_DEVICES, 0700);
    remove_folder(FIRST);
    remove_folder(SECOND);
    fake_start_function((struct fake_options){.data_bytes = 1 << 20}, path(FIRST), GPUVM_CUDA_PCI_MAGIC, sessions);
    setenv("GPUVM_CUDA", "pci", 1);
}

static void expect_success(pid_t child)
{
    int status;
    CHECK_EQUAL(child, waitpid(child, &status, 0));
    CHECK_EQUAL(0, status);
}

/* Starts a program with a session, which lives until it is killed, and makes no more calls. */
static pid_t start_program(void)
{
    int ends[2];
    CHECK_EQUAL(0, pipe(ends));
    pid_t child = fork();
    if (child == 0) {
        CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
        CHECK_SUCCESS(gpuvm_send_Nop());
        CHECK_EQUAL(1, write(ends[1], "", 1));
        for (;;)
            pause();
    }
    char byte;
    close(ends[1]);
    CHECK_EQUAL(1, read(ends[0], &byte, 1));
    close(ends[0]);
    return child;
}

static void kill_program(pid_t child)
{
    kill(child, SIGKILL);
    CHECK_EQUAL(child, waitpid(child, NULL, 0));
}

static void givenFunction_whenSessionOpens_thenCallsAreExecuted(void)
{
    start(1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    CHECK_EQUAL(12040, gpuvm_session_facts()->driver_version);
    uint8_t *bytes = gpuvm_data_allocate(100);
    memcpy(bytes, "here and back", 14);
    struct gpuvm_message message;
    CHECK_SUCCESS(gpuvm_fill_MemcpyHtoDAsync(&message, gpuvm_core.device_start, gpuvm_data_offset(bytes), 14, 1));
    CHECK_SUCCESS(gpuvm_submit(&message));
    CHECK_SUCCESS(gpuvm_send_MemcpyDtoH(gpuvm_data_offset(bytes) + 50, gpuvm_core.device_start, 14, 1));
    CHECK_EQUAL(0, strcmp("here and back", (char *)bytes + 50));
    CHECK_EQUAL(0, atomic_load(&fake->violations));
    for (int i = 0; i < 2000; i++)
        CHECK_SUCCESS(gpuvm_send_MemFree(1));
    CHECK_SUCCESS(gpuvm_send_Nop());
}

static _Atomic int ended;

static void *wait_for_event(void *event)
{
    CUresult outcome = gpuvm_send_EventSynchronize((uint64_t)(intptr_t)event);
    atomic_fetch_add(&ended, 1);
    return (void *)(intptr_t)outcome;
}

static void givenWaitingThreads_whenWaitsEnd_thenThreadsContinueWithoutInterrupt(void)
{
    start(1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    pthread_t threads[WAITERS];
    for (intptr_t i = 0; i < WAITERS; i++)
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, wait_for_event, (void *)i));
    AWAIT(atomic_load(&fake->waits) == WAITERS);
    for (int i = WAITERS - 1; i >= 0; i--) {
        void *outcome;
        usleep(5000);
        CHECK_SUCCESS(gpuvm_send_EventRecordWithFlags((uint64_t)i, 1, 0));
        CHECK_EQUAL(0, pthread_join(threads[i], &outcome));
        CHECK(outcome == NULL);
        CHECK_EQUAL(WAITERS - i, atomic_load(&ended));
    }
}

static void givenWaitingThreads_whenBackendEndsSession_thenAllCallsAreLost(void)
{
    start(1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    pthread_t threads[WAITERS];
    for (intptr_t i = 0; i < WAITERS; i++)
        CHECK_EQUAL(0, pthread_create(&threads[i], NULL, wait_for_event, (void *)i));
    AWAIT(atomic_load(&fake->waits) == WAITERS);
    atomic_store(&fake->must_close, true);
    for (int i = 0; i < WAITERS; i++) {
        void *outcome;
        CHECK_EQUAL(0, pthread_join(threads[i], &outcome));
        CHECK_EQUAL(GPUVM_LOST, (intptr_t)outcome);
    }
    CHECK_EQUAL(GPUVM_LOST, gpuvm_send_Nop());
    CHECK_EQUAL(GPUVM_LOST, gpuvm_enter(GPUVM_OP_DeviceGet));
}

static void givenIdleProgram_whenBackendEndsSession_thenFunctionsReportIt(void)
{
    start(1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    atomic_store(&fake->must_close, true);
    AWAIT(gpuvm_enter(GPUVM_OP_DeviceGet) == GPUVM_LOST);
}

static void givenSeveralSessions_whenProgramsStart_thenEachHasItsOwnUntilAllAreInUse(void)
{
    start(2);
    pid_t first = start_program();
    pid_t second = start_program();
    CHECK_EQUAL(CUDA_ERROR_DEVICE_UNAVAILABLE, gpuvm_session_open(prepare_nothing));
    kill_program(first);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    CHECK_SUCCESS(gpuvm_send_Nop());
    kill_program(second);
}

static void givenDeadPrograms_whenNextProgramStarts_thenSessionsThatItDoesNotUseAreEnded(void)
{
    start(3);
    pid_t first = start_program();
    pid_t second = start_program();
    kill_program(first);
    kill_program(second);
    CHECK_EQUAL(0, atomic_load(&fake->ended));
    pid_t third = start_program();
    AWAIT(atomic_load(&fake->ended) == 2); /* one begins again, the other is closed */
    CHECK_EQUAL(1, atomic_load(&fake->ends));
    kill_program(third);
}

static void givenProgramWithoutSessions_whenSessionOpens_thenDeviceIsUnavailable(void)
{
    start(2);
    char file[512];
    snprintf(file, sizeof file, "%s/resource2", path(FIRST));
    int other = open(file, O_RDWR | O_CLOEXEC);
    CHECK(other >= 0);
    CHECK_EQUAL(0, flock(other, LOCK_EX));
    CHECK_EQUAL(CUDA_ERROR_DEVICE_UNAVAILABLE, gpuvm_session_open(prepare_nothing));
    close(other);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
}

static void givenParavirtualFunction_whenSessionOpens_thenItIsNotUsed(void)
{
    start(1);
    fake_start_function((struct fake_options){0}, path(SECOND), PV_PCI_MAGIC, 1);
    CHECK(gpuvm_pci_exists());
    setenv("GPUVM_CUDA", "pci:" SECOND, 1);
    CHECK_EQUAL(CUDA_ERROR_NO_DEVICE, gpuvm_session_open(prepare_nothing));
    setenv("GPUVM_CUDA", "pci", 1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
}

static void givenFunctionThatIsEnabled_whenSessionOpens_thenItIsNotEnabledAgain(void)
{
    start(1);
    char file[512];
    snprintf(file, sizeof file, "%s/enable", path(FIRST));
    FILE *enable = fopen(file, "w");
    CHECK(enable != NULL && fputs("2\n", enable) >= 0 && fclose(enable) == 0);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    char text[8];
    enable = fopen(file, "r");
    CHECK(enable != NULL && fgets(text, sizeof text, enable) != NULL && fclose(enable) == 0);
    CHECK_EQUAL(0, strcmp("2\n", text));
}

static void givenFunctionWithoutRegisters_whenSessionOpens_thenCauseIsExplained(void)
{
    start(1);
    char file[512];
    snprintf(file, sizeof file, "%s/resource0", path(FIRST));
    CHECK_EQUAL(0, unlink(file));
    const char *text = explanation(CUDA_ERROR_NO_DEVICE);
    CHECK(strstr(text, FIRST " cannot be used: No such file or directory") != NULL);
    CHECK(strstr(text, "0, expected=1") != NULL);
}

static void givenTwoFunctions_whenSessionOpens_thenAddressIsRequired(void)
{
    start(1);
    fake_start_function((struct fake_options){0}, path(SECOND), GPUVM_CUDA_PCI_MAGIC, 1);
    CHECK_EQUAL(CUDA_ERROR_NO_DEVICE, gpuvm_session_open(prepare_nothing));
    setenv("GPUVM_CUDA", "pci:" SECOND, 1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    CHECK_SUCCESS(gpuvm_send_Nop());
}

static void givenSession_whenProcessForks_thenChildIsUninitializedAndSessionContinues(void)
{
    start(1);
    CHECK_SUCCESS(gpuvm_session_open(prepare_nothing));
    pid_t child = fork();
    if (child == 0) {
        CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_enter(GPUVM_OP_DeviceGet));
        CHECK_EQUAL(CUDA_ERROR_NOT_INITIALIZED, gpuvm_session_open(prepare_nothing));
        _exit(0);
    }
    expect_success(child);
    CHECK_SUCCESS(gpuvm_send_Nop());
    CHECK_EQUAL(0, atomic_load(&fake->ended));
}

static const struct test_case CASES[] = {
    CASE(givenFunction_whenSessionOpens_thenCallsAreExecuted),
    CASE(givenWaitingThreads_whenWaitsEnd_thenThreadsContinueWithoutInterrupt),
    CASE(givenWaitingThreads_whenBackendEndsSession_thenAllCallsAreLost),
    CASE(givenIdleProgram_whenBackendEndsSession_thenFunctionsReportIt),
    CASE(givenSeveralSessions_whenProgramsStart_thenEachHasItsOwnUntilAllAreInUse),
    CASE(givenDeadPrograms_whenNextProgramStarts_thenSessionsThatItDoesNotUseAreEnded),
    CASE(givenProgramWithoutSessions_whenSessionOpens_thenDeviceIsUnavailable),
    CASE(givenParavirtualFunction_whenSessionOpens_thenItIsNotUsed),
    CASE(givenFunctionThatIsEnabled_whenSessionOpens_thenItIsNotEnabledAgain),
    CASE(givenFunctionWithoutRegisters_whenSessionOpens_thenCauseIsExplained),
    CASE(givenTwoFunctions_whenSessionOpens_thenAddressIsRequired),
    CASE(givenSession_whenProcessForks_thenChildIsUninitializedAndSessionContinues),
};

int main(int count, char **arguments)
{
    return run_case(count, arguments, CASES, sizeof CASES / sizeof *CASES);
}
