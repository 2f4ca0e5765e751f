package io.gpuvm.vfio;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MappedMemory.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Table of the host memory that a container's devices may access. Each piece is also mapped into
/// this process, because VFIO identifies memory by its address in the process.
///
/// The kernel unmaps only whole mappings (`vfio_iommu_type1.c`, version 2), so a mapping that must
/// be split is unmapped, and its remaining parts are mapped again.
///
/// Confined to the owner's thread.
final class DmaTable implements AutoCloseable {
    private static final long PAGE_BYTES = 4096;

    /// Maximum number of mappings, more than the pieces of any machine's memory. Each DMA mapping
    /// is also a mapping of this process, of which the kernel permits 65530 in total
    /// (`vm.max_map_count`). Without a limit, one guest could exhaust the mappings that threads and
    /// the heap need.
    private static final int MAX_MAPPINGS = 32_768;

    /// A range of a file mapped into this process, extended to the file's page boundaries. Exists
    /// while a DMA mapping refers to it.
    private static final class HostMemory {
        private final FileStatus file;
        private final MappedMemory memory;

        /// Offset of the mapped range in the file.
        private final long fileOffset;

        private int users;

        HostMemory(FileStatus file, MappedMemory memory, long fileOffset) {
            this.file = file;
            this.memory = memory;
            this.fileOffset = fileOffset;
        }

        long addressOf(long offset) {
            return memory.segment().address() + offset - fileOffset;
        }

        void retain() {
            users++;
        }

        void release() {
            users--;
            if (users == 0) {
                memory.close();
            }
        }
    }

    private record Held(long iova, long bytes, HostMemory host, long offset, boolean writable) {
        long last() {
            return iova + bytes - 1;
        }

        Held part(long first, long last) {
            return new Held(first, last - first + 1, host, offset + first - iova, writable);
        }

        boolean same(DmaMapping other, FileStatus file) {
            return iova == other.iova()
                    && bytes == other.bytes()
                    && offset == other.offset()
                    && writable == other.writable()
                    && host.file.sameFile(file);
        }
    }

    private final Iommu iommu;
    private final List<IovaRange> usable;
    private final int maxMappings;
    private final TreeMap<Long, Held> byIova = new TreeMap<>();

    /// @param usable usable bus addresses
    DmaTable(Iommu iommu, List<IovaRange> usable) {
        this(iommu, usable, MAX_MAPPINGS);
    }

    /// @param maxMappings maximum number of mappings
    DmaTable(Iommu iommu, List<IovaRange> usable, int maxMappings) {
        this.iommu = iommu;
        this.usable = usable;
        this.maxMappings = maxMappings;
    }

    /// Adds a mapping. See [io.gpuvm.gf100.device.GpuDevice#mapDma].
    void map(DmaMapping mapping) {
        checkPages(mapping);
        FileStatus file = statusOf(mapping);
        long end = mapping.offset() + mapping.bytes();
        if (mapping.offset() < 0 || end < 0 || end > file.bytes()) {
            throw new GpuDeviceException(
                    "DMA offset=%#x bytes=%#x, limit=%#x bytes of file"
                            .formatted(mapping.offset(), mapping.bytes(), file.bytes()));
        }
        if (usable.stream().noneMatch(r -> r.contains(mapping.iova(), mapping.bytes()))) {
            throw new GpuDeviceException(
                    "DMA mapping iova=%#x bytes=%#x, expected a range within %s"
                            .formatted(mapping.iova(), mapping.bytes(), usable));
        }
        long last = mapping.iova() + mapping.bytes() - 1;
        Map.Entry<Long, Held> below = byIova.floorEntry(last);
        if (below != null && below.getValue().last() >= mapping.iova()) {
            Held other = below.getValue();
            if (!other.same(mapping, file)) {
                throw new GpuDeviceException(
                        "DMA iova=%#x bytes=%#x overlaps iova=%#x bytes=%#x"
                                .formatted(
                                        mapping.iova(), mapping.bytes(), other.iova, other.bytes));
            }
            return;
        }
        if (byIova.size() >= maxMappings) {
            throw new GpuDeviceException(
                    "DMA mappings=%d, limit=%d".formatted(byIova.size(), maxMappings));
        }
        HostMemory host = hostMemory(mapping, file);
        host.retain();
        try {
            add(
                    new Held(
                            mapping.iova(),
                            mapping.bytes(),
                            host,
                            mapping.offset(),
                            mapping.writable()));
        } finally {
            host.release();
        }
    }

    /// Unmaps `[iova, iova + bytes)`, unsigned. See [io.gpuvm.gf100.device.GpuDevice#unmapDma].
    void unmap(long iova, long bytes) {
        if (bytes == 0 || iova < 0) {
            return; // nothing can be mapped in the upper half of the address space
        }
        long last = iova + bytes - 1;
        if (Long.compareUnsigned(last, iova) < 0) {
            throw new IllegalArgumentException(
                    "unmap iova=%#x bytes=%#x, limit=2^64".formatted(iova, bytes));
        }
        remove(iova, last < 0 ? Long.MAX_VALUE : last);
    }

    @Override
    public void close() {
        remove(0, Long.MAX_VALUE);
    }

    /// Unmaps all mappings that overlap the range, then maps their parts outside the range again.
    /// If the kernel refuses to map such a part, only that part is lost.
    ///
    /// @throws GpuDeviceException if the kernel refused a part; the range is unmapped
    private void remove(long first, long last) {
        Map.Entry<Long, Held> below = byIova.floorEntry(first);
        long from = below != null && below.getValue().last() >= first ? below.getKey() : first;
        List<Held> affected = new ArrayList<>(byIova.subMap(from, true, last, true).values());
        for (Held held : affected) {
            iommu.unmap(held.iova, held.bytes);
            byIova.remove(held.iova);
        }
        GpuDeviceException refusal = null;
        for (Held held : affected) {
            try {
                if (held.iova < first) {
                    refusal = addRemains(held.part(held.iova, first - 1), refusal);
                }
                if (held.last() > last) {
                    refusal = addRemains(held.part(last + 1, held.last()), refusal);
                }
            } finally {
                held.host.release();
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    /// @return the first refusal; null if there is none
    private GpuDeviceException addRemains(Held remains, GpuDeviceException earlier) {
        try {
            add(remains);
            return earlier;
        } catch (GpuDeviceException e) {
            if (earlier != null) {
                earlier.addSuppressed(e);
                return earlier;
            }
            return new GpuDeviceException(
                    "DMA: part of a split mapping could not be mapped again: " + e.getMessage(), e);
        }
    }

    private void add(Held held) {
        iommu.map(held.host.addressOf(held.offset), held.iova, held.bytes, held.writable);
        held.host.retain();
        byIova.put(held.iova, held);
    }

    /// Maps a range of a file into this process, aligned to the file's page boundaries, so that
    /// huge pages stay whole and the kernel can map them as such.
    private static HostMemory hostMemory(DmaMapping mapping, FileStatus file) {
        long page = Math.max(file.blockBytes(), PAGE_BYTES);
        long start = mapping.offset() / page * page;
        long end = (mapping.offset() + mapping.bytes() + page - 1) / page * page;
        Access access = mapping.writable() ? Access.READ_WRITE : Access.READ_ONLY;
        try {
            MappedMemory memory =
                    MappedMemory.map(mapping.descriptor(), start, end - start, access);
            return new HostMemory(file, memory, start);
        } catch (LinuxException e) {
            throw new GpuDeviceException("DMA " + e.getMessage(), e);
        }
    }

    private static FileStatus statusOf(DmaMapping mapping) {
        try {
            return FileStatus.of(mapping.descriptor());
        } catch (LinuxException e) {
            throw new GpuDeviceException("DMA " + e.getMessage(), e);
        }
    }

    private static void checkPages(DmaMapping mapping) {
        checkPages("offset", mapping.offset());
        checkPages("iova", mapping.iova());
        checkPages("bytes", mapping.bytes());
        if (mapping.bytes() <= 0) {
            throw new GpuDeviceException(
                    "DMA bytes=%#x, expected more than 0".formatted(mapping.bytes()));
        }
    }

    private static void checkPages(String name, long value) {
        if (value % PAGE_BYTES != 0) {
            throw new GpuDeviceException(
                    "DMA %s=%#x, expected a multiple of %d".formatted(name, value, PAGE_BYTES));
        }
    }
}
