/*
 * Guest that shares only the text of docs/pv-protocol.md with gpuvm. It connects, sends a hello,
 * allocates and maps memory, creates a channel, submits a push buffer that releases a semaphore,
 * and waits for its completion. It also checks that invalid commands are refused.
 *
 *     client SOCKET
 *
 * Prints each step. Exit status: 0 if all steps conform to the protocol.
 */
#define _GNU_SOURCE

#include "gpuvm_ring.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGE = 1 << 12,
    SPINS_BEFORE_SLEEP = 1000,
    PATIENCE_MS = 30000,

    /* Offsets in the data area. */
    RING = 0,
    RING_ORDER = 5,
    PUSH_BUFFER = PAGE,
    SEMAPHORE = 2 * PAGE,
    STATISTICS = 3 * PAGE,
    PIECES = 4 * PAGE,
    DATA_BYTES = 32 * PAGE,

    VRAM_BYTES = 1 << 20,
    STATISTICS_BYTES = 9 * 8
};

#define DATA_VA UINT64_C(0x10000000)
#define VRAM_VA UINT64_C(0x20000000)
#define LIST_VA UINT64_C(0x30000000)
#define SEMAPHORE_VALUE UINT32_C(0x600dcafe)
#define SECOND_NS UINT64_C(1000000000)

/* Methods of every channel: envytools' docs/hw/fifo/puller.rst. */
enum { SEMAPHORE_ADDRESS_HIGH = 0x10, SEMAPHORE_RELEASE_4_BYTES = 1 << 24 | 2 };

struct guest {
    int socket;
    int wake_host;
    int wake_guest;
    uint8_t *area;
    struct pv_header *header;
    struct pv_layout layout;
    struct pv_entry *submissions;
    struct pv_entry *completions;
    uint64_t submitted;
    uint64_t completed;
    uint64_t correlation;
};

static _Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("client: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void require(bool condition, const char *what)
{
    if (!condition)
        fail("%s", what);
}

/* Connection */

static struct guest open_guest(const char *path)
{
    struct guest guest = {.socket = pv_connect(path)};
    if (guest.socket < 0)
        fail("%s: %s", path, strerror(-guest.socket));
    struct pv_welcome welcome;
    int descriptors[PV_DESCRIPTORS];
    const char *refusal = pv_exchange(guest.socket, PV_MAGIC, 0, &welcome, descriptors);
    if (refusal != NULL)
        fail("refused: %s", refusal);
    guest.wake_host = descriptors[PV_WAKE_HOST];
    guest.wake_guest = descriptors[PV_WAKE_GUEST];
    guest.area = mmap(NULL, welcome.area_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                      descriptors[PV_AREA], 0);
    require(guest.area != MAP_FAILED, "mmap");
    close(descriptors[PV_AREA]);

    guest.header = (struct pv_header *)guest.area;
    const char *reason = pv_read_layout(guest.header, PV_MAGIC, welcome.area_bytes, &guest.layout);
    if (reason != NULL)
        fail("%s", reason);
    require(guest.header->channel_slot_bytes == sizeof(struct pv_channel_slot),
            "channel_slot_bytes");
    require(guest.layout.data + guest.layout.data_bytes == guest.layout.area_bytes, "data");
    require(guest.layout.data_bytes >= DATA_BYTES, "data_bytes");
    guest.submissions = (struct pv_entry *)(guest.area + guest.layout.submission_ring);
    guest.completions = (struct pv_entry *)(guest.area + guest.layout.completion_ring);
    return guest;
}

/* Rings */

static void publish(struct guest *guest, const struct pv_command *command)
{
    uint32_t entries = guest->layout.submission_entries;
    uint64_t position = guest->submitted;
    while (position - atomic_load_explicit(pv_word64(guest->area, PV_SUBMISSION_HEAD),
                                           memory_order_acquire) >= entries)
        ; /* full: the host consumes entries without a wake-up */
    struct pv_entry *entry = &guest->submissions[position % entries];
    entry->correlation = command->correlation;
    memcpy(entry->body, &command->operands, sizeof entry->body);
    pv_publish(entry, position, (uint32_t)command->flags << 16 | command->opcode);
    guest->submitted = position + 1;
}

static void ring_doorbell(struct guest *guest)
{
    if (pv_must_wake(pv_word32(guest->area, PV_HOST_SLEEPS))) {
        uint64_t one = 1;
        require(send(guest->wake_host, &one, sizeof one, MSG_NOSIGNAL) == sizeof one, "signal");
    }
}

static const struct pv_entry *next_completion(struct guest *guest)
{
    return &guest->completions[guest->completed % guest->layout.completion_entries];
}

static bool is_there(struct guest *guest)
{
    return pv_has_arrived(next_completion(guest), guest->completed);
}

static void await(struct guest *guest)
{
    for (int spins = 0; !is_there(guest); spins++) {
        if (spins < SPINS_BEFORE_SLEEP)
            continue;
        _Atomic uint32_t *sleeps = pv_word32(guest->area, PV_GUEST_SLEEPS);
        pv_announce_sleep(sleeps);
        if (!is_there(guest)) {
            struct pollfd wait[] = {{guest->wake_guest, POLLIN, 0}, {guest->socket, POLLIN, 0}};
            require(poll(wait, 2, PATIENCE_MS) > 0, "no answer");
            require(wait[1].revents == 0, "the host disconnected");
            uint64_t count;
            require(read(guest->wake_guest, &count, sizeof count) == sizeof count
                        || errno == EAGAIN,
                    "signal");
        }
        pv_stay_awake(sleeps);
    }
}

static struct pv_completion take(struct guest *guest)
{
    await(guest);
    const struct pv_entry *entry = next_completion(guest);
    struct pv_completion completion = {.status = pv_tag(entry),
                                       .correlation = entry->correlation,
                                       .done = entry->body[0],
                                       .result = entry->body[1]};
    guest->completed++;
    atomic_store_explicit(pv_word64(guest->area, PV_COMPLETION_HEAD), guest->completed,
                          memory_order_release);
    return completion;
}

/* Commands */

static void queue(struct guest *guest, struct pv_command *command)
{
    command->correlation = ++guest->correlation;
    publish(guest, command);
}

/* Receives the completion of the command with this correlation, the only pending one. */
static struct pv_completion expect(struct guest *guest, uint64_t correlation, const char *what,
                                   enum pv_status status)
{
    struct pv_completion completion = take(guest);
    if (completion.correlation != correlation)
        fail("%s: correlation=%llu, expected=%llu", what,
             (unsigned long long)completion.correlation, (unsigned long long)correlation);
    if (completion.status != status)
        fail("%s: status=%u, expected=%u", what, completion.status, status);
    printf("%-28s status %2u done %llu result %#llx\n", what, completion.status,
           (unsigned long long)completion.done, (unsigned long long)completion.result);
    return completion;
}

static struct pv_completion call(struct guest *guest, struct pv_command command, const char *what,
                                 enum pv_status status)
{
    queue(guest, &command);
    ring_doorbell(guest);
    return expect(guest, command.correlation, what, status);
}

static struct pv_command with_handle(enum pv_opcode opcode, uint32_t handle)
{
    return (struct pv_command){.opcode = (uint16_t)opcode, .operands.handle = handle};
}

/* Test steps */

static void refusals(struct guest *guest)
{
    call(guest, (struct pv_command){.opcode = 0xffff}, "an unknown opcode", PV_BAD_OPCODE);
    call(guest, (struct pv_command){.opcode = PV_NOP, .flags = 0x8000}, "an unknown flag",
         PV_BAD_FLAGS);
    call(guest, with_handle(PV_VRAM_FREE, 0x12345), "free an unknown handle", PV_BAD_HANDLE);

    /* The first command fails, which cancels the other two of its chain, but not the NOP. */
    struct pv_command chain[] = {with_handle(PV_SPACE_DESTROY, 0x12345),
                                 {.opcode = PV_NOP, .flags = PV_LINKED},
                                 {.opcode = PV_NOP},
                                 {.opcode = PV_NOP}};
    chain[0].flags = PV_LINKED;
    static const enum pv_status ends[] = {PV_BAD_HANDLE, PV_CANCELLED, PV_CANCELLED, PV_OK};
    for (int i = 0; i < 4; i++)
        queue(guest, &chain[i]);
    ring_doorbell(guest);
    for (int i = 0; i < 4; i++)
        expect(guest, chain[i].correlation, "a chain that fails", ends[i]);
}

static void map_all(struct guest *guest, uint32_t space, uint32_t vram)
{
    struct pv_command map = {.opcode = PV_MAP,
                             .operands.map = {.space = space,
                                              .gpu_va = DATA_VA,
                                              .bytes = DATA_BYTES,
                                              .memory = PV_DATA_AREA}};
    require(call(guest, map, "map the data area", PV_OK).done == DATA_BYTES, "done");
    call(guest, map, "map the data area again", PV_MAPPED);
    map.operands.map.gpu_va = VRAM_VA;
    map.operands.map.memory = vram;
    map.operands.map.bytes = VRAM_BYTES;
    require(call(guest, map, "map VRAM", PV_OK).done == VRAM_BYTES, "done");
    map.operands.map.gpu_va = LIST_VA;
    map.operands.map.offset = PAGE;
    call(guest, map, "map more than the VRAM", PV_BAD_RANGE);
    map.operands.map.offset = 1;
    call(guest, map, "map half a page", PV_MISALIGNED);

    struct pv_piece *pieces =
        (struct pv_piece *)(guest->area + guest->layout.data + PIECES);
    pieces[0] = (struct pv_piece){.memory = vram, .offset = 7 * PAGE, .bytes = PAGE};
    pieces[1] = (struct pv_piece){.memory = PV_DATA_AREA, .bytes = 2 * PAGE};
    struct pv_command list = {.opcode = PV_MAP_LIST,
                              .operands.map_list = {.space = space,
                                                    .gpu_va = LIST_VA,
                                                    .list = PIECES,
                                                    .count = 2}};
    require(call(guest, list, "map a list", PV_OK).done == 3 * PAGE, "done");
    struct pv_command strided = {.opcode = PV_MAP_STRIDED,
                                 .operands.map_strided = {.space = space,
                                                          .gpu_va = LIST_VA + 3 * PAGE,
                                                          .stride = 4 * PAGE,
                                                          .memory = vram,
                                                          .piece_bytes = PAGE,
                                                          .count = 5}};
    require(call(guest, strided, "map with a stride", PV_OK).done == 5 * PAGE, "done");
    struct pv_command unmap = {
        .opcode = PV_UNMAP,
        .operands.unmap = {.space = space, .gpu_va = LIST_VA, .bytes = 8 * PAGE}};
    require(call(guest, unmap, "unmap both", PV_OK).done == 8 * PAGE, "done");
}

/* Declares the semaphore as a fence, whose value then never precedes the data before it. */
static void declare_fence(struct guest *guest)
{
    struct pv_command declare = {.opcode = PV_FENCE_DECLARE,
                                 .operands.fence_declare = {.offset = SEMAPHORE, .count = 1}};
    call(guest, declare, "declare the fence", PV_OK);
    declare.operands.fence_declare.offset = SEMAPHORE + 2;
    call(guest, declare, "declare half a word", PV_MISALIGNED);
    declare.operands.fence_declare.offset = guest->layout.data_bytes - 4;
    declare.operands.fence_declare.count = 2;
    call(guest, declare, "declare beyond the data area", PV_BAD_RANGE);
    declare.operands.fence_declare.count = 0;
    call(guest, declare, "declare no word", PV_BAD_RANGE);
}

static void run_push_buffer(struct guest *guest, uint32_t channel)
{
    uint8_t *data = guest->area + guest->layout.data;
    uint64_t semaphore_va = DATA_VA + SEMAPHORE;
    uint32_t *push = (uint32_t *)(data + PUSH_BUFFER);
    _Atomic uint32_t *semaphore = (_Atomic uint32_t *)(data + SEMAPHORE);

    /* Four words for consecutive methods: docs/hw/fifo/dma-pusher.rst. */
    push[0] = 1u << 29 | 4u << 16 | SEMAPHORE_ADDRESS_HIGH >> 2;
    push[1] = (uint32_t)(semaphore_va >> 32);
    push[2] = (uint32_t)semaphore_va;
    push[3] = SEMAPHORE_VALUE;
    push[4] = SEMAPHORE_RELEASE_4_BYTES;
    uint64_t *ring = (uint64_t *)(data + RING);
    ring[0] = (DATA_VA + PUSH_BUFFER) | UINT64_C(5) << 42;

    struct pv_command submit = {.opcode = PV_SUBMIT,
                                .flags = PV_QUIET,
                                .operands.submit = {.channel = channel, .put = 1}};
    struct pv_command wait = {.opcode = PV_FENCE_WAIT,
                              .operands.fence_wait = {.offset = SEMAPHORE,
                                                      .timeout_ns = 10 * SECOND_NS,
                                                      .value = SEMAPHORE_VALUE}};
    queue(guest, &submit);
    queue(guest, &wait);
    ring_doorbell(guest);
    struct pv_completion done = expect(guest, wait.correlation, "submit and wait", PV_OK);
    require(done.result == SEMAPHORE_VALUE, "the completion's value");
    require(atomic_load(semaphore) == SEMAPHORE_VALUE, "the semaphore's value");

    struct pv_command query = {.opcode = PV_FENCE_QUERY, .operands.fence_offset = SEMAPHORE};
    require(call(guest, query, "query the fence", PV_OK).result == SEMAPHORE_VALUE, "value");
    wait.operands.fence_wait.value = SEMAPHORE_VALUE + 1;
    wait.operands.fence_wait.timeout_ns = 1;
    call(guest, wait, "wait for an unreached value", PV_TIMED_OUT);

    struct pv_channel_slot *slots =
        (struct pv_channel_slot *)(guest->area + guest->header->channel_table);
    for (int i = 0; atomic_load_explicit(&slots[channel].get, memory_order_acquire) != 1; i++) {
        require(i < PATIENCE_MS, "GET did not move");
        usleep(1000);
    }
    require(atomic_load(&slots[channel].state) == PV_CHANNEL_OPEN, "the channel's state");
}

static void statistics(struct guest *guest)
{
    struct pv_command ask = {
        .opcode = PV_STATISTICS,
        .operands.statistics = {.offset = STATISTICS, .bytes = STATISTICS_BYTES}};
    require(call(guest, ask, "statistics", PV_OK).done == STATISTICS_BYTES, "done");
    uint64_t *numbers = (uint64_t *)(guest->area + guest->layout.data + STATISTICS);
    printf("commands=%llu failed=%llu vram=%llu handles=%llu spaces=%llu channels=%llu pages=%llu "
           "submissions=%llu gpu_ns=%llu\n",
           (unsigned long long)numbers[0], (unsigned long long)numbers[1],
           (unsigned long long)numbers[2], (unsigned long long)numbers[3],
           (unsigned long long)numbers[4], (unsigned long long)numbers[5],
           (unsigned long long)numbers[6], (unsigned long long)numbers[7],
           (unsigned long long)numbers[8]);
    require(numbers[2] == VRAM_BYTES && numbers[3] == 1 && numbers[4] == 1 && numbers[5] == 1,
            "the statistics");
    require(numbers[7] == 1, "submissions");
}

int main(int count, char **arguments)
{
    const char *socket = count > 1 ? arguments[1] : getenv("GPUVM_SOCKET");
    if (count > 2 || socket == NULL) {
        fputs("usage: client [SOCKET], by default the socket that GPUVM_SOCKET names\n", stderr);
        return 2;
    }
    struct guest guest = open_guest(socket);
    printf("%.64s: %llu MiB of VRAM, %u channels, %llu MiB of data area\n", guest.header->gpu_name,
           (unsigned long long)guest.header->vram_bytes >> 20, guest.header->channels,
           (unsigned long long)guest.layout.data_bytes >> 20);

    call(&guest, (struct pv_command){.opcode = PV_NOP}, "nothing", PV_OK);
    refusals(&guest);

    struct pv_command alloc = {.opcode = PV_VRAM_ALLOC, .operands.vram_bytes = VRAM_BYTES};
    uint32_t vram = (uint32_t)call(&guest, alloc, "allocate VRAM", PV_OK).result;
    struct pv_command create = {.opcode = PV_SPACE_CREATE};
    uint32_t space = (uint32_t)call(&guest, create, "create an address space", PV_OK).result;
    map_all(&guest, space, vram);

    struct pv_command open = {.opcode = PV_CHANNEL_CREATE,
                              .operands.channel_create = {.space = space,
                                                          .ring_order = RING_ORDER,
                                                          .ring_gpu_va = DATA_VA + RING}};
    uint32_t channel = (uint32_t)call(&guest, open, "create a channel", PV_OK).result;
    declare_fence(&guest);
    run_push_buffer(&guest, channel);
    statistics(&guest);

    call(&guest, with_handle(PV_SPACE_DESTROY, space), "destroy a space in use", PV_BUSY);
    call(&guest, with_handle(PV_CHANNEL_DESTROY, channel), "destroy the channel", PV_OK);
    struct pv_command late = {.opcode = PV_SUBMIT,
                              .flags = PV_QUIET,
                              .operands.submit = {.channel = channel, .put = 2}};
    call(&guest, late, "submit to a closed channel", PV_BAD_HANDLE);
    call(&guest, with_handle(PV_SPACE_DESTROY, space), "destroy the address space", PV_OK);
    call(&guest, with_handle(PV_VRAM_FREE, vram), "free VRAM", PV_OK);
    call(&guest, with_handle(PV_VRAM_FREE, vram), "free the VRAM again", PV_BAD_HANDLE);
    puts("ok");
    return 0;
}
