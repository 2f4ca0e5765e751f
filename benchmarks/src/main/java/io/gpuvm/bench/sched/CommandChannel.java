package io.gpuvm.bench.sched;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.fifo.GpfifoEntry;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// Channel in memory that is mapped for the GPU. Its only command is submitted repeatedly: copies
/// of a page, then the write of a word that marks completion.
///
/// ```text
///  memory: 0 directory  10000 table  50000 instance  51000 USERD  52000 ring, done word
///          53000 push buffer  54000 source page  55000 target page
/// ```
final class CommandChannel {
    /// Size of the channel's memory, in bytes.
    static final long BYTES = 0x56000;

    private static final long PAGE = 4096;
    private static final long VA = 1L << 28;
    private static final long TABLE = 0x10000;
    private static final long INSTANCE = 0x50000;
    private static final long USERD = 0x51000;
    private static final long RING = 0x52000;
    private static final long DONE = RING + 0xf00;
    private static final long PUSH = 0x53000;
    private static final long FROM = 0x54000;
    private static final long TO = 0x55000;
    private static final int RING_ORDER = 6;
    private static final VarHandle WORD = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment memory;
    private final long iova;
    private final int copies;
    private int put;
    private int value;

    /// @param iova bus address of the memory
    /// @param copies number of copies of the page per command; 0 for an empty command
    CommandChannel(MemorySegment memory, long iova, int copies) {
        this.memory = memory;
        this.iova = iova;
        this.copies = copies;
        memory.asSlice(0, BYTES).fill((byte) 0);
        TableGeometry geometry = TableGeometry.BIG_PAGES_128K;
        memory.set(
                ValueLayout.JAVA_LONG,
                (long) geometry.directoryIndex(VA) * PageDirectoryEntry.BYTES,
                PageDirectoryEntry.withSmallTable(0, MemoryTarget.SYSTEM_COHERENT, iova + TABLE));
        for (long page = 0; page < BYTES / PAGE; page++) {
            memory.set(
                    ValueLayout.JAVA_LONG,
                    TABLE + page * PageTableEntry.BYTES,
                    PageTableEntry.of(MemoryTarget.SYSTEM_COHERENT, iova + page * PAGE));
        }
        new InstanceBlock()
                .wrap(memory, INSTANCE)
                .directory(MemoryTarget.SYSTEM_COHERENT, iova)
                .limit(TableGeometry.VA_MASK);
        new Ramfc()
                .wrap(memory, INSTANCE)
                .initialize(MemoryTarget.SYSTEM_COHERENT, iova + USERD, VA + RING, RING_ORDER);
    }

    long instanceIova() {
        return iova + INSTANCE;
    }

    long userdIova() {
        return iova + USERD;
    }

    /// Adds the command to the ring.
    ///
    /// @return put index for the doorbell
    int submit() {
        value++;
        int words = 0;
        for (int word : copies == 0 ? new int[0] : copyWords()) {
            memory.set(ValueLayout.JAVA_INT, PUSH + 4L * words++, word);
        }
        for (int word : doneWords()) {
            memory.set(ValueLayout.JAVA_INT, PUSH + 4L * words++, word);
        }
        memory.set(
                ValueLayout.JAVA_LONG,
                RING + (long) put * GpfifoEntry.BYTES,
                GpfifoEntry.of(VA + PUSH, words));
        put = put + 1 & (1 << RING_ORDER) - 1;
        return put;
    }

    /// Returns whether the GPU has completed all submitted commands.
    boolean isDone() {
        return (int) WORD.getAcquire(memory, DONE) == value;
    }

    private int[] doneWords() {
        return new int[] {
            MethodHeader.increasing(0, ChannelClass.SEMAPHORE_ADDRESS_HIGH, 4),
            (int) (VA + DONE >>> Integer.SIZE),
            (int) (VA + DONE),
            value,
            ChannelClass.SEMAPHORE_OPERATION.of(ChannelClass.RELEASE)
                    | ChannelClass.RELEASE_SHORT.of(1)
        };
    }

    private int[] copyWords() {
        return new int[] {
            MethodHeader.increasing(2, ChannelClass.SET_OBJECT, 1),
            ChannelClass.object(ClassId.M2MF),
            MethodHeader.increasing(2, M2mfClass.OFFSET_OUT_HIGH, 2),
            0,
            (int) (VA + TO),
            MethodHeader.increasing(2, M2mfClass.OFFSET_IN_HIGH, 2),
            0,
            (int) (VA + FROM),
            MethodHeader.increasing(2, M2mfClass.PITCH_IN, 4),
            0,
            0,
            (int) PAGE,
            copies,
            MethodHeader.increasing(2, M2mfClass.EXEC, 1),
            M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1)
        };
    }
}
