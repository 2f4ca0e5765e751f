package io.gpuvm.linux;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// An address space made of parts of files: which memory a device may reach, by its address on the
/// device's bus.
///
/// A file is mapped once however many ranges show it, so a guest whose memory arrives page by page
/// costs one array element a page. Changes exclude each other and lookups; lookups may come from
/// any thread.
public final class FileSpace implements AutoCloseable {
    private static final long PAGE_BYTES = 4096;
    private static final int NO_DESCRIPTOR = -1;

    /// More ranges than all guests that share a device may make together: each has a limit of its
    /// own, so that none finds the space full because of another one.
    private static final int MAX_RANGES = 1 << 20;

    /// More memory than a virtual machine has, and a small part of a process's 128 TiB.
    private static final long MAX_MAPPED_BYTES = 8L << 40;

    /// More files than a machine's memory comes in. A file that has grown counts again, for it is
    /// mapped again; the kernel gives a process 65530 mappings (`vm.max_map_count`).
    private static final int MAX_FILES = 256;

    /// Addresses `[first, last]`, both unsigned, last included so that the end of the address space
    /// can be named.
    private record Range(long first, long last, MappedFile file, long offset, boolean writable) {
        boolean contains(long address) {
            return Long.compareUnsigned(address, first) >= 0
                    && Long.compareUnsigned(address, last) <= 0;
        }

        Range part(long partFirst, long partLast) {
            return new Range(partFirst, partLast, file, offset + (partFirst - first), writable);
        }
    }

    /// Addresses that are taken back, `[address, address + bytes)`.
    ///
    /// @param address start, unsigned
    /// @param bytes length, unsigned; the end may be 2^64
    public record Extent(long address, long bytes) {}

    /// Told which of several parts are not added.
    @FunctionalInterface
    public interface RefusedParts {
        /// A part is not added.
        ///
        /// @param index its place in the list
        void onRefused(int index, FileSpaceException why);
    }

    private final List<MappedFile> files = new ArrayList<>();

    /// Sorted by address; the first [#count] are in use.
    private Range[] ranges = new Range[64];

    private int count;

    /// Adds a range. The same range again changes nothing.
    ///
    /// @throws FileSpaceException if the file is no [MemoryFile] or shorter than the mapping says,
    ///   if the range overlaps another one that is not the same, if there are too many, or if the
    ///   kernel refuses
    public void map(FilePart mapping) {
        Range range = admit(mapping, statusOf(mapping), 0);
        if (range != null) {
            insert(new Range[] {range}, 1);
        }
    }

    /// Does the same for each of several parts, in order, and adds those that can be added. Parts
    /// in the order of their addresses cost no more than each of the ranges behind them once,
    /// however many they are, and each file is looked at once for those that follow each other.
    ///
    /// @param refusals told of the others
    public void map(List<FilePart> parts, RefusedParts refusals) {
        Range[] run = new Range[parts.size()];
        int length = 0;
        int descriptor = NO_DESCRIPTOR;
        FileStatus status = null;
        try {
            for (int i = 0; i < parts.size(); i++) {
                FilePart part = parts.get(i);
                if (length > 0 && Long.compareUnsigned(part.address(), run[length - 1].last) <= 0) {
                    insert(run, length);
                    length = 0;
                }
                try {
                    if (status == null || part.descriptor() != descriptor) {
                        status = statusOf(part);
                        descriptor = part.descriptor();
                    }
                    Range range = admit(part, status, length);
                    if (range != null) {
                        run[length++] = range;
                    }
                } catch (FileSpaceException e) {
                    refusals.onRefused(i, e);
                }
            }
        } finally {
            insert(run, length);
        }
    }

    /// Checks a part, and maps its file.
    ///
    /// @param waiting ranges that are to be inserted before this one
    /// @return what is to be inserted; null if it is there already
    private Range admit(FilePart part, FileStatus status, int waiting) {
        long first = part.address();
        long last = checkedLast(part);
        int at = firstEndingAtOrAfter(first);
        if (at < count && Long.compareUnsigned(ranges[at].first, last) <= 0) {
            checkSame(ranges[at], part, status, last);
            return null;
        }
        if (count + waiting >= MAX_RANGES) {
            throw new FileSpaceException(
                    "ranges=%d, limit=%d".formatted(count + waiting, MAX_RANGES));
        }
        MappedFile file = fileOf(part, status);
        file.retain();
        return new Range(first, last, file, part.offset(), part.writable());
    }

    /// Takes back what lies in `[address, address + bytes)`, unsigned; the end may be 2^64. What
    /// lies partly outside keeps that part. Nothing there is no error.
    public void unmap(long address, long bytes) {
        if (bytes == 0) {
            return;
        }
        long last = address + bytes - 1;
        if (Long.compareUnsigned(last, address) < 0) {
            throw new IllegalArgumentException(
                    "unmap address=%#x bytes=%#x, limit=end of the address space"
                            .formatted(address, bytes));
        }
        int from = firstEndingAtOrAfter(address);
        int to = from;
        Range[] kept = new Range[2];
        int keep = 0;
        while (to < count && Long.compareUnsigned(ranges[to].first, last) <= 0) {
            Range range = ranges[to++];
            if (Long.compareUnsigned(range.first, address) < 0) {
                kept[keep++] = range.part(range.first, address - 1);
            }
            if (Long.compareUnsigned(range.last, last) > 0) {
                kept[keep++] = range.part(last + 1, range.last);
            }
        }
        replace(from, to, kept, keep);
    }

    /// Does the same for each of several extents. Those in the order of their addresses cost no
    /// more than each of the ranges behind them once, however many they are.
    public void unmap(List<Extent> extents) {
        int kept = 0;
        int next = 0;
        for (Extent extent : extents) {
            long last = extent.address() + extent.bytes() - 1;
            boolean isBehind =
                    next == 0 || Long.compareUnsigned(ranges[next - 1].last, extent.address()) < 0;
            int from = isBehind ? firstEndingAtOrAfter(extent.address(), next, count) : next;
            if (!isBehind || extent.bytes() == 0 || splits(from, extent.address(), last)) {
                keepRest(kept, next);
                kept = 0;
                next = 0;
                unmap(extent.address(), extent.bytes());
                continue;
            }
            int to = from;
            while (to < count && Long.compareUnsigned(ranges[to].first, last) <= 0) {
                release(ranges[to++]);
            }
            System.arraycopy(ranges, next, ranges, kept, from - next);
            kept += from - next;
            next = to;
        }
        keepRest(kept, next);
    }

    /// Whether a part of a range would stay, of the first that an extent touches or of the last.
    private boolean splits(int from, long first, long last) {
        int behind = firstEndingAtOrAfter(last, from, count);
        return Long.compareUnsigned(last, first) < 0
                || from < count && Long.compareUnsigned(ranges[from].first, first) < 0
                || behind < count
                        && Long.compareUnsigned(ranges[behind].first, last) <= 0
                        && ranges[behind].last != last;
    }

    /// Puts what follows from index `next` on to index `to`, and ends the list there.
    private void keepRest(int to, int next) {
        if (to == next) {
            return;
        }
        System.arraycopy(ranges, next, ranges, to, count - next);
        int newCount = to + count - next;
        Arrays.fill(ranges, newCount, count, null);
        count = newCount;
    }

    private void release(Range range) {
        if (range.file.release()) {
            files.remove(range.file);
        }
    }

    /// Finds the range in which an address lies. What is known of it is asked by its number, which
    /// counts until the space changes; so a lookup needs no object.
    ///
    /// @return number of the range, -1 if there is none
    public int find(long address) {
        int at = firstEndingAtOrAfter(address);
        return at < count && ranges[at].contains(address) ? at : -1;
    }

    /// The file that a range shows, mapped.
    public MemorySegment segment(int range) {
        return ranges[range].file.segment();
    }

    /// Where in [#segment] an address of a range lies.
    public long offset(int range, long address) {
        return ranges[range].offset + address - ranges[range].first;
    }

    /// How many bytes of a range follow from an address on.
    public long bytesFrom(int range, long address) {
        return ranges[range].last - address + 1;
    }

    /// Whether a range was added for writing.
    public boolean isWritable(int range) {
        return ranges[range].writable;
    }

    /// Whether an access to a range may throw [InternalError]: somebody can make its file shorter,
    /// or it lies in huge pages, of which there may be none left.
    public boolean isFragile(int range) {
        return ranges[range].file.isFragile();
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

    private static long checkedLast(FilePart mapping) {
        checkPage("bytes", mapping.bytes());
        checkPage("address", mapping.address());
        checkPage("offset", mapping.offset());
        long last = mapping.address() + mapping.bytes() - 1;
        if (mapping.bytes() <= 0 || Long.compareUnsigned(last, mapping.address()) < 0) {
            throw new FileSpaceException(
                    "address=%#x bytes=%#x, limit=end of the address space"
                            .formatted(mapping.address(), mapping.bytes()));
        }
        return last;
    }

    private static void checkPage(String name, long value) {
        if (value % PAGE_BYTES != 0) {
            throw new FileSpaceException(
                    "%s=%#x, limit=a multiple of %d".formatted(name, value, PAGE_BYTES));
        }
    }

    private static void checkSame(Range range, FilePart mapping, FileStatus status, long last) {
        boolean same =
                range.first == mapping.address()
                        && range.last == last
                        && range.offset == mapping.offset()
                        && range.writable == mapping.writable()
                        && range.file.serves(status, 0, false);
        if (!same) {
            throw new FileSpaceException(
                    "address=%#x bytes=%#x overlaps address=%#x bytes=%#x"
                            .formatted(
                                    mapping.address(),
                                    mapping.bytes(),
                                    range.first,
                                    range.last - range.first + 1));
        }
    }

    private MappedFile fileOf(FilePart mapping, FileStatus status) {
        long end = mapping.offset() + mapping.bytes();
        if (mapping.offset() < 0 || end < 0 || end > status.bytes()) {
            throw new FileSpaceException(
                    "offset=%#x bytes=%#x, limit=file of %#x bytes"
                            .formatted(mapping.offset(), mapping.bytes(), status.bytes()));
        }
        for (MappedFile file : files) {
            if (file.serves(status, end, mapping.writable())) {
                return file;
            }
        }
        if (MemoryFile.of(mapping.descriptor()) == null) {
            throw new FileSpaceException(
                    "fileSystem=%s, limit=%s"
                            .formatted(
                                    MemoryFile.fileSystemOf(mapping.descriptor()),
                                    MemoryFile.ACCEPTED));
        }
        checkRoom(status);
        try {
            MappedFile file = MappedFile.map(mapping.descriptor(), status, mapping.writable());
            files.add(file);
            return file;
        } catch (LinuxException e) {
            throw new FileSpaceException("mapping refused", e);
        }
    }

    /// Files are mapped whole, and a sparse one may claim any length: without a limit a few of them
    /// would take all the addresses that this process has.
    private void checkRoom(FileStatus status) {
        if (files.size() == MAX_FILES) {
            throw new FileSpaceException(
                    "mapped files=%d, limit=%d".formatted(files.size(), MAX_FILES));
        }
        long mapped = 0;
        for (MappedFile file : files) {
            mapped += file.bytes();
        }
        if (status.bytes() > MAX_MAPPED_BYTES - mapped) {
            throw new FileSpaceException(
                    "file of %#x bytes beside %#x bytes of others, limit=%#x"
                            .formatted(status.bytes(), mapped, MAX_MAPPED_BYTES));
        }
    }

    private static FileStatus statusOf(FilePart mapping) {
        try {
            return FileStatus.of(mapping.descriptor());
        } catch (LinuxException e) {
            throw new FileSpaceException("descriptor=" + mapping.descriptor(), e);
        }
    }

    /// Index of the first range that ends at an address or after it: the one that contains it, if
    /// any does.
    private int firstEndingAtOrAfter(long address) {
        return firstEndingAtOrAfter(address, 0, count);
    }

    /// The same, of the ranges `[from, to)`.
    private int firstEndingAtOrAfter(long address, int from, int to) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = low + high >>> 1;
            if (Long.compareUnsigned(ranges[middle].last, address) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Inserts ranges that are sorted and overlap nothing: from the last one on, so that each range
    /// behind them moves once.
    private void insert(Range[] run, int length) {
        makeRoom(length);
        int end = count;
        for (int i = length - 1; i >= 0; i--) {
            int at = firstEndingAtOrAfter(run[i].first, 0, end);
            System.arraycopy(ranges, at, ranges, at + i + 1, end - at);
            ranges[at + i] = run[i];
            end = at;
        }
        count += length;
    }

    /// Puts `kept` in the place of ranges `[from, to)`.
    private void replace(int from, int to, Range[] kept, int keep) {
        for (int i = 0; i < keep; i++) {
            kept[i].file.retain();
        }
        for (int i = from; i < to; i++) {
            release(ranges[i]);
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
