/* Numbers of docs/cuda-protocol.md that are not in the table of calls. */
#ifndef GPUVM_CUDA_WIRE_H
#define GPUVM_CUDA_WIRE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define GPUVM_CUDA_MAGIC UINT64_C(0x75632d6d76757067)     /* "gpuvm-cu" */
#define GPUVM_CUDA_PCI_MAGIC UINT32_C(0x55437067)         /* register 00 of the PCI function */

/* Offset in the area of the notification word `retired`. */
#define GPUVM_RETIRED 0x1280

/* Word `failed call` of a completion. */
#define GPUVM_FAILED_STATUS_SHIFT 48
#define GPUVM_FAILED_CALL_MASK ((UINT64_C(1) << GPUVM_FAILED_STATUS_SHIFT) - 1)

/* Addresses of Connect: multiples of this, from the first to below the last. */
#define GPUVM_ADDRESS_UNIT (UINT64_C(1) << 17)
#define GPUVM_FIRST_ADDRESS (UINT64_C(1) << 32)
#define GPUVM_LAST_ADDRESS (UINT64_C(1) << 40)

/* Device facts. */
struct gpuvm_wire_facts {
    uint32_t bytes;
    uint32_t attributes;
    uint32_t driver_version;
    uint32_t devices;
    uint64_t vram_bytes;
    uint32_t contexts;
    uint32_t modules;
    uint32_t streams;
    uint32_t events;
    uint32_t texture_references;
    uint32_t zero;
    uint8_t uuid[16];
    char name[64];
    char bus_id[16];
    int32_t attribute[];
};
static_assert(offsetof(struct gpuvm_wire_facts, contexts) == 24, "contexts");
static_assert(offsetof(struct gpuvm_wire_facts, uuid) == 48, "uuid");
static_assert(offsetof(struct gpuvm_wire_facts, name) == 64, "name");
static_assert(offsetof(struct gpuvm_wire_facts, bus_id) == 128, "bus_id");
static_assert(offsetof(struct gpuvm_wire_facts, attribute) == 144, "attribute");

#endif
