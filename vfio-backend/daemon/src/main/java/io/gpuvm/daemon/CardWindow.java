package io.gpuvm.daemon;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.Objects;

/// A window that is a slice of a card's BAR3.
///
/// Only for a VMM that is trusted: the descriptor is the card's own, with which whoever receives it
/// can do with the card whatever the kernel lets its owner do. For the guest in that machine it is
/// like any other window, because page tables that are not the guest's decide what the slice shows.
///
/// Unlike other windows, one page of VRAM may be seen through several pages. Pages that show
/// nothing all show one page of host memory, the blank: a guest that touched a page without a
/// translation would cause a fault, which is an interrupt for the GPU's owner.
///
/// Entries are kept until [#flush()], which first waits for the guest's writes that are under way:
/// the GPU may look at an entry as soon as it is set.
final class CardWindow implements SharedWindow {
    private final BarSlice slice;
    private final Exported exported;
    private final MappedMemory mapping;
    private final RegisterPort registers;
    private final MemorySegment blank;
    private final long blankEntry;
    private final long[] entries;
    private final BitSet changed = new BitSet();

    private CardWindow(
            BarSlice slice,
            Exported exported,
            MappedMemory mapping,
            RegisterPort registers,
            MemorySegment blank,
            long blankIova) {
        this.slice = slice;
        this.exported = exported;
        this.mapping = mapping;
        this.registers = registers;
        this.blank = blank;
        blankEntry = PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, blankIova);
        entries = new long[Math.toIntExact(slice.bytes() / PageSize.SMALL_4K.bytes())];
        setBlank();
        flush();
    }

    /// Takes a piece of BAR3; it shows nothing. Owner.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @param blank what pages show that show nothing: 4 KiB of host memory, of no other use
    /// @param blankIova where the GPU sees that
    /// @throws GpuDeviceException if BAR3 has no such piece left, or none that can be mapped
    static CardWindow open(PhysicalGpu gpu, long bytes, MemorySegment blank, long blankIova) {
        BarSlice slice = gpu.openSlice(Bar.BAR3, bytes);
        MappedMemory mapping = null;
        try {
            Exported exported =
                    gpu.export(Bar.BAR3, slice.offset(), bytes)
                            .orElseThrow(() ->
                                    new GpuDeviceException(
                                            "BAR3: the kernel does not let anybody map it"));
            mapping =
                    MappedMemory.map(
                            exported.descriptor(),
                            exported.offset(),
                            bytes,
                            MappedMemory.Access.READ_WRITE);
            return new CardWindow(
                    slice, exported, mapping, new RegisterPort(gpu), blank, blankIova);
        } catch (RuntimeException | Error e) {
            if (mapping != null) {
                mapping.close();
            }
            slice.close();
            throw e;
        }
    }

    @Override
    public long bytes() {
        return slice.bytes();
    }

    /// Whoever has this descriptor has the card.
    @Override
    public Exported exported() {
        return exported;
    }

    @Override
    public MemorySegment memory() {
        return mapping.segment();
    }

    @Override
    public void set(int page, long entry) {
        Objects.checkIndex(page, entries.length);
        boolean shown =
                PageTableEntry.isPresent(entry)
                        && PageTableEntry.target(entry) == MemoryTarget.VRAM;
        entries[page] = shown ? entry : blankEntry;
        changed.set(page);
    }

    /// Copies nothing.
    @Override
    public int flush() {
        if (!changed.isEmpty()) {
            // Pushes along what was written to the window before.
            registers.read(Pmc.BOOT_0);
            for (int page = changed.nextSetBit(0); page >= 0; page = changed.nextSetBit(page + 1)) {
                slice.set(page, entries[page]);
            }
            changed.clear();
            slice.flush();
        }
        return 0;
    }

    @Override
    public void clear() {
        setBlank();
        flush();
        blank.fill((byte) 0);
    }

    /// The piece stays taken: whoever has mapped it may go on with it, and must not cause faults.
    @Override
    public void close() {
        clear();
    }

    /// Gives the piece of BAR3 back. Owner, after the last use.
    void giveBack() {
        mapping.close();
        slice.close();
    }

    private void setBlank() {
        for (int page = 0; page < entries.length; page++) {
            set(page, PageTableEntry.NOT_PRESENT);
        }
    }
}
