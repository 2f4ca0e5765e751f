package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.unit.fifo.FaultBlocks;
import java.util.ArrayDeque;

/// Faults on their way into a guest's fault blocks, of which each unit has one: the next one waits
/// until the driver has acknowledged the one before.
///
/// As many can wait as there are channels, for each channel that faults stops. Confined to the
/// virtual machine's thread.
final class FaultQueue {
    private record Fault(long instance, long gpuVa, int status) {}

    private final FaultBlocks blocks;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final ArrayDeque<Fault>[] waiting = new ArrayDeque[FaultUnit.COUNT];

    FaultQueue(FaultBlocks blocks) {
        this.blocks = blocks;
        for (int unit = 0; unit < waiting.length; unit++) {
            waiting[unit] = new ArrayDeque<>();
        }
    }

    /// A fault has happened.
    void report(int unit, long instance, long gpuVa, int status) {
        if (blocks.block(unit).isReleased()) {
            blocks.report(unit, instance, gpuVa, status);
        } else {
            waiting[unit].add(new Fault(instance, gpuVa, status));
        }
    }

    /// The driver has acknowledged reports.
    ///
    /// @param units bit u: the block of unit u is free now
    void release(int units) {
        for (int bits = units; bits != 0; bits &= bits - 1) {
            int unit = Integer.numberOfTrailingZeros(bits);
            Fault next = waiting[unit].poll();
            if (next != null) {
                blocks.report(unit, next.instance, next.gpuVa, next.status);
            }
        }
    }

    void clear() {
        for (ArrayDeque<Fault> unit : waiting) {
            unit.clear();
        }
    }
}
