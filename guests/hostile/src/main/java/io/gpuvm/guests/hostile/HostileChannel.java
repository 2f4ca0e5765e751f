package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Channel of a hostile guest, whose structures are in the guest's memory: instance block, USERD,
/// ring, push buffer, and a word that marks the completion of its programs.
///
/// The channel needs no doorbells, because PFIFO also reads USERD when a channel becomes runnable.
final class HostileChannel {
    private static final int RING_ORDER = 6;
    private static final int RING_ENTRIES = 1 << RING_ORDER;
    private static final int COMPUTE = 1;
    private static final int M2MF = 2;

    /// Number of registers per thread in the largest block.
    private static final int REGISTERS = 32;

    private static final long CODE = HostileGuest.DATA + HostileGuest.MIB;

    private static final long USERD = InstanceBlock.BYTES;
    private static final long RING = USERD + Userd.BYTES;
    private static final long PUSH = RING + 0x1000;
    private static final long PUSH_BYTES = 0x200;
    private static final long DONE = PUSH + RING_ENTRIES * PUSH_BYTES;
    private static final long RUNLIST = DONE + 0x1000;
    private static final long BYTES = 0x10000;

    private static final int START =
            Pfifo.STATE_RUNNABLE.of(1) | (int) Pfifo.STATE_ENGINE.of(Pfifo.STATE_ENGINE.max());

    private final HostileGuest guest;
    private final Tables tables;
    private final int id;
    private final long base;
    private final InstanceBlock instance = new InstanceBlock();
    private final Ramfc ramfc = new Ramfc();
    private int put;
    private int sequence;

    /// Allocates a channel and makes it runnable, if the backend allows it.
    HostileChannel(HostileGuest guest, Tables tables, int id) {
        this.guest = guest;
        this.tables = tables;
        this.id = id;
        base = HostileGuest.CHANNELS + id * BYTES;
        guest.write(Pfifo.PBDMA_ENABLE, Pfifo.PBDMA_ENABLE_UNITS.mask());
        open();
    }

    /// Describes the channel in its instance block, as a driver does.
    void describe() {
        guest.ram().asSlice(base, RING - 0).fill((byte) 0);
        tables.describe(instance.wrap(guest.ram(), base));
        ramfc.wrap(guest.ram(), base)
                .initialize(MemoryTarget.SYSTEM_COHERENT, base + USERD, base + RING, RING_ORDER);
    }

    /// Returns the instance block, which attacks corrupt.
    InstanceBlock instance() {
        return instance;
    }

    /// Returns the RAMFC, which attacks corrupt.
    Ramfc ramfc() {
        return ramfc;
    }

    /// Returns the guest-physical address of the USERD area.
    long userd() {
        return base + USERD;
    }

    /// Returns GP_PUT of the ring.
    int put() {
        return put;
    }

    /// Reopens the channel from any state.
    void open() {
        close();
        describe();
        put = 0;
        bind(MemoryTarget.SYSTEM_COHERENT, base);
        start();
    }

    /// Closes the channel and waits until the hardware no longer uses its memory.
    void close() {
        guest.write(Pfifo.CHANNEL_STATE.element(id), 0);
        guest.write(Pfifo.CHANNEL.element(id), 0);
        guest.write(Pfifo.PREEMPT, id);
        long deadlineNs = System.nanoTime() + Deadlines.ANSWER_NS;
        while (Pfifo.PREEMPT_BUSY.isSet(guest.read(Pfifo.PREEMPT))) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException(
                        "channel %d: no answer to the preemption, limit=%d ns"
                                .formatted(id, Deadlines.ANSWER_NS));
            }
        }
        guest.write(Pfifo.VM_FAULT_SOURCE, guest.read(Pfifo.VM_FAULT_SOURCE));
    }

    /// Sets the address of the channel's instance block.
    void bind(MemoryTarget target, long address) {
        guest.write(
                Pfifo.CHANNEL.element(id),
                (int) Pfifo.CHANNEL_INSTANCE.ofBytes(address)
                        | Pfifo.CHANNEL_TARGET.of(target.pointerCode())
                        | Pfifo.CHANNEL_VALID.of(1));
    }

    /// Makes the channel runnable and commits a runlist that contains it.
    void start() {
        guest.ram().set(ValueLayout.JAVA_LONG, base + RUNLIST, RunlistEntry.of(id));
        guest.write(Pfifo.CHANNEL_STATE.element(id), START);
        commit(MemoryTarget.SYSTEM_COHERENT, base + RUNLIST, 1);
    }

    /// Commits a runlist.
    void commit(MemoryTarget target, long address, int entries) {
        guest.write(
                Pfifo.RUNLIST,
                (int) Pfifo.RUNLIST_ADDRESS.ofBytes(address)
                        | Pfifo.RUNLIST_TARGET.of(target.pointerCode()));
        guest.write(Pfifo.RUNLIST_LENGTH, entries);
    }

    /// Copies lines of memory with M2MF. Reopens the channel if the copy killed it.
    ///
    /// @return whether the copy completed
    boolean copy(long from, int fromPitch, long to, int toPitch, int bytes, int lines) {
        return run(
                true,
                MethodHeader.increasing(M2MF, ChannelClass.SET_OBJECT, 1),
                ChannelClass.object(ClassId.M2MF),
                MethodHeader.increasing(M2MF, M2mfClass.OFFSET_OUT_HIGH, 2),
                (int) (to >>> Integer.SIZE),
                (int) to,
                MethodHeader.increasing(M2MF, M2mfClass.OFFSET_IN_HIGH, 2),
                (int) (from >>> Integer.SIZE),
                (int) from,
                MethodHeader.increasing(M2MF, M2mfClass.PITCH_IN, 4),
                fromPitch,
                toPitch,
                bytes,
                lines,
                MethodHeader.increasing(M2MF, M2mfClass.EXEC, 1),
                M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1));
    }

    /// Launches a compute kernel with the maximum numbers of registers and barriers, and the
    /// maximum size of shared memory. Reopens the channel if the kernel does not complete, for
    /// instance after a trap.
    ///
    /// @param blocks number of blocks in each of the three dimensions
    /// @return whether the kernel completed, which must not occur for a hostile kernel
    boolean launch(long[] code, int threads, int blocks) {
        for (int i = 0; i < code.length; i++) {
            guest.ram().set(ValueLayout.JAVA_LONG, CODE + (long) i * Long.BYTES, code[i]);
        }
        int size = ComputeClass.DIMENSION_X.of(blocks) | ComputeClass.DIMENSION_Y.of(blocks);
        return run(
                false,
                MethodHeader.increasing(COMPUTE, ChannelClass.SET_OBJECT, 1),
                ChannelClass.object(ClassId.COMPUTE),
                MethodHeader.increasing(COMPUTE, ComputeClass.FLUSH, 1),
                ComputeClass.FLUSH_CODE.of(1),
                MethodHeader.increasing(COMPUTE, ComputeClass.CODE_ADDRESS_HIGH, 2),
                (int) (CODE >>> Integer.SIZE),
                (int) CODE,
                MethodHeader.increasing(COMPUTE, ComputeClass.ENTRY, 1),
                0,
                MethodHeader.increasing(COMPUTE, ComputeClass.SHARED_BYTES, 3),
                ComputeClass.SHARED_LARGE_BYTES,
                threads,
                ComputeClass.BARRIERS_LIMIT,
                MethodHeader.increasing(COMPUTE, ComputeClass.CACHE_SPLIT, 1),
                ComputeClass.SPLIT_SHARED_48K,
                MethodHeader.increasing(COMPUTE, ComputeClass.REGISTERS, 1),
                REGISTERS,
                MethodHeader.increasing(COMPUTE, ComputeClass.BLOCK_YX, 2),
                ComputeClass.DIMENSION_X.of(threads) | ComputeClass.DIMENSION_Y.of(1),
                1,
                MethodHeader.increasing(COMPUTE, ComputeClass.GRID_YX, 2),
                size,
                blocks,
                MethodHeader.increasing(COMPUTE, ComputeClass.LAUNCH, 1),
                0);
    }

    /// Fails unless a copy within the guest's own memory succeeds; on a channel that cannot copy,
    /// attacks would prove nothing.
    HostileChannel requireWorking() {
        long there = HostileGuest.DATA;
        if (!copy(there, 0, there + Integer.BYTES, 0, Integer.BYTES, 1)) {
            throw new IllegalStateException(
                    "channel %d: a copy within the guest's memory failed".formatted(id));
        }
        return this;
    }

    /// Writes a word with the GPU.
    ///
    /// @return whether the GPU wrote the word
    boolean writeWord(long gpuVa, int value) {
        return run(false, release(gpuVa, value));
    }

    /// Submits words, followed by a semaphore release that marks their completion, and waits for
    /// it.
    ///
    /// @param ends whether the words must complete or fault within the longer timeout, under any
    ///   load of the host; otherwise they may also remain incomplete
    private boolean run(boolean ends, int... words) {
        sequence++;
        long done = base + DONE;
        guest.ram().set(ValueLayout.JAVA_INT, done, 0);
        long push = base + PUSH + put * PUSH_BYTES;
        int length = 0;
        for (int word : words) {
            guest.ram().set(ValueLayout.JAVA_INT, push + 4L * length++, word);
        }
        for (int word : release(done, sequence)) {
            guest.ram().set(ValueLayout.JAVA_INT, push + 4L * length++, word);
        }
        long slot = base + RING + (long) put * GpfifoEntry.BYTES;
        guest.ram().set(ValueLayout.JAVA_LONG, slot, GpfifoEntry.of(push, length));
        put = (put + 1) % RING_ENTRIES;
        guest.ram().set(ValueLayout.JAVA_INT, base + USERD + Userd.IB_PUT, put);
        VarHandle.fullFence();
        guest.write(Pfifo.CHANNEL_STATE.element(id), START);
        return awaitEnd(done, ends);
    }

    private boolean awaitEnd(long done, boolean ends) {
        long limitNs = ends ? Deadlines.ANSWER_NS : Deadlines.WORK_NS;
        long deadlineNs = System.nanoTime() + limitNs;
        boolean faulted = false;
        while (!faulted && System.nanoTime() - deadlineNs < 0) {
            VarHandle.fullFence();
            if (guest.ram().get(ValueLayout.JAVA_INT, done) == sequence) {
                return true;
            }
            faulted = guest.read(Pfifo.VM_FAULT_SOURCE) != 0;
        }
        if (ends && !faulted) {
            guest.found("work that neither completes nor faults");
        }
        open();
        return false;
    }

    private static int[] release(long gpuVa, int value) {
        return new int[] {
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
            (int) (gpuVa >>> Integer.SIZE),
            (int) gpuVa,
            value,
            ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE)
                    | ChannelClass.RELEASE_SHORT.of(1)
        };
    }
}
