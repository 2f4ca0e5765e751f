package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.BarSlice;
import io.gpuvm.gf100.device.PhysicalGpu;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Control of PFIFO by the owner of a GPU, with register accesses in nouveau's order
/// (`nvkm/engine/fifo/gf100.c`).
///
/// Instance blocks, USERD pages and the runlist lie in host memory. Doorbells are written through a
/// slice of BAR1 with one page per channel. Confined to the owner's thread.
///
/// Methods that wait for the GPU throw [io.gpuvm.gf100.device.GpuDeviceException] if the GPU does
/// not respond; the request remains pending.
public final class FifoControl implements AutoCloseable {
    /// Location of instance blocks, USERD pages and the runlist.
    public static final MemoryTarget MEMORY = MemoryTarget.SYSTEM_COHERENT;

    /// Size in bytes of a runlist of all channels.
    public static final long RUNLIST_BYTES = (long) Pfifo.CHANNELS * RunlistEntry.BYTES;

    private static final ValueLayout.OfLong RUNLIST_ENTRY =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Value that nouveau writes to start a channel: runnable, but not on an engine.
    private static final int START =
            Pfifo.STATE_RUNNABLE.of(1) | (int) Pfifo.STATE_ENGINE.of(Pfifo.STATE_ENGINE.max());

    private static final int ALL = -1;

    private final PhysicalGpu gpu;
    private final RegisterPort registers;
    private final MemorySegment runlist;
    private final long runlistIova;
    private final BarSlice doorbells;

    /// @param runlist host memory, [#RUNLIST_BYTES] long
    /// @param runlistIova bus address of the runlist, a multiple of 4 KiB
    public FifoControl(PhysicalGpu gpu, MemorySegment runlist, long runlistIova) {
        this.gpu = gpu;
        this.registers = new RegisterPort(gpu);
        this.runlist = runlist;
        this.runlistIova = runlistIova;
        this.doorbells = gpu.openSlice(Bar.BAR1, (long) Pfifo.CHANNELS * Userd.BYTES);
    }

    /// Enables the units that channels need; required after each reset.
    public void bringUp() {
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

    /// Connects a channel's doorbell to its USERD page.
    public void openDoorbell(int channel, long userdIova) {
        doorbells.set(channel, PageTableEntry.of(MEMORY, userdIova));
        doorbells.flush();
    }

    /// Disconnects a channel's doorbell.
    public void closeDoorbell(int channel) {
        doorbells.set(channel, PageTableEntry.NOT_PRESENT);
        doorbells.flush();
    }

    /// Binds a channel to its instance block.
    public void bind(int channel, long instanceIova) {
        registers.write(
                Pfifo.CHANNEL,
                channel,
                (int) Pfifo.CHANNEL_INSTANCE.ofBytes(instanceIova)
                        | Pfifo.CHANNEL_TARGET.of(MEMORY.pointerCode())
                        | Pfifo.CHANNEL_VALID.of(1)
                        | Pfifo.CHANNEL_POLL.of(1));
    }

    /// Unbinds a channel, which must not be on an engine.
    public void unbind(int channel) {
        registers.write(Pfifo.CHANNEL, channel, 0);
    }

    public void start(int channel) {
        registers.write(Pfifo.CHANNEL_STATE, channel, START);
    }

    public void stop(int channel) {
        registers.write(Pfifo.CHANNEL_STATE, channel, Pfifo.STATE_RUNNABLE.with(state(channel), 0));
    }

    /// Removes a channel from its PBDMA and engine, and waits for completion.
    public void preempt(int channel) {
        registers.write(Pfifo.PREEMPT, channel);
        registers.await(
                "preemption of channel " + channel,
                Pfifo.PREEMPT,
                value -> !Pfifo.PREEMPT_BUSY.isSet(value));
    }

    /// Commits the list of runnable channels, and waits until the GPU has loaded the list.
    ///
    /// @param channels numbers of the channels, in the first `count` elements
    public void runlist(int[] channels, int count) {
        for (int i = 0; i < count; i++) {
            runlist.setAtIndex(RUNLIST_ENTRY, i, RunlistEntry.of(channels[i]));
        }
        VarHandle.fullFence();
        registers.write(
                Pfifo.RUNLIST,
                (int) Pfifo.RUNLIST_ADDRESS.ofBytes(runlistIova)
                        | Pfifo.RUNLIST_TARGET.of(MEMORY.pointerCode()));
        registers.write(Pfifo.RUNLIST_LENGTH, count);
        registers.await(
                "runlist", Pfifo.RUNLIST_LOADED_LENGTH, value -> !Pfifo.RUNLIST_BUSY.isSet(value));
    }

    /// Writes a channel's put index to notify the GPU.
    public void ring(int channel, int put) {
        // The data must be visible in memory before the GPU is notified.
        VarHandle.fullFence();
        long offset = doorbells.offset() + (long) channel * Userd.BYTES + Userd.IB_PUT;
        gpu.write(Bar.BAR1, offset, Integer.BYTES, Integer.toUnsignedLong(put));
    }

    /// Returns the word of `PFIFO.CHANNEL_STATE` for a channel.
    public int state(int channel) {
        return registers.read(Pfifo.CHANNEL_STATE, channel);
    }

    /// Returns `PFIFO.ENGINE_STATUS` if the engine is busy with the channel, otherwise 0.
    public int statusFor(int channel, EngineId engine) {
        int status = registers.read(Pfifo.ENGINE_STATUS, engine.number());
        boolean busy = Pfifo.STATUS_BUSY.isSet(status) || Pfifo.STATUS_BUSY_OLD.isSet(status);
        return busy && Pfifo.STATUS_CHANNEL.get(status) == channel ? status : 0;
    }

    /// Returns the port to the GPU's registers.
    public RegisterPort registers() {
        return registers;
    }

    @Override
    public void close() {
        doorbells.close();
    }
}
