package io.gpuvm.trap.vfiouser;

import java.util.concurrent.atomic.AtomicLongArray;

/// Counters of a server since its creation. Written by the server's thread only and read by any
/// thread; a reader may miss the latest counts.
public final class TrapCounters {
    private static final int CONNECTIONS = 0;
    private static final int MESSAGES = 1;
    private static final int POSTED_WRITES = 2;
    private static final int DMA_MAPS = 3;
    private static final int DMA_UNMAPS = 4;
    private static final int DMA_KEPT = 5;
    private static final int SCALARS = 6;

    private final AtomicLongArray scalars = new AtomicLongArray(SCALARS);
    private final AtomicLongArray reads = new AtomicLongArray(TrapRegion.values().length);
    private final AtomicLongArray writes = new AtomicLongArray(TrapRegion.values().length);
    private final AtomicLongArray refusals = new AtomicLongArray(Refusal.values().length);

    TrapCounters() {}

    /// Returns the number of clients served.
    public long connections() {
        return scalars.getOpaque(CONNECTIONS);
    }

    /// Returns the number of messages received, including refused messages.
    public long messages() {
        return scalars.getOpaque(MESSAGES);
    }

    /// Returns the number of posted or packed writes. A message that packs several writes counts
    /// once per write.
    public long postedWrites() {
        return scalars.getOpaque(POSTED_WRITES);
    }

    /// Returns the number of ranges of guest memory mapped to the device.
    public long dmaMaps() {
        return scalars.getOpaque(DMA_MAPS);
    }

    /// Returns the number of unmap operations of the device; each unmaps one or more ranges.
    public long dmaUnmaps() {
        return scalars.getOpaque(DMA_UNMAPS);
    }

    /// Returns the number of ranges that stayed mapped to the device because the client mapped them
    /// again immediately after it had unmapped them. Each such range saves the device two
    /// operations.
    public long dmaKept() {
        return scalars.getOpaque(DMA_KEPT);
    }

    /// Returns the number of accesses that read from a region.
    public long reads(TrapRegion region) {
        return reads.getOpaque(region.ordinal());
    }

    /// Returns the number of accesses that wrote to a region.
    public long writes(TrapRegion region) {
        return writes.getOpaque(region.ordinal());
    }

    /// Returns the number of messages, or packed writes, refused for the given reason.
    public long refused(Refusal reason) {
        return refusals.getOpaque(reason.ordinal());
    }

    /// Returns the number of messages, or packed writes, refused for any reason.
    public long refused() {
        long sum = 0;
        for (int i = 0; i < refusals.length(); i++) {
            sum += refusals.getOpaque(i);
        }
        return sum;
    }

    void onConnection() {
        add(scalars, CONNECTIONS);
    }

    void onMessage() {
        add(scalars, MESSAGES);
    }

    void onPostedWrite() {
        add(scalars, POSTED_WRITES);
    }

    void onDmaMap() {
        add(scalars, DMA_MAPS);
    }

    void onDmaUnmap() {
        add(scalars, DMA_UNMAPS);
    }

    void onDmaKept() {
        add(scalars, DMA_KEPT);
    }

    void onRead(TrapRegion region) {
        add(reads, region.ordinal());
    }

    void onWrite(TrapRegion region) {
        add(writes, region.ordinal());
    }

    void onRefusal(Refusal reason) {
        add(refusals, reason.ordinal());
    }

    /// Adds one. There is one writer, so no atomic addition is needed.
    private static void add(AtomicLongArray counters, int index) {
        counters.setOpaque(index, counters.getPlain(index) + 1);
    }
}
