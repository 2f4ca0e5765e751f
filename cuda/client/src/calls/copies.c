/* Copies of bytes, rectangles and boxes. */
#include "boxes.h"
#include "gpuvm_cuda_api.h"
#include "prints.h"
#include "session.h"

/* Kinds of memory in the structures of copies (CUmemorytype). */
enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };

static struct gpuvm_box line(
    enum gpuvm_place to_place, uint64_t to, enum gpuvm_place from_place, uint64_t from, size_t bytes)
{
    return (struct gpuvm_box){
        .to = {to_place, to, bytes, 1}, .from = {from_place, from, bytes, 1}, .width = bytes, .height = 1, .depth = 1};
}

/* Place of memory that the program says is the GPU's. */
static enum gpuvm_place device_place(CUdeviceptr address)
{
    return gpuvm_place_of_host((const void *)(uintptr_t)address) == GPUVM_IN_AREA ? GPUVM_IN_AREA : GPUVM_ON_DEVICE;
}

static CUresult copy_to_device(CUdeviceptr destination, const void *source, size_t bytes, CUstream stream, bool is_async)
{
    const struct gpuvm_box box = line(device_place(destination), destination, gpuvm_place_of_host(source),
        (uint64_t)(uintptr_t)source, bytes);
    return gpuvm_copy_box(&box, stream, is_async);
}

static CUresult copy_to_host(void *destination, CUdeviceptr source, size_t bytes, CUstream stream, bool is_async)
{
    const struct gpuvm_box box = line(gpuvm_place_of_host(destination), (uint64_t)(uintptr_t)destination, device_place(source), source, bytes);
    return gpuvm_copy_box(&box, stream, is_async);
}

static CUresult copy(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream, bool is_async)
{
    const struct gpuvm_box box = line(gpuvm_place_of(destination), destination, gpuvm_place_of(source), source, bytes);
    return gpuvm_copy_box(&box, stream, is_async);
}

CUresult gpuvm_hand_MemcpyHtoDAsync(CUdeviceptr destination, const void *hostSource, size_t bytes, CUstream stream)
{
    return copy_to_device(destination, hostSource, bytes, stream, true);
}

CUresult gpuvm_hand_MemcpyHtoD(CUdeviceptr destination, const void *hostSource, size_t bytes, CUstream defaultStream)
{
    return copy_to_device(destination, hostSource, bytes, defaultStream, false);
}

CUresult gpuvm_hand_MemcpyDtoHAsync(void *hostDestination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy_to_host(hostDestination, source, bytes, stream, true);
}

CUresult gpuvm_hand_MemcpyDtoH(void *hostDestination, CUdeviceptr source, size_t bytes, CUstream defaultStream)
{
    return gpuvm_prints_write(copy_to_host(hostDestination, source, bytes, defaultStream, false));
}

/* Copies between memory that the program says is the GPU's. */
static CUresult copy_on_device(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream, bool is_async)
{
    const struct gpuvm_box box = line(device_place(destination), destination, device_place(source), source, bytes);
    return gpuvm_copy_box(&box, stream, is_async);
}

CUresult gpuvm_hand_MemcpyDtoDAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy_on_device(destination, source, bytes, stream, true);
}

CUresult gpuvm_hand_MemcpyDtoD(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream defaultStream)
{
    return copy_on_device(destination, source, bytes, defaultStream, false);
}

CUresult gpuvm_hand_MemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream stream)
{
    return copy(destination, source, bytes, stream, true);
}

CUresult gpuvm_hand_Memcpy(CUdeviceptr destination, CUdeviceptr source, size_t bytes, CUstream defaultStream)
{
    return copy(destination, source, bytes, defaultStream, false);
}

/* One side of CUDA_MEMCPY3D. */
struct described {
    CUmemorytype type;
    const void *host;
    CUdeviceptr device;
    size_t x;
    size_t y;
    size_t z;
    size_t pitch;
    size_t height;
};

/* Checks the distances of rows and slices, which do not matter if there is only one. */
static CUresult check_distances(const struct described *described, const CUDA_MEMCPY3D *box, size_t *pitch)
{
    *pitch = described->pitch;
    bool has_rows = box->Height > 1 || box->Depth > 1 || described->y != 0 || described->z != 0;
    if (*pitch == 0 && !has_rows)
        *pitch = box->WidthInBytes;
    if (has_rows && (described->x > *pitch || box->WidthInBytes > *pitch - described->x)) {
        gpuvm_explain("pitch=%zu, expected at least x + width=%zu + %zu", *pitch, described->x, box->WidthInBytes);
        return CUDA_ERROR_INVALID_VALUE;
    }
    bool has_slices = box->Depth > 1 || described->z != 0;
    if (has_slices && (described->y > described->height || box->Height > described->height - described->y)) {
        gpuvm_explain("height of a slice=%zu, expected at least y + height=%zu + %zu", described->height, described->y, box->Height);
        return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

/* Distance from the start of the memory to the first byte of the box. */
static CUresult find_start(const struct described *described, size_t pitch, uint64_t *distance)
{
    uint64_t rows;
    if (__builtin_mul_overflow(described->z, described->height, &rows) || __builtin_add_overflow(rows, described->y, &rows) ||
        __builtin_mul_overflow(rows, pitch, distance) || __builtin_add_overflow(*distance, described->x, distance))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult read_side(const struct described *described, const CUDA_MEMCPY3D *box, struct gpuvm_side *side)
{
    size_t pitch;
    uint64_t distance;
    CUresult outcome = check_distances(described, box, &pitch);
    if (outcome == CUDA_SUCCESS)
        outcome = find_start(described, pitch, &distance);
    if (outcome != CUDA_SUCCESS)
        return outcome;
    side->pitch = pitch;
    side->slice_rows = box->Depth > 1 ? described->height : box->Height;
    switch (described->type) {
    case MEMORY_HOST:
        if (described->host == NULL)
            return CUDA_ERROR_INVALID_VALUE;
        side->start = (uint64_t)(uintptr_t)described->host + distance;
        side->place = gpuvm_place_of_host((const void *)(uintptr_t)side->start);
        return CUDA_SUCCESS;
    case MEMORY_DEVICE:
        side->start = described->device + distance;
        side->place = device_place(side->start);
        return CUDA_SUCCESS;
    case MEMORY_UNIFIED:
        side->start = described->device + distance;
        side->place = gpuvm_place_of(side->start);
        return CUDA_SUCCESS;
    case MEMORY_ARRAY:
        gpuvm_explain("memory type of a copy=%d (array), expected host, device or unified", MEMORY_ARRAY);
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult copy_box(const CUDA_MEMCPY3D *box, CUstream stream, bool is_async)
{
    if (box->srcLOD != 0 || box->dstLOD != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (box->WidthInBytes == 0 || box->Height == 0 || box->Depth == 0)
        return CUDA_SUCCESS;
    const struct described from = {
        box->srcMemoryType, box->srcHost, box->srcDevice, box->srcXInBytes, box->srcY, box->srcZ, box->srcPitch, box->srcHeight};
    const struct described to = {
        box->dstMemoryType, box->dstHost, box->dstDevice, box->dstXInBytes, box->dstY, box->dstZ, box->dstPitch, box->dstHeight};
    struct gpuvm_box copied = {.width = box->WidthInBytes, .height = box->Height, .depth = box->Depth};
    CUresult outcome = read_side(&from, box, &copied.from);
    if (outcome == CUDA_SUCCESS)
        outcome = read_side(&to, box, &copied.to);
    return outcome == CUDA_SUCCESS ? gpuvm_copy_box(&copied, stream, is_async) : outcome;
}

/* Rectangle as a box of one slice. */
static CUDA_MEMCPY3D box_of(const CUDA_MEMCPY2D *rectangle)
{
    return (CUDA_MEMCPY3D){
        .srcXInBytes = rectangle->srcXInBytes,
        .srcY = rectangle->srcY,
        .srcMemoryType = rectangle->srcMemoryType,
        .srcHost = rectangle->srcHost,
        .srcDevice = rectangle->srcDevice,
        .srcArray = rectangle->srcArray,
        .srcPitch = rectangle->srcPitch,
        .dstXInBytes = rectangle->dstXInBytes,
        .dstY = rectangle->dstY,
        .dstMemoryType = rectangle->dstMemoryType,
        .dstHost = rectangle->dstHost,
        .dstDevice = rectangle->dstDevice,
        .dstArray = rectangle->dstArray,
        .dstPitch = rectangle->dstPitch,
        .WidthInBytes = rectangle->WidthInBytes,
        .Height = rectangle->Height,
        .Depth = 1,
    };
}

/* Greatest pitch of a copy, except for cuMemcpy2DUnaligned. */
static bool exceeds_pitch(size_t pitch)
{
    return pitch > (size_t)gpuvm_session_facts()->attribute[CU_DEVICE_ATTRIBUTE_MAX_PITCH];
}

static CUresult copy_rectangle(const CUDA_MEMCPY2D *rectangle, CUstream stream, bool is_async)
{
    if (exceeds_pitch(rectangle->srcPitch) || exceeds_pitch(rectangle->dstPitch))
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_MEMCPY3D box = box_of(rectangle);
    return copy_box(&box, stream, is_async);
}

CUresult gpuvm_hand_Memcpy3D(const CUDA_MEMCPY3D *box, CUstream defaultStream)
{
    return copy_box(box, defaultStream, false);
}

CUresult gpuvm_hand_Memcpy3DAsync(const CUDA_MEMCPY3D *box, CUstream stream)
{
    return copy_box(box, stream, true);
}

CUresult gpuvm_hand_Memcpy2D(const CUDA_MEMCPY2D *rectangle, CUstream defaultStream)
{
    return copy_rectangle(rectangle, defaultStream, false);
}

CUresult gpuvm_hand_Memcpy2DUnaligned(const CUDA_MEMCPY2D *rectangle, CUstream defaultStream)
{
    const CUDA_MEMCPY3D box = box_of(rectangle);
    return copy_box(&box, defaultStream, false);
}

CUresult gpuvm_hand_Memcpy2DAsync(const CUDA_MEMCPY2D *rectangle, CUstream stream)
{
    return copy_rectangle(rectangle, stream, true);
}
