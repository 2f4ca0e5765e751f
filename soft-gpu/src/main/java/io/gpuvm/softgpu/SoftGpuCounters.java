package io.gpuvm.softgpu;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.softgpu.engine.WorkCounter;
import io.gpuvm.softgpu.engine.WorkCounters;
import io.gpuvm.softgpu.fifo.ChannelTimes;
import io.gpuvm.softgpu.sm.KernelCounters;
import io.gpuvm.softgpu.sm.Kernels;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Event counters of one software GPU since its construction. Any thread may read. Each value was
/// exact at a recent moment; the values of one snapshot may be from different moments.
public final class SoftGpuCounters {
    private static final List<EngineId> ENGINES =
            List.of(EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1);

    private final WorkCounters work;
    private final ChannelTimes times;
    private final Kernels kernels;
    private final LongSupplier interruptsSignalled;
    private final LongSupplier lostAccesses;

    SoftGpuCounters(
            WorkCounters work,
            ChannelTimes times,
            Kernels kernels,
            LongSupplier interruptsSignalled,
            LongSupplier lostAccesses) {
        this.work = work;
        this.times = times;
        this.kernels = kernels;
        this.interruptsSignalled = interruptsSignalled;
        this.lostAccesses = lostAccesses;
    }

    /// Returns the value of a counter.
    public long get(WorkCounter counter) {
        return work.get(counter);
    }

    /// Returns the number of interrupts signalled to the connected receiver.
    public long interruptsSignalled() {
        return interruptsSignalled.getAsLong();
    }

    /// Returns the number of accesses to truncated host memory.
    public long lostAccesses() {
        return lostAccesses.getAsLong();
    }

    /// Returns the number of instructions that compiled kernels passed to the interpreter, by
    /// mnemonic; mnemonics with a count of 0 are absent.
    public Map<String, Long> handedOver() {
        Map<String, Long> all = new LinkedHashMap<>();
        kernels.tallies()
                .handedOverByOpcode()
                .forEach((opcode, count) -> all.put(opcode.name(), count));
        return all;
    }

    /// Returns all counters by name, in a stable order.
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (WorkCounter counter : WorkCounter.values()) {
            all.put(counter.name(), work.get(counter));
        }
        for (EngineId engine : ENGINES) {
            all.put(engine.name() + "_NANOSECONDS", times.ns(engine));
        }
        all.put("COMPILED_INSTRUCTIONS", kernels.tallies().compiled());
        all.put("INTERPRETED_INSTRUCTIONS", kernels.tallies().interpreted());
        KernelCounters compiling = kernels.counters();
        all.put("KERNELS_COMPILED", compiling.compiled());
        all.put("KERNELS_ALIVE", compiling.alive());
        all.put("KERNELS_POSTPONED", compiling.postponed());
        all.put("KERNELS_LEFT_OUT", compiling.failed());
        all.put("COMPILE_NANOSECONDS", compiling.compileNs());
        all.put("LOST_ACCESSES", lostAccesses());
        all.put("INTERRUPTS_SIGNALLED", interruptsSignalled());
        return all;
    }
}
