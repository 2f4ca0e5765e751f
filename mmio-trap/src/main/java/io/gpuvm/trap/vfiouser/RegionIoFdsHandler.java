package io.gpuvm.trap.vfiouser;

/// Handler of DEVICE_GET_REGION_IO_FDS. No device of this server has registers that eventfds can
/// serve, so the reply contains no descriptors.
final class RegionIoFdsHandler implements CommandHandler {
    private final RegionTable regions;
    private final RegionIoFdsBody body = new RegionIoFdsBody();

    RegionIoFdsHandler(RegionTable regions) {
        this.regions = regions;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < RegionIoFdsBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), RegionIoFdsBody.BYTES);
        }
        body.wrap(request.buffer(), request.body());
        if (body.argsz() < RegionIoFdsBody.BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_SMALL, "argsz", body.argsz(), RegionIoFdsBody.BYTES);
        }
        if (body.argsz() > Limits.TRANSFER_BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_LARGE, "argsz", body.argsz(), Limits.TRANSFER_BYTES);
        }
        if (body.flags() != 0) {
            return request.refuse(Refusal.IO_FDS_FLAGS, "flags", body.flags(), 0);
        }
        if (body.count() != 0) {
            return request.refuse(Refusal.IO_FDS_COUNT, "count", body.count(), 0);
        }
        long index = body.index();
        if (index >= RegionTable.COUNT) {
            return request.refuse(Refusal.REGION_INDEX, "index", index, RegionTable.COUNT - 1);
        }
        if (regions.region((int) index).bytes() == 0) {
            return request.refuse(Refusal.REGION_ABSENT, "index", index, 0);
        }
        body.wrap(reply.buffer(), reply.body())
                .argsz(RegionIoFdsBody.BYTES)
                .flags(0)
                .index((int) index)
                .count(0);
        return RegionIoFdsBody.BYTES;
    }
}
