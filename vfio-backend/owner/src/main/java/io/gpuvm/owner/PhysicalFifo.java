package io.gpuvm.owner;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.driver.TlbFlush;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.logging.LogLimit;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PFIFO of the shared GPU. Confined to the owner's thread.
///
/// A GPU timeout is logged once per kind of operation, and the operation counts as complete, so
/// that the guest receives a completion and other guests' requests proceed.
final class PhysicalFifo implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalFifo.class);

    /// Operation that waits for the GPU.
    private enum Answer {
        PREEMPT,
        RUNLIST,
        FLUSH,
        DOORBELLS
    }

    private final PhysicalGpu gpu;
    private final FifoControl fifo;
    private final LogLimit missed = LogLimit.lines(Answer.values().length);

    /// @param runlist host memory, [FifoControl#RUNLIST_BYTES] long
    /// @param runlistIova bus address of the runlist
    PhysicalFifo(PhysicalGpu gpu, MemorySegment runlist, long runlistIova) {
        this.gpu = gpu;
        fifo = new FifoControl(gpu, runlist, runlistIova);
    }

    /// Enables the units that channels need, after a reset.
    void bringUp() {
        fifo.bringUp();
    }

    /// Sets a channel's instance block and USERD page, both in host memory.
    void bind(int channel, long instanceIova, long userdIova) {
        await(Answer.DOORBELLS, () -> fifo.openDoorbell(channel, userdIova));
        fifo.bind(channel, instanceIova);
    }

    /// Clears a channel's instance block and USERD page; the channel must be off its engine.
    void unbind(int channel) {
        fifo.unbind(channel);
        await(Answer.DOORBELLS, () -> fifo.closeDoorbell(channel));
    }

    /// Returns the position of the kernel that failed or stopped last on a channel; null if the GPU
    /// does not know it.
    KernelPosition takeKernelPosition(int channel) {
        return gpu.takeKernelPosition(channel);
    }

    void start(int channel) {
        fifo.start(channel);
    }

    void stop(int channel) {
        fifo.stop(channel);
    }

    /// Removes a channel from its PBDMA and engine, and waits until the GPU has completed the
    /// removal.
    void preempt(int channel) {
        await(Answer.PREEMPT, () -> fifo.preempt(channel));
    }

    /// Commits the runlist: the channels that may run.
    void runlist(int[] channels, int count) {
        await(Answer.RUNLIST, () -> fifo.runlist(channels, count));
    }

    /// Rings a channel's doorbell with the put index of its ring.
    void ring(int channel, int put) {
        fifo.ring(channel, put);
    }

    /// Returns `PFIFO.CHANNEL_STATE`.
    int state(int channel) {
        return fifo.state(channel);
    }

    /// Returns `PFIFO.ENGINE_STATUS` if the engine is busy with the given channel, 0 otherwise.
    int statusFor(int channel, EngineId engine) {
        return fifo.statusFor(channel, engine);
    }

    /// Flushes the GPU's TLB for an address space.
    void flush(long directoryIova) {
        await(
                Answer.FLUSH,
                () -> TlbFlush.of(registers(), FifoControl.MEMORY, directoryIova, false));
    }

    RegisterPort registers() {
        return fifo.registers();
    }

    @Override
    public void close() {
        fifo.close();
    }

    private void await(Answer answer, Runnable request) {
        try {
            request.run();
        } catch (GpuDeviceException e) {
            if (missed.spendOnce(answer)) {
                LOG.error(
                        "the GPU does not answer: {}; later timeouts of this kind are not logged",
                        e.getMessage());
            }
        }
    }
}
