package io.gpuvm.trap.vfiouser;

import java.util.List;

/// Handler of DEVICE_GET_REGION_INFO. A client whose `argsz` is too small for the list of areas
/// receives only the fixed part, with the required length in `argsz`.
final class RegionInfoHandler implements CommandHandler {
    private final RegionTable regions;
    private final RegionInfoBody asked = new RegionInfoBody();
    private final RegionInfoBody answer = new RegionInfoBody();

    RegionInfoHandler(RegionTable regions) {
        this.regions = regions;
    }

    @Override
    public int handle(Request request, Reply reply) {
        if (request.bodyBytes() < RegionInfoBody.BYTES) {
            return request.refuse(
                    Refusal.BODY_TOO_SHORT, "bytes", request.bodyBytes(), RegionInfoBody.BYTES);
        }
        asked.wrap(request.buffer(), request.body());
        if (asked.argsz() < RegionInfoBody.BYTES) {
            return request.refuse(
                    Refusal.ARGSZ_TOO_SMALL, "argsz", asked.argsz(), RegionInfoBody.BYTES);
        }
        long index = asked.index();
        if (index >= RegionTable.COUNT) {
            return request.refuse(Refusal.REGION_INDEX, "index", index, RegionTable.COUNT - 1);
        }
        return describe((int) index, regions.region((int) index), reply);
    }

    private int describe(int index, Region region, Reply reply) {
        int areas = region.areas().size();
        int bytes = RegionInfoBody.bytesWith(areas);
        boolean complete = asked.argsz() >= bytes;
        int flags = flags(region);
        answer.wrap(reply.buffer(), reply.body())
                .argsz(bytes)
                .flags(flags)
                .index(index)
                .noCapability()
                .size(region.bytes())
                .fileOffset(region.fileOffset());
        if (areas == 0 || !complete) {
            return RegionInfoBody.BYTES;
        }
        answer.flags(flags | RegionInfoBody.HAS_CAPABILITIES).sparseAreas(areas);
        List<Region.Area> list = region.areas();
        for (int i = 0; i < areas; i++) {
            answer.area(i, list.get(i).offset(), list.get(i).bytes());
        }
        reply.attach(region.descriptor());
        return bytes;
    }

    private static int flags(Region region) {
        if (region.bytes() == 0) {
            return 0;
        }
        return RegionInfoBody.READABLE
                | (region.writable() ? RegionInfoBody.WRITABLE : 0)
                | (region.areas().isEmpty() ? 0 : RegionInfoBody.MAPPABLE);
    }
}
