package io.gpuvm.trap.vfiouser;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Regions of the device: checks accesses and splits them into widths that the device accepts.
class RegionTable {
    /// Number of VFIO's region indexes for PCI devices: six BARs, ROM, configuration space, VGA.
    static final int COUNT = 9;

    static final int CONFIG = 7;

    private static final int BARS = 6;
    private static final int MAX_WIDTH = Long.BYTES;
    private static final int CONVENTIONAL_CONFIG_BYTES = 256;
    private static final int EXTENDED_CONFIG_BYTES = 4096;
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final VfioUserDevice device;
    private final DmaRegions memory;
    private final TrapCounters counters;
    private final Region[] regions = new Region[COUNT];

    RegionTable(VfioUserDevice device, DmaRegions memory, TrapCounters counters) {
        this.device = device;
        this.memory = memory;
        this.counters = counters;
        load();
    }

    /// Loads the regions of the device, once for each client.
    void load() {
        for (int index = 0; index < COUNT; index++) {
            regions[index] = checked(index, device.region(index));
        }
    }

    /// Returns the region with the given index, less than [#COUNT].
    Region region(int index) {
        return regions[index];
    }

    /// Returns whether an access lies within a region; refuses the request otherwise.
    boolean check(Request request, RegionAccessBody access) {
        long index = access.region();
        if (index >= COUNT) {
            request.refuse(Refusal.REGION_INDEX, "region", index, COUNT - 1);
            return false;
        }
        long bytes = regions[(int) index].bytes();
        if (bytes == 0) {
            request.refuse(Refusal.REGION_ABSENT, "region", index, 0);
            return false;
        }
        long offset = access.offset();
        if (Long.compareUnsigned(offset, bytes) > 0 || access.count() > bytes - offset) {
            request.refuse(Refusal.REGION_RANGE, "offset", offset, bytes - access.count());
            return false;
        }
        return true;
    }

    /// Returns whether a write lies within a writable region; refuses the request otherwise.
    boolean checkWrite(Request request, RegionAccessBody access) {
        if (!check(request, access)) {
            return false;
        }
        if (!regions[(int) access.region()].writable()) {
            request.refuse(Refusal.REGION_READ_ONLY, "region", access.region(), 0);
            return false;
        }
        return true;
    }

    /// Performs a checked read.
    ///
    /// @param into destination of the data; up to 7 bytes after the data may also be overwritten
    void read(RegionAccessBody access, MemorySegment into, long at) {
        int region = (int) access.region();
        long offset = access.offset();
        long count = access.count();
        counters.onRead(device.trapRegion(region, offset));
        for (long done = 0; done < count; ) {
            int width = width(offset + done, count - done);
            into.set(U64, at + done, device.read(region, offset + done, width));
            done += width;
        }
    }

    /// Performs a checked write. Also reads up to 7 bytes past the data.
    void write(RegionAccessBody access) {
        int region = (int) access.region();
        long offset = access.offset();
        long count = access.count();
        MemorySegment from = access.buffer();
        long at = access.base() + RegionAccessBody.DATA;
        counters.onWrite(device.trapRegion(region, offset));
        for (long done = 0; done < count; ) {
            int width = width(offset + done, count - done);
            long value = from.get(U64, at + done) & -1L >>> Long.SIZE - width * Byte.SIZE;
            device.write(region, offset + done, width, value);
            done += width;
        }
        if (region == CONFIG) {
            memory.onBusMaster(device.busMaster());
        }
    }

    /// Returns the largest width of an access at this offset.
    private static int width(long offset, long left) {
        long aligned = Long.lowestOneBit(offset | MAX_WIDTH);
        return (int) Math.min(aligned, Long.highestOneBit(Math.min(left, MAX_WIDTH)));
    }

    /// Checks a region. The refused values would crash QEMU (assertion, segmentation fault).
    private static Region checked(int index, Region region) {
        long bytes = region.bytes();
        boolean legal =
                index == CONFIG
                        ? bytes == CONVENTIONAL_CONFIG_BYTES || bytes == EXTENDED_CONFIG_BYTES
                        : index >= BARS || bytes == 0 || Long.bitCount(bytes) == 1;
        if (!legal || bytes < 0) {
            throw new IllegalArgumentException(
                    "region=%d bytes=%#x, expected a power of two; %d or %d for configuration space"
                            .formatted(
                                    index,
                                    bytes,
                                    CONVENTIONAL_CONFIG_BYTES,
                                    EXTENDED_CONFIG_BYTES));
        }
        return region;
    }
}
