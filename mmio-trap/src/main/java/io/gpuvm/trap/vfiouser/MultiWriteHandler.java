package io.gpuvm.trap.vfiouser;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Handler of REGION_WRITE_MULTI: many short writes in one message, which QEMU sends when posted
/// writes accumulate. Each write is checked separately: invalid writes are dropped, and the valid
/// writes are applied.
///
/// ```
///   0               8               16      20      24              32
///  +---------------+---------------+-------+-------+---------------+
///  | number of     |    offset     |region | count | data          | ...
///  | writes        |               |       | (1-8) |               |
///  +---------------+---------------+-------+-------+---------------+
/// ```
final class MultiWriteHandler implements CommandHandler {
    private static final int WRITES = 8;
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final RegionTable regions;
    private final TrapCounters counters;
    private final RegionAccessBody access = new RegionAccessBody();

    MultiWriteHandler(RegionTable regions, TrapCounters counters) {
        this.regions = regions;
        this.counters = counters;
    }

    @Override
    public int handle(Request request, Reply reply) {
        long bodyBytes = request.bodyBytes();
        if (bodyBytes < WRITES) {
            return request.refuse(Refusal.BODY_TOO_SHORT, "bytes", bodyBytes, WRITES);
        }
        long number = request.buffer().get(U64, request.body());
        long fitting = (bodyBytes - WRITES) / RegionAccessBody.PACKED_BYTES;
        if (number != fitting || (bodyBytes - WRITES) % RegionAccessBody.PACKED_BYTES != 0) {
            return request.refuse(Refusal.BODY_LENGTH_WRONG, "writes", number, fitting);
        }
        long done = 0;
        for (long i = 0; i < number; i++) {
            long at = request.body() + WRITES + i * RegionAccessBody.PACKED_BYTES;
            if (apply(request, access.wrap(request.buffer(), at))) {
                done++;
            }
        }
        reply.buffer().set(U64, reply.body(), done);
        return WRITES;
    }

    private boolean apply(Request request, RegionAccessBody write) {
        long count = write.count();
        if (count == 0 || count > RegionAccessBody.PACKED_DATA_BYTES) {
            request.refuse(
                    Refusal.REGION_COUNT, "count", count, RegionAccessBody.PACKED_DATA_BYTES);
        } else if (regions.checkWrite(request, write)) {
            counters.onPostedWrite();
            regions.write(write);
            return true;
        }
        counters.onRefusal(request.refusal());
        return false;
    }
}
