package io.gpuvm.trap.vfiouser;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.DmaRange;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.trap.vfiouser.GuestMemoryFiles.GuestFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Guest memory that the client has mapped, and the part of it that the device can reach: no range
/// while bus mastering is off, otherwise every range with a descriptor.
///
/// QEMU unmaps and remaps all of guest RAM several times while firmware runs. Therefore, unmapping
/// is deferred until the replies are about to be sent ([#settle]). A range that the client has by
/// then mapped again without a change stays mapped to the device.
final class DmaRegions {
    private static final Logger LOG = LoggerFactory.getLogger(DmaRegions.class);

    /// Number of deferred unmappings at which all of them are performed, to limit memory.
    private static final int MAX_LEAVING = 1024;

    /// Maximum number of ranges that a call maps or unmaps at the device; a shared device can serve
    /// its other clients between two calls.
    static final int BATCH_RANGES = 64;

    private final VfioUserDevice device;
    private final TrapCounters counters;
    private final LogLimit lines;
    private final GuestMemoryFiles files = new GuestMemoryFiles();

    /// Ranges that the client has mapped. Addresses are unsigned.
    private final NavigableMap<Long, Range> ranges = new TreeMap<>(Long::compareUnsigned);

    /// Ranges that the client has unmapped and the device can still reach. They overlap no range in
    /// `ranges`.
    private final NavigableMap<Long, Range> leaving = new TreeMap<>(Long::compareUnsigned);

    private boolean reachable;
    private LogLimit unreachable = LogLimit.once();
    private LogLimit unusable = LogLimit.once();

    DmaRegions(VfioUserDevice device, TrapCounters counters, LogLimit lines) {
        this.device = device;
        this.counters = counters;
        this.lines = lines;
    }

    /// Range of guest addresses; `file` is null if only the client can reach the range.
    private record Range(long iova, long bytes, GuestFile file, long fileOffset, boolean writable) {
        long last() {
            return iova + bytes - 1;
        }

        /// Returns the part from `from` to `to`, both inclusive.
        Range part(long from, long to) {
            return new Range(from, to - from + 1, file, fileOffset + (from - iova), writable);
        }

        DmaMapping mapping() {
            return new DmaMapping(file.descriptor(), fileOffset, bytes, iova, writable);
        }

        @Override
        public String toString() {
            return "iova=%#x bytes=%#x".formatted(iova, bytes);
        }
    }

    /// Adds a range that the client does not share. The range consists of whole pages and does not
    /// wrap around.
    ///
    /// @return reason for a refusal, null on success
    Refusal map(DmaMapBody wanted) {
        return add(new Range(wanted.iova(), wanted.size(), null, 0, isWritable(wanted)));
    }

    /// Adds a range of a file. The range consists of whole pages and does not wrap around.
    ///
    /// @param descriptor descriptor of the file, which this object owns even if it refuses the
    ///   range
    /// @return reason for a refusal, null on success
    Refusal map(DmaMapBody wanted, FileStatus status, Descriptor descriptor) {
        GuestFile file = files.admit(descriptor, status);
        if (file == null) {
            return Refusal.DMA_FILES_FULL;
        }
        files.hold(file);
        try {
            return add(
                    new Range(
                            wanted.iova(),
                            wanted.size(),
                            file,
                            wanted.fileOffset(),
                            isWritable(wanted)));
        } finally {
            files.release(file);
        }
    }

    /// Removes the parts of all ranges that lie in `[iova, last]`.
    ///
    /// @return reason for a refusal, null on success
    Refusal unmap(long iova, long last) {
        Map.Entry<Long, Range> around = ranges.lowerEntry(iova);
        if (around != null
                && ranges.size() >= Limits.DMA_RANGES
                && Long.compareUnsigned(around.getValue().last(), last) > 0) {
            return Refusal.DMA_TABLE_FULL;
        }
        Range range;
        while ((range = firstOverlap(ranges, iova, last)) != null) {
            ranges.remove(range.iova);
            cut(range, iova, last);
        }
        if (leaving.size() >= MAX_LEAVING) {
            settle();
        }
        return null;
    }

    /// Returns whether the device can still reach ranges that the client has unmapped.
    boolean isUnsettled() {
        return !leaving.isEmpty();
    }

    /// Unmaps from the device all ranges that the client has unmapped. Must be called before the
    /// replies to DMA_UNMAP are sent.
    void settle() {
        if (leaving.isEmpty()) {
            return;
        }
        List<DmaRange> batch = new ArrayList<>(Math.min(leaving.size(), BATCH_RANGES));
        Range first = leaving.firstEntry().getValue();
        long start = first.iova;
        long last = first.last();
        for (Range range : leaving.tailMap(start, false).values()) {
            if (range.iova != last + 1) {
                batch.add(new DmaRange(start, last - start + 1));
                start = range.iova;
                if (batch.size() == BATCH_RANGES) {
                    unmapAtDevice(batch);
                }
            }
            last = range.last();
        }
        batch.add(new DmaRange(start, last - start + 1));
        unmapAtDevice(batch);
        leaving.values().forEach(range -> files.release(range.file));
        leaving.clear();
    }

    /// Maps the memory to the device if bus mastering is now on; unmaps it if bus mastering is now
    /// off.
    void onBusMaster(boolean busMaster) {
        if (busMaster == reachable) {
            return;
        }
        if (!busMaster) {
            takeAll();
            return;
        }
        reachable = true;
        List<Range> batch = new ArrayList<>(Math.min(ranges.size(), BATCH_RANGES));
        for (Range range : ranges.values()) {
            if (range.file != null) {
                batch.add(range);
                if (batch.size() == BATCH_RANGES) {
                    mapAtDevice(batch);
                }
            }
        }
        mapAtDevice(batch);
    }

    /// Clears all state, for the next client.
    void clear() {
        if (reachable) {
            takeAll();
        }
        ranges.clear();
        files.clear();
        unreachable = LogLimit.once();
        unusable = LogLimit.once();
    }

    private Refusal add(Range range) {
        Range other = firstOverlap(ranges, range.iova, range.last());
        if (other != null) {
            return other.equals(range) ? null : Refusal.DMA_RANGE_OVERLAPS;
        }
        if (ranges.size() >= Limits.DMA_RANGES) {
            return Refusal.DMA_TABLE_FULL;
        }
        if (leaving.remove(range.iova, range)) {
            ranges.put(range.iova, range);
            counters.onDmaKept();
            return null;
        }
        if (range.file == null) {
            logUnreachable(range);
        } else {
            if (reachable) {
                settle(range.iova, range.last());
                Refusal refusal = mapAtDevice(range);
                if (refusal != null) {
                    return refusal;
                }
            }
            files.hold(range.file);
        }
        ranges.put(range.iova, range);
        return null;
    }

    /// Removes the part of a range that lies inside `[iova, last]`, and retains the parts outside.
    private void cut(Range range, long iova, long last) {
        long from = Long.compareUnsigned(range.iova, iova) < 0 ? iova : range.iova;
        long to = Long.compareUnsigned(range.last(), last) > 0 ? last : range.last();
        if (from != range.iova) {
            keep(range.part(range.iova, from - 1));
        }
        if (to != range.last()) {
            keep(range.part(to + 1, range.last()));
        }
        if (range.file == null) {
            return;
        }
        if (reachable) {
            leaving.put(from, range.part(from, to));
        } else {
            files.release(range.file);
        }
    }

    private void keep(Range part) {
        ranges.put(part.iova, part);
        if (part.file != null) {
            files.hold(part.file);
        }
    }

    /// Unmaps from the device the ranges that the client has unmapped and that overlap `[iova,
    /// last]`.
    private void settle(long iova, long last) {
        Range range;
        while ((range = firstOverlap(leaving, iova, last)) != null) {
            unmapAtDevice(range.iova, range.bytes);
            leaving.remove(range.iova);
            files.release(range.file);
        }
    }

    /// Unmaps all addresses in two halves, because the length of the whole address space does not
    /// fit in 64 bits.
    private void takeAll() {
        unmapAtDevice(0, Long.MIN_VALUE);
        unmapAtDevice(Long.MIN_VALUE, Long.MIN_VALUE);
        leaving.values().forEach(range -> files.release(range.file));
        leaving.clear();
        reachable = false;
    }

    private void unmapAtDevice(long iova, long bytes) {
        device.unmapDma(iova, bytes);
        counters.onDmaUnmap();
    }

    /// @param batch ranges; empty when this method returns
    private void unmapAtDevice(List<DmaRange> batch) {
        device.unmapDma(batch);
        batch.forEach(_ -> counters.onDmaUnmap());
        batch.clear();
    }

    /// Maps the ranges that the device can use.
    ///
    /// @param batch ranges; empty when this method returns
    private void mapAtDevice(List<Range> batch) {
        if (batch.isEmpty()) {
            return;
        }
        List<DmaMapping> mappings = new ArrayList<>(batch.size());
        for (Range range : batch) {
            mappings.add(range.mapping());
        }
        int[] refused = new int[1];
        device.mapDma(
                mappings,
                (index, why) -> {
                    refused[0]++;
                    logUnusable(batch.get(index), why);
                });
        for (int made = batch.size() - refused[0]; made > 0; made--) {
            counters.onDmaMap();
        }
        batch.clear();
    }

    private Refusal mapAtDevice(Range range) {
        try {
            device.mapDma(range.mapping());
            counters.onDmaMap();
            return null;
        } catch (GpuDeviceException e) {
            logUnusable(range, e);
            return Refusal.DMA_MEMORY_UNUSABLE;
        }
    }

    private void logUnusable(Range range, GpuDeviceException why) {
        if (!unusable.isSpent() && lines.spend()) {
            unusable.spend();
            LOG.warn("the device cannot use guest memory, {}: {}", range, why.getMessage());
        }
    }

    /// Warns of a range that the device cannot reach. Read-only memory, such as firmware, and the
    /// device's own BARs, which QEMU also maps, cause no warning: they are expected to have no
    /// descriptor.
    private void logUnreachable(Range range) {
        if (!range.writable
                || device.isOwnRange(range.iova, range.bytes)
                || unreachable.isSpent()
                || !lines.spend()) {
            return;
        }
        unreachable.spend();
        LOG.warn(
                "guest memory has no descriptor, so the device cannot reach it, {}: start QEMU"
                        + " with -object memory-backend-memfd,share=on",
                range);
    }

    private static boolean isWritable(DmaMapBody wanted) {
        return (wanted.flags() & DmaMapBody.WRITABLE) != 0;
    }

    private static Range firstOverlap(NavigableMap<Long, Range> ranges, long iova, long last) {
        Map.Entry<Long, Range> before = ranges.floorEntry(iova);
        if (before != null && Long.compareUnsigned(before.getValue().last(), iova) >= 0) {
            return before.getValue();
        }
        Map.Entry<Long, Range> after = ranges.ceilingEntry(iova);
        return after != null && Long.compareUnsigned(after.getKey(), last) <= 0
                ? after.getValue()
                : null;
    }
}
