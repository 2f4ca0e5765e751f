package io.gpuvm.softgpu.memory;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.FileStatus;
import io.gpuvm.linux.LinuxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The host memory that the GPU may reach, by address on its bus: ranges, each a part of a file.
///
/// Mapping and unmapping belong to the register thread, while the engines are held; lookups may
/// come from either thread otherwise. A file is mapped once however many ranges show it, so a guest
/// whose memory arrives page by page costs one array element a page.
public final class DmaSpace implements AutoCloseable {
    private static final long PAGE_BYTES = 4096;

    /// More ranges than any driver makes; the kernel's own limit for a VFIO container is as large
    /// (`drivers/vfio/vfio_iommu_type1.c`, `dma_entry_limit`).
    private static final int MAX_RANGES = 65535;

    /// More memory than a virtual machine has, and a small part of a process's 128 TiB.
    private static final long MAX_MAPPED_BYTES = 8L << 40;

    /// More files than a machine's memory comes in. A file that has grown counts again, for it is
    /// mapped again; the kernel gives a process 65530 mappings (`vm.max_map_count`).
    private static final int MAX_FILES = 256;

    /// Bus addresses `[first, last]`, both unsigned, last included so that the end of the address
    /// space can be named.
    private record Range(long first, long last, MappedFile file, long offset, boolean writable) {
        boolean contains(long iova) {
            return Long.compareUnsigned(iova, first) >= 0 && Long.compareUnsigned(iova, last) <= 0;
        }

        Range part(long partFirst, long partLast) {
            return new Range(partFirst, partLast, file, offset + (partFirst - first), writable);
        }
    }

    private final List<MappedFile> files = new ArrayList<>();

    /// Sorted by address; the first [#count] are in use.
    private Range[] ranges = new Range[64];

    private int count;

    /// Adds a range. The same range again changes nothing.
    ///
    /// @throws GpuDeviceException if the file is shorter than the mapping says, if the range
    ///   overlaps another one that is not the same, if there are too many, or if the kernel refuses
    public void map(DmaMapping mapping) {
        long first = mapping.iova();
        long last = checkedLast(mapping);
        int at = firstEndingAtOrAfter(first);
        if (at < count && Long.compareUnsigned(ranges[at].first, last) <= 0) {
            checkSame(ranges[at], mapping, last);
            return;
        }
        if (count == MAX_RANGES) {
            throw new GpuDeviceException("dma ranges=%d, limit=%d".formatted(count, MAX_RANGES));
        }
        MappedFile file = fileOf(mapping);
        file.retain();
        insert(at, new Range(first, last, file, mapping.offset(), mapping.writable()));
    }

    /// Takes back what lies in `[iova, iova + bytes)`, unsigned; the end may be 2^64. What lies
    /// partly outside keeps that part. Nothing there is no error.
    public void unmap(long iova, long bytes) {
        if (bytes == 0) {
            return;
        }
        long last = iova + bytes - 1;
        if (Long.compareUnsigned(last, iova) < 0) {
            throw new IllegalArgumentException(
                    "unmap iova=%#x bytes=%#x, limit=end of the address space"
                            .formatted(iova, bytes));
        }
        int from = firstEndingAtOrAfter(iova);
        int to = from;
        Range[] kept = new Range[2];
        int keep = 0;
        while (to < count && Long.compareUnsigned(ranges[to].first, last) <= 0) {
            Range range = ranges[to++];
            if (Long.compareUnsigned(range.first, iova) < 0) {
                kept[keep++] = range.part(range.first, iova - 1);
            }
            if (Long.compareUnsigned(range.last, last) > 0) {
                kept[keep++] = range.part(last + 1, range.last);
            }
        }
        replace(from, to, kept, keep);
    }

    /// Where a bus address lies.
    ///
    /// @param span is told
    /// @return whether there is memory
    boolean locate(long iova, HostSpan span) {
        int at = firstEndingAtOrAfter(iova);
        if (at == count || !ranges[at].contains(iova)) {
            span.nothing();
            return false;
        }
        Range range = ranges[at];
        long into = iova - range.first;
        span.found(range.file.segment(), range.offset + into, range.last - iova + 1)
                .restrict(range.writable, range.file.isFragile());
        return true;
    }

    /// Number of ranges.
    public int ranges() {
        return count;
    }

    /// Number of files that are mapped.
    public int files() {
        return files.size();
    }

    /// Takes back everything.
    @Override
    public void close() {
        replace(0, count, new Range[0], 0);
    }

    private static long checkedLast(DmaMapping mapping) {
        checkPage("bytes", mapping.bytes());
        checkPage("iova", mapping.iova());
        checkPage("offset", mapping.offset());
        long last = mapping.iova() + mapping.bytes() - 1;
        if (mapping.bytes() <= 0 || Long.compareUnsigned(last, mapping.iova()) < 0) {
            throw new GpuDeviceException(
                    "dma iova=%#x bytes=%#x, limit=end of the address space"
                            .formatted(mapping.iova(), mapping.bytes()));
        }
        return last;
    }

    private static void checkPage(String name, long value) {
        if (value % PAGE_BYTES != 0) {
            throw new GpuDeviceException(
                    "dma %s=%#x, limit=a multiple of %d".formatted(name, value, PAGE_BYTES));
        }
    }

    private void checkSame(Range range, DmaMapping mapping, long last) {
        boolean same =
                range.first == mapping.iova()
                        && range.last == last
                        && range.offset == mapping.offset()
                        && range.writable == mapping.writable()
                        && range.file.serves(statusOf(mapping), 0, false);
        if (!same) {
            throw new GpuDeviceException(
                    "dma iova=%#x bytes=%#x overlaps iova=%#x bytes=%#x"
                            .formatted(
                                    mapping.iova(),
                                    mapping.bytes(),
                                    range.first,
                                    range.last - range.first + 1));
        }
    }

    private MappedFile fileOf(DmaMapping mapping) {
        FileStatus status = statusOf(mapping);
        long end = mapping.offset() + mapping.bytes();
        if (mapping.offset() < 0 || end < 0 || end > status.bytes()) {
            throw new GpuDeviceException(
                    "dma offset=%#x bytes=%#x, limit=file of %#x bytes"
                            .formatted(mapping.offset(), mapping.bytes(), status.bytes()));
        }
        for (MappedFile file : files) {
            if (file.serves(status, end, mapping.writable())) {
                return file;
            }
        }
        checkRoom(status);
        try {
            MappedFile file = MappedFile.map(mapping.descriptor(), status, mapping.writable());
            files.add(file);
            return file;
        } catch (LinuxException e) {
            throw new GpuDeviceException("dma mapping refused", e);
        }
    }

    /// Files are mapped whole, and a sparse one may claim any length: without a limit a few of them
    /// would take all the addresses that this process has.
    private void checkRoom(FileStatus status) {
        if (files.size() == MAX_FILES) {
            throw new GpuDeviceException(
                    "dma mapped files=%d, limit=%d".formatted(files.size(), MAX_FILES));
        }
        long mapped = 0;
        for (MappedFile file : files) {
            mapped += file.bytes();
        }
        if (status.bytes() > MAX_MAPPED_BYTES - mapped) {
            throw new GpuDeviceException(
                    "dma file of %#x bytes beside %#x bytes of others, limit=%#x"
                            .formatted(status.bytes(), mapped, MAX_MAPPED_BYTES));
        }
    }

    private static FileStatus statusOf(DmaMapping mapping) {
        try {
            return FileStatus.of(mapping.descriptor());
        } catch (LinuxException e) {
            throw new GpuDeviceException("dma descriptor=" + mapping.descriptor(), e);
        }
    }

    /// Index of the first range that ends at an address or after it: the one that contains it, if
    /// any does.
    private int firstEndingAtOrAfter(long iova) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = low + high >>> 1;
            if (Long.compareUnsigned(ranges[middle].last, iova) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private void insert(int at, Range range) {
        makeRoom(1);
        System.arraycopy(ranges, at, ranges, at + 1, count - at);
        ranges[at] = range;
        count++;
    }

    /// Puts `kept` in the place of ranges `[from, to)`.
    private void replace(int from, int to, Range[] kept, int keep) {
        for (int i = 0; i < keep; i++) {
            kept[i].file.retain();
        }
        for (int i = from; i < to; i++) {
            if (ranges[i].file.release()) {
                files.remove(ranges[i].file);
            }
        }
        makeRoom(Math.max(0, keep - (to - from)));
        System.arraycopy(ranges, to, ranges, from + keep, count - to);
        System.arraycopy(kept, 0, ranges, from, keep);
        int newCount = count - (to - from) + keep;
        for (int i = newCount; i < count; i++) {
            ranges[i] = null;
        }
        count = newCount;
    }

    private void makeRoom(int more) {
        if (count + more > ranges.length) {
            ranges = Arrays.copyOf(ranges, Math.max(count + more, 2 * ranges.length));
        }
    }
}
