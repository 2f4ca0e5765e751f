package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.MemoryFile;

/// Handler of DMA_MAP. A range without a descriptor is accepted, because QEMU also maps the
/// device's own BARs and memory that QEMU cannot share; the device cannot reach these ranges.
///
/// A file that is not a [MemoryFile] is refused before any other check of the file, because a
/// thread that accesses its pages might wait for a process of the client.
final class DmaMapHandler implements CommandHandler {
    private final DmaRegions memory;
    private final DmaMapBody body = new DmaMapBody();

    DmaMapHandler(DmaRegions memory) {
        this.memory = memory;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < DmaMapBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), DmaMapBody.BYTES);
        }
        body.wrap(request.buffer(), request.body());
        if (body.argsz() < DmaMapBody.BYTES) {
            return request.refuse(Refusal.ARGSZ_TOO_SMALL, "argsz", body.argsz(), DmaMapBody.BYTES);
        }
        if (!checkAccess(request) || !checkRange(request)) {
            return Request.REFUSED;
        }
        Refusal refusal;
        if (request.descriptors().isEmpty()) {
            refusal = memory.map(body);
        } else {
            int descriptor = request.descriptors().getFirst().number();
            if (MemoryFile.of(descriptor) == null) {
                return request.refuse(
                        Refusal.DMA_FILE_SYSTEM,
                        "fileSystem",
                        () -> MemoryFile.fileSystemOf(descriptor),
                        MemoryFile.ACCEPTED);
            }
            FileStatus file = FileStatus.of(descriptor);
            if (body.fileOffset() < 0 || body.size() > file.bytes() - body.fileOffset()) {
                return request.refuse(
                        Refusal.DMA_FILE_TOO_SHORT, "size", body.size(), file.bytes());
            }
            refusal = memory.map(body, file, request.descriptors().removeFirst());
        }
        return refusal == null ? 0 : request.refuse(refusal, "iova", body.iova(), body.size());
    }

    private boolean checkAccess(Request request) {
        int flags = body.flags();
        int descriptors = request.descriptors().size();
        if ((flags & ~DmaMapBody.ALL_FLAGS) != 0) {
            request.refuse(Refusal.DMA_FLAGS, "flags", flags, DmaMapBody.ALL_FLAGS);
            return false;
        }
        if (descriptors > 1) {
            request.refuse(Refusal.DMA_DESCRIPTORS_MANY, "descriptors", descriptors, 1);
            return false;
        }
        if (descriptors == 0 && (flags & (DmaMapBody.BY_MMAP | DmaMapBody.BY_FILE_IO)) != 0) {
            request.refuse(Refusal.DMA_DESCRIPTOR_MISSING, "flags", flags, 0);
            return false;
        }
        return request.checkDescriptors();
    }

    private boolean checkRange(Request request) {
        long iova = body.iova();
        long bytes = body.size();
        if (bytes == 0) {
            request.refuse(Refusal.DMA_RANGE_EMPTY, "size", bytes, Limits.DMA_RANGE_BYTES);
            return false;
        }
        if ((iova | bytes | body.fileOffset()) % Limits.PAGE_BYTES != 0) {
            request.refuse(Refusal.DMA_RANGE_UNALIGNED, "iova", iova, Limits.PAGE_BYTES);
            return false;
        }
        if (Long.compareUnsigned(bytes, Limits.DMA_RANGE_BYTES) > 0) {
            request.refuse(Refusal.DMA_RANGE_TOO_LARGE, "size", bytes, Limits.DMA_RANGE_BYTES);
            return false;
        }
        if (Long.compareUnsigned(iova + bytes - 1, iova) < 0) {
            request.refuse(Refusal.DMA_RANGE_WRAPS, "iova", iova, -bytes);
            return false;
        }
        return true;
    }
}
