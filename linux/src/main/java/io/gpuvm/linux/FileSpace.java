package io.gpuvm.linux;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// Address space composed of parts of files: the memory that a device may access, by bus address.
///
/// A file is mapped once, regardless of the number of ranges that show it, so a guest that maps its
/// memory page by page costs one array element per page. Several threads may look up addresses
/// concurrently; the caller must ensure that no other method runs during a change.
public final class FileSpace implements AutoCloseable {
    private static final long PAGE_BYTES = 4096;
    private static final int NO_DESCRIPTOR = -1;

    /// Maximum number of ranges; larger than the sum of the limits of all guests that share a
    /// device, so that no guest can exhaust the space for another.
    private static final int MAX_RANGES = 1 << 20;

    /// Addresses `[first, last]`, unsigned. The last address is inclusive, so that a range can end
    /// at the end of the address space.
    private record Range(long first, long last, MappedFile file, long offset, boolean writable) {
        boolean contains(long address) {
            return Long.compareUnsigned(address, first) >= 0
                    && Long.compareUnsigned(address, last) <= 0;
        }

        Range part(long partFirst, long partLast) {
            return new Range(partFirst, partLast, file, offset + (partFirst - first), writable);
        }
    }

    /// Addresses to remove, `[address, address + bytes)`.
    ///
    /// @param address start, unsigned
    /// @param bytes length, unsigned; the end may be 2^64
    public record Extent(long address, long bytes) {}

    /// Receiver of the parts that cannot be added.
    @FunctionalInterface
    public interface RefusedParts {
        /// Called for each part that is not added.
        ///
        /// @param index index of the part in the list
        void onRefused(int index, FileSpaceException why);
    }

    private final MappedFiles files = new MappedFiles();

    /// Ranges in order of address; the first [#count] elements are in use.
    private Range[] ranges = new Range[64];

    private int count;

    /// Adds a range. Adding the same range again has no effect.
    ///
    /// @throws FileSpaceException if the file is not a [MemoryFile] or ends before the end of the
    ///   mapping, if the range overlaps a different range, if there are too many ranges, or if the
    ///   kernel refuses to map the file
    public void map(FilePart mapping) {
        Range range = admit(mapping, statusOf(mapping), 0);
        if (range != null) {
            insert(new Range[] {range}, 1);
        }
    }

    /// Adds parts in order, except those that cannot be added. If the parts are sorted by address,
    /// each existing range moves at most once, regardless of the number of parts. The status of a
    /// file is queried once for consecutive parts of the file.
    ///
    /// @param refusals receives the parts that cannot be added
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
    /// @param waiting number of admitted ranges that are yet to be inserted
    /// @return range to insert; null if it already exists
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
        MappedFile file = files.retain(part, status);
        return new Range(first, last, file, part.offset(), part.writable());
    }

    /// Removes `[address, address + bytes)`, unsigned; the end may be 2^64, and the length may be
    /// 0. The part of a range that lies outside these addresses remains.
    public void unmap(long address, long bytes) {
        if (bytes == 0) {
            return;
        }
        long last = address + bytes - 1;
        if (Long.compareUnsigned(last, address) < 0) {
            throw new IllegalArgumentException(
                    "unmap address=%#x bytes=%#x, expected a range that ends at or below 2^64"
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

    /// Removes several extents. If the extents are sorted by address, each remaining range moves at
    /// most once, regardless of the number of extents.
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
                files.release(ranges[to++].file);
            }
            System.arraycopy(ranges, next, ranges, kept, from - next);
            kept += from - next;
            next = to;
        }
        keepRest(kept, next);
    }

    /// Returns whether the removal of an extent would leave a part of the first or the last range
    /// that the extent overlaps.
    private boolean splits(int from, long first, long last) {
        int behind = firstEndingAtOrAfter(last, from, count);
        return Long.compareUnsigned(last, first) < 0
                || from < count && Long.compareUnsigned(ranges[from].first, first) < 0
                || behind < count
                        && Long.compareUnsigned(ranges[behind].first, last) <= 0
                        && ranges[behind].last != last;
    }

    /// Moves the ranges with index `next` and above to index `to`, and truncates the list after the
    /// moved ranges.
    private void keepRest(int to, int next) {
        if (to == next) {
            return;
        }
        System.arraycopy(ranges, next, ranges, to, count - next);
        int newCount = to + count - next;
        Arrays.fill(ranges, newCount, count, null);
        count = newCount;
    }

    /// Finds the range that contains an address. Until the space changes, the range's number
    /// identifies it in the other methods, so a lookup allocates no object.
    ///
    /// @return number of the range, -1 if no range contains the address
    public int find(long address) {
        int at = firstEndingAtOrAfter(address);
        return at < count && ranges[at].contains(address) ? at : -1;
    }

    /// Returns the mapping of a range's file.
    public MemorySegment segment(int range) {
        return ranges[range].file.segment();
    }

    /// Returns the offset in [#segment] of an address in a range.
    public long offset(int range, long address) {
        return ranges[range].offset + address - ranges[range].first;
    }

    /// Returns the number of bytes from an address to the end of its range.
    public long bytesFrom(int range, long address) {
        return ranges[range].last - address + 1;
    }

    /// Returns whether a range is writable.
    public boolean isWritable(int range) {
        return ranges[range].writable;
    }

    /// Returns whether an access to a range may throw [InternalError], because another process can
    /// truncate the file, or because the file uses huge pages, which may be exhausted.
    public boolean isFragile(int range) {
        return ranges[range].file.isFragile();
    }

    /// Returns the number of ranges.
    public int ranges() {
        return count;
    }

    /// Returns the number of mapped files.
    public int files() {
        return files.size();
    }

    /// Removes all ranges.
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
                    "address=%#x bytes=%#x, expected a nonempty range that ends at or below 2^64"
                            .formatted(mapping.address(), mapping.bytes()));
        }
        return last;
    }

    private static void checkPage(String name, long value) {
        if (value % PAGE_BYTES != 0) {
            throw new FileSpaceException(
                    "%s=%#x, expected a multiple of %d".formatted(name, value, PAGE_BYTES));
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

    private static FileStatus statusOf(FilePart mapping) {
        try {
            return FileStatus.of(mapping.descriptor());
        } catch (LinuxException e) {
            throw new FileSpaceException(
                    "descriptor=" + mapping.descriptor() + ": file status cannot be read", e);
        }
    }

    /// Returns the index of the first range that ends at or after an address. If a range contains
    /// the address, it is this range.
    private int firstEndingAtOrAfter(long address) {
        return firstEndingAtOrAfter(address, 0, count);
    }

    /// Searches like [#firstEndingAtOrAfter(long)], but only among the ranges `[from, to)`.
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

    /// Inserts sorted ranges that overlap no other range. Begins with the last, so that each
    /// existing range moves at most once.
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

    /// Replaces the ranges `[from, to)` with `kept`.
    private void replace(int from, int to, Range[] kept, int keep) {
        for (int i = 0; i < keep; i++) {
            kept[i].file.retain();
        }
        for (int i = from; i < to; i++) {
            files.release(ranges[i].file);
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
