package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.linux.FilePart;
import io.gpuvm.linux.FileSpace;
import io.gpuvm.linux.MemFd;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.IovaShare;
import io.gpuvm.port.VmArena;
import io.gpuvm.port.VramShare;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Test of a guest whose memory file is truncated while it contains the guest's tables.
class FragileMemoryTest {
    private static final MemoryTarget SYSTEM = MemoryTarget.SYSTEM_COHERENT;
    private static final long BYTES = 1 << 20;
    private static final long TABLE = 512 << 10;

    private final FileSpace files = new FileSpace();
    private final PhysicalMemory memory =
            new PhysicalMemory(
                    Arena.ofAuto().allocate(VramShare.ALIGNMENT, TestGuest.PAGE), this::locate);
    private final AtomicLong clock = new AtomicLong();

    private boolean locate(long address, HostSpan span) {
        int range = files.find(address);
        if (range < 0) {
            span.nothing();
            return false;
        }
        span.found(
                files.segment(range),
                files.offset(range, address),
                files.bytesFrom(range, address),
                true,
                files.isFragile(range));
        return true;
    }

    @ParameterizedTest
    @EnumSource(ShadowStrategy.class)
    void givenTablesInFile_whenFileIsTruncated_thenShadowTablesAreReleasedAndNoMethodThrows(
            ShadowStrategy strategy) {
        ShadowCounters counters = new ShadowCounters();
        try (MemFd file = MemFd.create("gpuvm-test", BYTES);
                VmArena arena = new VmArena("gpuvm-test", 1L << 39, BYTES)) {
            files.map(new FilePart(file.descriptor(), 0, BYTES, 0, true));
            long entry = PageDirectoryEntry.withSmallTable(0, SYSTEM, TABLE);
            memory.write(SYSTEM, 0, Long.BYTES, entry);
            memory.write(SYSTEM, TABLE, Long.BYTES, PageTableEntry.of(SYSTEM, 0));
            ShadowSpaces spaces =
                    new ShadowSpaces(
                            new ShadowSetup(
                                    "vm-test",
                                    new Mmu(memory),
                                    new VramShare(0, VramShare.ALIGNMENT),
                                    new IovaShare(0, BYTES),
                                    arena,
                                    strategy,
                                    counters,
                                    clock::incrementAndGet));
            ShadowSpace space = spaces.acquire(SYSTEM, 0, TableGeometry.VA_MASK);
            spaces.prepare(space);
            long used = arena.usedBytes();
            assertTrue(used > ArenaBlock.DIRECTORY.bytes());

            file.resize(0);
            spaces.flush(0, Pffb.VM_TLB_FLUSH_ALL_DIRECTORIES.mask());
            spaces.prepare(space);
            assertEquals(ArenaBlock.DIRECTORY.bytes(), arena.usedBytes());
            assertTrue(memory.lostAccesses() > 0);
            assertFalse(ShadowChannel.bind(spaces, 0, SYSTEM, TABLE) instanceof ShadowChannel);
            spaces.release(space);
        } finally {
            files.close();
        }
    }
}
