package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.HandleCommand;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.MapStridedCommand;
import io.gpuvm.pv.protocol.StatisticsCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/// Pages of a data area that the GPU or the backend may access, according to the commands that a
/// session passes on. These pages are compared with their twins; too many of them cost time only.
///
/// A page is tracked from the command that maps it to the successful completion of the command that
/// removes its last mapping. If the mappings cannot be represented, for instance because a program
/// maps an address again before an UNMAP has completed, all pages that have ever been mapped are
/// tracked from then on (*for good*).
///
/// Commands are not trusted: invalid ones, which the backend refuses, have no effect.
final class TrackedPages {
    /// Length of a page in bytes.
    static final long PAGE = 1 << 12;

    /// Maximum number of unanswered commands that remove mappings; later ones remove no page.
    static final int MOST_REMOVALS = 256;

    private static final long SPACE_BYTES = 1L << 40;

    /// Number of small pages of a big page, which counts as one page towards a quota.
    private static final long SMALL_PAGES = 32;

    /// Maximum number of pieces of a list that are read, because the backend may refuse a long list
    /// at its first piece. A longer list makes all pages tracked.
    private static final long MOST_READ_PIECES = 1 << 16;

    private final MemorySegment data;
    private final DeclaredFences fences;
    private final long mostMapped;
    private final MapCommand map;
    private final MapStridedCommand mapStrided;
    private final MapListCommand mapList;
    private final UnmapCommand unmap;
    private final HandleCommand handle;
    private final StatisticsCommand statistics;
    private final MappedPieces pieces = new MappedPieces();
    private final MappedPieces.Removed removed = this::onRemoved;

    /// Number of mappings of each page.
    private final int[] mappings;

    private final BitSet tracked;
    private final BitSet forGood;

    /// Pages that have ever been mapped.
    private final BitSet everMapped;

    /// Number of pages of all pieces.
    private long mapped;

    private boolean isAllForGood;

    // Unanswered commands that remove mappings, in their order.
    private final long[] correlations = new long[MOST_REMOVALS];
    private final int[] spaces = new int[MOST_REMOVALS];
    private final long[] starts = new long[MOST_REMOVALS];
    private final long[] ends = new long[MOST_REMOVALS];
    private final long[] doneBytes = new long[MOST_REMOVALS];
    private int removals;

    /// @param entry memory that contains each command at offset 0
    /// @param mappedPages quota of mapped pages of either size
    TrackedPages(MemorySegment data, DeclaredFences fences, MemorySegment entry, long mappedPages) {
        this.data = data;
        this.fences = fences;
        mostMapped = Math.clamp(mappedPages, 0, SPACE_BYTES) * SMALL_PAGES;
        map = new MapCommand().wrap(entry, 0);
        mapStrided = new MapStridedCommand().wrap(entry, 0);
        mapList = new MapListCommand().wrap(entry, 0);
        unmap = new UnmapCommand().wrap(entry, 0);
        handle = new HandleCommand().wrap(entry, 0);
        statistics = new StatisticsCommand().wrap(entry, 0);
        int pages = Math.toIntExact(data.byteSize() / PAGE);
        mappings = new int[pages];
        tracked = new BitSet(pages);
        forGood = new BitSet(pages);
        everMapped = new BitSet(pages);
    }

    /// Returns the first tracked page from a page on; -1 if there is none.
    int next(int page) {
        return tracked.nextSetBit(page);
    }

    /// Returns the first page from a page on that is not tracked.
    int nextUntracked(int page) {
        return tracked.nextClearBit(page);
    }

    boolean isTracked(int page) {
        return tracked.get(page);
    }

    /// Returns whether all pages that are ever mapped are tracked for good.
    boolean isAllForGood() {
        return isAllForGood;
    }

    /// Follows the current command, which is passed on to the backend.
    void follow(CommandOpcode opcode) {
        switch (opcode) {
            case MAP -> followMap();
            case MAP_STRIDED -> followStrided();
            case MAP_LIST -> followList();
            case UNMAP -> followUnmap();
            case SPACE_DESTROY -> removeLater(handle.handle(), 0, SPACE_BYTES, 0);
            case STATISTICS ->
                    trackForGood(statistics.offset(), Integer.toUnsignedLong(statistics.bytes()));
            default -> {
                // The command neither maps nor names a part of the data area.
            }
        }
    }

    /// Tracks the pages of a range for good, unless it exceeds the data area.
    void trackForGood(long offset, long bytes) {
        if (offset >= 0 && bytes > 0 && bytes <= data.byteSize() - offset) {
            int first = (int) (offset / PAGE);
            int after = (int) ((offset + bytes + PAGE - 1) / PAGE);
            forGood.set(first, after);
            tracked.set(first, after);
        }
    }

    /// Follows a completion, after all changes that precede it have been sent or received. Programs
    /// give unanswered commands different correlations.
    ///
    /// @param done number of bytes in the completion, which tells commands with the same
    ///   correlation apart in most cases
    void onCompletion(long correlation, int status, long done) {
        for (int i = 0; i < removals; i++) {
            if (correlations[i] == correlation) {
                boolean isOk = status == CommandStatus.OK.code();
                if (isOk && done != doneBytes[i]) {
                    continue;
                }
                if (isOk || status == CommandStatus.NOT_MAPPED.code()) {
                    remove(spaces[i], starts[i], ends[i]);
                }
                drop(i);
                return;
            }
        }
    }

    private void remove(int space, long start, long end) {
        if (!isAllForGood && !pieces.remove(space, start, end, removed)) {
            keepAll();
        }
    }

    private void followMap() {
        if (map.memory() == Handle.DATA_AREA) {
            add(map.space(), map.gpuVa(), map.offset(), map.bytes());
        }
    }

    private void followStrided() {
        long count = Integer.toUnsignedLong(mapStrided.count());
        long bytes = Integer.toUnsignedLong(mapStrided.pieceBytes());
        long stride = mapStrided.stride();
        long offset = mapStrided.offset();
        boolean isValid =
                mapStrided.memory() == Handle.DATA_AREA
                        && count > 0
                        && isRange(offset, bytes, data.byteSize())
                        && stride >= 0
                        && stride % PAGE == 0
                        && count <= SPACE_BYTES / bytes
                        && (count == 1
                                || stride <= (data.byteSize() - bytes - offset) / (count - 1));
        if (!isValid) {
            return;
        }
        long gpuVa = mapStrided.gpuVa();
        for (long i = 0; i < count && !isAllForGood; i++) {
            add(mapStrided.space(), gpuVa + i * bytes, offset + i * stride, bytes);
        }
        if (isAllForGood) {
            keep(offset, (count - 1) * stride + bytes);
        }
    }

    private void followList() {
        long count = Integer.toUnsignedLong(mapList.count());
        long list = mapList.list();
        long listBytes = count * MapPiece.BYTES;
        boolean isValid =
                count > 0
                        && list >= 0
                        && list % Long.BYTES == 0
                        && listBytes <= data.byteSize()
                        && list <= data.byteSize() - listBytes;
        if (!isValid) {
            return;
        }
        trackForGood(list, listBytes);
        long gpuVa = mapList.gpuVa();
        for (long i = 0; i < count; i++) {
            if (i == MOST_READ_PIECES) {
                trackForGood(0, data.byteSize());
                return;
            }
            long at = list + i * MapPiece.BYTES;
            long bytes = MapPiece.bytes(data, at);
            if (bytes <= 0 || bytes > SPACE_BYTES) {
                return;
            }
            if (MapPiece.memory(data, at) == Handle.DATA_AREA) {
                add(mapList.space(), gpuVa, MapPiece.offset(data, at), bytes);
            }
            gpuVa += bytes;
        }
    }

    private void followUnmap() {
        if (isRange(unmap.gpuVa(), unmap.bytes(), SPACE_BYTES)) {
            removeLater(unmap.space(), unmap.gpuVa(), unmap.gpuVa() + unmap.bytes(), unmap.bytes());
        }
    }

    /// Adds a mapping of a part of the data area, if it is valid.
    private void add(int space, long gpuVa, long offset, long bytes) {
        if (!isRange(offset, bytes, data.byteSize()) || !isRange(gpuVa, bytes, SPACE_BYTES)) {
            return;
        }
        long pages = bytes / PAGE;
        if (!isAllForGood
                && (pages > mostMapped - mapped || !pieces.add(space, gpuVa, bytes, offset))) {
            keepAll();
        }
        if (isAllForGood) {
            keep(offset, bytes);
            return;
        }
        mapped += pages;
        int first = (int) (offset / PAGE);
        int after = (int) (first + pages);
        for (int page = first; page < after; page++) {
            mappings[page]++;
        }
        everMapped.set(first, after);
        tracked.set(first, after);
    }

    /// Called if a mapping of a part of the data area has ended.
    private void onRemoved(long offset, long bytes) {
        mapped -= bytes / PAGE;
        for (long at = offset; at < offset + bytes; at += PAGE) {
            int page = (int) (at / PAGE);
            mappings[page]--;
            if (mappings[page] == 0) {
                fences.remove(at, at + PAGE);
                tracked.set(page, forGood.get(page));
            }
        }
    }

    /// Begins to track all pages for good that have ever been mapped, or will be.
    private void keepAll() {
        isAllForGood = true;
        pieces.clear();
        tracked.or(everMapped);
    }

    private void keep(long offset, long bytes) {
        tracked.set((int) (offset / PAGE), (int) ((offset + bytes) / PAGE));
    }

    /// Removes mappings when the current command has completed. A command without completion
    /// removes none.
    private void removeLater(int space, long start, long end, long done) {
        if (!unmap.isQuiet() && removals < MOST_REMOVALS) {
            correlations[removals] = unmap.correlation();
            spaces[removals] = space;
            starts[removals] = start;
            ends[removals] = end;
            doneBytes[removals] = done;
            removals++;
        }
    }

    private void drop(int i) {
        int after = removals - i - 1;
        System.arraycopy(correlations, i + 1, correlations, i, after);
        System.arraycopy(spaces, i + 1, spaces, i, after);
        System.arraycopy(starts, i + 1, starts, i, after);
        System.arraycopy(ends, i + 1, ends, i, after);
        System.arraycopy(doneBytes, i + 1, doneBytes, i, after);
        removals--;
    }

    private static boolean isRange(long start, long bytes, long limit) {
        return start >= 0
                && bytes > 0
                && (start | bytes) % PAGE == 0
                && bytes <= limit
                && start <= limit - bytes;
    }
}
