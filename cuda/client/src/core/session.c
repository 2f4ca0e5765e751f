#define _GNU_SOURCE

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "addresses.h"
#include "clock.h"
#include "completions.h"
#include "core.h"
#include "cuda_wire.h"
#include "data.h"
#include "gpuvm_cuda_senders.h"
#include "host_functions.h"
#include "reports.h"
#include "ring.h"
#include "staging.h"
#include "trace.h"

enum { PAGE_BYTES = 4096 };

/* Addresses for allocations on the GPU: this multiple of the VRAM, so that fragments do not exhaust them; within these limits. */
#define DEVICE_ADDRESSES_FACTOR 8
#define LEAST_DEVICE_BYTES (UINT64_C(1) << 33)
#define MOST_DEVICE_BYTES (UINT64_C(1) << 37)

/* Greatest limit of handles of a kind: for each handle, the library reserves some memory. */
#define MOST_HANDLES (UINT32_C(1) << 20)

/* Interval between two looks at the connection by calls that find the backend awake, in nanoseconds. */
#define LOOK_NS (100 * GPUVM_NS_PER_MS)

struct gpuvm_core gpuvm_core;

_Thread_local struct gpuvm_thread gpuvm_thread;

/*
 * State of the session, in a page that the kernel clears in a forked child, even if no handler of pthread_atfork runs. Nothing else is in the
 * page.
 */
static union {
    _Atomic uint32_t state;
    uint8_t page[PAGE_BYTES];
} wiped __attribute__((aligned(PAGE_BYTES)));

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;

/* Whether this process, or the parent that it was forked from, had a session. True only after the state was GPUVM_OPEN. */
static _Atomic bool was_open;

static _Atomic uint64_t next_look;

enum gpuvm_state gpuvm_session_state(void)
{
    return atomic_load_explicit(&wiped.state, memory_order_acquire);
}

bool gpuvm_is_usable(void)
{
    enum gpuvm_state state = gpuvm_session_state();
    return state == GPUVM_OPEN || state == GPUVM_CONNECTING;
}

CUresult gpuvm_closed_status(void)
{
    return gpuvm_session_state() == GPUVM_BROKEN ? GPUVM_LOST : CUDA_ERROR_NOT_INITIALIZED;
}

void gpuvm_break(const char *reason)
{
    uint32_t state = gpuvm_session_state();
    while (state == GPUVM_OPEN || state == GPUVM_CONNECTING)
        if (atomic_compare_exchange_weak(&wiped.state, &state, GPUVM_BROKEN)) {
            gpuvm_explain("the session is lost: %s", reason);
            gpuvm_completions_fail();
            return;
        }
}

/* Looks at the connection, if no thread has done so recently. */
static void look(void)
{
    uint64_t now = gpuvm_time(CLOCK_MONOTONIC_COARSE);
    uint64_t limit = atomic_load_explicit(&next_look, memory_order_relaxed);
    if (GPUVM_LIKELY(now < limit) || !atomic_compare_exchange_strong(&next_look, &limit, now + LOOK_NS))
        return;
    if (!gpuvm_core.link.kind->is_alive(&gpuvm_core.link))
        gpuvm_break("the connection has ended");
}

CUresult gpuvm_enter(uint32_t opcode)
{
    gpuvm_trace_enter();
    if (GPUVM_UNLIKELY(gpuvm_session_state() != GPUVM_OPEN))
        return gpuvm_closed_status();
    if (GPUVM_UNLIKELY(gpuvm_thread.is_in_host_function)) {
        gpuvm_explain("%s: a host function may not call it", gpuvm_call_name(opcode));
        return CUDA_ERROR_NOT_PERMITTED;
    }
    look();
    return GPUVM_LIKELY(gpuvm_session_state() == GPUVM_OPEN) ? CUDA_SUCCESS : GPUVM_LOST;
}

CUresult gpuvm_enter_anytime(uint32_t opcode)
{
    (void)opcode;
    gpuvm_trace_enter();
    return CUDA_SUCCESS;
}

CUresult gpuvm_leave(uint32_t opcode, CUresult status)
{
    if (GPUVM_UNLIKELY(status >= CUDA_ERROR_ILLEGAL_ADDRESS))
        gpuvm_reports_print(status);
    gpuvm_trace_leave(opcode, status);
    return status;
}

CUresult gpuvm_unsupported(const char *symbol)
{
    gpuvm_trace_unsupported(symbol);
    gpuvm_explain("%s is not supported", symbol);
    return CUDA_ERROR_NOT_SUPPORTED;
}

bool gpuvm_pause(struct gpuvm_pause *pause)
{
    enum { SPINS_BETWEEN_TIMES = 64 };
    const uint64_t first_nap = 20 * GPUVM_NS_PER_US;
    if (!gpuvm_is_usable())
        return false;
    if (gpuvm_completions_take())
        return true;
    if (pause->nap == 0) {
        gpuvm_spin();
        if (++pause->spins % SPINS_BETWEEN_TIMES != 0)
            return true;
        uint64_t now = gpuvm_now();
        if (pause->spin_end == 0)
            pause->spin_end = now + GPUVM_SPIN_NS;
        if (now < pause->spin_end)
            return true;
        pause->nap = first_nap;
    }
    if (!gpuvm_core.link.kind->nap(&gpuvm_core.link, pause->nap))
        gpuvm_break("the connection has ended");
    pause->nap = pause->nap * 2 < GPUVM_LONGEST_NAP_NS ? pause->nap * 2 : GPUVM_LONGEST_NAP_NS;
    return gpuvm_is_usable();
}

/* Begin of a session */

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* Returns the bytes of the area up to the end of both rings. */
static uint64_t bytes_to_map(const struct pv_layout *layout)
{
    uint64_t submissions = layout->submission_ring + layout->submission_entries * sizeof(struct pv_entry);
    uint64_t completions = layout->completion_ring + layout->completion_entries * sizeof(struct pv_entry);
    return submissions > completions ? submissions : completions;
}

/* Maps header, notification words and rings, and reads the header. */
static CUresult map_rings(void)
{
    struct gpuvm_core *core = &gpuvm_core;
    struct pv_header *header = gpuvm_link_map(&core->link, 0, PAGE_BYTES, NULL);
    if (header == NULL) {
        gpuvm_explain("area: %s", strerror(errno));
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    const char *reason = pv_read_layout(header, GPUVM_CUDA_MAGIC, core->link.area_bytes, &core->layout);
    munmap(header, PAGE_BYTES);
    if (reason != NULL) {
        gpuvm_explain("%s", reason);
        return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    }
    core->mapped_bytes = bytes_to_map(&core->layout);
    core->area = gpuvm_link_map(&core->link, 0, core->mapped_bytes, NULL);
    if (core->area == NULL) {
        gpuvm_explain("area: bytes=%" PRIu64 ": %s", core->mapped_bytes, strerror(errno));
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    core->backend_sleeps = pv_word32(core->area, PV_HOST_SLEEPS);
    core->client_sleeps = pv_word32(core->area, PV_GUEST_SLEEPS);
    core->submission_head = pv_word64(core->area, PV_SUBMISSION_HEAD);
    core->completion_head = pv_word64(core->area, PV_COMPLETION_HEAD);
    core->retired = pv_word64(core->area, GPUVM_RETIRED);
    core->submissions = (struct pv_entry *)(core->area + core->layout.submission_ring);
    core->completions = (struct pv_entry *)(core->area + core->layout.completion_ring);
    return CUDA_SUCCESS;
}

/* Reserves addresses of the data area and of allocations, and maps the data area there. */
static CUresult map_data(void)
{
    struct gpuvm_core *core = &gpuvm_core;
    uint64_t data = round_up(core->layout.data_bytes, GPUVM_ADDRESS_UNIT);
    uint64_t vram = core->layout.vram_bytes;
    uint64_t device = vram > MOST_DEVICE_BYTES / DEVICE_ADDRESSES_FACTOR ? MOST_DEVICE_BYTES
                                                                         : round_up(vram * DEVICE_ADDRESSES_FACTOR, GPUVM_ADDRESS_UNIT);
    if (device < LEAST_DEVICE_BYTES)
        device = LEAST_DEVICE_BYTES;
    if (core->layout.data_bytes > GPUVM_LAST_ADDRESS) {
        gpuvm_explain("data area: bytes=%" PRIu64 ", limit=%" PRIu64, core->layout.data_bytes, GPUVM_LAST_ADDRESS);
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    uint64_t start = gpuvm_reserve(data + device);
    if (start == 0)
        return CUDA_ERROR_OPERATING_SYSTEM;
    core->device_start = start + data;
    core->device_bytes = device;
    core->data_bytes = core->layout.data_bytes;
    core->data = gpuvm_link_map(&core->link, core->layout.data, core->data_bytes, (void *)(uintptr_t)start);
    if (core->data == NULL) {
        gpuvm_explain("data area: bytes=%" PRIu64 ": %s", core->data_bytes, strerror(errno));
        gpuvm_unreserve(start, data + device);
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    return CUDA_SUCCESS;
}

/* Checks facts that have been copied. */
static CUresult check_facts(const struct gpuvm_facts *facts)
{
    const uint32_t limits[] = {facts->contexts, facts->modules, facts->streams, facts->events, facts->texture_references};
    if (facts->devices != 1) {
        gpuvm_explain("device facts: devices=%u, expected=1", facts->devices);
        return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    }
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (limits[i] > MOST_HANDLES) {
            gpuvm_explain("device facts: handles of a kind=%u, limit=%u", limits[i], MOST_HANDLES);
            return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
        }
    return CUDA_SUCCESS;
}

/* Copies the facts, whose length the backend told, from the data area. */
static CUresult read_facts(const struct gpuvm_wire_facts *shared, uint64_t bytes, uint64_t capacity)
{
    struct gpuvm_wire_facts wire;
    struct gpuvm_facts *facts = &gpuvm_core.facts;
    if (bytes < sizeof wire || bytes > capacity) {
        gpuvm_explain("device facts: bytes=%" PRIu64 ", expected %zu to %" PRIu64, bytes, sizeof wire, capacity);
        return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    }
    memcpy(&wire, shared, sizeof wire);
    if (wire.bytes != bytes || wire.attributes > (bytes - sizeof wire) / sizeof(int32_t)) {
        gpuvm_explain("device facts: bytes=%u, attributes=%u, expected %" PRIu64 " bytes", wire.bytes, wire.attributes, bytes);
        return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    }
    *facts = (struct gpuvm_facts){
        .driver_version = wire.driver_version,
        .devices = wire.devices,
        .vram_bytes = wire.vram_bytes,
        .contexts = wire.contexts,
        .modules = wire.modules,
        .streams = wire.streams,
        .events = wire.events,
        .texture_references = wire.texture_references,
        .attributes = wire.attributes < GPUVM_FACTS_ATTRIBUTES ? wire.attributes : GPUVM_FACTS_ATTRIBUTES};
    memcpy(facts->uuid, wire.uuid, sizeof facts->uuid);
    memcpy(facts->name, wire.name, sizeof wire.name);
    memcpy(facts->bus_id, wire.bus_id, sizeof wire.bus_id);
    memcpy(facts->attribute, shared->attribute, facts->attributes * sizeof(int32_t));
    return check_facts(facts);
}

/* Sends Connect, and receives the facts. */
static CUresult introduce(void)
{
    uint64_t capacity = PAGE_BYTES;
    void *place = gpuvm_data_allocate(capacity);
    if (place == NULL)
        return CUDA_ERROR_OUT_OF_MEMORY;
    uint64_t bytes = 0;
    CUresult outcome = gpuvm_send_Connect(gpuvm_data_offset(place), capacity, GPUVM_WIRE_HASH, gpuvm_core.device_start,
        gpuvm_core.device_bytes, (uint64_t)(uintptr_t)gpuvm_core.data, &bytes);
    if (outcome == CUDA_SUCCESS)
        outcome = read_facts(place, bytes, capacity);
    else
        gpuvm_explain("the backend refuses the program: %s", gpuvm_status_name(outcome));
    gpuvm_data_release(place, 0);
    return outcome;
}

static CUresult open_parts(void)
{
    CUresult outcome = gpuvm_link_open(&gpuvm_core.link, secure_getenv("GPUVM_CUDA"));
    if (outcome == CUDA_SUCCESS)
        outcome = map_rings();
    if (outcome == CUDA_SUCCESS)
        outcome = map_data();
    if (outcome != CUDA_SUCCESS)
        return outcome;
    gpuvm_completions_open();
    atomic_store(&wiped.state, GPUVM_CONNECTING);
    outcome = gpuvm_data_open();
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_ring_open();
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_staging_open();
    return outcome == CUDA_SUCCESS ? introduce() : outcome;
}

/* Releases the parts of a session that did not begin. */
static void discard(void)
{
    struct gpuvm_core *core = &gpuvm_core;
    atomic_store(&wiped.state, GPUVM_CLOSED);
    gpuvm_pci_discard(&core->link); /* before the lock of the session ends with its descriptor */
    gpuvm_link_close(&core->link);
    gpuvm_ring_close();
    gpuvm_data_close();
    if (core->area != NULL)
        munmap(core->area, core->mapped_bytes);
    if (core->data != NULL)
        gpuvm_unreserve((uint64_t)(uintptr_t)core->data, core->device_start + core->device_bytes - (uint64_t)(uintptr_t)core->data);
    *core = (struct gpuvm_core){.link = GPUVM_NO_LINK};
}

static bool is_set(const char *variable)
{
    const char *value = secure_getenv(variable);
    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

static CUresult open_session(CUresult (*prepare)(const struct gpuvm_facts *facts))
{
    CUresult outcome = open_parts();
    uint32_t connecting = GPUVM_CONNECTING;
    if (outcome == CUDA_SUCCESS)
        outcome = prepare(&gpuvm_core.facts);
    if (outcome != CUDA_SUCCESS) {
        discard();
        return outcome;
    }
    gpuvm_core.is_synchronous = is_set("GPUVM_CUDA_SYNC");
    bool is_open = atomic_compare_exchange_strong(&wiped.state, &connecting, GPUVM_OPEN);
    atomic_store(&was_open, true);
    return is_open ? CUDA_SUCCESS : GPUVM_LOST;
}

/* Returns whether the parent of this process had a session. */
static bool is_forked(void)
{
    return atomic_load(&was_open) && gpuvm_session_state() == GPUVM_CLOSED;
}

CUresult gpuvm_session_open(CUresult (*prepare)(const struct gpuvm_facts *facts))
{
    switch (gpuvm_session_state()) {
    case GPUVM_OPEN:
        return CUDA_SUCCESS;
    case GPUVM_BROKEN:
        return GPUVM_LOST;
    default:
        break;
    }
    if (is_forked()) /* the lock may be held by a thread of the parent */
        return CUDA_ERROR_NOT_INITIALIZED;
    pthread_mutex_lock(&opening);
    CUresult outcome = CUDA_SUCCESS;
    if (gpuvm_session_state() == GPUVM_CLOSED)
        outcome = open_session(prepare);
    else if (gpuvm_session_state() == GPUVM_BROKEN)
        outcome = GPUVM_LOST;
    pthread_mutex_unlock(&opening);
    return outcome;
}

const struct gpuvm_facts *gpuvm_session_facts(void)
{
    enum gpuvm_state state = gpuvm_session_state();
    return state == GPUVM_OPEN || state == GPUVM_BROKEN ? &gpuvm_core.facts : NULL;
}

bool gpuvm_is_device_range(uint64_t address, size_t bytes)
{
    const struct gpuvm_core *core = &gpuvm_core;
    return address >= core->device_start && address - core->device_start <= core->device_bytes
        && bytes <= core->device_bytes - (address - core->device_start);
}

/* Forked children */

/*
 * The parent's threads do not exist in a child, whatever locks they held. The child closes its copies of the descriptors, so that the session
 * ends with the parent; it has neither area nor addresses. A child whose parent had no session may open one of its own.
 */
static void in_child(void)
{
    atomic_store(&wiped.state, GPUVM_CLOSED);
    gpuvm_thread.is_in_host_function = false;
    gpuvm_link_close(&gpuvm_core.link);
    if (!atomic_load(&was_open)) {
        gpuvm_core = (struct gpuvm_core){.link = GPUVM_NO_LINK};
        pthread_mutex_t unlocked = PTHREAD_MUTEX_INITIALIZER;
        opening = unlocked;
    }
}

__attribute__((constructor)) static void load(void)
{
    gpuvm_core.link = GPUVM_NO_LINK;
    /* If the kernel refuses, in_child clears the state. */
    madvise(&wiped, sizeof wiped, MADV_WIPEONFORK);
    pthread_atfork(NULL, NULL, in_child);
    gpuvm_trace_open();
}
