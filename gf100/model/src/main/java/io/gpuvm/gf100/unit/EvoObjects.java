package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pdisplay;
import io.gpuvm.gf100.reg.Register;
import java.util.function.IntSupplier;

/// Memory objects to which the core display channel refers by handle.
///
/// A hash table at the start of the display's part of VRAM maps handles to objects. A lookup scans
/// all entries instead of computing the hash, because each notifier causes only one lookup.
final class EvoObjects {
    private static final int ENTRY_BYTES = 2 * Register.BYTES;

    private final MemoryPort memory;
    private final IntSupplier objectsRegister;

    /// @param objectsRegister current word in `PDISPLAY.OBJECTS`
    EvoObjects(MemoryPort memory, IntSupplier objectsRegister) {
        this.memory = memory;
        this.objectsRegister = objectsRegister;
    }

    /// Sets bits of a word in the memory of `handle`. Has no effect if the object does not exist or
    /// the word lies outside of the object.
    void setBits(int handle, long offset, int bits) {
        long object = find(handle);
        if (object < 0) {
            return;
        }
        MemoryTarget target = target(word(object));
        int high = word(object + Pdisplay.DMA_OBJECT_HIGH);
        long start =
                join(
                        Pdisplay.DMA_OBJECT_HIGH_START.get(high),
                        word(object + Pdisplay.DMA_OBJECT_START_LOW));
        long limit =
                join(
                        Pdisplay.DMA_OBJECT_HIGH_LIMIT.get(high),
                        word(object + Pdisplay.DMA_OBJECT_LIMIT_LOW));
        long place = start + offset;
        if (target != null && place + Register.BYTES - 1 <= limit) {
            int before = (int) memory.read(target, place, Register.BYTES);
            memory.write(target, place, Register.BYTES, before | bits);
        }
    }

    private long find(int handle) {
        long base = base();
        for (int i = 0; handle != 0 && i < Pdisplay.HASH_TABLE_BYTES; i += ENTRY_BYTES) {
            int context = word(base + i + Register.BYTES);
            boolean mine = Pdisplay.HASH_CONTEXT_CHANNEL.get(context) == Pdisplay.CORE_CHANNEL;
            if (mine && word(base + i) == handle) {
                return base + Pdisplay.HASH_CONTEXT_OFFSET.get(context);
            }
        }
        return -1;
    }

    private long base() {
        return Pdisplay.OBJECTS_ADDRESS.bytes(Integer.toUnsignedLong(objectsRegister.getAsInt()));
    }

    private int word(long vramOffset) {
        return (int) memory.read(MemoryTarget.VRAM, vramOffset, Register.BYTES);
    }

    private static MemoryTarget target(int flags) {
        return switch (Pdisplay.DMA_OBJECT_TARGET.get(flags)) {
            case Pdisplay.DMA_OBJECT_VRAM -> MemoryTarget.VRAM;
            case Pdisplay.DMA_OBJECT_SYSTEM_COHERENT -> MemoryTarget.SYSTEM_COHERENT;
            case Pdisplay.DMA_OBJECT_SYSTEM_NONCOHERENT -> MemoryTarget.SYSTEM_NONCOHERENT;
            default -> null;
        };
    }

    private static long join(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }
}
