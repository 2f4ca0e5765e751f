#define _GNU_SOURCE

#include "fake_backend.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "cuda_wire.h"
#include "gpuvm_cuda_api.h"
#include "gpuvm_ring.h"
#include "pci_registers.h"

enum {
    PAGE_BYTES = 4096,
    PARTS = 3 * PAGE_BYTES, /* offset of the first part after header, notification words and channel table */
    DATA_ALIGNMENT = 1 << 21,
    SPINS_BEFORE_SLEEP = 200,
    MAX_WAITS = 1 << 16,
    FACTS_ATTRIBUTES = 120
};

/* Indexes and values of registers of a PCI function. */
enum {
    FAKE_CONTROL = 4,
    FAKE_SESSION = 5,
    FAKE_STATE = 6,
    FAKE_DOORBELL = 7,
    FAKE_SESSIONS = 8,

    FAKE_CLOSED = 0,
    FAKE_PENDING = 1,
    FAKE_OPEN = 2,
    FAKE_ENDED = 4
};

struct fake_state *fake;
char fake_socket[108];

static struct fake_options options;

/* Call that has been executed, but has not retired. */
struct late_copy {
    uint64_t number;
    uint64_t destination;
    uint64_t source;
    uint64_t bytes;
};

struct pending {
    uint64_t number;
    uint64_t subject; /* event or stream */
    bool is_function; /* LaunchHostFunc, rather than a wait */
};

struct session {
    /* Of a PCI function; null for a socket. */
    volatile uint32_t *registers;
    _Atomic uint32_t wanted; /* number of the beginning that should run; 0 if the session is closed */
    uint32_t running_number; /* number of the beginning that runs */
    _Atomic bool doorbell;
    pthread_mutex_t state_lock;
    int connection;
    int wake_host;
    int wake_guest;
    uint8_t *area;
    uint64_t data_offset;
    uint8_t *data;
    struct pv_entry *submissions;
    struct pv_entry *completions;
    uint64_t taken;
    uint64_t completed;
    uint64_t unanswered;
    uint64_t failed;
    uint64_t vram_start;
    uint8_t *vram;
    struct late_copy *late;
    uint64_t late_first;
    uint64_t late_last;
    uint64_t retired;
    uint64_t recordings[FAKE_MAX_EVENTS];
    struct pending event_waits[MAX_WAITS];
    uint32_t event_wait_count;
    struct pending stream_waits[MAX_WAITS];
    uint32_t stream_wait_count;
    uint64_t running[FAKE_MAX_STREAMS]; /* function that the client runs */
};

static void die(const char *what)
{
    perror(what);
    abort();
}

uint64_t fake_hash(uint64_t hash, const void *bytes, uint64_t length)
{
    const uint8_t *byte = bytes;
    for (uint64_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Area */

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static void write_header(struct session *session, uint64_t area_bytes, uint64_t submission, uint64_t completion)
{
    struct pv_header *header = (struct pv_header *)session->area;
    header->version = options.lie == FAKE_OTHER_VERSION ? 2 : PV_VERSION;
    header->header_bytes = PAGE_BYTES;
    header->area_bytes = area_bytes;
    header->channel_table = 2 * PAGE_BYTES;
    header->channel_slots = 1;
    header->channel_slot_bytes = 256;
    header->submission_ring = options.lie == FAKE_RING_OUTSIDE ? area_bytes - 64 : submission;
    header->submission_entries = options.submission_entries + (options.lie == FAKE_RING_NO_POWER);
    header->entry_bytes = options.lie == FAKE_OTHER_ENTRY_BYTES ? 128 : 64;
    header->completion_ring = completion;
    header->completion_entries = options.completion_entries;
    header->data = session->data_offset;
    header->data_bytes = options.data_bytes + (options.lie == FAKE_DATA_OUTSIDE ? PAGE_BYTES : 0);
    header->vram_bytes = options.vram_bytes;
    atomic_store_explicit(&header->magic, options.lie == FAKE_OTHER_MAGIC ? PV_MAGIC : GPUVM_CUDA_MAGIC, memory_order_release);
}

static uint64_t submission_offset(void)
{
    return options.has_rings_last ? round_up(PARTS, DATA_ALIGNMENT) + options.data_bytes : PARTS;
}

static uint64_t completion_offset(void)
{
    return submission_offset() + round_up(options.submission_entries * sizeof(struct pv_entry), PAGE_BYTES);
}

static uint64_t rings_end(void)
{
    return completion_offset() + round_up(options.completion_entries * sizeof(struct pv_entry), PAGE_BYTES);
}

static uint64_t data_offset(void)
{
    return round_up(options.has_rings_last ? PARTS : rings_end(), DATA_ALIGNMENT);
}

static uint64_t area_length(void)
{
    return options.has_rings_last ? rings_end() : data_offset() + options.data_bytes;
}

/* Maps an area at an offset in a file, and writes its header. */
static void open_area(struct session *session, int fd, uint64_t offset)
{
    session->area = mmap(NULL, area_length(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    if (session->area == MAP_FAILED)
        die("mmap");
    session->data_offset = data_offset();
    session->submissions = (struct pv_entry *)(session->area + submission_offset());
    session->completions = (struct pv_entry *)(session->area + completion_offset());
    session->data = session->area + session->data_offset;
    write_header(session, area_length(), submission_offset(), completion_offset());
}

static int create_area(struct session *session, uint64_t *area_bytes)
{
    *area_bytes = area_length();
    int fd = memfd_create("area", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || ftruncate(fd, (off_t)*area_bytes) != 0)
        die("area");
    open_area(session, fd, 0);
    if (options.lie == FAKE_SHORT_FILE && ftruncate(fd, (off_t)*area_bytes - PAGE_BYTES) != 0)
        die("area");
    if (options.lie != FAKE_UNSEALED_FILE && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
        die("area");
    return fd;
}

static void send_welcome(int connection, struct pv_welcome *welcome, const int *descriptors, size_t count)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE((PV_DESCRIPTORS + 1) * sizeof(int))];
    } control = {0};
    struct iovec part = {welcome, sizeof *welcome};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count != 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    if (sendmsg(connection, &message, MSG_NOSIGNAL) != (ssize_t)sizeof *welcome)
        die("welcome");
}

static bool greet(struct session *session)
{
    struct pv_hello hello;
    if (recv(session->connection, &hello, sizeof hello, MSG_WAITALL) != (ssize_t)sizeof hello)
        return false;
    struct pv_welcome welcome = {.magic = GPUVM_CUDA_MAGIC, .version = PV_VERSION};
    if (hello.magic != GPUVM_CUDA_MAGIC || hello.version != PV_VERSION)
        atomic_fetch_add(&fake->violations, 1);
    if (options.refusal != NULL) {
        welcome.refused = 1;
        strncpy(welcome.reason, options.refusal, sizeof welcome.reason - 1);
        send_welcome(session->connection, &welcome, NULL, 0);
        return false;
    }
    int wake_host[2];
    int wake_guest[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wake_host) != 0
        || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, wake_guest) != 0)
        die("socketpair");
    int area = create_area(session, &welcome.area_bytes);
    int descriptors[] = {area, wake_host[1], wake_guest[1], area};
    send_welcome(session->connection, &welcome, descriptors, PV_DESCRIPTORS + (options.lie == FAKE_FOUR_DESCRIPTORS));
    close(area);
    close(wake_host[1]);
    close(wake_guest[1]);
    session->wake_host = wake_host[0];
    session->wake_guest = wake_guest[0];
    return true;
}

/* Completions */

static void retire(struct session *session, uint64_t number)
{
    while (session->late_first < session->late_last) {
        const struct late_copy *copy = &session->late[session->late_first % MAX_WAITS];
        if (copy->number > number)
            break;
        memcpy(session->vram + (copy->destination - session->vram_start), session->data + copy->source, copy->bytes);
        session->late_first++;
    }
    if (number + 1 > session->retired) {
        session->retired = number + 1;
        atomic_store_explicit(pv_word64(session->area, GPUVM_RETIRED), session->retired, memory_order_release);
    }
}

static void write_completion(struct session *session, uint64_t number, CUresult status, const uint64_t *results)
{
    uint64_t position = session->completed++;
    struct pv_entry *entry = &session->completions[position & (options.completion_entries - 1)];
    uint64_t head = atomic_load_explicit(pv_word64(session->area, PV_COMPLETION_HEAD), memory_order_acquire);
    if (position - head >= options.completion_entries)
        atomic_fetch_add(&fake->violations, 1);
    entry->correlation = number;
    entry->body[0] = session->failed;
    for (int i = 0; i < GPUVM_RESULTS; i++)
        entry->body[1 + i] = results == NULL ? 0 : results[i];
    session->failed = 0;
    pv_publish(entry, position, (uint32_t)status);
}

static void complete(struct session *session, uint64_t number, CUresult status, const uint64_t *results)
{
    session->unanswered--;
    if (options.lie == FAKE_UNKNOWN_NUMBERS)
        write_completion(session, number + (UINT64_C(1) << 40), CUDA_SUCCESS, NULL);
    write_completion(session, number, status, results);
    if (pv_must_wake(pv_word32(session->area, PV_GUEST_SLEEPS))) {
        uint64_t one = 1;
        atomic_fetch_add(&fake->signals, 1);
        if (session->registers != NULL)
            return; /* the client looks at its word */
        if (send(session->wake_guest, &one, sizeof one, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno != EPIPE && errno != EAGAIN)
            die("wake");
    }
}

static void fail_later(struct session *session, uint64_t number, CUresult status)
{
    if (session->failed == 0)
        session->failed = (uint64_t)status << GPUVM_FAILED_STATUS_SHIFT | number;
}

/* Calls */

static void connect_call(struct session *session, uint64_t number, const uint64_t *operands)
{
    uint64_t expected = options.wire_hash == 0 ? GPUVM_WIRE_HASH : options.wire_hash;
    if (operands[2] != expected) {
        complete(session, number, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, NULL);
        return;
    }
    uint64_t unit = GPUVM_ADDRESS_UNIT;
    if (operands[3] % unit != 0 || operands[4] % unit != 0 || operands[4] == 0 || operands[5] % unit != 0
        || operands[3] < GPUVM_FIRST_ADDRESS || operands[3] + operands[4] > GPUVM_LAST_ADDRESS || operands[5] < GPUVM_FIRST_ADDRESS
        || operands[5] + options.data_bytes > GPUVM_LAST_ADDRESS
        || (operands[5] < operands[3] + operands[4] && operands[3] < operands[5] + options.data_bytes))
        atomic_fetch_add(&fake->violations, 1);
    session->vram_start = operands[3];
    struct gpuvm_wire_facts *facts = (struct gpuvm_wire_facts *)(session->data + operands[0]);
    uint64_t bytes = sizeof *facts + FACTS_ATTRIBUTES * sizeof(int32_t);
    *facts = (struct gpuvm_wire_facts){.bytes = (uint32_t)bytes,
        .attributes = options.lie == FAKE_MANY_ATTRIBUTES ? 1u << 30 : FACTS_ATTRIBUTES,
        .driver_version = 12040,
        .devices = options.lie == FAKE_TWO_DEVICES ? 2 : 1,
        .vram_bytes = options.vram_bytes,
        .contexts = 1,
        .modules = 2,
        .streams = 3,
        .events = options.lie == FAKE_MANY_HANDLES ? UINT32_MAX : 4,
        .texture_references = 5,
        .bus_id = "0000:00:00.0"};
    memset(facts->uuid, 0xab, sizeof facts->uuid);
    memset(facts->name, 'n', sizeof facts->name); /* without a zero */
    for (int i = 0; i < FACTS_ATTRIBUTES; i++)
        facts->attribute[i] = -i;
    uint64_t results[GPUVM_RESULTS] = {bytes};
    if (options.lie == FAKE_SHORT_FACTS)
        results[0] = 16;
    if (options.lie == FAKE_LONG_FACTS)
        results[0] = UINT64_C(1) << 40;
    complete(session, number, CUDA_SUCCESS, results);
}

static void launch(struct session *session, uint64_t number, const uint64_t *operands, const uint64_t *arguments, uint64_t bytes)
{
    if (!options.is_sink) {
        /* The place of the arguments is not part of the hash. */
        uint64_t hash = fake_hash(atomic_load(&fake->launch_hash), operands + 2, 4 * sizeof *operands);
        atomic_store(&fake->launch_hash, fake_hash(hash, arguments, bytes));
    }
    atomic_fetch_add(&fake->launches, 1);
    uint64_t status = atomic_load(&fake->fail_launches_with);
    if (status != 0)
        fail_later(session, number, (CUresult)status);
}

static bool is_in_vram(const struct session *session, uint64_t address, uint64_t bytes)
{
    return address >= session->vram_start && bytes <= FAKE_VRAM_BYTES && address - session->vram_start <= FAKE_VRAM_BYTES - bytes;
}

/* Completes waits for events that are recorded. */
static void progress_events(struct session *session)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < session->event_wait_count; i++) {
        struct pending wait = session->event_waits[i];
        if (session->recordings[wait.subject] > 0) {
            session->recordings[wait.subject]--;
            atomic_fetch_sub(&fake->waits, 1);
            complete(session, wait.number, CUDA_SUCCESS, NULL);
        } else {
            session->event_waits[kept++] = wait;
        }
    }
    session->event_wait_count = kept;
}

/* Starts functions of streams, and completes waits for streams, in the order of the calls. */
static void progress_streams(struct session *session)
{
    bool is_blocked[FAKE_MAX_STREAMS] = {false};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < session->stream_wait_count; i++) {
        struct pending wait = session->stream_waits[i];
        uint64_t stream = wait.subject;
        if (is_blocked[stream] || session->running[stream] != 0) {
            is_blocked[stream] = true;
            session->stream_waits[kept++] = wait;
            continue;
        }
        if (wait.is_function)
            session->running[stream] = wait.number;
        complete(session, wait.number, CUDA_SUCCESS, NULL);
    }
    session->stream_wait_count = kept;
}

static void function_done(struct session *session, uint64_t call)
{
    bool is_known = false;
    for (int stream = 0; stream < FAKE_MAX_STREAMS; stream++)
        if (call != 0 && session->running[stream] == call) {
            session->running[stream] = 0;
            is_known = true;
        }
    if (!is_known)
        atomic_fetch_add(&fake->violations, 1);
    atomic_fetch_add(&fake->functions_done, 1);
    progress_streams(session);
}

static void execute(struct session *session, const struct pv_entry *entry, const uint64_t *arguments, uint64_t bytes)
{
    uint64_t number = entry->correlation;
    const uint64_t *operands = entry->body;
    uint64_t results[GPUVM_RESULTS] = {0};
    switch (pv_tag(entry) & 0xffff) {
    case GPUVM_OP_Nop:
        retire(session, number);
        complete(session, number, CUDA_SUCCESS, NULL);
        return;
    case GPUVM_OP_Connect:
        connect_call(session, number, operands);
        return;
    case GPUVM_OP_MemAlloc:
        results[0] = session->vram_start + operands[1];
        complete(session, number, CUDA_SUCCESS, results);
        return;
    case GPUVM_OP_MemFree:
        if (operands[0] == FAKE_BAD_ADDRESS)
            fail_later(session, number, CUDA_ERROR_INVALID_VALUE);
        return;
    case GPUVM_OP_MemcpyHtoDAsync:
        if (!is_in_vram(session, operands[0], operands[2])) {
            fail_later(session, number, CUDA_ERROR_INVALID_VALUE);
            return;
        }
        session->late[session->late_last++ % MAX_WAITS] = (struct late_copy){number, operands[0], operands[1], operands[2]};
        return;
    case GPUVM_OP_MemcpyDtoH:
        retire(session, number);
        if (!is_in_vram(session, operands[1], operands[2])) {
            complete(session, number, CUDA_ERROR_INVALID_VALUE, NULL);
            return;
        }
        memcpy(session->data + operands[0], session->vram + (operands[1] - session->vram_start), operands[2]);
        complete(session, number, CUDA_SUCCESS, NULL);
        return;
    case GPUVM_OP_LaunchKernel:
        launch(session, number, operands, arguments, bytes);
        return;
    case GPUVM_OP_EventRecordWithFlags:
        session->recordings[operands[0] % FAKE_MAX_EVENTS]++;
        progress_events(session);
        return;
    case GPUVM_OP_EventSynchronize:
        session->event_waits[session->event_wait_count++] = (struct pending){number, operands[0] % FAKE_MAX_EVENTS, false};
        atomic_fetch_add(&fake->waits, 1);
        progress_events(session);
        return;
    case GPUVM_OP_LaunchHostFunc:
        if (atomic_load(&fake->fail_functions_with) != 0) {
            complete(session, number, (CUresult)atomic_load(&fake->fail_functions_with), NULL);
            return;
        }
        /* fall through */
    case GPUVM_OP_StreamSynchronize:
        session->stream_waits[session->stream_wait_count++] =
            (struct pending){number, operands[0] % FAKE_MAX_STREAMS, (pv_tag(entry) & 0xffff) == GPUVM_OP_LaunchHostFunc};
        progress_streams(session);
        return;
    case GPUVM_OP_HostFunctionDone:
        function_done(session, operands[0]);
        return;
    case GPUVM_OP_CtxSynchronize:
        atomic_fetch_add(&fake->synchronizations, 1);
        atomic_store(&fake->last_fill_sync, number);
        retire(session, number);
        complete(session, number, CUDA_SUCCESS, NULL);
        return;
    default:
        if (pv_tag(entry) >> 16 & GPUVM_NO_REPLY)
            fail_later(session, number, CUDA_ERROR_NOT_SUPPORTED);
        else
            complete(session, number, CUDA_ERROR_NOT_SUPPORTED, NULL);
    }
}

/* Takes one call. Returns whether there was one that may be taken. */
static bool take(struct session *session)
{
    uint64_t position = session->taken;
    const struct pv_entry *slot = &session->submissions[position & (options.submission_entries - 1)];
    if (atomic_load_explicit(&fake->is_held, memory_order_relaxed) || !pv_has_arrived(slot, position))
        return false;
    struct pv_entry entry;
    memcpy(&entry, slot, sizeof entry);
    uint32_t flags = pv_tag(&entry) >> 16;
    bool has_reply = (flags & GPUVM_NO_REPLY) == 0;
    uint64_t head = atomic_load_explicit(pv_word64(session->area, PV_COMPLETION_HEAD), memory_order_acquire);
    if (has_reply && session->completed + session->unanswered - head >= options.completion_entries)
        return false;
    uint64_t arguments[GPUVM_MAX_ARGUMENT_BYTES / sizeof(uint64_t)];
    uint64_t bytes = 0;
    if (flags & GPUVM_SPILLED) {
        uint64_t offset = entry.body[0];
        bytes = entry.body[1];
        if (offset % 8 != 0 || bytes % 8 != 0 || bytes > sizeof arguments || offset > options.data_bytes || bytes > options.data_bytes - offset) {
            atomic_fetch_add(&fake->violations, 1);
            return false;
        }
        memcpy(arguments, session->data + offset, bytes);
    }
    if (entry.correlation != position + 1)
        atomic_fetch_add(&fake->violations, 1);
    session->taken = position + 1;
    atomic_store_explicit(pv_word64(session->area, PV_SUBMISSION_HEAD), session->taken, memory_order_release);
    session->unanswered += has_reply;
    execute(session, &entry, arguments, bytes);
    if (session->taken > options.retire_lag)
        retire(session, session->taken - options.retire_lag);
    atomic_fetch_add(&fake->calls, 1);
    return true;
}

static bool has_call(struct session *session)
{
    return pv_has_arrived(&session->submissions[session->taken & (options.submission_entries - 1)], session->taken);
}

/* Session */

/* As has_ended, for a PCI function. */
static bool has_function_ended(struct session *session, int timeout)
{
    for (int ms = 0; ms <= timeout; ms++) {
        if (atomic_load(&session->wanted) != session->running_number || atomic_load(&fake->must_close))
            return true;
        if (atomic_exchange(&session->doorbell, false))
            break;
        usleep(1000);
    }
    return false;
}

static bool has_ended(struct session *session, int timeout)
{
    if (session->registers != NULL)
        return has_function_ended(session, timeout);
    struct pollfd events[] = {{session->connection, POLLIN, 0}, {session->wake_host, POLLIN, 0}};
    if (poll(events, 2, timeout) < 0 && errno != EINTR)
        die("poll");
    if (events[1].revents & POLLIN) {
        uint8_t bytes[64];
        if (recv(session->wake_host, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
            atomic_fetch_add(&fake->wakes, 1);
    }
    return events[0].revents != 0 || atomic_load(&fake->must_close);
}

static void run(struct session *session)
{
    _Atomic uint32_t *sleeps = pv_word32(session->area, PV_HOST_SLEEPS);
    for (uint64_t idle = 1;; idle++) {
        if (take(session)) {
            idle = 0;
        } else if (options.is_busy || idle < SPINS_BEFORE_SLEEP) {
            if (options.is_busy && idle % (1 << 16) == 0 && has_ended(session, 0))
                return;
        } else {
            pv_announce_sleep(sleeps);
            bool is_held = atomic_load(&fake->is_held);
            if (is_held || !has_call(session)) {
                atomic_fetch_add(&fake->sleeps, 1);
                if (has_ended(session, 10))
                    return;
            }
            pv_stay_awake(sleeps);
        }
    }
}

static void *serve(void *argument)
{
    struct session *session = argument;
    atomic_fetch_add(&fake->sessions, 1);
    if (greet(session)) {
        run(session);
        close(session->wake_host);
        close(session->wake_guest);
    }
    close(session->connection);
    atomic_fetch_add(&fake->ended, 1);
    free(session->late);
    free(session->vram);
    free(session);
    return NULL;
}

static void start_thread(void *(*run_thread)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_thread, argument) != 0)
        die("thread");
    pthread_detach(thread);
}

static void *accept_all(void *argument)
{
    int listener = (int)(intptr_t)argument;
    for (;;) {
        int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0)
            die("accept");
        struct session *session = calloc(1, sizeof *session);
        session->connection = connection;
        session->vram = calloc(1, FAKE_VRAM_BYTES);
        session->late = calloc(MAX_WAITS, sizeof *session->late);
        start_thread(serve, session);
    }
    return NULL;
}

/* PCI function */

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        die(path);
    close(fd);
}

static int create_file(const char *folder, const char *name, uint64_t bytes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, (off_t)bytes) != 0)
        die(path);
    return fd;
}

/* Sets the state, unless the client has begun the session again. */
static void set_state(struct session *session, uint32_t state)
{
    pthread_mutex_lock(&session->state_lock);
    if (atomic_load(&session->wanted) == session->running_number)
        session->registers[FAKE_STATE] = state;
    pthread_mutex_unlock(&session->state_lock);
}

/* Session of a function: runs once for each beginning. */
static void *serve_function(void *argument)
{
    struct session *session = argument;
    for (;;) {
        while (atomic_load(&session->wanted) == 0)
            usleep(200);
        session->running_number = atomic_load(&session->wanted);
        memset(session->area, 0, area_length());
        write_header(session, area_length(), submission_offset(), completion_offset());
        session->taken = 0;
        session->completed = 0;
        session->unanswered = 0;
        session->retired = 0;
        session->event_wait_count = 0;
        set_state(session, FAKE_OPEN);
        atomic_fetch_add(&fake->sessions, 1);
        run(session);
        set_state(session, FAKE_ENDED);
        atomic_fetch_add(&fake->ended, 1);
        while (atomic_load(&session->wanted) == session->running_number)
            usleep(200);
    }
    return NULL;
}

static void handle_write(struct session *session, uint32_t index, uint32_t value)
{
    pthread_mutex_lock(&session->state_lock);
    if (index == FAKE_DOORBELL) {
        atomic_fetch_add(&fake->wakes, 1);
        atomic_store(&session->doorbell, true);
    } else if (index == FAKE_CONTROL && value == 1) {
        session->registers[FAKE_SESSION]++;
        session->registers[FAKE_STATE] = FAKE_PENDING;
        atomic_store(&session->wanted, session->registers[FAKE_SESSION]);
    } else if (index == FAKE_CONTROL) {
        session->registers[FAKE_STATE] = FAKE_CLOSED;
        atomic_store(&session->wanted, 0);
        atomic_fetch_add(&fake->ends, 1);
    }
    pthread_mutex_unlock(&session->state_lock);
}

/* Handles the writes of a session's registers. */
static void *trap_writes(void *argument)
{
    struct session *session = argument;
    volatile uint32_t *registers = session->registers;
    for (;;) {
        uint32_t number = __atomic_load_n(&registers[TRAP_NUMBER], __ATOMIC_ACQUIRE);
        if (number == registers[TRAP_HANDLED]) {
            usleep(100);
            continue;
        }
        handle_write(session, registers[TRAP_INDEX], registers[TRAP_VALUE]);
        __atomic_store_n(&registers[TRAP_HANDLED], number, __ATOMIC_RELEASE);
    }
    return NULL;
}

static void prepare(struct fake_options wanted);

void fake_start_function(struct fake_options wanted, const char *folder, uint32_t magic, uint32_t sessions)
{
    if (fake == NULL)
        prepare(wanted);
    if (mkdir(folder, 0700) != 0)
        die(folder);
    write_file(folder, "vendor", "0x7067\n");
    write_file(folder, "device", "0x766d\n");
    write_file(folder, "enable", "0\n");
    uint64_t stride = round_up(area_length(), DATA_ALIGNMENT);
    int registers = create_file(folder, "resource0", sessions * PAGE_BYTES);
    int areas = create_file(folder, "resource2", sessions * stride);
    uint32_t *pages = mmap(NULL, sessions * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, registers, 0);
    if (pages == MAP_FAILED)
        die("registers");
    for (uint32_t i = 0; i < sessions; i++) {
        struct session *session = calloc(1, sizeof *session);
        session->registers = pages + i * PAGE_BYTES / sizeof *pages;
        session->vram = calloc(1, FAKE_VRAM_BYTES);
        session->late = calloc(MAX_WAITS, sizeof *session->late);
        open_area(session, areas, i * stride);
        session->registers[0] = magic;
        session->registers[1] = PV_VERSION;
        session->registers[2] = (uint32_t)area_length();
        session->registers[3] = (uint32_t)(area_length() >> 32);
        session->registers[FAKE_SESSIONS] = sessions;
        session->registers[9] = (uint32_t)(i * stride);
        session->registers[10] = (uint32_t)(i * stride >> 32);
        pthread_mutex_init(&session->state_lock, NULL);
        start_thread(serve_function, session);
        start_thread(trap_writes, session);
    }
    close(registers);
    close(areas);
}

/* Start */

static void prepare(struct fake_options wanted)
{
    options = wanted;
    if (options.submission_entries == 0)
        options.submission_entries = 64;
    if (options.completion_entries == 0)
        options.completion_entries = 64;
    if (options.data_bytes == 0)
        options.data_bytes = 8 << 20;
    if (options.vram_bytes == 0)
        options.vram_bytes = FAKE_VRAM_BYTES;
    fake = mmap(NULL, sizeof *fake, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fake == MAP_FAILED)
        die("mmap");
}

static int listen_for(struct fake_options wanted)
{
    prepare(wanted);
    const char *folder = getenv("TMPDIR");
    snprintf(fake_socket, sizeof fake_socket, "%s/fake-%d", folder == NULL ? "/tmp" : folder, (int)getpid());
    unlink(fake_socket);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, fake_socket, sizeof address.sun_path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 64) != 0)
        die(fake_socket);
    char endpoint[sizeof fake_socket + 8];
    snprintf(endpoint, sizeof endpoint, "unix:%s", fake_socket);
    setenv("GPUVM_CUDA", endpoint, 1);
    return listener;
}

void fake_start(struct fake_options wanted)
{
    int listener = listen_for(wanted);
    start_thread(accept_all, (void *)(intptr_t)listener);
}

pid_t fake_start_process(struct fake_options wanted)
{
    int listener = listen_for(wanted);
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(1);
        accept_all((void *)(intptr_t)listener);
    }
    close(listener);
    return child;
}
