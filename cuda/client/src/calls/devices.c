/* Initialization and properties of the device, which the backend sends when the session begins. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "current.h"
#include "events.h"
#include "gpuvm_cuda_api.h"
#include "launch.h"
#include "libraries.h"
#include "links.h"
#include "modules.h"
#include "session.h"
#include "streams.h"
#include "textures.h"

/* Version of the driver API that the library has, for programs that ask before the session begins. */
#define DRIVER_VERSION 12040

/* Greatest attribute that programs may ask for. */
#define LAST_ATTRIBUTE CU_DEVICE_ATTRIBUTE_ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED

/* Opens the tables of objects, with the backend's limits. */
static CUresult open_tables(const struct gpuvm_facts *facts)
{
    gpuvm_launch_open(facts);
    CUresult outcome = gpuvm_streams_open(facts->streams);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_events_open(facts->events);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_modules_open(facts->modules);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_textures_open(facts->texture_references);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_contexts_open(facts->contexts);
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_libraries_open();
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_links_open();
    if (outcome == CUDA_SUCCESS)
        outcome = gpuvm_current_open();
    return outcome;
}

CUresult gpuvm_local_Init(unsigned int flags)
{
    (void)flags;
    return gpuvm_session_open(open_tables);
}

CUresult gpuvm_local_DriverGetVersion(int *version)
{
    const struct gpuvm_facts *facts = gpuvm_session_facts();
    *version = facts != NULL ? (int)facts->driver_version : DRIVER_VERSION;
    return CUDA_SUCCESS;
}

/* Facts of a device; null if there is no such device. */
static const struct gpuvm_facts *facts_of(CUdevice device)
{
    return device == GPUVM_DEVICE ? gpuvm_session_facts() : NULL;
}

CUresult gpuvm_local_DeviceGet(CUdevice *device, int ordinal)
{
    if (facts_of(ordinal) == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DeviceGetCount(int *count)
{
    *count = (int)gpuvm_session_facts()->devices;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DeviceGetName(char *name, int length, CUdevice device)
{
    const struct gpuvm_facts *facts = facts_of(device);
    if (facts == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    snprintf(name, (size_t)length, "%s", facts->name);
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DeviceTotalMem(size_t *bytes, CUdevice device)
{
    const struct gpuvm_facts *facts = facts_of(device);
    if (facts == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    *bytes = facts->vram_bytes;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    const struct gpuvm_facts *facts = facts_of(device);
    if (facts == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    if (attribute < CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK || attribute > LAST_ATTRIBUTE)
        return CUDA_ERROR_INVALID_VALUE;
    *value = attribute < facts->attributes ? facts->attribute[attribute] : 0;
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    const struct gpuvm_facts *facts = facts_of(device);
    if (facts == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    *major = facts->attribute[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR];
    *minor = facts->attribute[CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR];
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    const struct gpuvm_facts *facts = facts_of(device);
    if (facts == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    memcpy(uuid->bytes, facts->uuid, sizeof uuid->bytes);
    return CUDA_SUCCESS;
}

CUresult gpuvm_local_DeviceGetPCIBusId(char *busId, int length, CUdevice device)
{
    const struct gpuvm_facts *facts = facts_of(device);
    if (facts == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    if ((size_t)length <= strlen(facts->bus_id))
        return CUDA_ERROR_INVALID_VALUE;
    strcpy(busId, facts->bus_id);
    return CUDA_SUCCESS;
}

/* Location of a PCI function. */
struct location {
    unsigned long domain;
    unsigned long bus;
    unsigned long device;
    unsigned long function;
};

/* Reads a hexadecimal number; returns the text after it, or null. */
static const char *read_number(const char *text, unsigned long *number)
{
    if (!isxdigit((unsigned char)*text))
        return NULL;
    char *end;
    *number = strtoul(text, &end, 16);
    return end;
}

/* Reads [domain:]bus:device[.function], with a function of 0 unless the text has one. Returns whether the text has this form. */
static bool read_location(const char *text, struct location *location)
{
    unsigned long numbers[3];
    int count = 0;
    const char *rest = text;
    do {
        if (count == 3 || (rest = read_number(count == 0 ? rest : rest + 1, &numbers[count])) == NULL)
            return false;
        count++;
    } while (*rest == ':');
    if (count < 2)
        return false;
    location->function = 0;
    if (*rest == '.' && (rest = read_number(rest + 1, &location->function)) == NULL)
        return false;
    location->domain = count == 3 ? numbers[0] : 0;
    location->bus = numbers[count - 2];
    location->device = numbers[count - 1];
    return *rest == '\0';
}

CUresult gpuvm_local_DeviceGetByPCIBusId(CUdevice *device, const char *busId)
{
    struct location wanted;
    struct location own;
    if (!read_location(busId, &wanted))
        return CUDA_ERROR_INVALID_VALUE;
    if (!read_location(gpuvm_session_facts()->bus_id, &own) || wanted.domain != own.domain || wanted.bus != own.bus ||
        wanted.device != own.device || wanted.function != own.function)
        return CUDA_ERROR_INVALID_DEVICE;
    *device = GPUVM_DEVICE;
    return CUDA_SUCCESS;
}

/* A device has no access to itself as a peer. */
CUresult gpuvm_local_DeviceCanAccessPeer(int *canAccess, CUdevice device, CUdevice peer)
{
    if (facts_of(device) == NULL || facts_of(peer) == NULL)
        return CUDA_ERROR_INVALID_DEVICE;
    *canAccess = 0;
    return CUDA_SUCCESS;
}
