#define _GNU_SOURCE

#include "completions.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "core.h"
#include "cuda_wire.h"
#include "gpuvm_cuda_senders.h"
#include "host_functions.h"
#include "ring.h"

/*
 * One thread at a time has the role of the reader: it takes completions from the ring, and marks the waits of the threads that they belong
 * to. A waiting thread first spins, and is the reader if no other thread is. Then one of the waiting threads, the poller, sleeps until the
 * backend wakes the process; the others sleep until the reader or the poller wakes them. The poller is not the reader while it sleeps, so
 * that a thread that spins has its answer without the poller. Such a thread leaves the word `guest sleeps` as the poller needs it.
 *
 * Locks: that of the submission ring is taken before the lock of the waits, which is taken before that of the host functions.
 */

/* States of a wait. Threads change them with the lock, except in `is_done`. */
enum {
    WAITING, /* the thread runs */
    ASLEEP,  /* the thread sleeps in futex */
    POLLING, /* the thread is the poller */
    DONE
};

enum {
    BUCKETS = 256,
    SPINS_BETWEEN_TIMES = 64
};

static struct {
    pthread_mutex_t lock;
    struct gpuvm_wait *buckets[BUCKETS]; /* pending calls, by number */
    struct gpuvm_wait *sleepers;         /* waits of threads that sleep in futex */
    _Atomic bool has_poller;
    _Atomic uint32_t pending;
} waits = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Role of the reader, and its position in the ring. In a cache line of its own, as all waiting threads look at it. */
static struct {
    _Alignas(128) _Atomic uint32_t role;
    _Atomic uint64_t position; /* number of completions taken; only the reader changes it */
} reader;

/* Failure that no call has returned yet. */
static _Atomic uint64_t kept_failure;

void gpuvm_completions_open(void)
{
    pthread_mutex_init(&waits.lock, NULL);
    memset(waits.buckets, 0, sizeof waits.buckets);
    waits.sleepers = NULL;
    atomic_store(&waits.has_poller, false);
    atomic_store(&reader.position, 0);
    atomic_store(&reader.role, 0);
    atomic_store(&waits.pending, 0);
    atomic_store(&kept_failure, 0);
}

bool gpuvm_completions_has_room(void)
{
    return atomic_load_explicit(&waits.pending, memory_order_relaxed) < gpuvm_core.layout.completion_entries;
}

static struct gpuvm_wait **bucket_of(uint64_t sequence)
{
    return &waits.buckets[sequence % BUCKETS];
}

static bool is_done(struct gpuvm_wait *wait)
{
    return atomic_load_explicit(&wait->state, memory_order_acquire) == DONE;
}

/* Marks a wait; the lock is held. Its thread may return, and the wait cease to exist, at once. */
static void finish(struct gpuvm_wait *wait)
{
    _Atomic uint32_t *state = &wait->state;
    switch (atomic_exchange_explicit(state, DONE, memory_order_acq_rel)) {
    case ASLEEP:
        syscall(SYS_futex, state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        break;
    case POLLING:
        gpuvm_link_poke(&gpuvm_core.link);
        break;
    }
}

/* Completes a call whose wait is no longer registered; the lock is held. */
static void complete(struct gpuvm_wait *wait)
{
    if (wait->kind == GPUVM_WAIT_HOST)
        gpuvm_host_reached(wait);
    else
        finish(wait);
}

static void fail(struct gpuvm_wait *wait)
{
    wait->status = GPUVM_LOST;
    wait->failed = 0;
    memset(wait->results, 0, sizeof wait->results);
    complete(wait);
}

void gpuvm_completions_add(struct gpuvm_wait *wait, uint64_t sequence, enum gpuvm_wait_kind kind)
{
    wait->sequence = sequence;
    wait->kind = kind;
    wait->failed = 0;
    atomic_store_explicit(&wait->state, WAITING, memory_order_relaxed);
    struct gpuvm_wait **bucket = bucket_of(sequence);
    pthread_mutex_lock(&waits.lock);
    if (GPUVM_UNLIKELY(gpuvm_session_state() == GPUVM_BROKEN)) {
        fail(wait);
    } else {
        atomic_fetch_add_explicit(&waits.pending, 1, memory_order_relaxed);
        wait->next = *bucket;
        *bucket = wait;
    }
    pthread_mutex_unlock(&waits.lock);
}

static struct gpuvm_wait *remove_wait(uint64_t sequence)
{
    for (struct gpuvm_wait **at = bucket_of(sequence); *at != NULL; at = &(*at)->next)
        if ((*at)->sequence == sequence) {
            struct gpuvm_wait *wait = *at;
            *at = wait->next;
            atomic_fetch_sub_explicit(&waits.pending, 1, memory_order_relaxed);
            return wait;
        }
    return NULL;
}

void gpuvm_completions_fail(void)
{
    pthread_mutex_lock(&waits.lock);
    for (int i = 0; i < BUCKETS; i++)
        while (waits.buckets[i] != NULL)
            fail(remove_wait(waits.buckets[i]->sequence));
    pthread_mutex_unlock(&waits.lock);
}

/* Reader */

static bool take_role(void)
{
    if (atomic_load_explicit(&reader.role, memory_order_relaxed) != 0
        || atomic_exchange_explicit(&reader.role, 1, memory_order_acquire) != 0)
        return false;
    /*
     * The reader is awake: the backend need not wake the poller. The store is before the load in leave_role, so that it does not undo the
     * announcement of a poller that leave_role does not see.
     */
    if (atomic_load_explicit(gpuvm_core.client_sleeps, memory_order_acquire) != 0)
        atomic_store(gpuvm_core.client_sleeps, 0);
    return true;
}

static const struct pv_entry *next_entry(uint64_t position)
{
    return &gpuvm_core.completions[position & (gpuvm_core.layout.completion_entries - 1)];
}

static bool has_arrived(void)
{
    uint64_t position = atomic_load_explicit(&reader.position, memory_order_relaxed);
    return pv_has_arrived(next_entry(position), position);
}

/* Completes the call that an entry names. The backend may write anything, but what it writes is loaded once. */
static void complete_entry(const struct pv_entry *entry)
{
    struct gpuvm_wait *wait = remove_wait(entry->correlation);
    if (wait == NULL)
        return;
    wait->status = (CUresult)pv_tag(entry);
    wait->failed = entry->body[0];
    for (int i = 0; i < GPUVM_RESULTS; i++)
        wait->results[i] = entry->body[1 + i];
    complete(wait);
}

/* Takes all completions that have arrived. Only the reader. Returns whether there were any. */
static bool take_arrived(void)
{
    uint64_t position = atomic_load_explicit(&reader.position, memory_order_relaxed);
    if (!pv_has_arrived(next_entry(position), position))
        return false;
    pthread_mutex_lock(&waits.lock);
    do
        complete_entry(next_entry(position++));
    while (pv_has_arrived(next_entry(position), position));
    pthread_mutex_unlock(&waits.lock);
    /* Before the load in leave_role: a thread that becomes the poller meanwhile must see the position. */
    atomic_store(&reader.position, position);
    atomic_store_explicit(gpuvm_core.completion_head, position, memory_order_release);
    return true;
}

/*
 * Ends the role. If another thread is the poller, the backend has to wake it for completions that arrive after the announcement; those that
 * arrived earlier are taken here. Takes them once, so that the calls of other threads do not keep this one.
 */
static void leave_role(void)
{
    if (atomic_load(&waits.has_poller)) {
        pv_announce_sleep(gpuvm_core.client_sleeps);
        take_arrived();
    }
    atomic_store_explicit(&reader.role, 0, memory_order_release);
}

bool gpuvm_completions_take(void)
{
    if (!has_arrived() || !take_role())
        return false;
    bool were_any = take_arrived();
    leave_role();
    return were_any;
}

/* Waiting */

/* Spins until the wait is done, or for a limited time. Returns whether the wait is done. */
static bool spin(struct gpuvm_wait *wait)
{
    uint64_t end = 0;
    bool is_reader = false;
    for (uint32_t spins = 1; !is_done(wait); spins++) {
        if (!is_reader)
            is_reader = take_role();
        if (is_reader && take_arrived())
            continue;
        if (spins % SPINS_BETWEEN_TIMES == 0) {
            uint64_t now = gpuvm_now();
            if (end == 0)
                end = now + GPUVM_SPIN_NS;
            else if (now >= end)
                break;
        }
        gpuvm_spin();
    }
    if (is_reader)
        leave_role();
    return is_done(wait);
}

/* Removes a wait from the threads that sleep; the lock is held. */
static void remove_sleeper(struct gpuvm_wait *wait)
{
    for (struct gpuvm_wait **at = &waits.sleepers; *at != NULL; at = &(*at)->sleeper)
        if (*at == wait) {
            *at = wait->sleeper;
            return;
        }
}

/* Sleeps until the wait is done, or until this thread may be the poller; the lock is held, but not while the thread sleeps. */
static void sleep_in_futex(struct gpuvm_wait *wait)
{
    atomic_store_explicit(&wait->state, ASLEEP, memory_order_relaxed);
    wait->sleeper = waits.sleepers;
    waits.sleepers = wait;
    pthread_mutex_unlock(&waits.lock);
    syscall(SYS_futex, &wait->state, FUTEX_WAIT_PRIVATE, ASLEEP, NULL, NULL, 0);
    pthread_mutex_lock(&waits.lock);
    remove_sleeper(wait);
    if (!is_done(wait))
        atomic_store_explicit(&wait->state, WAITING, memory_order_relaxed);
}

/* Wakes a thread that sleeps in futex, so that it becomes the poller; the lock is held. */
static void wake_successor(void)
{
    struct gpuvm_wait *next = waits.sleepers;
    while (next != NULL && is_done(next))
        next = next->sleeper;
    if (next == NULL)
        return;
    atomic_store_explicit(&next->state, WAITING, memory_order_relaxed);
    syscall(SYS_futex, &next->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Sleeps as the poller until the wait is done, or the session is lost. */
static void poll_until_done(struct gpuvm_wait *wait)
{
    while (!is_done(wait)) {
        pv_announce_sleep(gpuvm_core.client_sleeps);
        if (has_arrived()) {
            if (take_role()) {
                take_arrived();
                leave_role();
            } else {
                sched_yield();
            }
        } else if (!gpuvm_core.link.kind->sleep(&gpuvm_core.link, gpuvm_core.client_sleeps)) {
            gpuvm_break("the backend ended the session");
        }
    }
    pv_stay_awake(gpuvm_core.client_sleeps);
}

static void sleep_until_done(struct gpuvm_wait *wait)
{
    pthread_mutex_lock(&waits.lock);
    while (!is_done(wait)) {
        if (atomic_load(&waits.has_poller)) {
            sleep_in_futex(wait);
            continue;
        }
        atomic_store(&waits.has_poller, true);
        atomic_store_explicit(&wait->state, POLLING, memory_order_relaxed);
        pthread_mutex_unlock(&waits.lock);
        poll_until_done(wait);
        pthread_mutex_lock(&waits.lock);
        atomic_store(&waits.has_poller, false);
        wake_successor();
    }
    pthread_mutex_unlock(&waits.lock);
}

void gpuvm_wait_until_done(struct gpuvm_wait *wait)
{
    if (!spin(wait))
        sleep_until_done(wait);
}

void gpuvm_wait_begin(struct gpuvm_wait *wait)
{
    atomic_store_explicit(&wait->state, WAITING, memory_order_relaxed);
}

void gpuvm_wait_finish(struct gpuvm_wait *wait)
{
    finish(wait);
}

/* Results */

void gpuvm_keep_failure(uint64_t failed)
{
    uint64_t none = 0;
    atomic_compare_exchange_strong(&kept_failure, &none, failed);
}

/* Returns the status that the program gets from a call whose completion has arrived. */
static CUresult outcome_of(const struct gpuvm_wait *wait)
{
    uint64_t failed = wait->failed;
    if (GPUVM_UNLIKELY(failed != 0))
        gpuvm_explain("call %llu failed: %s", (unsigned long long)(failed & GPUVM_FAILED_CALL_MASK),
            gpuvm_status_name((CUresult)(failed >> GPUVM_FAILED_STATUS_SHIFT)));
    if (wait->status != CUDA_SUCCESS) {
        if (failed != 0)
            gpuvm_keep_failure(failed);
        return wait->status;
    }
    if (failed == 0 && GPUVM_UNLIKELY(atomic_load_explicit(&kept_failure, memory_order_relaxed) != 0))
        failed = atomic_exchange(&kept_failure, 0);
    return (CUresult)(failed >> GPUVM_FAILED_STATUS_SHIFT);
}

CUresult gpuvm_publish(struct gpuvm_message *message, struct gpuvm_wait *wait)
{
    gpuvm_ring_publish(message, wait, GPUVM_WAIT_CALL);
    return CUDA_SUCCESS;
}

CUresult gpuvm_await(struct gpuvm_wait *wait)
{
    if (!is_done(wait))
        gpuvm_wait_until_done(wait);
    return outcome_of(wait);
}

void gpuvm_completions_ask(void)
{
    struct gpuvm_message message;
    struct gpuvm_wait wait;
    if (gpuvm_fill_Nop(&message) == CUDA_SUCCESS)
        gpuvm_complete_aside(&message, &wait);
}

void gpuvm_complete_aside(struct gpuvm_message *message, struct gpuvm_wait *wait)
{
    gpuvm_ring_publish(message, wait, GPUVM_WAIT_CALL);
    if (!is_done(wait))
        gpuvm_wait_until_done(wait);
    if (wait->failed != 0)
        gpuvm_keep_failure(wait->failed);
}

CUresult gpuvm_complete(struct gpuvm_message *message)
{
    struct gpuvm_wait wait;
    gpuvm_ring_publish(message, &wait, GPUVM_WAIT_CALL);
    CUresult outcome = gpuvm_await(&wait);
    memcpy(message->results, wait.results, sizeof message->results);
    return outcome;
}
