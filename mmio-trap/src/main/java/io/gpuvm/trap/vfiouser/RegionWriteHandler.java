package io.gpuvm.trap.vfiouser;

/// Handler of REGION_WRITE.
final class RegionWriteHandler implements CommandHandler {
    private final RegionTable regions;
    private final TrapCounters counters;
    private final RegionAccessBody access = new RegionAccessBody();
    private final RegionAccessBody answer = new RegionAccessBody();

    RegionWriteHandler(RegionTable regions, TrapCounters counters) {
        this.regions = regions;
        this.counters = counters;
    }

    @Override
    public int handle(Request request, Reply reply) {
        long bodyBytes = request.bodyBytes();
        if (bodyBytes < RegionAccessBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", bodyBytes, RegionAccessBody.BYTES);
        }
        access.wrap(request.buffer(), request.body());
        long count = access.count();
        if (bodyBytes != RegionAccessBody.BYTES + count) {
            return request.refuse(
                    Refusal.BODY_LENGTH_WRONG, "bytes", bodyBytes, RegionAccessBody.BYTES + count);
        }
        if (!regions.checkWrite(request, access)) {
            return Request.REFUSED;
        }
        if (request.header().noReply()) {
            counters.onPostedWrite();
        }
        if (count == 0) {
            return 0;
        }
        regions.write(access);
        answer.wrap(reply.buffer(), reply.body())
                .offset(access.offset())
                .region((int) access.region())
                .count((int) count);
        return RegionAccessBody.BYTES;
    }
}
