package io.gpuvm.owner;

import io.gpuvm.gf100.device.DmaMapping;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.driver.ChannelRing;
import io.gpuvm.gf100.driver.FifoControl;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.push.CopyUnit;
import io.gpuvm.gf100.push.Fences;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.gf100.push.Rectangle;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.port.CompletionRing;
import io.gpuvm.port.GpuRequests;
import io.gpuvm.port.IgnoredCompletions;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// Channel of the owner that zeroes VRAM by M2MF, because a card's memory can be written through a
/// BAR only word by word. Its commands wait for their turn like those of virtual machines.
///
/// ```text
///  memory:         0      instance block
///                  1000   USERD
///                  2000   ring
///                  4000   push buffer
///                  5000   fence
///                  6000   zeros
///                  7000   page directory, one table of small pages, tables of big pages
///  address space:  0      VRAM
///                  OWN    the memory below 7000; then a line that maps the zeros repeatedly
/// ```
///
/// One thread at a time zeroes VRAM; it waits until the GPU has finished.
public final class ScrubChannel implements VramScrub, AutoCloseable {
    private static final TableGeometry GEOMETRY = VmArena.GEOMETRY;
    private static final MemoryTarget TARGET = FifoControl.MEMORY;
    private static final long PAGE = PageSize.SMALL_4K.bytes();
    private static final long BIG_PAGE = GEOMETRY.bigPage().bytes();

    private static final long USERD = InstanceBlock.BYTES;
    private static final long RING = USERD + Userd.BYTES;
    private static final long PUSH = RING + ChannelRing.BYTES;
    private static final long FENCE = PUSH + PAGE;
    private static final long ZEROS = FENCE + PAGE;
    private static final long DIRECTORY = ZEROS + PAGE;
    private static final long SMALL_TABLE = DIRECTORY + GEOMETRY.directoryBytes();
    private static final long BIG_TABLES = SMALL_TABLE + GEOMETRY.tableBytes(PageSize.SMALL_4K);

    /// GPU address above all VRAM.
    private static final long OWN = 1L << TableGeometry.VA_BITS - 1;

    private static final long ZEROS_VA = OWN + BIG_PAGE;

    /// Length of one M2MF line; drivers use no longer lines.
    private static final long LINE = BIG_PAGE;

    /// Maximum number of bytes that one command zeroes. On hardware, such a command delays other
    /// guests by a fraction of a millisecond.
    private static final long PIECE = 128 * LINE;

    /// Number of the only channel.
    private static final int CHANNEL = 0;

    private static final long LOOK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final int INBOX_RECORDS = 64;

    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FENCE_VALUE =
            ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

    private final GpuDevice gpu;
    private final long iova;
    private final long vramBytes;
    private final long limitNs;
    private final Runnable turn;
    private final MemFd file;
    private final MappedMemory mapping;
    private final MemorySegment memory;
    private final PushBuffer push;
    private final ChannelRing ring;
    private final CompletionRing inbox = new CompletionRing(INBOX_RECORDS);
    private final GpuRequests requests;
    private final Answers answers = new Answers();
    private int fence;

    /// Reason why the channel can no longer zero VRAM; null while it works.
    private String broken;

    private volatile boolean stopped;

    /// @param gpu GPU whose big pages have the size that [VmArena#GEOMETRY] specifies
    /// @param owner owner of the GPU; its thread need not have started yet
    /// @param share bus addresses that contain the channel's memory
    /// @param offset offset of the channel's memory in the share, a multiple of 4 KiB
    /// @param limitNs maximum duration of one command, including all commands queued before it
    /// @param turn called repeatedly by a waiting thread: makes the owner work until its thread has
    ///   started
    /// @throws GpuDeviceException if the memory cannot be mapped for the GPU
    public ScrubChannel(
            GpuDevice gpu,
            GpuOwner owner,
            IovaShare share,
            long offset,
            long limitNs,
            Runnable turn) {
        this.gpu = gpu;
        this.turn = turn;
        this.limitNs = limitNs;
        vramBytes = gpu.vramBytes();
        iova = share.toBus(offset);
        long bytes = BIG_TABLES + spans(vramBytes) * GEOMETRY.tableBytes(GEOMETRY.bigPage());
        if (!share.contains(offset, bytes)) {
            throw new GpuDeviceException(
                    "page tables for vram=%#x: bytes=%#x, limit=%#x"
                            .formatted(vramBytes, bytes, share.bytes() - offset));
        }
        file = MemFd.create("gpuvm-scrub", bytes);
        MappedMemory mapped = null;
        try {
            mapped = MappedMemory.map(file.descriptor(), 0, bytes, MappedMemory.Access.READ_WRITE);
            gpu.mapDma(new DmaMapping(file.descriptor(), 0, bytes, iova, true));
        } catch (RuntimeException | Error e) {
            if (mapped != null) {
                mapped.close();
            }
            file.close();
            throw e;
        }
        mapping = mapped;
        memory = mapping.segment();
        push = new PushBuffer(memory.asSlice(PUSH, PAGE));
        Userd userd = new Userd().wrap(memory, USERD);
        ring = new ChannelRing(memory.asSlice(RING, ChannelRing.BYTES), userd::ibGet);
        layOutTables();
        requests = owner.attachOwn(new VmPart("the owner", share, memory, iova, inbox, () -> {}));
        openChannel();
    }

    @Override
    public synchronized void zero(long vramOffset, long bytes) {
        Objects.checkFromIndexSize(vramOffset, bytes, vramBytes);
        // A command whose caller has given up may still be in the ring.
        await(vramOffset);
        for (long done = 0; done < bytes; done += PIECE) {
            submit(vramOffset + done, Math.min(PIECE, bytes - done));
            await(vramOffset);
        }
    }

    /// Makes current and future calls to [#zero] fail. Any thread. Called before the owner is
    /// closed, because a closed owner answers no calls.
    public void stop() {
        stopped = true;
    }

    /// Releases the memory. Called after [#stop()], and after the owner has been closed, which
    /// removes the channel from the GPU.
    @Override
    public synchronized void close() {
        gpu.unmapDma(iova, memory.byteSize());
        mapping.close();
        file.close();
    }

    private static int spans(long bytes) {
        return (int) ((bytes + GEOMETRY.spanBytes() - 1) / GEOMETRY.spanBytes());
    }

    private void layOutTables() {
        long tableBytes = GEOMETRY.tableBytes(GEOMETRY.bigPage());
        for (int span = 0; span < spans(vramBytes); span++) {
            setDirectory(
                    span * GEOMETRY.spanBytes(),
                    PageDirectoryEntry.withBigTable(
                            PageDirectoryEntry.EMPTY,
                            TARGET,
                            iova + BIG_TABLES + span * tableBytes));
        }
        for (long at = 0; at < vramBytes; at += BIG_PAGE) {
            long slot = at / BIG_PAGE * PageTableEntry.BYTES;
            memory.set(WORD, BIG_TABLES + slot, PageTableEntry.of(MemoryTarget.VRAM, at));
        }
        setDirectory(
                OWN,
                PageDirectoryEntry.withSmallTable(
                        PageDirectoryEntry.EMPTY, TARGET, iova + SMALL_TABLE));
        for (long at = 0; at < DIRECTORY; at += PAGE) {
            show(OWN + at, at);
        }
        for (long at = 0; at < LINE; at += PAGE) {
            show(ZEROS_VA + at, ZEROS);
        }
    }

    private void setDirectory(long gpuVa, long entry) {
        long slot = (long) GEOMETRY.directoryIndex(gpuVa) * PageDirectoryEntry.BYTES;
        memory.set(WORD, DIRECTORY + slot, entry);
    }

    private void show(long gpuVa, long offset) {
        long slot = (long) GEOMETRY.tableIndex(PageSize.SMALL_4K, gpuVa) * PageTableEntry.BYTES;
        memory.set(WORD, SMALL_TABLE + slot, PageTableEntry.of(TARGET, iova + offset));
    }

    private void openChannel() {
        new InstanceBlock()
                .wrap(memory, 0)
                .directory(TARGET, iova + DIRECTORY)
                .limit(TableGeometry.VA_MASK);
        new Ramfc().wrap(memory, 0).initialize(TARGET, iova + USERD, OWN + RING, ChannelRing.ORDER);
        requests.flush(iova + DIRECTORY);
        requests.bind(CHANNEL, iova, iova + USERD);
        requests.run(CHANNEL, true);
        requests.runlist(new int[] {CHANNEL}, 1);
    }

    private void submit(long vramOffset, long bytes) {
        long lines = bytes / LINE;
        long rest = bytes % LINE;
        push.moveTo(0);
        CopyUnit.M2MF.bind(push);
        if (lines > 0) {
            CopyUnit.M2MF.copy(push, new Rectangle(vramOffset, LINE, ZEROS_VA, 0, LINE, lines));
        }
        if (rest > 0) {
            CopyUnit.M2MF.copy(push, Rectangle.line(vramOffset + lines * LINE, ZEROS_VA, rest));
        }
        fence++;
        Fences.release(push, OWN + FENCE, fence);
        // The ring is never full: one command is in flight at a time.
        ring.offer(OWN + PUSH, (int) (push.position() / Integer.BYTES));
        requests.ring(CHANNEL, ring.put());
    }

    /// Waits for the most recently submitted command.
    private void await(long vramOffset) {
        long sinceNs = System.nanoTime();
        while ((int) FENCE_VALUE.getVolatile(memory, FENCE) != fence) {
            turn.run();
            inbox.poll(answers);
            if (broken != null) {
                throw notZeroed(vramOffset, broken);
            }
            if (stopped) {
                throw notZeroed(vramOffset, "the backend is shutting down");
            }
            if (System.nanoTime() - sinceNs > limitNs) {
                throw notZeroed(
                        vramOffset,
                        "no answer within %d ms".formatted(TimeUnit.NANOSECONDS.toMillis(limitNs)));
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private static GpuDeviceException notZeroed(long vramOffset, String why) {
        return new GpuDeviceException("VRAM at %#x is not zeroed: %s".formatted(vramOffset, why));
    }

    /// Handler of the owner's reports about the channel. All reports except completions are errors.
    private final class Answers extends IgnoredCompletions {
        @Override
        public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {
            broken = "fault of unit %d at %#x, status=%#x".formatted(unit, gpuVa, statusWord);
        }

        @Override
        public void onPbdma(int pbdma, int channel, int interrupts, int method, int data) {
            broken = "PBDMA %d: interrupts=%#x method=%#x".formatted(pbdma, interrupts, method);
        }

        @Override
        public void onGraphTrap(
                int channel, int interrupts, int address, int data, int code, int classId) {
            broken = "PGRAPH: interrupts=%#x address=%#x".formatted(interrupts, address);
        }

        @Override
        public void onCopyTrap(int engine, int channel, int interrupts, int error, int data) {
            broken = "copy engine %d: error=%#x".formatted(engine, error);
        }

        @Override
        public void onHung(int engine, int channel) {
            broken = "engine %d hangs in the command".formatted(engine);
        }
    }
}
