package io.gpuvm.trap.vfiouser;

/// Handler of REGION_READ.
final class RegionReadHandler implements CommandHandler {
    private final RegionTable regions;
    private final RegionAccessBody access = new RegionAccessBody();
    private final RegionAccessBody answer = new RegionAccessBody();

    RegionReadHandler(RegionTable regions) {
        this.regions = regions;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < RegionAccessBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), RegionAccessBody.BYTES);
        }
        access.wrap(request.buffer(), request.body());
        long count = access.count();
        if (count > Limits.TRANSFER_BYTES) {
            return request.refuse(Refusal.REGION_COUNT, "count", count, Limits.TRANSFER_BYTES);
        }
        if (!regions.check(request, access)) {
            return Request.REFUSED;
        }
        if (count == 0) {
            return 0;
        }
        answer.wrap(reply.buffer(), reply.body())
                .offset(access.offset())
                .region((int) access.region())
                .count((int) count);
        regions.read(access, reply.buffer(), reply.body() + RegionAccessBody.DATA);
        return RegionAccessBody.BYTES + (int) count;
    }
}
