/*
 * Interface between the generated sources (stubs, senders, tables) and the library's core, which is written by hand.
 *
 * A stub checks its parameters and calls the part by hand (gpuvm_local_NAME, gpuvm_hand_NAME), or a sender. A sender stores the operands of
 * one call into a message: an entry of the submission ring, and up to 8192 bytes of the argument ring. The core locks the ring from
 * gpuvm_begin to gpuvm_submit or gpuvm_complete; between them, only stores into the message are permitted.
 */
#ifndef GPUVM_CALLS_H
#define GPUVM_CALLS_H

#include <string.h>

#include "gpuvm_cuda_types.h"

#define GPUVM_EXPORT __attribute__((visibility("default")))

/* Flags of an entry. */
#define GPUVM_NO_REPLY 1u /* no completion; a later completion has the error */
#define GPUVM_SPILLED 2u  /* the first two words are offset and length of the arguments */

/* Limits of the wire. */
#define GPUVM_ENTRY_WORDS 6
#define GPUVM_RESULTS 5
#define GPUVM_MAX_ARGUMENT_BYTES 8192

/* Flags and answers of cuGetProcAddress, with NVIDIA's values. */
#define GPUVM_PROC_PER_THREAD 2u
#define GPUVM_PROC_FOUND 0u
#define GPUVM_PROC_NOT_FOUND 1u
#define GPUVM_PROC_TOO_OLD 2u

/* Call while its operands are stored, and its answer. */
struct gpuvm_message {
    uint64_t *operands;               /* the six words of the entry */
    uint64_t *arguments;              /* words in the argument ring; null if not spilled */
    void *bytes;                      /* place of the bytes stored last, which the caller may write if it passed a null pointer */
    uint64_t sequence;                /* number of the call, from 1 */
    uint64_t results[GPUVM_RESULTS];  /* results, after gpuvm_complete */
};

/*
 * Called first by each exported function. Answers CUDA_ERROR_NOT_INITIALIZED before cuInit and in a forked child, CUDA_ERROR_NOT_PERMITTED
 * in a host function, the error of a lost backend, or CUDA_SUCCESS.
 */
CUresult gpuvm_enter(uint32_t opcode);

/* As gpuvm_enter, for functions that may be called at any time. */
CUresult gpuvm_enter_anytime(uint32_t opcode);

/* Called last by each exported function, after either kind of gpuvm_enter. Returns the status that the program gets. */
CUresult gpuvm_leave(uint32_t opcode, CUresult status);

/* Answer of an exported function that gpuvm does not support: CUDA_ERROR_NOT_SUPPORTED. */
CUresult gpuvm_unsupported(const char *symbol);

/*
 * Waits for a free entry and argument_bytes (a multiple of 8) of the argument ring, and sets the pointers of the message. For a spilled
 * call, stores offset and length of the arguments into the first two operands. On failure the ring is not locked.
 */
CUresult gpuvm_begin(struct gpuvm_message *message, uint32_t opcode, uint32_t flags, size_t argument_bytes);

/* Publishes the entry. Does not wait for its completion, unless the program asked for that (GPUVM_CUDA_SYNC). */
CUresult gpuvm_submit(struct gpuvm_message *message);

/* Publishes the entry, and waits for its completion. Returns the call's status, or the first error of earlier calls without reply. */
CUresult gpuvm_complete(struct gpuvm_message *message);

/* Handles on the wire. A null stream is the legacy default stream of the current context. */
CUresult gpuvm_current_context(uint64_t *handle);
CUresult gpuvm_wire_context(CUcontext context, uint64_t *handle);
CUresult gpuvm_wire_stream(CUstream stream, uint64_t *handle);
CUresult gpuvm_wire_event(CUevent event, uint64_t *handle);
CUresult gpuvm_wire_module(CUmodule module, uint64_t *handle);
CUresult gpuvm_wire_texref(CUtexref reference, uint64_t *handle);

/* Generated: name and text of a status, null if the status is unknown. */
const char *gpuvm_status_name(CUresult status);
const char *gpuvm_status_text(CUresult status);

/* Generated: name of the function or operation with an opcode, null if there is none. */
const char *gpuvm_call_name(uint32_t opcode);

/*
 * Generated: search of cuGetProcAddress. Sets *function to the youngest symbol not younger than version, or to null; sets *symbolStatus
 * unless the pointer is null. Returns CUDA_ERROR_NOT_FOUND without a symbol.
 */
CUresult gpuvm_find_symbol
    (const char *name, int version, uint64_t flags, void **function, CUdriverProcAddressQueryResult *symbolStatus);

/* Length in the argument ring of an operand of many bytes: a word with the number, the bytes, zeros up to a multiple of 8. */
static inline size_t gpuvm_bytes_length(size_t bytes)
{
    return sizeof(uint64_t) + (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

/* Stores an operand of many bytes, and returns the next word. With a null source, the caller writes the bytes to message->bytes. */
static inline uint64_t *gpuvm_put_bytes(struct gpuvm_message *message, uint64_t *at, const void *source, size_t bytes)
{
    size_t words = gpuvm_bytes_length(bytes) / sizeof(uint64_t);
    if (words > 1)
        at[words - 1] = 0;
    at[0] = bytes;
    message->bytes = at + 1;
    if (source != NULL && bytes != 0)
        memcpy(at + 1, source, bytes);
    return at + words;
}

static inline uint64_t gpuvm_float_word(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float gpuvm_word_float(uint64_t word)
{
    uint32_t bits = (uint32_t)word;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
