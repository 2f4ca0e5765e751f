package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Register;
import java.util.EnumMap;
import java.util.Map;

/// Physical memory of 1 MiB for each target, accessed in words. Higher addresses read as all ones.
public final class ArrayMemory implements MemoryPort {
    private static final int WORDS = 1 << 18;

    private final Map<MemoryTarget, int[]> memories = new EnumMap<>(MemoryTarget.class);

    @Override
    public long read(MemoryTarget target, long physicalAddress, int width) {
        return contains(physicalAddress)
                ? Integer.toUnsignedLong(of(target)[(int) physicalAddress / Register.BYTES])
                : 0xffff_ffffL;
    }

    @Override
    public void write(MemoryTarget target, long physicalAddress, int width, long value) {
        if (contains(physicalAddress)) {
            of(target)[(int) physicalAddress / Register.BYTES] = (int) value;
        }
    }

    public int word(long vramOffset) {
        return (int) read(MemoryTarget.VRAM, vramOffset, Register.BYTES);
    }

    public void word(long vramOffset, int value) {
        write(MemoryTarget.VRAM, vramOffset, Register.BYTES, value);
    }

    private int[] of(MemoryTarget target) {
        return memories.computeIfAbsent(target, _ -> new int[WORDS]);
    }

    private static boolean contains(long physicalAddress) {
        return physicalAddress >= 0 && physicalAddress / Register.BYTES < WORDS;
    }
}
