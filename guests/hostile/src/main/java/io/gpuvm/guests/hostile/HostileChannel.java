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

/// A channel of a hostile guest, in its memory: instance block, USERD, ring, push buffer, and a
/// word that its programs end with.
///
/// Doorbells are not needed: PFIFO looks at USERD, too, when a channel is made runnable.
final class HostileChannel {
    private static final int RING_ORDER = 6;
    private static final int RING_ENTRIES = 1 << RING_ORDER;
    private static final int COMPUTE = 1;
    private static final int M2MF = 2;

    /// As many as the largest block can have.
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

    /// Makes a channel and has it run, if it may.
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

    /// Its instance block, to be spoilt.
    InstanceBlock instance() {
        return instance;
    }

    /// Its RAMFC, to be spoilt.
    Ramfc ramfc() {
        return ramfc;
    }

    /// Guest-physical address of its USERD.
    long userd() {
        return base + USERD;
    }

    /// How far its ring is filled.
    int put() {
        return put;
    }

    /// Starts anew, whatever became of it.
    void open() {
        close();
        describe();
        put = 0;
        bind(MemoryTarget.SYSTEM_COHERENT, base);
        start();
    }

    /// Takes it off, and waits until hardware has let go of its memory.
    void close() {
        guest.write(Pfifo.CHANNEL_STATE.element(id), 0);
        guest.write(Pfifo.CHANNEL.element(id), 0);
        guest.write(Pfifo.PREEMPT, id);
        long deadlineNs = System.nanoTime() + Deadlines.ANSWER_NS;
        while (Pfifo.PREEMPT_BUSY.isSet(guest.read(Pfifo.PREEMPT))) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException("the preemption is not answered");
            }
        }
        guest.write(Pfifo.VM_FAULT_SOURCE, guest.read(Pfifo.VM_FAULT_SOURCE));
    }

    /// Says where its instance block lies.
    void bind(MemoryTarget target, long address) {
        guest.write(
                Pfifo.CHANNEL.element(id),
                (int) Pfifo.CHANNEL_INSTANCE.ofBytes(address)
                        | Pfifo.CHANNEL_TARGET.of(target.pointerCode())
                        | Pfifo.CHANNEL_VALID.of(1));
    }

    /// Makes it runnable and commits a runlist that names it.
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

    /// Copies lines of memory with M2MF. Opens the channel again if that killed it.
    ///
    /// @return whether the copy came to its end
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

    /// Runs a kernel of compute, with all the registers, barriers and shared memory that there are.
    /// Opens the channel again if it does not come to its end, which for a kernel is a trap, too.
    ///
    /// @param blocks in each of three dimensions
    /// @return whether it came to an end that is none
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

    /// Fails unless a copy within the guest's own memory works: else attacks would prove nothing.
    HostileChannel requireWorking() {
        long there = HostileGuest.DATA;
        if (!copy(there, 0, there + Integer.BYTES, 0, Integer.BYTES, 1)) {
            throw new IllegalStateException("not even a copy of its own works");
        }
        return this;
    }

    /// Has the GPU write a word.
    ///
    /// @return whether it did
    boolean writeWord(long gpuVa, int value) {
        return run(false, release(gpuVa, value));
    }

    /// Submits words, followed by one more that says that they are done, and waits for it.
    ///
    /// @param ends whether they do something or fault, however busy the host is; else, silence is
    ///   an answer, too
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
            guest.found("work that neither ends nor faults");
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
