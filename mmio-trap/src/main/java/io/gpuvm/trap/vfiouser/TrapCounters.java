package io.gpuvm.trap.vfiouser;

import io.gpuvm.counters.CounterCells;
import io.gpuvm.counters.CounterSet;
import io.gpuvm.counters.CounterType;

/// Counters of a server since its creation. Written by the server's thread only and read by any
/// thread; a reader may miss the latest counts.
public final class TrapCounters {
    private final CounterCells connections;
    private final CounterCells messages;
    private final CounterCells postedWrites;
    private final CounterCells dmaMaps;
    private final CounterCells dmaUnmaps;
    private final CounterCells dmaKept;
    private final CounterCells reads;
    private final CounterCells writes;
    private final CounterCells refusals;

    /// Creates counters that only this process can read.
    TrapCounters() {
        this(CounterSet.standalone());
    }

    /// @param set counters of the virtual machine
    TrapCounters(CounterSet set) {
        connections = set.cells(CounterType.TRAP_CONNECTIONS);
        messages = set.cells(CounterType.TRAP_MESSAGES);
        postedWrites = set.cells(CounterType.TRAP_POSTED_WRITES);
        dmaMaps = set.cells(CounterType.TRAP_DMA_MAPS);
        dmaUnmaps = set.cells(CounterType.TRAP_DMA_UNMAPS);
        dmaKept = set.cells(CounterType.TRAP_DMA_KEPT);
        reads = set.cells(CounterType.TRAP_READS);
        writes = set.cells(CounterType.TRAP_WRITES);
        refusals = set.cells(CounterType.TRAP_REFUSALS);
    }

    /// Returns the number of clients served.
    public long connections() {
        return connections.get();
    }

    /// Returns the number of messages received, including refused messages.
    public long messages() {
        return messages.get();
    }

    /// Returns the number of posted or packed writes. A message that packs several writes counts
    /// once per write.
    public long postedWrites() {
        return postedWrites.get();
    }

    /// Returns the number of ranges of guest memory mapped to the device.
    public long dmaMaps() {
        return dmaMaps.get();
    }

    /// Returns the number of unmap operations of the device; each unmaps one or more ranges.
    public long dmaUnmaps() {
        return dmaUnmaps.get();
    }

    /// Returns the number of ranges that stayed mapped to the device because the client mapped them
    /// again immediately after it had unmapped them. Each such range saves the device two
    /// operations.
    public long dmaKept() {
        return dmaKept.get();
    }

    /// Returns the number of accesses that read from a region.
    public long reads(TrapRegion region) {
        return reads.get(region.ordinal());
    }

    /// Returns the number of accesses that wrote to a region.
    public long writes(TrapRegion region) {
        return writes.get(region.ordinal());
    }

    /// Returns the number of messages, or packed writes, refused for the given reason.
    public long refused(Refusal reason) {
        return refusals.get(reason.ordinal());
    }

    /// Returns the number of messages, or packed writes, refused for any reason.
    public long refused() {
        return refusals.sum();
    }

    void onConnection() {
        connections.add(1);
    }

    void onMessage() {
        messages.add(1);
    }

    void onPostedWrite() {
        postedWrites.add(1);
    }

    void onDmaMap() {
        dmaMaps.add(1);
    }

    void onDmaUnmap() {
        dmaUnmaps.add(1);
    }

    void onDmaKept() {
        dmaKept.add(1);
    }

    void onRead(TrapRegion region) {
        reads.add(region.ordinal(), 1);
    }

    void onWrite(TrapRegion region) {
        writes.add(region.ordinal(), 1);
    }

    void onRefusal(Refusal reason) {
        refusals.add(reason.ordinal(), 1);
    }
}
