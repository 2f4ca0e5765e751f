/*
 * Protocol of gpuvm's paravirtual guests, version 1: docs/pv-protocol.md in C.
 *
 * All values are little-endian, as is the target machine of this header.
 */
#ifndef GPUVM_PV_H
#define GPUVM_PV_H

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define PV_MAGIC UINT64_C(0x76702d6d76757067) /* "gpuvm-pv" */
#define PV_VERSION 1

/* Messages on the socket. */

struct pv_hello {
    uint64_t magic;
    uint32_t version;
    uint32_t zero;
    uint64_t data_bytes; /* requested length; 0: the host's choice */
};
static_assert(sizeof(struct pv_hello) == 24, "hello");

struct pv_welcome {
    uint64_t magic;
    uint32_t version;
    uint32_t refused;
    uint64_t area_bytes;
    uint8_t zero[40];
    char reason[192];
};
static_assert(sizeof(struct pv_welcome) == 256, "welcome");
static_assert(offsetof(struct pv_welcome, reason) == 64, "reason");

/* Descriptors with the first byte of a welcome, in this order. */
enum { PV_AREA, PV_WAKE_HOST, PV_WAKE_GUEST, PV_DESCRIPTORS };

/* Structures in shared memory. */

struct pv_header {
    _Atomic uint64_t magic; /* stored last, with release order */
    uint32_t version;
    uint32_t header_bytes;
    uint64_t features;
    uint64_t area_bytes;
    uint64_t channel_table;
    uint32_t channel_slots;
    uint32_t channel_slot_bytes;
    uint64_t submission_ring;
    uint32_t submission_entries;
    uint32_t entry_bytes;
    uint64_t completion_ring;
    uint32_t completion_entries;
    uint32_t zero0;
    uint64_t data;
    uint64_t data_bytes;
    uint8_t zero1[32];
    uint64_t vram_bytes;
    uint64_t mapped_pages;
    uint32_t handles;
    uint32_t spaces;
    uint32_t channels;
    uint32_t commands_in_flight;
    uint32_t waits;
    uint32_t multiprocessors;
    uint32_t copy_engines;
    uint8_t zero2[20];
    char gpu_name[64];
};
static_assert(offsetof(struct pv_header, channel_table) == 0x20, "channel_table");
static_assert(offsetof(struct pv_header, submission_ring) == 0x30, "submission_ring");
static_assert(offsetof(struct pv_header, data) == 0x50, "data");
static_assert(offsetof(struct pv_header, vram_bytes) == 0x80, "vram_bytes");
static_assert(offsetof(struct pv_header, copy_engines) == 0xa8, "copy_engines");
static_assert(offsetof(struct pv_header, gpu_name) == 0xc0, "gpu_name");

/* Offsets from the area's start. */
enum {
    PV_HOST_SLEEPS = 0x1000,     /* u32 */
    PV_GUEST_SLEEPS = 0x1080,    /* u32 */
    PV_NEWS = 0x1100,            /* u32 */
    PV_SUBMISSION_HEAD = 0x1180, /* u64, written by the host */
    PV_COMPLETION_HEAD = 0x1200  /* u64, written by the guest */
};

struct pv_channel_slot {
    _Atomic uint32_t get;
    _Atomic uint32_t state;
    uint32_t failure_kind;
    uint8_t zero[52];
    char failure_text[192];
};
static_assert(sizeof(struct pv_channel_slot) == 256, "channel slot");

enum { PV_CHANNEL_CLOSED, PV_CHANNEL_OPEN, PV_CHANNEL_FAILED, PV_CHANNEL_DEAD };

/* Ring entries. The first eight bytes are one word, stored last, with release order. */

enum pv_opcode {
    PV_NOP = 0x01,
    PV_VRAM_ALLOC = 0x10,
    PV_VRAM_FREE = 0x11,
    PV_SPACE_CREATE = 0x20,
    PV_SPACE_DESTROY = 0x21,
    PV_MAP = 0x22,
    PV_MAP_STRIDED = 0x23,
    PV_MAP_LIST = 0x24,
    PV_UNMAP = 0x25,
    PV_CHANNEL_CREATE = 0x30,
    PV_CHANNEL_DESTROY = 0x31,
    PV_SUBMIT = 0x32,
    PV_FENCE_QUERY = 0x40,
    PV_FENCE_WAIT = 0x41,
    PV_FENCE_DECLARE = 0x42,
    PV_STATISTICS = 0x50
};

enum { PV_QUIET = 1, PV_LINKED = 2 };

enum { PV_PAGES_AUTO = 0, PV_PAGES_SMALL = 1, PV_PAGES_BIG = 2, PV_READ_ONLY = 4 };

enum pv_status {
    PV_OK,
    PV_BAD_OPCODE,
    PV_BAD_FLAGS,
    PV_BAD_HANDLE,
    PV_BAD_RANGE,
    PV_MISALIGNED,
    PV_MAPPED,
    PV_NOT_MAPPED,
    PV_BUSY,
    PV_QUOTA_VRAM,
    PV_QUOTA_HANDLES,
    PV_QUOTA_SPACES,
    PV_QUOTA_PAGES,
    PV_QUOTA_CHANNELS,
    PV_QUOTA_WAITS,
    PV_NO_MEMORY,
    PV_CHANNEL_IS_DEAD,
    PV_TIMED_OUT,
    PV_CANCELLED
};

#define PV_DATA_AREA UINT32_MAX /* in place of a memory's handle */

struct pv_map {
    uint32_t space;
    uint32_t options;
    uint64_t gpu_va;
    uint64_t offset;
    uint64_t bytes;
    uint32_t memory;
};

struct pv_map_strided {
    uint32_t space;
    uint32_t options;
    uint64_t gpu_va;
    uint64_t offset;
    uint64_t stride;
    uint32_t memory;
    uint32_t piece_bytes;
    uint32_t count;
};

struct pv_map_list {
    uint32_t space;
    uint32_t options;
    uint64_t gpu_va;
    uint64_t list; /* of struct pv_piece, in the data area */
    uint32_t count;
};

struct pv_piece {
    uint32_t memory;
    uint32_t zero;
    uint64_t offset;
    uint64_t bytes;
};
static_assert(sizeof(struct pv_piece) == 24, "piece");

struct pv_unmap {
    uint32_t space;
    uint32_t zero;
    uint64_t gpu_va;
    uint64_t bytes;
};

struct pv_channel_create {
    uint32_t space;
    uint32_t ring_order;
    uint64_t ring_gpu_va;
};

struct pv_submit {
    uint32_t channel;
    uint32_t put;
};

struct pv_fence_wait {
    uint64_t offset;
    uint64_t timeout_ns;
    uint32_t value;
};

struct pv_fence_declare {
    uint64_t offset;
    uint32_t count; /* of words */
};

struct pv_statistics {
    uint64_t offset;
    uint32_t bytes;
};

struct pv_command {
    uint16_t opcode;
    uint16_t flags;
    uint64_t correlation;
    union {
        uint64_t vram_bytes;   /* PV_VRAM_ALLOC */
        uint32_t handle;       /* PV_VRAM_FREE, PV_SPACE_DESTROY, PV_CHANNEL_DESTROY */
        uint64_t fence_offset; /* PV_FENCE_QUERY */
        struct pv_map map;
        struct pv_map_strided map_strided;
        struct pv_map_list map_list;
        struct pv_unmap unmap;
        struct pv_channel_create channel_create;
        struct pv_submit submit;
        struct pv_fence_wait fence_wait;
        struct pv_fence_declare fence_declare;
        struct pv_statistics statistics;
    } operands;
};
static_assert(offsetof(struct pv_command, operands) == 16, "operands");
static_assert(sizeof(struct pv_command) == 64, "command");

struct pv_completion {
    uint32_t status;
    uint64_t correlation;
    uint64_t done;
    uint64_t result;
};

struct pv_entry {
    _Atomic uint64_t word; /* stamp in b31:0; opcode and flags, or the status, above */
    uint64_t correlation;
    uint64_t body[6];
};
static_assert(sizeof(struct pv_entry) == 64, "entry");

#endif
