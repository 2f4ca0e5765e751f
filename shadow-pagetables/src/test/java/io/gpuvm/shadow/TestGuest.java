package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.translation.PageWalk;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongPredicate;

/// Guest with little VRAM, little RAM, and shadows of its tables.
final class TestGuest implements AutoCloseable {
    static final long PAGE = 4096;
    static final long VRAM_BYTES = 1 << 20;
    static final long RAM_BYTES = 1 << 20;

    /// Start of guest RAM, after a hole at the start of the address space.
    static final long RAM_START = 1 << 17;

    static final VramShare VRAM_SHARE = new VramShare(512L << 20, VRAM_BYTES);
    static final IovaShare IOVA_SHARE = new IovaShare(3L << 32, RAM_START + RAM_BYTES);
    private static final long ARENA_IOVA = 1L << 39;
    private static final long INSTANCE_IOVA = 1L << 38;
    private static final long QUOTA = 64 << 20;

    final MemorySegment vram = allocate(VRAM_BYTES);
    final MemorySegment ram = allocate(RAM_BYTES);
    final Mmu mmu = new Mmu(new PhysicalMemory(vram, this::locateRam));
    private final List<Shadow> shadows = new ArrayList<>();
    private final BitSet exposed = new BitSet();
    private Runnable onClock = () -> {};
    private Runnable onRam = () -> {};
    private long clockNs;

    /// Shadows of one strategy, as hardware sees them.
    final class Shadow {
        final ShadowCounters counters = new ShadowCounters();
        final VmArena arena;
        final ShadowSpaces spaces;
        private final MemorySegment instance = allocate(InstanceBlock.BYTES);
        private final PageWalk walk =
                new PageWalk(new Mmu(new PhysicalMemory(allocate(PAGE), this::locate)));

        private Shadow(ShadowStrategy strategy, long quotaBytes, long keptBytes) {
            arena = new VmArena("gpuvm-test-" + strategy, ARENA_IOVA, quotaBytes);
            spaces =
                    new ShadowSpaces(
                            new ShadowSetup(
                                    "vm-test",
                                    mmu,
                                    VRAM_SHARE,
                                    IOVA_SHARE,
                                    arena,
                                    strategy,
                                    counters,
                                    TestGuest.this::tick),
                            keptBytes);
        }

        long count(ShadowCounter counter) {
            return counters.get(counter);
        }

        /// Acquires the shadow of a whole page directory.
        ShadowSpace acquire(MemoryTarget target, long directory) {
            return spaces.acquire(target, directory, TableGeometry.VA_MASK);
        }

        /// Flushes one directory, as the guest's driver does.
        boolean flush(MemoryTarget target, long directory) {
            int vspace =
                    (int) Pffb.VM_TLB_FLUSH_VSPACE_ADDRESS.ofBytes(directory)
                            | Pffb.VM_TLB_FLUSH_VSPACE_TARGET.of(target.pointerCode());
            return spaces.flush(vspace, Pffb.VM_TLB_FLUSH_ALL_PAGES.mask());
        }

        boolean flushAll() {
            return spaces.flush(0, Pffb.VM_TLB_FLUSH_ALL_DIRECTORIES.mask());
        }

        /// Walks the shadow of a directory as hardware does.
        PageWalk walk(ShadowSpace space) {
            new InstanceBlock()
                    .wrap(instance, 0)
                    .directory(space.target(), space.directoryIova())
                    .limit(TableGeometry.VA_MASK);
            walk.load(MemoryTarget.SYSTEM_COHERENT, INSTANCE_IOVA);
            return walk;
        }

        /// Returns the memory at a bus address of the arena.
        MemorySegment at(long iova, long bytes) {
            return arena.memory().asSlice(iova - ARENA_IOVA, bytes);
        }

        private boolean locate(long iova, HostSpan span) {
            if (iova == INSTANCE_IOVA) {
                span.found(instance, 0, instance.byteSize(), true, false);
                return true;
            }
            long offset = iova - ARENA_IOVA;
            if (offset < 0 || offset >= arena.quotaBytes()) {
                span.nothing();
                return false;
            }
            span.found(arena.memory(), offset, arena.quotaBytes() - offset, true, false);
            return true;
        }
    }

    Shadow shadow(ShadowStrategy strategy) {
        return shadow(strategy, QUOTA);
    }

    Shadow shadow(ShadowStrategy strategy, long quotaBytes) {
        return shadow(strategy, quotaBytes, VRAM_BYTES);
    }

    /// @param keptBytes limit on the memory for copies of exposed pages
    Shadow shadow(ShadowStrategy strategy, long quotaBytes, long keptBytes) {
        Shadow shadow = new Shadow(strategy, quotaBytes, keptBytes);
        shadows.add(shadow);
        return shadow;
    }

    /// Writes as the guest's processor does: writes to VRAM are trapped, except to exposed pages.
    void write(MemoryTarget target, long address, int width, long value) {
        boolean seen = !isExposed(address) || !isExposed(address + width - 1);
        if (target == MemoryTarget.VRAM && seen) {
            writeTrapped(address, width, value);
        } else {
            mmu.memory().write(target, address, width, value);
        }
    }

    /// Writes to VRAM through a path that is always trapped.
    void writeTrapped(long guestVram, int width, long value) {
        mmu.memory().write(MemoryTarget.VRAM, guestVram, width, value);
        for (Shadow shadow : shadows) {
            shadow.spaces.onVramWrite(guestVram, width);
        }
    }

    /// Exposes a page of VRAM to the guest as plain memory.
    void expose(long guestVram) {
        shadows.forEach(shadow -> shadow.spaces.expose(guestVram));
        exposed.set(pageOf(guestVram));
    }

    /// Conceals an exposed page.
    void conceal(long guestVram) {
        exposed.clear(pageOf(guestVram));
        shadows.forEach(shadow -> shadow.spaces.conceal(guestVram));
    }

    /// Exposes a page, or conceals it if it is exposed.
    void move(long guestVram) {
        if (isExposed(guestVram)) {
            conceal(guestVram);
        } else {
            expose(guestVram);
        }
    }

    /// Exposes or conceals all pages that a test selects, as [#move] does.
    void moveAll(LongPredicate which) {
        for (long page = 0; page < VRAM_BYTES; page += PAGE) {
            if (which.test(page)) {
                move(page);
            }
        }
    }

    boolean isExposed(long guestVram) {
        return exposed.get(pageOf(guestVram));
    }

    /// Sets an action that runs at each read of the clock, before and after shadowing.
    void onClock(Runnable action) {
        onClock = action;
    }

    /// Sets an action that runs before each read of the guest's RAM.
    void onRam(Runnable action) {
        onRam = action;
    }

    private long tick() {
        onClock.run();
        return clockNs += 10;
    }

    private static int pageOf(long guestVram) {
        return (int) (guestVram / PAGE);
    }

    void word(MemoryTarget target, long address, long value) {
        write(target, address, Long.BYTES, value);
    }

    /// Returns the word at an address, all ones if the address has no memory.
    long word(MemoryTarget target, long address) {
        return mmu.memory().read(target, address, Long.BYTES);
    }

    void clear() {
        vram.fill((byte) 0);
        ram.fill((byte) 0);
    }

    @Override
    public void close() {
        for (Shadow shadow : shadows) {
            shadow.spaces.close();
            shadow.arena.close();
        }
    }

    private boolean locateRam(long address, HostSpan span) {
        onRam.run();
        long offset = address - RAM_START;
        if (offset < 0 || offset >= RAM_BYTES) {
            span.nothing();
            return false;
        }
        span.found(ram, offset, RAM_BYTES - offset, true, false);
        return true;
    }

    private static MemorySegment allocate(long bytes) {
        return Arena.ofAuto().allocate(bytes, PAGE);
    }
}
