package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.unit.RegisterTable;
import io.gpuvm.gf100.unit.Unit;
import io.gpuvm.softgpu.mmu.FaultSink;

/// PFIFO: registers 002000-003fff and 040000-045fff, and the work behind them.
///
/// Register side: confined to the register thread. Engine side ([#doWork()], [#prepareToPark()],
/// [#nanosUntilWork()]): one engine thread, which may be the same thread.
public final class Pfifo implements Unit, AutoCloseable {
    public Pfifo(PfifoParts parts) {}

    @Override
    public void declare(RegisterTable.Builder table) {}

    /// Stops all channels and returns to power-on.
    @Override
    public void reset() {}

    /// Where BAR1 and BAR3 report their faults.
    public FaultSink faults() {
        return (_, _, _, _) -> {};
    }

    /// To be called after each write through BAR1: rings the doorbell if the write touched a
    /// channel's put index.
    public void onBar1Write(long barOffset, int width) {}

    /// Acts on bits of 000200 that went from 1 to 0.
    public void resetEngines(int pmcEnableBitsCleared) {}

    /// Acts on a write of 100cbc.
    ///
    /// @param pdbWord the word in 100cb8
    /// @param trigger the word written to 100cbc
    public void invalidateTlb(int pdbWord, int trigger) {}

    /// Adds a DMA mapping, with the engines held. See [io.gpuvm.gf100.device.GpuDevice#mapDma].
    public void mapDma(DmaMapping mapping) {}

    /// Takes back DMA mappings, with the engines held and their translations dropped. The caller
    /// drops those of the BAR apertures. See [io.gpuvm.gf100.device.GpuDevice#unmapDma].
    public void unmapDma(long iova, long bytes) {}

    /// Does one bounded piece of work.
    ///
    /// @return how much was done; 0 if there was nothing to do
    public int doWork() {
        return 0;
    }

    /// Announces that the engine thread is about to sleep.
    ///
    /// @return false if work came in meanwhile: do not sleep
    public boolean prepareToPark() {
        return true;
    }

    /// How long the engine thread may sleep: 0 when there is work, [Long#MAX_VALUE] until woken.
    public long nanosUntilWork() {
        return Long.MAX_VALUE;
    }

    /// Who is to be told, on the register thread, that work came in while the engine thread slept.
    public void onWork(Runnable wake) {}

    /// Stops all channels for good.
    @Override
    public void close() {}
}
