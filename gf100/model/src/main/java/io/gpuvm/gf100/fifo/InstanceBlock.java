package io.gpuvm.gf100.fifo;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.BitField;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout.OfLong;

/// Block of 4 KiB that describes a channel, or the address space of a BAR: page directory, limit,
/// and pointers to engine contexts. Its first 512 bytes are [Ramfc].
///
/// ```text
///        0 +----------------------------------------------------+
///          | RAMFC                                              |
///      200 | page directory: address 39:12, b2 volatile, target |
///      208 | last valid virtual address                         |
///      210 | graphics context: virtual address | 4              |
///      230 | copy engine 0 context        240 copy engine 1     |
///      250 | MSPDEC      260 MSPPP        270 MSVLD             |
///     1000 +----------------------------------------------------+
/// ```
///
/// Movable flyweight. Sources: `nvkm/engine/fifo/gf100.c`, `nvkm/subdev/mmu/vmmgf100.c`.
public final class InstanceBlock {
    /// Size and alignment of a block.
    public static final int BYTES = 0x1000;

    private static final int PAGE_DIRECTORY = 0x200;
    private static final int VA_LIMIT = 0x208;

    /// Offsets of context pointers, by [EngineId].
    private static final int[] CONTEXTS = {0x210, 0x250, 0x260, 0x270, 0x230, 0x240};

    private static final BitField TARGET = bits(1, 0);
    private static final BitField VOLATILE = bit(2);
    private static final BitField DIRECTORY = bits(39, 12).scaledBy(12);
    private static final BitField CONTEXT_VIRTUAL = bit(2);

    private static final OfLong U64 = Layout.U64;

    private MemorySegment memory;
    private long base;

    /// Moves this flyweight to the block at `offset` of `memory`.
    public InstanceBlock wrap(MemorySegment memory, long offset) {
        this.memory = memory;
        this.base = offset;
        return this;
    }

    /// Returns the physical address of the page directory.
    public long directoryAddress() {
        return DIRECTORY.bytes(directoryWord());
    }

    /// Returns the memory that contains the page directory; null for the reserved code.
    public MemoryTarget directoryTarget() {
        return MemoryTarget.ofPointer((int) TARGET.get(directoryWord()));
    }

    /// Returns the last valid virtual address.
    public long limit() {
        return memory.get(U64, base + VA_LIMIT);
    }

    /// Sets the page directory.
    ///
    /// @param physicalAddress address in bytes, a multiple of 4 KiB
    public InstanceBlock directory(MemoryTarget target, long physicalAddress) {
        long word = TARGET.of((long) target.pointerCode());
        word |= VOLATILE.of(target == MemoryTarget.VRAM ? 0L : 1L);
        memory.set(U64, base + PAGE_DIRECTORY, word | DIRECTORY.ofBytes(physicalAddress));
        return this;
    }

    /// Sets the last valid virtual address.
    public InstanceBlock limit(long gpuVa) {
        memory.set(U64, base + VA_LIMIT, gpuVa);
        return this;
    }

    /// Returns the pointer to the context of an engine, 0 if not set.
    public long context(EngineId engine) {
        return memory.get(U64, base + CONTEXTS[engine.number()]);
    }

    /// Sets the pointer to the context of an engine.
    public InstanceBlock context(EngineId engine, long word) {
        memory.set(U64, base + CONTEXTS[engine.number()], word);
        return this;
    }

    /// Returns whether a context pointer is a virtual address of the channel, rather than a
    /// physical address. nouveau always sets the bit, which NVIDIA's `nvgpu` calls
    /// `ram_in_engine_wfi_mode`.
    public static boolean isVirtual(long contextWord) {
        return CONTEXT_VIRTUAL.isSet(contextWord);
    }

    @Override
    public String toString() {
        return "InstanceBlock[directory=%s %#x, limit=%#x]"
                .formatted(directoryTarget(), directoryAddress(), limit());
    }

    private long directoryWord() {
        return memory.get(U64, base + PAGE_DIRECTORY);
    }
}
