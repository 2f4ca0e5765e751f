package io.gpuvm.trap.vfiouser;

/// Handler of DMA_UNMAP. Accepts a range that was never mapped and a range that covers several
/// mapped ranges, because QEMU sends both for a guest with an IOMMU.
final class DmaUnmapHandler implements CommandHandler {
    private static final long LAST_ADDRESS = -1;

    private final DmaRegions memory;
    private final DmaUnmapBody body = new DmaUnmapBody();
    private final DmaUnmapBody answer = new DmaUnmapBody();

    DmaUnmapHandler(DmaRegions memory) {
        this.memory = memory;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < DmaUnmapBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), DmaUnmapBody.BYTES);
        }
        body.wrap(request.buffer(), request.body());
        if (body.argsz() < DmaUnmapBody.BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_SMALL, "argsz", body.argsz(), DmaUnmapBody.BYTES);
        }
        if (body.argsz() > Limits.TRANSFER_BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_LARGE, "argsz", body.argsz(), Limits.TRANSFER_BYTES);
        }
        long iova = body.iova();
        long bytes = body.size();
        Refusal refusal;
        if (body.flags() == DmaUnmapBody.ALL) {
            if ((iova | bytes) != 0) {
                return request.refuse(Refusal.UNMAP_ALL_WITH_RANGE, "size", bytes, 0);
            }
            refusal = memory.unmap(0, LAST_ADDRESS);
        } else if (body.flags() != 0) {
            return request.refuse(Refusal.UNMAP_FLAGS, "flags", body.flags(), DmaUnmapBody.ALL);
        } else if (!checkRange(request, iova, bytes)) {
            return Request.REFUSED;
        } else {
            refusal = memory.unmap(iova, iova + bytes - 1);
        }
        if (refusal != null) {
            return request.refuse(refusal, "iova", iova, bytes);
        }
        answer.wrap(reply.buffer(), reply.body())
                .argsz(DmaUnmapBody.BYTES)
                .flags(body.flags())
                .iova(iova)
                .size(bytes);
        return DmaUnmapBody.BYTES;
    }

    private static boolean checkRange(Request request, long iova, long bytes) {
        if (bytes == 0) {
            request.refuse(Refusal.DMA_RANGE_EMPTY, "size", bytes, LAST_ADDRESS);
            return false;
        }
        if ((iova | bytes) % Limits.PAGE_BYTES != 0) {
            request.refuse(Refusal.DMA_RANGE_UNALIGNED, "iova", iova, Limits.PAGE_BYTES);
            return false;
        }
        if (Long.compareUnsigned(iova + bytes - 1, iova) < 0) {
            request.refuse(Refusal.DMA_RANGE_WRAPS, "iova", iova, -bytes);
            return false;
        }
        return true;
    }
}
