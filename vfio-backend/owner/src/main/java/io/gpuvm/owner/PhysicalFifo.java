package io.gpuvm.owner;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.driver.TlbFlush;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.logging.LogLimit;
import java.lang.foreign.MemorySegment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PFIFO of the GPU that is shared. Confined to the owner's thread.
///
/// A GPU that does not answer in time is logged once for each thing that it was to do, and taken to
/// have done it: whoever asked is to be told something, and the others' requests come next.
final class PhysicalFifo implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalFifo.class);

    /// What it waits for.
    private enum Answer {
        PREEMPT,
        RUNLIST,
        FLUSH,
        DOORBELLS
    }

    private final FifoControl fifo;
    private final LogLimit missed = LogLimit.lines(Answer.values().length);

    /// @param runlist host memory, [FifoControl#RUNLIST_BYTES] long
    /// @param runlistIova where the GPU sees it
    PhysicalFifo(PhysicalGpu gpu, MemorySegment runlist, long runlistIova) {
        fifo = new FifoControl(gpu, runlist, runlistIova);
    }

    /// Switches on what channels need, after a reset.
    void bringUp() {
        fifo.bringUp();
    }

    /// Gives a channel its instance block and its USERD page, both in host memory.
    void bind(int channel, long instanceIova, long userdIova) {
        await(Answer.DOORBELLS, () -> fifo.openDoorbell(channel, userdIova));
        fifo.bind(channel, instanceIova);
    }

    /// Takes both away; the channel must be off its engine.
    void unbind(int channel) {
        fifo.unbind(channel);
        await(Answer.DOORBELLS, () -> fifo.closeDoorbell(channel));
    }

    void start(int channel) {
        fifo.start(channel);
    }

    void stop(int channel) {
        fifo.stop(channel);
    }

    /// Takes a channel off its PBDMA and engine, and waits until it is off.
    void preempt(int channel) {
        await(Answer.PREEMPT, () -> fifo.preempt(channel));
    }

    /// Commits the channels that may run.
    void runlist(int[] channels, int count) {
        await(Answer.RUNLIST, () -> fifo.runlist(channels, count));
    }

    /// Tells the GPU how far a channel's ring is filled.
    void ring(int channel, int put) {
        fifo.ring(channel, put);
    }

    /// `PFIFO.CHANNEL_STATE`.
    int state(int channel) {
        return fifo.state(channel);
    }

    /// `PFIFO.ENGINE_STATUS` if the engine is busy with a channel, 0 if it is not.
    int statusFor(int channel, EngineId engine) {
        return fifo.statusFor(channel, engine);
    }

    /// Drops what the GPU remembers of an address space.
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
                        "the GPU does not answer: {}; the next time is not logged", e.getMessage());
            }
        }
    }
}
