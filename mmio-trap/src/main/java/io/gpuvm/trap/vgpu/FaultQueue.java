package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.unit.fifo.EngineStatus;
import io.gpuvm.gf100.unit.fifo.FaultBlocks;
import io.gpuvm.port.CompletionInbox;
import java.util.ArrayDeque;

/// Queue of faults for a guest's fault blocks. Each unit has one block; the next fault waits until
/// the driver has acknowledged the previous fault.
///
/// At most one fault per channel can wait, because a fault stops its channel. A fault without a
/// channel is dropped instead of queued, because a driver that injects faults and acknowledges none
/// could otherwise grow the queue without limit. Confined to the virtual machine's thread.
final class FaultQueue {
    private record Fault(int channel, long instance, long gpuVa, int status) {}

    private final FaultBlocks blocks;
    private final EngineStatus engines;

    @SuppressWarnings({"unchecked", "rawtypes"})
    private final ArrayDeque<Fault>[] waiting = new ArrayDeque[FaultUnit.COUNT];

    FaultQueue(FaultBlocks blocks, EngineStatus engines) {
        this.blocks = blocks;
        this.engines = engines;
        for (int unit = 0; unit < waiting.length; unit++) {
            waiting[unit] = new ArrayDeque<>();
        }
    }

    /// Reports a fault.
    ///
    /// @param channel channel of the fault, [CompletionInbox#NO_CHANNEL] if unattributed
    /// @param instance address of the channel's instance block in the driver's view
    void report(int unit, int channel, long instance, long gpuVa, int status) {
        Fault fault = new Fault(channel, instance, gpuVa, status);
        if (blocks.block(unit).isReleased()) {
            show(unit, fault);
        } else if (channel != CompletionInbox.NO_CHANNEL) {
            waiting[unit].add(fault);
        }
    }

    /// Called when the driver has acknowledged reports.
    ///
    /// @param units bit u is set if the block of unit u is free again
    void release(int units) {
        for (int bits = units; bits != 0; bits &= bits - 1) {
            int unit = Integer.numberOfTrailingZeros(bits);
            Fault next = waiting[unit].poll();
            if (next != null) {
                show(unit, next);
            }
        }
    }

    /// Drops the waiting faults of a released channel; a fault that the driver can already see
    /// remains.
    void forget(int channel) {
        engines.forget(channel);
        for (ArrayDeque<Fault> unit : waiting) {
            unit.removeIf(fault -> fault.channel == channel);
        }
    }

    /// Shows a fault to the driver. The engine of the faulting unit stops on the channel until the
    /// engine is reset.
    private void show(int unit, Fault fault) {
        EngineId engine = engineOf(unit);
        if (engine != null && fault.channel != CompletionInbox.NO_CHANNEL) {
            engines.fault(engine.number(), fault.channel);
        }
        blocks.report(unit, fault.instance, fault.gpuVa, fault.status);
    }

    private static EngineId engineOf(int unit) {
        if (unit == FaultUnit.PGRAPH.number()) {
            return EngineId.GRAPH;
        }
        if (unit == FaultUnit.PCOPY0.number()) {
            return EngineId.COPY0;
        }
        return unit == FaultUnit.PCOPY1.number() ? EngineId.COPY1 : null;
    }

    void clear() {
        for (ArrayDeque<Fault> unit : waiting) {
            unit.clear();
        }
    }
}
