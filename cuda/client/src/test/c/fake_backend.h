/*
 * Backend without a GPU for tests of the client's transport: it speaks docs/cuda-protocol.md over a real socket and area, in threads of the
 * test's process or in a process of its own. Its "GPU" is an array of bytes; its calls have these meanings:
 *
 *   Nop                  completes
 *   MemAlloc             completes with the address FAKE_VRAM_START + bytes
 *   MemFree              without effect; the address FAKE_BAD_ADDRESS fails with CUDA_ERROR_INVALID_VALUE
 *   MemcpyHtoDAsync      copies when the call retires, so that a piece of the data area that was reused too early is noticed
 *   MemcpyDtoH           copies at once, after all earlier calls have retired
 *   LaunchKernel         counts, and adds operands and arguments to a hash
 *   EventRecord...       completes the waits for the event
 *   EventSynchronize     completes when the event is recorded, at most once for each recording
 *   LaunchHostFunc       completes when the earlier functions of the stream are done
 *   StreamSynchronize    completes when no function of the stream is pending
 *   CtxSynchronize       completes when all earlier calls have retired
 *   others               CUDA_ERROR_NOT_SUPPORTED
 */
#ifndef FAKE_BACKEND_H
#define FAKE_BACKEND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "session.h"

#define FAKE_VRAM_BYTES (UINT64_C(16) << 20)
#define FAKE_BAD_ADDRESS UINT64_C(0xbad0000)
#define FAKE_MAX_EVENTS 64
#define FAKE_MAX_STREAMS 16

/* Lie in a header or in the facts. */
enum fake_lie {
    FAKE_HONEST,
    FAKE_OTHER_MAGIC,
    FAKE_OTHER_VERSION,
    FAKE_OTHER_ENTRY_BYTES,
    FAKE_RING_OUTSIDE,
    FAKE_RING_NO_POWER,
    FAKE_DATA_OUTSIDE,
    FAKE_SHORT_FACTS,
    FAKE_LONG_FACTS,
    FAKE_MANY_ATTRIBUTES,
    FAKE_TWO_DEVICES,
    FAKE_MANY_HANDLES, /* limits of handles for which a process has no memory */
    FAKE_UNKNOWN_NUMBERS, /* each completion is preceded by one of a call that does not exist */
    FAKE_FOUR_DESCRIPTORS, /* with the answer, instead of three */
    FAKE_SHORT_FILE,       /* the area's file is shorter than the area */
    FAKE_UNSEALED_FILE,    /* the area's file may become shorter */
    FAKE_LIES
};

struct fake_options {
    uint32_t submission_entries; /* default 64 */
    uint32_t completion_entries; /* default 64 */
    uint64_t data_bytes;         /* default 8 MiB */
    uint64_t vram_bytes;         /* default FAKE_VRAM_BYTES */
    uint64_t wire_hash;          /* default GPUVM_WIRE_HASH */
    uint32_t retire_lag;         /* calls that have not retired after they were executed, until CtxSynchronize or Nop */
    bool is_busy;                /* does not sleep */
    bool is_sink;                /* counts launches, but computes no hash */
    bool has_rings_last;         /* the rings are behind the data area */
    enum fake_lie lie;
    const char *refusal;
};

/* Counters and switches; in memory that the test and the backend share. */
struct fake_state {
    _Atomic uint64_t sessions;     /* begun */
    _Atomic uint64_t ended;        /* sessions whose connection ended */
    _Atomic uint64_t violations;   /* of the protocol by the client */
    _Atomic uint64_t calls;        /* executed */
    _Atomic uint64_t sleeps;       /* times that the backend went to sleep */
    _Atomic uint64_t wakes;        /* messages that woke the backend */
    _Atomic uint64_t signals;      /* messages that woke the client */
    _Atomic uint64_t launches;
    _Atomic uint64_t launch_hash;
    _Atomic uint64_t synchronizations; /* CtxSynchronize */
    _Atomic uint64_t functions_done;
    _Atomic uint64_t waits;        /* pending EventSynchronize */
    _Atomic uint64_t last_fill_sync; /* number of the latest CtxSynchronize */
    _Atomic bool is_held;          /* does not take calls */
    _Atomic bool must_close;       /* closes the connections, and remains alive */
    _Atomic uint64_t ends;         /* END written to registers of PCI functions */
    _Atomic uint64_t fail_launches_with; /* status of launches; 0 is none */
    _Atomic uint64_t fail_functions_with; /* status of LaunchHostFunc; 0 is none */
};

extern struct fake_state *fake;

/* Path of the socket. */
extern char fake_socket[108];

/* Starts a backend in threads of this process, and sets GPUVM_CUDA. */
void fake_start(struct fake_options options);

/* Starts a backend in a process that ends with this one, and sets GPUVM_CUDA. Must be called before threads exist. */
pid_t fake_start_process(struct fake_options options);

/*
 * Starts a backend in threads of this process behind a PCI function of a folder like sysfs's: its registers and areas are files. The library
 * must be compiled with pci_registers.h.
 */
void fake_start_function(struct fake_options options, const char *folder, uint32_t magic, uint32_t sessions);

/* Function for gpuvm_session_open that does nothing. */
CUresult prepare_nothing(const struct gpuvm_facts *facts);

/* Opens a session, which must have this answer. Returns the text that the library writes to standard error meanwhile. */
const char *explanation(CUresult expected);

/* Hash of a launch, for comparison with launch_hash, which begins with 0. */
uint64_t fake_hash(uint64_t hash, const void *bytes, uint64_t length);

#endif
