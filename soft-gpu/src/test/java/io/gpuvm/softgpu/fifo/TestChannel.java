package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;

/// Channel as a driver sets it up: address space, ring, push buffer and USERD.
public final class TestChannel {
    /// Address of the ring in the channel's address space.
    public static final long RING_VA = 0x1000_0000L;

    /// Address of the push buffer in the channel's address space.
    public static final long PUSH_VA = 0x1010_0000L;

    /// Binary logarithm of the number of entries in the ring.
    public static final int RING_ORDER = 6;

    private static final long PUSH_BYTES = 1 << 18;

    public final int id;
    public final TestAddressSpace space;
    public final Userd userd;
    private final TestGpu gpu;
    private final long ringVram;
    private final long pushVram;
    private long pushed;
    private int put;

    public TestChannel(TestGpu gpu, int id) {
        this.gpu = gpu;
        this.id = id;
        space = new TestAddressSpace(gpu);
        ringVram = gpu.allocate(GpfifoEntry.BYTES << RING_ORDER);
        pushVram = gpu.allocate(PUSH_BYTES);
        space.mapVram(RING_VA, ringVram, TestGpu.PAGE_BYTES);
        space.mapVram(PUSH_VA, pushVram, PUSH_BYTES);
        ramfc().initialize(MemoryTarget.VRAM, gpu.userdVram(id), RING_VA, RING_ORDER);
        userd = new Userd().wrap(gpu.vram.memory(), gpu.userdVram(id));
    }

    /// Returns a channel that is bound, runnable and the only entry of the runlist.
    public static TestChannel running(TestGpu gpu, int id) {
        TestChannel channel = new TestChannel(gpu, id).bind().start();
        gpu.runlist(id);
        return channel;
    }

    public Ramfc ramfc() {
        return new Ramfc().wrap(gpu.vram.memory(), space.instance());
    }

    public TestChannel bind() {
        int instance = (int) (space.instance() / TestGpu.PAGE_BYTES);
        int word = Pfifo.CHANNEL_INSTANCE.of(instance);
        gpu.write(
                Pfifo.CHANNEL.at(id), word | Pfifo.CHANNEL_VALID.of(1) | Pfifo.CHANNEL_POLL.of(1));
        return this;
    }

    public TestChannel unbind() {
        gpu.write(Pfifo.CHANNEL.at(id), 0);
        return this;
    }

    public TestChannel start() {
        gpu.write(Pfifo.CHANNEL_STATE.at(id), 0x001f_0001);
        return this;
    }

    public TestChannel stop() {
        int state = gpu.read(Pfifo.CHANNEL_STATE.at(id));
        gpu.write(Pfifo.CHANNEL_STATE.at(id), Pfifo.STATE_RUNNABLE.with(state, 0));
        return this;
    }

    /// Maps new VRAM into the channel.
    ///
    /// @return offset of the new memory in VRAM
    public long map(long gpuVa, long bytes) {
        long vram = gpu.allocate(bytes);
        space.mapVram(gpuVa, vram, bytes);
        return vram;
    }

    /// Appends words to the push buffer.
    ///
    /// @return address of the words
    public long write(int... words) {
        if (pushed + (long) words.length * Integer.BYTES > PUSH_BYTES) {
            pushed = 0;
        }
        long at = pushed;
        for (int i = 0; i < words.length; i++) {
            gpu.word(pushVram + at + (long) i * Integer.BYTES, words[i]);
        }
        pushed += (long) words.length * Integer.BYTES;
        return PUSH_VA + at;
    }

    /// Appends a segment to the ring without a doorbell.
    public TestChannel enter(long entry) {
        gpu.memory.write(
                MemoryTarget.VRAM,
                ringVram + (long) put * GpfifoEntry.BYTES,
                GpfifoEntry.BYTES,
                entry);
        put = put + 1 & (1 << RING_ORDER) - 1;
        return this;
    }

    /// Publishes the put index and rings the doorbell.
    public TestChannel ring() {
        userd.ibPut(put);
        gpu.doorbell(id);
        return this;
    }

    /// Submits a program as one segment, and rings the doorbell.
    public TestChannel submit(GpuProgram program) {
        int[] words = program.toArray();
        return enter(GpfifoEntry.of(write(words), words.length)).ring();
    }

    /// Returns whether all submitted entries have been read.
    public boolean isRead() {
        return userd.ibGet() == put;
    }
}
