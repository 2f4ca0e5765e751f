package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// All shadow address spaces of one VM.
///
/// Nothing that guest memory holds makes a method here throw: what cannot be shadowed is not
/// present. Confined to the VM's thread.
public final class ShadowSpaces implements AutoCloseable {
    /// The most that copies of exposed pages may take: what BAR3 and the window in BAR0 can show,
    /// and more than tables of ordinary drivers do. Pages beyond that are read whole at each flush.
    private static final long KEPT_BYTES = 65L << 20;

    private final ShadowSetup setup;
    private final ShadowParts parts;
    private final List<ShadowSpace> spaces = new ArrayList<>();
    private final List<ShadowBar> bars = new ArrayList<>();
    private TableGeometry geometry;

    public ShadowSpaces(ShadowSetup setup) {
        this(setup, KEPT_BYTES);
    }

    /// @param keptBytes the most that copies of guest pages may take
    ShadowSpaces(ShadowSetup setup, long keptBytes) {
        this.setup = setup;
        parts = new ShadowParts(setup, keptBytes);
        geometry = setup.guestMmu().geometry();
    }

    /// The shadow of a whole page directory: see [#acquire(MemoryTarget, long, long)].
    public ShadowSpace acquire(MemoryTarget target, long guestDirectory) {
        return acquire(target, guestDirectory, TableGeometry.VA_MASK);
    }

    /// The shadow of a guest's page directory; the same one for all who ask, until the last of them
    /// has released it.
    ///
    /// @param target where the guest's directory lies
    /// @param guestDirectory its address there, in guest VRAM or guest-physical
    /// @param limit the last address that the user may name, unsigned; the directory need not be
    ///   longer than that takes
    /// @return null if the arena has no room for a directory
    public ShadowSpace acquire(MemoryTarget target, long guestDirectory, long limit) {
        ShadowSpace space = find(target, guestDirectory);
        if (space == null) {
            space = new ShadowSpace(parts, target, guestDirectory, cut(limit));
            if (!space.open()) {
                return null;
            }
            spaces.add(space);
            begin(space);
        } else {
            extend(space, limit);
        }
        space.retain();
        return space;
    }

    /// A user of a space may name addresses up to a limit now.
    void extend(ShadowSpace space, long limit) {
        if (space.extendTo(cut(limit))) {
            readNowOrLater(space);
        }
    }

    /// What no address can exceed is no limit.
    private static long cut(long limit) {
        return Long.compareUnsigned(limit, TableGeometry.VA_MASK) > 0
                ? TableGeometry.VA_MASK
                : limit;
    }

    /// Lets go of what [#acquire] gave, after hardware has.
    public void release(ShadowSpace space) {
        if (space.release()) {
            long startNs = parts.nowNs();
            spaces.remove(space);
            space.close();
            parts.countTime(startNs);
        }
    }

    /// From now on the guest may write a page of its VRAM unseen: what was read from there for a
    /// shadow is compared with a copy at each flush, and at each activation of a channel whose
    /// instance block it is. To be called before the page becomes visible. Once is enough.
    ///
    /// @param guestVram start of the page, which has 4 KiB
    public void expose(long guestVram) {
        parts.tracked.expose(guestVram);
    }

    /// From now on every write to a page is reported by [#onVramWrite] again. To be called after
    /// the page has gone: it is compared for the last time.
    ///
    /// @param guestVram start of the page, which has 4 KiB
    public void conceal(long guestVram) {
        parts.tracked.conceal(guestVram);
    }

    /// To be told of every trapped write that reached guest VRAM: what was read from there for a
    /// shadow, tables as well as bound instance blocks, is marked. Neither allocates nor reads
    /// guest memory; cheap where nothing was read from.
    ///
    /// @param guestVram offset in the guest's VRAM
    /// @param width in bytes, 1 to 8
    public void onVramWrite(long guestVram, int width) {
        parts.tracked.onWrite(guestVram, width);
    }

    /// The guest asks for a TLB flush. Does now what the strategy does not leave for later.
    ///
    /// @param vspaceWord which directory ([Pffb#VM_TLB_FLUSH_VSPACE])
    /// @param triggerWord what to flush ([Pffb#VM_TLB_FLUSH_TRIGGER])
    /// @return whether hardware must be flushed: see [#forEachToFlush]
    public boolean flush(int vspaceWord, int triggerWord) {
        parts.counters.increment(ShadowCounter.FLUSHES);
        boolean all = Pffb.VM_TLB_FLUSH_ALL_DIRECTORIES.isSet(triggerWord);
        MemoryTarget target =
                MemoryTarget.ofPointer(Pffb.VM_TLB_FLUSH_VSPACE_TARGET.get(vspaceWord));
        long directory = Pffb.VM_TLB_FLUSH_VSPACE_ADDRESS.bytes(Integer.toUnsignedLong(vspaceWord));
        compareUnseen();
        followMarks();
        boolean toFlush = false;
        for (int i = 0; i < spaces.size(); i++) {
            ShadowSpace space = spaces.get(i);
            if (all || space.shadows(target, directory)) {
                flush(space);
            }
            toFlush |= space.isToFlush();
        }
        for (int i = 0; i < bars.size(); i++) {
            bars.get(i).flush(all, target, directory);
        }
        return toFlush;
    }

    /// A channel of a space is to be activated. Does what the strategy has left for now.
    ///
    /// @return whether hardware must be flushed: see [#forEachToFlush]
    public boolean prepare(ShadowSpace space) {
        followMarks();
        if (space.isStale()) {
            read(space);
        }
        return space.isToFlush();
    }

    /// Names the shadow directories whose translations hardware must drop before anything else
    /// runs, each once.
    ///
    /// @param action given bus addresses, usually [GpuRequests#flush]
    public void forEachToFlush(LongConsumer action) {
        for (int i = 0; i < spaces.size(); i++) {
            ShadowSpace space = spaces.get(i);
            if (space.isToFlush()) {
                space.flushed();
                parts.counters.increment(ShadowCounter.HARDWARE_FLUSHES);
                action.accept(space.directoryIova());
            }
        }
    }

    /// The guest may have chosen another size of big pages ([Pffb#VM_CFG]): its tables now mean
    /// something else.
    public void geometryChanged() {
        TableGeometry chosen = setup.guestMmu().geometry();
        if (chosen != geometry) {
            geometry = chosen;
            for (ShadowSpace space : spaces) {
                long startNs = parts.nowNs();
                space.unfollow();
                parts.countTime(startNs);
                begin(space);
            }
            bars.forEach(ShadowBar::geometryChanged);
        }
    }

    /// Gives back what copies of guest pages lie in. Nothing else may be called afterwards.
    @Override
    public void close() {
        parts.kept.close();
    }

    ShadowParts parts() {
        return parts;
    }

    /// How the guest lays out its tables.
    TableGeometry geometry() {
        return geometry;
    }

    /// Keeps the shadow of a BAR up to date, too.
    void add(ShadowBar bar) {
        bars.add(bar);
    }

    private void compareUnseen() {
        if (parts.tracked.hasUnseen()) {
            long startNs = parts.nowNs();
            parts.tracked.compareAll();
            parts.countTime(startNs);
        }
    }

    /// Tells users of tracked pages what the guest has written.
    void followMarks() {
        if (parts.tracked.isMarked()) {
            long startNs = parts.nowNs();
            int tables = parts.tracked.tellUsers();
            if (tables > 0) {
                parts.counters.add(ShadowCounter.TABLES_READ, tables);
                parts.countShadowing(startNs);
            }
        }
    }

    private ShadowSpace find(MemoryTarget target, long guestDirectory) {
        for (ShadowSpace space : spaces) {
            if (space.shadows(target, guestDirectory)) {
                return space;
            }
        }
        return null;
    }

    private void begin(ShadowSpace space) {
        space.follow(geometry);
        readNowOrLater(space);
    }

    private void readNowOrLater(ShadowSpace space) {
        if (setup.strategy() == ShadowStrategy.LAZY) {
            space.becomeStale();
        } else {
            read(space);
        }
    }

    private void flush(ShadowSpace space) {
        switch (setup.strategy()) {
            case NAIVE -> read(space);
            case LAZY -> space.becomeStale();
            case INCREMENTAL -> {
                if (!space.isTracked() || space.canComplete()) {
                    read(space);
                } else if (parts.unseenTables > 0) {
                    long startNs = parts.nowNs();
                    space.readUnseen();
                    parts.countShadowing(startNs);
                }
            }
        }
    }

    private void read(ShadowSpace space) {
        long startNs = parts.nowNs();
        space.readAll();
        parts.countShadowing(startNs);
    }
}
