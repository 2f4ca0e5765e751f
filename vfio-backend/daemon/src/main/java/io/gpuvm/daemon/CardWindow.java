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

/// Window that is a slice of a card's BAR3.
///
/// For trusted VMMs only: the exported descriptor is the card's own, and permits its receiver
/// everything that Linux permits the card's owner. The guest in the virtual machine can access only
/// the window's content, because page tables that it cannot access determine the content of the
/// slice.
///
/// Unlike in other windows, several pages may show the same page of VRAM. All unset pages show one
/// page of host memory, the blank, because an access to a page without a translation would cause a
/// fault, which interrupts the GPU's owner.
///
/// Entries are deferred until [#flush()], which first waits for the guest's writes in flight: the
/// GPU may use an entry as soon as it is set.
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

    /// Allocates a piece of BAR3, which shows no VRAM yet. Owner's thread.
    ///
    /// @param bytes length, a multiple of 4 KiB
    /// @param blank content of unset pages: 4 KiB of host memory without another use
    /// @param blankIova bus address of the blank
    /// @throws GpuDeviceException if BAR3 has no free piece of this length, or cannot be mapped
    static CardWindow open(PhysicalGpu gpu, long bytes, MemorySegment blank, long blankIova) {
        BarSlice slice = gpu.openSlice(Bar.BAR3, bytes);
        MappedMemory mapping = null;
        try {
            Exported exported =
                    gpu.export(Bar.BAR3, slice.offset(), bytes)
                            .orElseThrow(() ->
                                    new GpuDeviceException("Linux does not permit mapping BAR3"));
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

    /// Returns the card's descriptor. A process that has it controls the card.
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

    /// Applies the changed entries. Copies no page.
    @Override
    public int flush() {
        if (!changed.isEmpty()) {
            // The read flushes earlier writes to the window.
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

    /// Clears the window. The piece remains allocated, because a process that has mapped it may
    /// continue to access it and must not cause faults.
    @Override
    public void close() {
        clear();
    }

    /// Releases the piece of BAR3. Called after the owner's thread has ended.
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
