package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Shadow address spaces of one virtual machine.
///
/// No content of guest memory causes a method to throw: an entry that cannot be shadowed becomes
/// not present. Confined to the virtual machine's thread.
public final class ShadowSpaces implements AutoCloseable {
    /// Limit on the memory for copies of exposed pages: the sum of the sizes of BAR3 and the window
    /// in BAR0, which is more than the tables of ordinary drivers need. Pages beyond the limit are
    /// read completely at each flush.
    private static final long KEPT_BYTES = 65L << 20;

    private final ShadowSetup setup;
    private final ShadowParts parts;
    private final List<ShadowSpace> spaces = new ArrayList<>();
    private final List<ShadowBar> bars = new ArrayList<>();
    private TableGeometry geometry;

    public ShadowSpaces(ShadowSetup setup) {
        this(setup, KEPT_BYTES);
    }

    /// @param keptBytes limit on the memory for copies of guest pages
    ShadowSpaces(ShadowSetup setup, long keptBytes) {
        this.setup = setup;
        parts = new ShadowParts(setup, keptBytes);
        geometry = setup.guestMmu().geometry();
    }

    /// Returns the shadow of a guest's page directory. All callers share the shadow, until the last
    /// of them has released it.
    ///
    /// @param target memory that contains the guest's directory
    /// @param guestDirectory address of the directory in guest VRAM, or its guest-physical address
    /// @param limit highest address that the user may access, unsigned; the directory need not be
    ///   longer than this address requires
    /// @return null if the arena has no space for a directory
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

    /// Extends the addresses that a user of a space may access.
    void extend(ShadowSpace space, long limit) {
        if (space.extendTo(cut(limit))) {
            readNowOrLater(space);
        }
    }

    /// Returns a limit, reduced to the highest address that exists.
    private static long cut(long limit) {
        return Long.compareUnsigned(limit, TableGeometry.VA_MASK) > 0
                ? TableGeometry.VA_MASK
                : limit;
    }

    /// Releases a space from [#acquire], after hardware has released it.
    public void release(ShadowSpace space) {
        if (space.release()) {
            long startNs = parts.nowNs();
            spaces.remove(space);
            space.close();
            parts.countTime(startNs);
        }
    }

    /// Starts to compare a page of VRAM that the guest can write without traps. The page is
    /// compared with a copy at each flush if a shadow was derived from its content; a channel's
    /// instance block is also compared at each activation of the channel. Must be called once,
    /// before the page becomes visible.
    ///
    /// @param guestVram start of the 4 KiB page
    public void expose(long guestVram) {
        parts.tracked.expose(guestVram);
    }

    /// Compares a page for the last time. Afterwards, [#onVramWrite] again reports every write to
    /// the page. Must be called after the page has become invisible.
    ///
    /// @param guestVram start of the 4 KiB page
    public void conceal(long guestVram) {
        parts.tracked.conceal(guestVram);
    }

    /// Marks a trapped write to guest VRAM if a shadow was derived from the memory that is written,
    /// such as a table or a bound instance block. Must be called for every trapped write. Allocates
    /// no memory, does not read guest memory, and has a low cost for all other pages.
    ///
    /// @param guestVram offset in the guest's VRAM
    /// @param width length in bytes, 1 to 8
    public void onVramWrite(long guestVram, int width) {
        parts.tracked.onWrite(guestVram, width);
    }

    /// Handles a TLB flush that the guest has requested. Does all work that the strategy does not
    /// defer.
    ///
    /// @param vspaceWord directory to flush ([Pffb#VM_TLB_FLUSH_VSPACE])
    /// @param triggerWord scope of the flush ([Pffb#VM_TLB_FLUSH_TRIGGER])
    /// @return whether the GPU's translations must be flushed; see [#forEachToFlush]
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

    /// Prepares the activation of a channel of a space. Does the work that the strategy has
    /// deferred.
    ///
    /// @return whether the GPU's translations must be flushed; see [#forEachToFlush]
    public boolean prepare(ShadowSpace space) {
        followMarks();
        if (space.isStale()) {
            read(space);
        }
        return space.isToFlush();
    }

    /// Reports, once each, the shadow directories whose translations hardware must drop before any
    /// other work runs.
    ///
    /// @param action receives bus addresses, usually [io.gpuvm.port.GpuRequests#flush]
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

    /// Called when the guest may have chosen another size of big pages ([Pffb#VM_CFG]), which
    /// changes the meaning of its tables.
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

    /// Releases the memory for copies of guest pages. No other method may be called afterwards.
    @Override
    public void close() {
        parts.kept.close();
    }

    ShadowParts parts() {
        return parts;
    }

    /// Returns the layout of the guest's tables.
    TableGeometry geometry() {
        return geometry;
    }

    /// Adds the shadow of a BAR, which this object then updates.
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

    /// Reports the guest's writes to the users of tracked pages.
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
