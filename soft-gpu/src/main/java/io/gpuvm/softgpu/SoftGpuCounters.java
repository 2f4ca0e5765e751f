package io.gpuvm.softgpu;

import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/// What one software GPU counted since it was made. Readable from any thread; each number is a sum
/// that was true at some recent moment, the numbers of one snapshot not necessarily at the same.
public final class SoftGpuCounters {
    private final WorkCounters work;
    private final LongSupplier interruptsSignalled;
    private final LongSupplier lostAccesses;

    SoftGpuCounters(
            WorkCounters work, LongSupplier interruptsSignalled, LongSupplier lostAccesses) {
        this.work = work;
        this.interruptsSignalled = interruptsSignalled;
        this.lostAccesses = lostAccesses;
    }

    /// What PFIFO and the engines count.
    public long get(WorkCounter counter) {
        return work.get(counter);
    }

    /// Interrupts signalled to whoever is connected.
    public long interruptsSignalled() {
        return interruptsSignalled.getAsLong();
    }

    /// Accesses to host memory that its owner had cut off.
    public long lostAccesses() {
        return lostAccesses.getAsLong();
    }

    /// Every counter by its name, in a stable order.
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (WorkCounter counter : WorkCounter.values()) {
            all.put(counter.name(), work.get(counter));
        }
        all.put("LOST_ACCESSES", lostAccesses());
        all.put("INTERRUPTS_SIGNALLED", interruptsSignalled());
        return all;
    }
}
