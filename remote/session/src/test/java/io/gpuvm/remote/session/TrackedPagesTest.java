package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import io.gpuvm.pv.protocol.HandleCommand;
import io.gpuvm.pv.protocol.MapCommand;
import io.gpuvm.pv.protocol.MapListCommand;
import io.gpuvm.pv.protocol.MapPiece;
import io.gpuvm.pv.protocol.MapStridedCommand;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.StatisticsCommand;
import io.gpuvm.pv.protocol.UnmapCommand;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the pages that are tracked after sequences of commands.
class TrackedPagesTest {
    private static final long PAGE = TrackedPages.PAGE;
    private static final int PAGES = 64;
    private static final int ADDRESSES = 96;
    private static final int SPACES = 3;
    private static final int VRAM = 17;

    private final MemorySegment data = Arena.ofAuto().allocate(PAGES * PAGE, PAGE);
    private final MemorySegment entry = Arena.ofAuto().allocate(RingEntry.BYTES, Long.BYTES);
    private final AreaTwin twin = new AreaTwin(data);
    private final DeclaredFences fences = new DeclaredFences();
    private final TrackedPages pages = new TrackedPages(data, fences, entry, 1 << 20);
    private long correlation;

    @AfterEach
    void close() {
        twin.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void givenCommands_whenFollowed_thenExactlyMappedPagesAreTracked(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        // Pages by address, for each space.
        Map<Long, Integer> mapped = new HashMap<>();
        for (int step = 0; step < 3000; step++) {
            int space = 1 + random.nextInt(SPACES);
            int first = random.nextInt(ADDRESSES);
            int count = 1 + random.nextInt(Math.min(12, ADDRESSES - first));
            int page = random.nextInt(PAGES - count + 1);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    if (isFree(mapped, space, first, count)) {
                        boolean isVram = random.nextInt(4) == 0;
                        map(space, first, isVram ? VRAM : Handle.DATA_AREA, page, count);
                        for (int i = 0; i < count && !isVram; i++) {
                            mapped.put(key(space, first + i), page + i);
                        }
                    }
                }
                case 3 -> {
                    int pieces = 1 + random.nextInt(count);
                    int stride = random.nextInt((PAGES - 1) / pieces + 1);
                    int start = random.nextInt(PAGES - (pieces - 1) * stride);
                    if (isFree(mapped, space, first, pieces)) {
                        mapStrided(space, first, start, stride, pieces);
                        for (int i = 0; i < pieces; i++) {
                            mapped.put(key(space, first + i), start + i * stride);
                        }
                    }
                }
                case 4, 5, 6 -> {
                    unmap(space, first, count);
                    boolean hasFailed = random.nextInt(5) == 0;
                    complete(
                            hasFailed ? CommandStatus.QUOTA_PAGES : CommandStatus.OK,
                            hasFailed ? PAGE : count * PAGE);
                    for (int i = 0; i < count && !hasFailed; i++) {
                        mapped.remove(key(space, first + i));
                    }
                }
                default -> {
                    if (random.nextInt(10) == 0) {
                        destroy(space);
                        boolean isBusy = random.nextBoolean();
                        complete(isBusy ? CommandStatus.BUSY : CommandStatus.OK, 0);
                        if (!isBusy) {
                            mapped.keySet().removeIf(key -> key / ADDRESSES == space);
                        }
                    }
                }
            }
            assertTracked(new TreeSet<>(mapped.values()), "step " + step);
        }
        assertFalse(pages.isAllForGood());
    }

    @Test
    void givenList_whenMapped_thenItsPiecesAndItselfAreTracked() {
        MapPiece.put(data, 5 * PAGE, Handle.DATA_AREA, 9 * PAGE, 2 * PAGE);
        MapPiece.put(data, 5 * PAGE + MapPiece.BYTES, VRAM, 30 * PAGE, PAGE);
        MapPiece.put(data, 5 * PAGE + 2 * MapPiece.BYTES, Handle.DATA_AREA, 20 * PAGE, PAGE);
        mapList(3);
        assertTracked(new TreeSet<>(List.of(5, 9, 10, 20)), "mapped");

        unmap(1, 3, 1);
        complete(CommandStatus.OK, PAGE);

        assertTracked(new TreeSet<>(List.of(5, 9, 10)), "unmapped");
    }

    @Test
    void givenUnmap_whenNotCompleted_thenPagesRemainTracked() {
        map(1, 0, Handle.DATA_AREA, 3, 1);
        unmap(1, 0, 1);
        assertTrue(pages.isTracked(3));
        // Another command with the same number.
        complete(CommandStatus.OK, 0);
        assertTrue(pages.isTracked(3));
        complete(CommandStatus.OK, PAGE);
        assertFalse(pages.isTracked(3));
    }

    @Test
    void givenMappedAddress_whenMappedAgain_thenAllPagesEverMappedAreTrackedForGood() {
        map(1, 0, Handle.DATA_AREA, 3, 1);
        unmap(1, 0, 1);
        complete(CommandStatus.OK, PAGE);
        map(1, 8, Handle.DATA_AREA, 4, 2);
        map(1, 9, Handle.DATA_AREA, 8, 1);
        assertTrue(pages.isAllForGood());
        unmap(1, 0, ADDRESSES);
        complete(CommandStatus.OK, ADDRESSES * PAGE);
        assertTracked(new TreeSet<>(List.of(3, 4, 5, 8)), "for good");
    }

    @Test
    void givenQuietUnmap_whenFollowed_thenPagesRemainTracked() {
        map(1, 0, Handle.DATA_AREA, 3, 1);
        new UnmapCommand().wrap(entry, 0).space(1).gpuVa(0).bytes(PAGE);
        follow(CommandOpcode.UNMAP, CommandEntry.QUIET);
        complete(CommandStatus.OK, PAGE);
        assertTrue(pages.isTracked(3));
    }

    @Test
    void givenMoreMappedPagesThanQuota_whenFollowed_thenMemoryIsBounded() {
        TrackedPages few = new TrackedPages(data, fences, entry, 1);
        MapCommand map = new MapCommand().wrap(entry, 0).space(1).memory(Handle.DATA_AREA);
        map.offset(0).bytes(32 * PAGE).gpuVa(0);
        few.follow(CommandOpcode.MAP);
        assertFalse(few.isAllForGood());
        map.offset(40 * PAGE).bytes(PAGE).gpuVa(PAGES * PAGE);
        few.follow(CommandOpcode.MAP);
        assertTrue(few.isAllForGood());
        assertTrue(few.isTracked(0) && few.isTracked(40));
    }

    @Test
    void givenStatistics_whenFollowed_thenTheirPagesAreTrackedForGood() {
        new StatisticsCommand().wrap(entry, 0).offset(2 * PAGE - 8).bytes(16);
        follow(CommandOpcode.STATISTICS, 0);
        assertTracked(new TreeSet<>(List.of(1, 2)), "statistics");
    }

    @Test
    void givenInvalidCommands_whenFollowed_thenTheyHaveNoEffect() {
        long[] bad = {Long.MIN_VALUE, -PAGE, -1, 1, Long.MAX_VALUE, Long.MAX_VALUE & -PAGE};
        for (long number : bad) {
            command(number, 0, PAGE);
            command(0, number, PAGE);
            command(0, 0, number);
            new StatisticsCommand().wrap(entry, 0).offset(number < 2 ? -1 : number).bytes(-1);
            follow(CommandOpcode.STATISTICS, 0);
            MapListCommand list = new MapListCommand().wrap(entry, 0).space(1);
            list.list(number).gpuVa(0).count(-1);
            follow(CommandOpcode.MAP_LIST, 0);
        }
        assertTracked(new TreeSet<>(), "nothing");
    }

    @Test
    void givenFence_whenLastMappingOfItsPageEnds_thenDeclarationEnds() {
        map(1, 0, Handle.DATA_AREA, 3, 1);
        map(1, 8, Handle.DATA_AREA, 3, 1);
        fences.declare(twin, 3 * PAGE + 8);
        fences.declare(twin, 4 * PAGE);
        unmap(1, 0, 1);
        complete(CommandStatus.OK, PAGE);
        assertEquals(2, fences.count());
        unmap(1, 8, 1);
        complete(CommandStatus.OK, PAGE);
        assertEquals(1, fences.count());
        assertEquals(4 * PAGE, fences.next(0));
    }

    private void command(long gpuVa, long offset, long bytes) {
        MapCommand map = new MapCommand().wrap(entry, 0).space(1).memory(Handle.DATA_AREA);
        map.gpuVa(gpuVa).offset(offset).bytes(bytes);
        follow(CommandOpcode.MAP, 0);
        MapStridedCommand strided = new MapStridedCommand().wrap(entry, 0).space(1);
        strided.memory(Handle.DATA_AREA).gpuVa(gpuVa).offset(offset).stride(bytes);
        strided.pieceBytes(gpuVa == 0 && offset == 0 ? 1 : (int) PAGE).count(-1);
        follow(CommandOpcode.MAP_STRIDED, 0);
        new UnmapCommand().wrap(entry, 0).space(1).gpuVa(gpuVa).bytes(bytes);
        follow(CommandOpcode.UNMAP, 0);
    }

    private void map(int space, int address, int memory, int page, int count) {
        new MapCommand()
                .wrap(entry, 0)
                .space(space)
                .memory(memory)
                .gpuVa(address * PAGE)
                .offset(page * PAGE)
                .bytes(count * PAGE);
        follow(CommandOpcode.MAP, 0);
    }

    private void mapStrided(int space, int address, int page, int stride, int count) {
        new MapStridedCommand()
                .wrap(entry, 0)
                .space(space)
                .memory(Handle.DATA_AREA)
                .gpuVa(address * PAGE)
                .offset(page * PAGE)
                .stride(stride * PAGE)
                .pieceBytes((int) PAGE)
                .count(count);
        follow(CommandOpcode.MAP_STRIDED, 0);
    }

    private void mapList(int count) {
        MapListCommand list = new MapListCommand().wrap(entry, 0).space(1);
        list.list(5 * PAGE).gpuVa(0).count(count);
        follow(CommandOpcode.MAP_LIST, 0);
    }

    private void unmap(int space, int address, int count) {
        UnmapCommand unmap = new UnmapCommand().wrap(entry, 0).space(space);
        unmap.gpuVa(address * PAGE).bytes(count * PAGE);
        follow(CommandOpcode.UNMAP, 0);
    }

    private void destroy(int space) {
        new HandleCommand().wrap(entry, 0).handle(space);
        follow(CommandOpcode.SPACE_DESTROY, 0);
    }

    private void follow(CommandOpcode opcode, int flags) {
        correlation++;
        entry.set(WireType.U32, RingEntry.TAG, CommandEntry.tag(opcode, flags));
        entry.set(WireType.U64, RingEntry.CORRELATION, correlation);
        pages.follow(opcode);
    }

    /// Completes the last command.
    private void complete(CommandStatus status, long done) {
        pages.onCompletion(correlation, status.code(), done);
    }

    private static boolean isFree(Map<Long, Integer> mapped, int space, int first, int count) {
        for (int i = first; i < first + count; i++) {
            if (mapped.containsKey(key(space, i))) {
                return false;
            }
        }
        return true;
    }

    private static long key(int space, int address) {
        return (long) space * ADDRESSES + address;
    }

    private void assertTracked(TreeSet<Integer> expected, String when) {
        TreeSet<Integer> tracked = new TreeSet<>();
        for (int page = pages.next(0); page >= 0; page = pages.next(page + 1)) {
            tracked.add(page);
        }
        assertEquals(expected, tracked, when);
    }
}
