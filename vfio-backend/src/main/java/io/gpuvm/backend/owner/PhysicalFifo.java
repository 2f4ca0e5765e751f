package io.gpuvm.backend.owner;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.owner.RegisterPort;
import io.gpuvm.gf100.owner.TlbFlush;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PFIFO of the GPU that is shared, as its owner drives it: the order of register accesses is
/// nouveau's (`nvkm/engine/fifo/gf100.c`).
///
/// Instance blocks, USERD pages and the runlist lie in host memory. Doorbells ring through a slice
/// of BAR1 with one page per channel. Confined to the owner's thread.
///
/// A GPU that does not answer in time is logged once for each thing that it was to do, and taken to
/// have done it: whoever asked is to be told something, and the others' requests come next.
final class PhysicalFifo implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PhysicalFifo.class);

    private static final ValueLayout.OfLong RUNLIST_ENTRY =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final MemoryTarget HOST = MemoryTarget.SYSTEM_COHERENT;

    /// What nouveau writes to start a channel: runnable, on no engine.
    private static final int START =
            Pfifo.STATE_RUNNABLE.of(1) | (int) Pfifo.STATE_ENGINE.of(Pfifo.STATE_ENGINE.max());

    private static final int ALL = -1;

    /// What it waits for.
    private enum Answer {
        PREEMPT,
        RUNLIST,
        FLUSH,
        DOORBELLS
    }

    private final GpuDevice gpu;
    private final RegisterPort registers;
    private final MemorySegment runlist;
    private final long runlistIova;
    private final BarSlice doorbells;
    private final Set<Answer> missed = EnumSet.noneOf(Answer.class);

    /// @param runlist host memory for [Pfifo#CHANNELS] runlist entries
    /// @param runlistIova where the GPU sees it
    PhysicalFifo(GpuDevice gpu, MemorySegment runlist, long runlistIova) {
        this.gpu = gpu;
        this.registers = new RegisterPort(gpu);
        this.runlist = runlist;
        this.runlistIova = runlistIova;
        this.doorbells = gpu.openSlice(Bar.BAR1, (long) Pfifo.CHANNELS * Userd.BYTES);
    }

    /// Switches on what channels need, after a reset.
    void bringUp() {
        registers.write(Pmc.ENABLE, ALL);
        registers.write(Pfifo.PBDMA_ENABLE, Pfifo.PBDMA_ENABLE_UNITS.mask());
        for (int i = 0; i < Pbdma.COUNT; i++) {
            registers.write(Pbdma.INTR, i, ALL);
            registers.write(Pbdma.INTR_EN, i, ALL);
        }
        registers.write(
                Pfifo.USERD_BASE,
                (int) Pfifo.USERD_BASE_ADDRESS.ofBytes(doorbells.offset())
                        | Pfifo.USERD_BASE_VALID.of(1));
        registers.write(Pfifo.INTR, ALL);
        registers.write(Pfifo.ENGINE_INTR_ENABLE, Pfifo.ENGINE_INTR_NOTIFY.mask());
        registers.write(Pfifo.INTR_EN, ALL);
    }

    /// Gives a channel its instance block and its USERD page, both in host memory.
    void bind(int channel, long instanceIova, long userdIova) {
        setDoorbell(channel, PageTableEntry.of(HOST, userdIova));
        registers.write(
                Pfifo.CHANNEL,
                channel,
                (int) Pfifo.CHANNEL_INSTANCE.ofBytes(instanceIova)
                        | Pfifo.CHANNEL_TARGET.of(HOST.pointerCode())
                        | Pfifo.CHANNEL_VALID.of(1)
                        | Pfifo.CHANNEL_POLL.of(1));
    }

    /// Takes both away; the channel must be off its engine.
    void unbind(int channel) {
        registers.write(Pfifo.CHANNEL, channel, 0);
        setDoorbell(channel, PageTableEntry.NOT_PRESENT);
    }

    void start(int channel) {
        registers.write(Pfifo.CHANNEL_STATE, channel, START);
    }

    void stop(int channel) {
        registers.write(Pfifo.CHANNEL_STATE, channel, Pfifo.STATE_RUNNABLE.with(state(channel), 0));
    }

    /// Takes a channel off its PBDMA and engine, and waits until it is off.
    void preempt(int channel) {
        try {
            registers.write(Pfifo.PREEMPT, channel);
            registers.await(
                    "preempt of channel " + channel,
                    Pfifo.PREEMPT,
                    value -> !Pfifo.PREEMPT_BUSY.isSet(value));
        } catch (GpuDeviceException e) {
            onMissed(Answer.PREEMPT, e);
        }
    }

    /// Commits the channels that may run.
    void runlist(int[] channels, int count) {
        for (int i = 0; i < count; i++) {
            runlist.setAtIndex(RUNLIST_ENTRY, i, RunlistEntry.of(channels[i]));
        }
        VarHandle.fullFence();
        try {
            registers.write(
                    Pfifo.RUNLIST,
                    (int) Pfifo.RUNLIST_ADDRESS.ofBytes(runlistIova)
                            | Pfifo.RUNLIST_TARGET.of(HOST.pointerCode()));
            registers.write(Pfifo.RUNLIST_LENGTH, count);
            registers.await(
                    "runlist",
                    Pfifo.RUNLIST_LOADED_LENGTH,
                    value -> !Pfifo.RUNLIST_BUSY.isSet(value));
        } catch (GpuDeviceException e) {
            onMissed(Answer.RUNLIST, e);
        }
    }

    /// Tells the GPU how far a channel's ring is filled.
    void ring(int channel, int put) {
        // What the GPU will read must be in memory before it is told to look.
        VarHandle.fullFence();
        long offset = doorbells.offset() + (long) channel * Userd.BYTES + Userd.IB_PUT;
        gpu.write(Bar.BAR1, offset, Integer.BYTES, Integer.toUnsignedLong(put));
    }

    /// `PFIFO.CHANNEL_STATE`.
    int state(int channel) {
        return registers.read(Pfifo.CHANNEL_STATE, channel);
    }

    /// `PFIFO.ENGINE_STATUS` if the engine is busy with a channel, 0 if it is not.
    int statusFor(int channel, EngineId engine) {
        int status = registers.read(Pfifo.ENGINE_STATUS, engine.number());
        boolean busy = Pfifo.STATUS_BUSY.isSet(status) || Pfifo.STATUS_BUSY_OLD.isSet(status);
        return busy && Pfifo.STATUS_CHANNEL.get(status) == channel ? status : 0;
    }

    /// Drops what the GPU remembers of an address space.
    void flush(long directoryIova) {
        try {
            TlbFlush.of(registers, HOST, directoryIova, false);
        } catch (GpuDeviceException e) {
            onMissed(Answer.FLUSH, e);
        }
    }

    RegisterPort registers() {
        return registers;
    }

    @Override
    public void close() {
        doorbells.close();
    }

    private void setDoorbell(int channel, long entry) {
        doorbells.set(channel, entry);
        try {
            doorbells.flush();
        } catch (GpuDeviceException e) {
            onMissed(Answer.DOORBELLS, e);
        }
    }

    private void onMissed(Answer answer, GpuDeviceException e) {
        if (missed.add(answer)) {
            LOG.error("the GPU does not answer: {}; the next time is not logged", e.getMessage());
        }
    }
}
