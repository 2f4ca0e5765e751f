package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;

/// Channel as a driver allocates it: ring, push buffer and a semaphore in host memory, USERD in
/// VRAM, and the instance block in either memory.
final class TestChannel {
    static final int RING_ORDER = 6;
    static final int RING_ENTRIES = 1 << RING_ORDER;
    private static final long PUSH_BYTES = 16 << 10;
    private static final long SEMAPHORE = (long) RING_ENTRIES * GpfifoEntry.BYTES;

    /// Channel state that nouveau writes to start a channel: runnable, no engine.
    private static final int START =
            Pfifo.STATE_RUNNABLE.of(1) | (int) Pfifo.STATE_ENGINE.of(Pfifo.STATE_ENGINE.max());

    final int id;
    final UserdPage userd;
    private final Bench bench;
    private final MemoryTarget instanceTarget;
    private final long instance;
    private final long ring;
    private final long push;
    private long pushed;
    private int put;
    private int sequence;

    TestChannel(Bench bench, int id, TestAddressSpace space, MemoryTarget instanceTarget) {
        this.bench = bench;
        this.id = id;
        this.instanceTarget = instanceTarget;
        ring = bench.allocate(Bench.PAGE_BYTES);
        push = bench.allocate(PUSH_BYTES);
        userd = bench.control().newUserd(id);
        if (instanceTarget == MemoryTarget.VRAM) {
            instance = Bench.instanceVram(id);
            bench.control().fill(id, space, Bench.HOST_VA + ring, RING_ORDER);
        } else {
            long offset = bench.allocate(InstanceBlock.BYTES);
            instance = bench.hostIova(offset);
            long ringVa = Bench.HOST_VA + ring;
            ControlArea.fill(bench.host().segment(), offset, id, space, ringVa, RING_ORDER);
        }
    }

    /// Returns the physical address of the instance block.
    long instance() {
        return instance;
    }

    TestChannel bind() {
        return bindTo(instance, instanceTarget);
    }

    /// Binds an address, which may be invalid, as the instance block.
    TestChannel bindTo(long address, MemoryTarget target) {
        bench.write(
                Pfifo.CHANNEL.element(id),
                (int) Pfifo.CHANNEL_INSTANCE.ofBytes(address)
                        | Pfifo.CHANNEL_TARGET.of(target.pointerCode())
                        | Pfifo.CHANNEL_VALID.of(1)
                        | Pfifo.CHANNEL_POLL.of(1));
        return this;
    }

    void unbind() {
        bench.write(Pfifo.CHANNEL.element(id), 0);
    }

    TestChannel start() {
        bench.write(Pfifo.CHANNEL_STATE.element(id), START);
        return this;
    }

    TestChannel stop() {
        bench.write(Pfifo.CHANNEL_STATE.element(id), Pfifo.STATE_RUNNABLE.with(state(), 0));
        return this;
    }

    /// Preempts the channel and waits until it is off its engine.
    void preempt() {
        bench.write(Pfifo.PREEMPT, id);
        bench.registers.await(
                "preemption of channel " + id,
                Pfifo.PREEMPT,
                value -> !Pfifo.PREEMPT_BUSY.isSet(value));
    }

    /// Closes the channel as a driver does, without changing the runlist.
    void leave() {
        stop();
        preempt();
        unbind();
    }

    /// Returns the value of `PFIFO.CHANNEL_STATE`.
    int state() {
        return bench.read(Pfifo.CHANNEL_STATE.element(id));
    }

    /// Writes words to the push buffer.
    ///
    /// @return GPU virtual address of the words
    long push(int... words) {
        long bytes = (long) words.length * Integer.BYTES;
        if (pushed + bytes > PUSH_BYTES) {
            pushed = 0;
        }
        long at = push + pushed;
        for (int i = 0; i < words.length; i++) {
            bench.host().word(at + (long) i * Integer.BYTES, words[i]);
        }
        pushed += bytes;
        return Bench.HOST_VA + at;
    }

    /// Writes an entry to the ring, without a doorbell.
    TestChannel enter(long entry) {
        bench.host().quad(ring + (long) put * GpfifoEntry.BYTES, entry);
        put = (put + 1) % RING_ENTRIES;
        return this;
    }

    /// Rings the doorbell with the current put index.
    TestChannel ring() {
        bench.control().ring(id, put);
        return this;
    }

    /// Returns the current put index.
    int put() {
        return put;
    }

    /// Submits a program as one segment.
    TestChannel submit(Program program) {
        int[] words = program.toArray();
        return enter(GpfifoEntry.of(push(words), words.length)).ring();
    }

    /// Submits a program, and waits until it has completed and its writes are visible.
    void run(Program program) {
        sequence++;
        int value = sequence;
        submit(program.release(Bench.HOST_VA + ring + SEMAPHORE, value, true));
        bench.await("work of channel " + id, () -> bench.host().word(ring + SEMAPHORE) == value);
    }
}
