package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;

/// [RegionTable] that reports each completed access to a [MessageTap].
final class TappedRegions extends RegionTable {
    private final MessageTap tap;
    private boolean posted;

    TappedRegions(VfioUserDevice device, DmaRegions memory, TrapCounters counters, MessageTap tap) {
        super(device, memory, counters);
        this.tap = tap;
    }

    /// Sets whether subsequent writes are posted.
    void posted(boolean newValue) {
        posted = newValue;
    }

    @Override
    void read(RegionAccessBody access, MemorySegment into, long at) {
        super.read(access, into, at);
        tap.onRead((int) access.region(), access.offset(), access.count(), into, at);
    }

    @Override
    void write(RegionAccessBody access) {
        super.write(access);
        tap.onWrite(
                (int) access.region(),
                access.offset(),
                access.count(),
                posted,
                access.buffer(),
                access.base() + RegionAccessBody.DATA);
    }
}
