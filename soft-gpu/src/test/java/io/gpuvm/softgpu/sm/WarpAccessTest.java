package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Loads and stores of whole warps, with all patterns of addresses and all kinds of pages, compared
/// with lane-by-lane accesses.
class WarpAccessTest {
    private static final int LANES = 32;
    private static final int PAGE = (int) TestGpu.PAGE_BYTES;
    private static final int TRIALS = 2000;
    private static final long IOVA = 0x100_0000;

    /// Start of the pages, in the middle of which the upper words of addresses change.
    private static final long WIDE = 0x12_ffff_8000L;

    /// Start of the pages for addresses of one word, which overflow in an addition.
    private static final long NARROW = 0;

    private enum Kind {
        PLAIN,
        HOLE,
        READ_ONLY,
        FRAGILE,
        ABSENT
    }

    private static final Kind[] KINDS = {
        Kind.PLAIN, Kind.PLAIN, Kind.FRAGILE, Kind.PLAIN,
        Kind.HOLE, Kind.PLAIN, Kind.PLAIN, Kind.PLAIN,
        Kind.PLAIN, Kind.READ_ONLY, Kind.PLAIN, Kind.PLAIN,
        Kind.FRAGILE, Kind.FRAGILE, Kind.ABSENT, Kind.PLAIN,
    };

    private static final int BYTES = KINDS.length * PAGE;

    private final TestSm sm = new TestSm();
    private final long vram = sm.gpu.allocate(BYTES);
    private final MemFd file = sm.gpu.mapHost(IOVA, BYTES);
    private final MappedMemory host =
            MappedMemory.map(file.descriptor(), 0, BYTES, MappedMemory.Access.READ_WRITE);

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final RandomLanes lanes = new RandomLanes(random);

    /// Content of memory; all ones in holes.
    private final byte[] model = new byte[BYTES];

    @BeforeEach
    void map() {
        for (long start : new long[] {WIDE, NARROW}) {
            for (int n = 0; n < KINDS.length; n++) {
                long gpuVa = start + (long) n * PAGE;
                switch (KINDS[n]) {
                    case PLAIN -> sm.tables.mapVram(gpuVa, vram + home(n), PAGE);
                    case HOLE -> sm.tables.mapVram(gpuVa, TestGpu.VRAM_BYTES, PAGE);
                    case READ_ONLY ->
                            sm.tables.entry(
                                    PageSize.SMALL_4K,
                                    gpuVa,
                                    PageTableEntry.readOnly(
                                            PageTableEntry.of(MemoryTarget.VRAM, vram + home(n))));
                    case FRAGILE ->
                            sm.tables.map(
                                    gpuVa, MemoryTarget.SYSTEM_COHERENT, IOVA + home(n), PAGE);
                    case ABSENT -> {}
                }
            }
        }
        random.nextBytes(model);
        for (int n = 0; n < KINDS.length; n++) {
            for (int at = n * PAGE; KINDS[n] == Kind.HOLE && at < n * PAGE + PAGE; at++) {
                model[at] = -1;
            }
            restore(n);
        }
    }

    @AfterEach
    void close() {
        host.close();
        sm.close();
    }

    /// Returns the offset of a page in memory; adjacent pages are not always adjacent in memory.
    private static int home(int page) {
        return (page ^ page >> 2 & 1) * PAGE;
    }

    private MemorySegment memory(int page) {
        return KINDS[page] == Kind.FRAGILE
                ? host.segment().asSlice(home(page), PAGE)
                : sm.gpu.slice(vram + home(page), PAGE);
    }

    private void restore(int page) {
        if (KINDS[page] != Kind.HOLE && KINDS[page] != Kind.ABSENT) {
            MemorySegment.copy(model, page * PAGE, memory(page), ValueLayout.JAVA_BYTE, 0, PAGE);
        }
    }

    /// A single access.
    private record Access(
            boolean isStore, boolean isWide, MemorySize size, int mask, int added, int[] offsets) {
        long start() {
            return isWide ? WIDE : NARROW;
        }

        String source() {
            String suffix = (isWide ? ".E" : "") + (size == MemorySize.B32 ? "" : "." + name());
            String place = "[R2%s0x%x]".formatted(added < 0 ? "-" : "+", Math.abs(added));
            return isStore
                    ? "@P0 ST%s %s, R8\nEXIT".formatted(suffix, place)
                    : "@P0 LD%s R8, %s\nEXIT".formatted(suffix, place);
        }

        private String name() {
            return size.name().replace("B", "");
        }

        int words() {
            return Math.max(1, size.bytes() / Integer.BYTES);
        }

        boolean has(int lane) {
            return (mask >>> lane & 1) != 0;
        }

        /// Returns the first lane that faults, or [#LANES].
        int faultingLane() {
            for (int l = 0; l < LANES; l++) {
                Kind kind = KINDS[offsets[l] / PAGE];
                if (has(l) && (kind == Kind.ABSENT || isStore && kind == Kind.READ_ONLY)) {
                    return l;
                }
            }
            return LANES;
        }
    }

    @Test
    void givenAllPatternsOfAddresses_whenAccessed_thenResultEqualsLaneByLaneExecution() {
        for (int trial = 0; trial < TRIALS; trial++) {
            Access access = access();
            check(access, "seed=%d trial=%d %s".formatted(seed, trial, access));
        }
    }

    private Access access() {
        MemorySize size = MemorySize.of(random.nextInt(MemorySize.values().length));
        if (random.nextInt(3) == 0) {
            size = MemorySize.B32;
        }
        boolean isWide = random.nextInt(4) != 0;
        int added = (random.nextInt(0x400) - 0x200) * 16;
        return new Access(
                random.nextBoolean(), isWide, size, lanes.mask(), added, offsets(size.bytes()));
    }

    private int[] offsets(int bytes) {
        int[] offsets = lanes.addresses(bytes, BYTES, PAGE);
        if (random.nextInt(8) == 0) {
            offsets[random.nextInt(LANES)] = random.nextInt(BYTES) & -bytes;
        }
        return offsets;
    }

    private void check(Access access, String what) {
        int[][] before = new int[4][];
        int[] low = new int[LANES];
        int[] high = new int[LANES];
        sm.unset().setPredicate(0, access.mask());
        for (int k = 0; k < before.length; k++) {
            before[k] = random.ints(LANES).toArray();
            sm.set(8 + k, before[k]);
        }
        for (int l = 0; l < LANES; l++) {
            long address = access.start() + access.offsets()[l] - access.added();
            boolean isThere = access.has(l) || random.nextBoolean();
            low[l] = isThere ? (int) address : random.nextInt();
            high[l] = isThere && access.isWide() ? (int) (address >>> Integer.SIZE) : 0;
        }
        sm.set(2, low).set(3, high).code(access.source());
        int fault = access.faultingLane();
        if (fault < LANES) {
            SmTrap trap = sm.runToTrap();
            SmTrap.MemoryFault found = (SmTrap.MemoryFault) trap;
            assertEquals(access.start() + access.offsets()[fault], found.gpuVa(), what);
            assertEquals(access.isStore(), found.isWrite(), what);
            assertEquals(fault, trap.position().thread().x(), what);
        } else {
            sm.run();
        }
        if (access.isStore()) {
            checkStored(access, before, fault, what);
        } else if (fault == LANES) {
            checkLoaded(access, before, what);
        }
    }

    private void checkLoaded(Access access, int[][] before, String what) {
        for (int k = 0; k < access.words(); k++) {
            int[] found = sm.register(8 + k);
            for (int l = 0; l < LANES; l++) {
                int expected = access.has(l) ? loaded(access, l, k) : before[k][l];
                assertEquals(expected, found[l], what + " lane " + l);
            }
        }
    }

    private int loaded(Access access, int lane, int word) {
        int bytes = Math.min(Integer.BYTES, access.size().bytes());
        int value = 0;
        for (int b = bytes - 1; b >= 0; b--) {
            int at = access.offsets()[lane] + word * Integer.BYTES + b;
            boolean extends0 = b == bytes - 1 && access.size().signed();
            value = value << Byte.SIZE | (extends0 ? model[at] : model[at] & 0xff);
        }
        return value;
    }

    /// Checks the stored words; lanes above a faulting lane may or may not have stored.
    private void checkStored(Access access, int[][] data, int fault, String what) {
        byte[] above = model.clone();
        List<Integer> pages = new ArrayList<>();
        for (int l = 0; l < LANES; l++) {
            int offset = access.offsets()[l];
            Kind kind = KINDS[offset / PAGE];
            if (!access.has(l) || kind == Kind.HOLE || kind == Kind.ABSENT) {
                continue;
            }
            pages.add(offset / PAGE);
            for (int b = 0; b < access.size().bytes() && kind != Kind.READ_ONLY; b++) {
                byte value = (byte) (data[b / 4][l] >>> b % 4 * Byte.SIZE);
                above[offset + b] = value;
                if (l < fault) {
                    model[offset + b] = value;
                }
            }
        }
        for (int page : pages.stream().distinct().toList()) {
            MemorySegment memory = memory(page);
            for (int at = 0; at < PAGE; at++) {
                byte found = memory.get(ValueLayout.JAVA_BYTE, at);
                int place = page * PAGE + at;
                if (found != model[place]) {
                    assertTrue(fault < LANES && found == above[place], what + " at " + place);
                    model[place] = found;
                }
            }
        }
    }
}
