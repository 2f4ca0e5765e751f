package io.gpuvm.record;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.RunlistEntry;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.trap.client.VfioUserClient;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Minimal driver of a guest. Its only channel has its structures in VRAM, as nouveau's channels
/// do, and its ring and push buffers in the guest's memory.
///
/// ```text
///  VRAM  10000 directory  40000 table  80000 instance  81000 USERD  82000 runlist  83000 result
///  memory, also by virtual address     101000 ring     102000 push buffers
///  virtual address 800000              the result
/// ```
public final class TestDriver implements AutoCloseable {
    static final long RAM_BYTES = 4 << 20;
    static final long RING = 0x101000;
    static final long PUSH = 0x102000;
    static final long RESULT = 0x83000;
    static final int BAR0 = 0;

    private static final int CONFIG = 7;
    private static final int PCI_COMMAND = 4;
    private static final int PCI_COMMAND_MEMORY_AND_MASTER = 6;
    private static final long DIRECTORY = 0x10000;
    private static final long TABLE = 0x40000;
    private static final long INSTANCE = 0x80000;
    private static final long USERD = 0x81000;
    private static final long RUNLIST = 0x82000;
    private static final long RESULT_VA = 0x800000;
    private static final long PAGE = 4096;
    private static final int RING_ORDER = 6;
    private static final long PUSH_BYTES = 0x100;
    private static final int START =
            Pfifo.STATE_RUNNABLE.of(1) | (int) Pfifo.STATE_ENGINE.of(Pfifo.STATE_ENGINE.max());
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    final VfioUserClient client;
    private final MemFd file = MemFd.create("gpuvm-test", RAM_BYTES);
    private final MappedMemory mapping =
            MappedMemory.map(file.descriptor(), 0, RAM_BYTES, MappedMemory.Access.READ_WRITE);
    private final MemorySegment ram = mapping.segment();
    private int put;

    /// Connects and initializes the channel.
    public TestDriver(Path socket) {
        client = new VfioUserClient(socket).negotiate();
        client.map(file.descriptor(), 0, RAM_BYTES);
        client.post(CONFIG, PCI_COMMAND, PCI_COMMAND_MEMORY_AND_MASTER);
        write(Pmc.ENABLE, -1);
        write(Pffb.VM_CFG, 0);
        write(Pbus.PMEM, 0);
        describeMemory();
        describeChannel();
        write(Pfifo.PBDMA_ENABLE, Pfifo.PBDMA_ENABLE_UNITS.mask());
        write(
                Pfifo.CHANNEL.element(0),
                (int) Pfifo.CHANNEL_INSTANCE.ofBytes(INSTANCE) | Pfifo.CHANNEL_VALID.of(1));
        write(Pfifo.CHANNEL_STATE.element(0), START);
        write(Pfifo.RUNLIST, (int) Pfifo.RUNLIST_ADDRESS.ofBytes(RUNLIST));
        write(Pfifo.RUNLIST_LENGTH, 1);
    }

    /// Makes the GPU write a word, followed by the time, to [#RESULT], and waits for the write.
    public void compute(int value) {
        int[] words = {
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
            0,
            (int) RESULT_VA,
            value,
            ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE)
        };
        long push = PUSH + put * PUSH_BYTES;
        for (int i = 0; i < words.length; i++) {
            ram.set(ValueLayout.JAVA_INT, push + (long) i * Integer.BYTES, words[i]);
        }
        submit(GpfifoEntry.of(push, words.length));
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        while (readVram(RESULT) != value) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("value=%d, timeout".formatted(value));
            }
        }
    }

    /// Puts an entry into the ring and rings the doorbell.
    void submit(long entry) {
        ram.set(ValueLayout.JAVA_LONG, RING + (long) put * GpfifoEntry.BYTES, entry);
        put = (put + 1) % (1 << RING_ORDER);
        writeVram(USERD + Userd.IB_PUT, put);
        write(Pfifo.CHANNEL_STATE.element(0), START);
    }

    public int read(Register register) {
        return (int) client.read(BAR0, register.offset(), Register.BYTES);
    }

    void write(Register register, int value) {
        client.post(BAR0, register.offset(), value);
    }

    int readVram(long vram) {
        return (int) client.read(BAR0, Pramin.WINDOW.first() + vram, Integer.BYTES);
    }

    void writeVram(long vram, int value) {
        client.post(BAR0, Pramin.WINDOW.first() + vram, value);
    }

    private void writeVram(long vram, long value) {
        writeVram(vram, (int) value);
        writeVram(vram + Integer.BYTES, (int) (value >>> Integer.SIZE));
    }

    private void describeMemory() {
        long entry =
                PageDirectoryEntry.withSmallTable(
                        PageDirectoryEntry.EMPTY, MemoryTarget.VRAM, TABLE);
        writeVram(DIRECTORY, entry);
        for (long page = 0; page < RAM_BYTES; page += PAGE) {
            show(page, PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, page));
        }
        show(RESULT_VA, PageTableEntry.of(MemoryTarget.VRAM, RESULT));
    }

    private void show(long gpuVa, long entry) {
        int index = TableGeometry.BIG_PAGES_128K.tableIndex(PageSize.SMALL_4K, gpuVa);
        writeVram(TABLE + (long) index * PageTableEntry.BYTES, entry);
    }

    private void describeChannel() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(InstanceBlock.BYTES, Long.BYTES);
            new InstanceBlock()
                    .wrap(block, 0)
                    .directory(MemoryTarget.VRAM, DIRECTORY)
                    .limit(TableGeometry.VA_MASK);
            new Ramfc().wrap(block, 0).initialize(MemoryTarget.VRAM, USERD, RING, RING_ORDER);
            for (long at = 0; at < InstanceBlock.BYTES; at += Integer.BYTES) {
                writeVram(INSTANCE + at, block.get(ValueLayout.JAVA_INT, at));
            }
        }
        writeVram(RUNLIST, RunlistEntry.of(0));
    }

    @Override
    public void close() {
        client.close();
        mapping.close();
        file.close();
    }
}
