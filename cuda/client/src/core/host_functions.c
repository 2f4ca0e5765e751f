#define _GNU_SOURCE

#include "host_functions.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "completions.h"
#include "core.h"
#include "cuda_wire.h"
#include "gpuvm_cuda_senders.h"
#include "ring.h"

/* Host functions occupy at most this part of the completions that may be pending, so that other calls always proceed. */
enum { COMPLETIONS_PART = 4 };

/* Call of cuLaunchHostFunc. */
struct host_call {
    struct gpuvm_wait wait; /* first: gpuvm_host_reached has only this */
    gpuvm_host_function function;
    void *data;
    struct host_call *next;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t has_work;
    pthread_cond_t has_room;
    bool is_started;
    uint32_t reserved; /* calls that are published or about to be, and whose function has not returned */
    uint32_t pending;  /* those that are published */
    struct host_call *first; /* functions that may run, in the order of their completions */
    struct host_call *last;
    struct gpuvm_wait arrival; /* done if a function may run */
} host = {.lock = PTHREAD_MUTEX_INITIALIZER, .has_work = PTHREAD_COND_INITIALIZER, .has_room = PTHREAD_COND_INITIALIZER};

void gpuvm_host_reached(struct gpuvm_wait *wait)
{
    struct host_call *call = (struct host_call *)wait;
    call->next = NULL;
    pthread_mutex_lock(&host.lock);
    if (host.first == NULL)
        host.first = call;
    else
        host.last->next = call;
    host.last = call;
    gpuvm_wait_finish(&host.arrival);
    pthread_mutex_unlock(&host.lock);
}

/* Waits for a function that may run. While calls are pending, this thread waits for completions as others do. */
static struct host_call *next_call(void)
{
    pthread_mutex_lock(&host.lock);
    while (host.first == NULL) {
        if (host.pending == 0) {
            pthread_cond_wait(&host.has_work, &host.lock);
            continue;
        }
        gpuvm_wait_begin(&host.arrival);
        pthread_mutex_unlock(&host.lock);
        gpuvm_wait_until_done(&host.arrival);
        pthread_mutex_lock(&host.lock);
    }
    struct host_call *call = host.first;
    host.first = call->next;
    pthread_mutex_unlock(&host.lock);
    return call;
}

static void forget(struct host_call *call, bool was_published)
{
    pthread_mutex_lock(&host.lock);
    host.reserved--;
    host.pending -= was_published;
    pthread_cond_signal(&host.has_room);
    pthread_mutex_unlock(&host.lock);
    free(call);
}

/* Lets the stream continue. */
static void end(uint64_t sequence)
{
    struct gpuvm_message message;
    if (gpuvm_fill_HostFunctionDone(&message, sequence) == CUDA_SUCCESS)
        gpuvm_ring_post(&message);
}

static void run(struct host_call *call)
{
    CUresult status = call->wait.status;
    if (call->wait.failed != 0)
        gpuvm_keep_failure(call->wait.failed);
    if (status != CUDA_SUCCESS && status != GPUVM_LOST) /* the program's call has returned */
        gpuvm_keep_failure((uint64_t)status << GPUVM_FAILED_STATUS_SHIFT | call->wait.sequence);
    gpuvm_thread.is_in_host_function = true;
    call->function(call->data, status);
    gpuvm_thread.is_in_host_function = false;
    if (status == CUDA_SUCCESS)
        end(call->wait.sequence);
    forget(call, true);
}

static void *run_all(void *unused)
{
    (void)unused;
    for (;;)
        run(next_call());
    return NULL;
}

/* Starts the thread, which handles no signals of the program; the lock is held. */
static bool start(void)
{
    if (host.is_started)
        return true;
    sigset_t all;
    sigset_t previous;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &previous);
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run_all, NULL);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    if (error != 0) {
        gpuvm_explain("the thread of host functions cannot start: %s", strerror(error));
        return false;
    }
    pthread_setname_np(thread, "gpuvm-host");
    pthread_detach(thread);
    host.is_started = true;
    return true;
}

/* Counts a call that is about to be published. */
static CUresult reserve(void)
{
    uint32_t limit = gpuvm_core.layout.completion_entries / COMPLETIONS_PART;
    pthread_mutex_lock(&host.lock);
    bool is_started = start();
    while (is_started && host.reserved >= limit && gpuvm_is_usable())
        pthread_cond_wait(&host.has_room, &host.lock);
    if (is_started)
        host.reserved++;
    pthread_mutex_unlock(&host.lock);
    return is_started ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

CUresult gpuvm_launch_host_function(uint64_t stream, gpuvm_host_function function, void *data)
{
    if (!gpuvm_is_usable())
        return gpuvm_closed_status();
    struct host_call *call = malloc(sizeof *call);
    if (call == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    call->function = function;
    call->data = data;
    CUresult outcome = reserve();
    if (outcome != CUDA_SUCCESS) {
        free(call);
        return outcome;
    }
    struct gpuvm_message message;
    outcome = gpuvm_fill_LaunchHostFunc(&message, stream);
    if (outcome != CUDA_SUCCESS) {
        forget(call, false);
        return outcome;
    }
    pthread_mutex_lock(&host.lock);
    host.pending++;
    pthread_cond_signal(&host.has_work);
    pthread_mutex_unlock(&host.lock);
    gpuvm_ring_publish(&message, &call->wait, GPUVM_WAIT_HOST);
    return CUDA_SUCCESS;
}

bool gpuvm_in_host_function(void)
{
    return gpuvm_thread.is_in_host_function;
}
