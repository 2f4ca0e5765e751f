package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.translation.Mmu;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/// Address space with a kernel and its memory, and launches of the kernel.
final class KernelMemory implements AutoCloseable {
    /// Address of the kernel's data.
    static final long DATA = 0x40_0000;

    /// Number of threads of a block.
    static final int THREADS = 256;

    private static final long CODE = 0;
    private static final int CODE_BYTES = 1 << 16;
    private static final long CONSTANTS = CODE + CODE_BYTES;
    private static final long VRAM_BYTES = 16 << 20;
    private static final long MAPPED_BYTES = 8 << 20;
    private static final long DIRECTORY = 9 << 20;
    private static final long TABLE = 10 << 20;
    private static final long INSTANCE = 12 << 20;
    private static final long TEMP = 7 << 20;
    private static final int TEMP_BYTES = 1 << 20;
    private static final int LOCAL_BYTES = 32;
    private static final int SHARED_BYTES = 8192;
    private static final int REGISTERS = 24;
    private static final int BANK_BYTES = 256;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment vram;
    private final Mmu mmu;

    /// Maps the first 8 MiB of VRAM at address 0, and writes code and constants there.
    ///
    /// @param code code of at most 64 KiB
    KernelMemory(long[] code) {
        Objects.checkFromIndexSize(0, code.length * Long.BYTES, CODE_BYTES);
        vram = arena.allocate(VRAM_BYTES, PageSize.SMALL_4K.bytes());
        PhysicalMemory memory = new PhysicalMemory(vram, (_, _) -> false);
        mmu = new Mmu(memory);
        TableGeometry geometry = mmu.geometry();
        MemoryTarget target = MemoryTarget.VRAM;
        long page = PageSize.SMALL_4K.bytes();
        for (long at = 0; at < MAPPED_BYTES; at += page) {
            long slot = (long) geometry.tableIndex(PageSize.SMALL_4K, at) * PageTableEntry.BYTES;
            memory.write(target, TABLE + slot, Long.BYTES, PageTableEntry.of(target, at));
        }
        memory.write(
                target,
                DIRECTORY,
                Long.BYTES,
                PageDirectoryEntry.withSmallTable(PageDirectoryEntry.EMPTY, target, TABLE));
        new InstanceBlock()
                .wrap(vram, INSTANCE)
                .directory(target, DIRECTORY)
                .limit(TableGeometry.VA_MASK);
        MemorySegment.copy(code, 0, vram, ValueLayout.JAVA_LONG, CODE, code.length);
        vram.set(ValueLayout.JAVA_LONG, CONSTANTS, DATA);
    }

    Mmu mmu() {
        return mmu;
    }

    /// Returns a launch of one block of 256 threads.
    Launch launch() {
        return launch(1);
    }

    /// Returns a launch of blocks of 256 threads.
    Launch launch(int blocks) {
        return launch(0, REGISTERS, blocks);
    }

    /// Returns a launch of blocks of 256 threads with the given number of registers.
    ///
    /// @param entry start of the kernel, in bytes from the start of the code
    Launch launch(int entry, int registers, int blocks) {
        List<ConstantBank> banks =
                new ArrayList<>(Collections.nCopies(ConstantBank.COUNT, ConstantBank.UNBOUND));
        banks.set(0, new ConstantBank(true, CONSTANTS, BANK_BYTES));
        return new Launch(
                new CodeLocation(CODE, entry, 1),
                new Dimensions(blocks, 1, 1),
                new Dimensions(THREADS, 1, 1),
                0,
                0,
                new ThreadStorage(registers, 1, SHARED_BYTES, LOCAL_BYTES, 0, 0),
                // Windows at addresses that the kernel does not use.
                new MemoryWindows(-1 << 25, -1 << 24, TEMP, TEMP_BYTES),
                banks,
                TextureBindings.NONE,
                MemoryTarget.VRAM,
                INSTANCE);
    }

    /// Writes words at [#DATA].
    void put(int... words) {
        MemorySegment.copy(words, 0, vram, ValueLayout.JAVA_INT, DATA, words.length);
    }

    /// Reads words at [#DATA].
    int[] words(int count) {
        int[] words = new int[count];
        MemorySegment.copy(vram, ValueLayout.JAVA_INT, DATA, words, 0, count);
        return words;
    }

    @Override
    public void close() {
        arena.close();
    }
}
