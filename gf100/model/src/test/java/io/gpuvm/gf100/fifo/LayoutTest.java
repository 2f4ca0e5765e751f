package io.gpuvm.gf100.fifo;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.ChannelClass;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.mmu.FaultClient;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageTableEntry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Writes every field of every format, compares it with the documented bits, and reads it back.
class LayoutTest {
    /// Field of a format that consists of one word.
    ///
    /// @param word encoded word
    /// @param bits expected word
    /// @param readBack results of the accessors
    /// @param values expected results
    record WordCase(String name, long word, long bits, List<?> readBack, List<?> values) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// Field of a block in memory.
    ///
    /// @param write writes the field to a zeroed block
    /// @param words offset and value of each word that must then be non-zero
    /// @param read reads the field back
    record BlockCase(
            String name,
            Consumer<MemorySegment> write,
            int[][] words,
            Function<MemorySegment, Object> read,
            Object value) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final MemoryTarget COHERENT = MemoryTarget.SYSTEM_COHERENT;
    private static final MemoryTarget NONCOHERENT = MemoryTarget.SYSTEM_NONCOHERENT;
    private static final long TOP_PAGE = 0xff_ffff_f000L;

    static Stream<WordCase> words() {
        return Stream.of(pageTables(), fifoWords(), faults()).flatMap(List::stream);
    }

    private static List<WordCase> pageTables() {
        long big = PageDirectoryEntry.withBigTable(0, VRAM, TOP_PAGE);
        long small = PageDirectoryEntry.withSmallTable(0, COHERENT, TOP_PAGE);
        long both =
                PageDirectoryEntry.withSizeShift(
                        PageDirectoryEntry.withSmallTable(big, NONCOHERENT, 0x1000), 3);
        long page = PageTableEntry.of(VRAM, TOP_PAGE);
        long hostPage = PageTableEntry.of(COHERENT, 0x12_3456_7000L);
        long strict = PageTableEntry.privileged(PageTableEntry.readOnly(page));
        long kind = PageTableEntry.withCompressionTag(PageTableEntry.withKind(0, 0xfe), 0x1ffff);
        return List.of(
                new WordCase(
                        "PDE, big table in VRAM",
                        big,
                        0x0000_0000_ffff_fff1L,
                        pde(big),
                        pdeValues(VRAM, TOP_PAGE, null, 0, 0)),
                new WordCase(
                        "PDE, small table in coherent memory",
                        small,
                        0xffff_fff6_0000_0000L,
                        pde(small),
                        pdeValues(null, 0, COHERENT, TOP_PAGE, 0)),
                new WordCase(
                        "PDE, both tables, an eighth long",
                        both,
                        0x0000_0013_ffff_fffdL,
                        pde(both),
                        pdeValues(VRAM, TOP_PAGE, NONCOHERENT, 0x1000, 3)),
                new WordCase(
                        "PTE in VRAM",
                        page,
                        0x0000_0000_ffff_fff1L,
                        pte(page),
                        List.of(true, false, false, false, VRAM, TOP_PAGE, 0, 0)),
                new WordCase(
                        "PTE in coherent memory",
                        hostPage,
                        0x0000_0005_1234_5671L,
                        pte(hostPage),
                        List.of(true, false, false, true, COHERENT, 0x12_3456_7000L, 0, 0)),
                new WordCase(
                        "PTE, privileged and read only",
                        strict,
                        0x0000_0000_ffff_fff7L,
                        pte(strict),
                        List.of(true, true, true, false, VRAM, TOP_PAGE, 0, 0)),
                new WordCase(
                        "PTE, kind and compression tag",
                        kind,
                        0x1fff_ffe0_0000_0000L,
                        pte(kind),
                        List.of(false, false, false, false, VRAM, 0L, 0xfe, 0x1ffff)));
    }

    private static List<Object> pde(long entry) {
        return Arrays.asList(
                PageDirectoryEntry.bigTarget(entry),
                PageDirectoryEntry.bigTable(entry),
                PageDirectoryEntry.smallTarget(entry),
                PageDirectoryEntry.smallTable(entry),
                PageDirectoryEntry.sizeShift(entry));
    }

    private static List<Object> pdeValues(
            MemoryTarget bigTarget, long big, MemoryTarget smallTarget, long small, int shift) {
        return Arrays.asList(bigTarget, big, smallTarget, small, shift);
    }

    private static List<Object> pte(long entry) {
        return List.of(
                PageTableEntry.isPresent(entry),
                PageTableEntry.isPrivileged(entry),
                PageTableEntry.isReadOnly(entry),
                PageTableEntry.isVolatile(entry),
                PageTableEntry.target(entry),
                PageTableEntry.physicalAddress(entry),
                PageTableEntry.kind(entry),
                PageTableEntry.compressionTag(entry));
    }

    private static List<WordCase> fifoWords() {
        long segment = GpfifoEntry.of(0xff_ffff_fffcL, GpfifoEntry.MAX_DWORDS);
        long flags = GpfifoEntry.noPrefetch(GpfifoEntry.notMain(GpfifoEntry.of(0, 0)));
        return List.of(
                new WordCase(
                        "GPFIFO entry",
                        segment,
                        0x7fff_fcff_ffff_fffcL,
                        gpfifo(segment),
                        List.of(0xff_ffff_fffcL, GpfifoEntry.MAX_DWORDS, false, true, false)),
                new WordCase(
                        "GPFIFO entry, flags",
                        flags,
                        0x8000_0200_0000_0000L,
                        gpfifo(flags),
                        List.of(0L, 0, false, false, true)),
                header("increasing", MethodHeader.increasing(7, 0x3ffc, 0x1fff), 0x3fff_efffL),
                header("non-increasing", MethodHeader.nonIncreasing(1, 0x304, 3), 0x6003_20c1L),
                header("increase once", MethodHeader.increaseOnce(2, 0x100, 5), 0xa005_4040L),
                header("immediate", MethodHeader.immediate(3, 0x20, 0x1abc), 0x9abc_6008L),
                new WordCase(
                        "old non-increasing",
                        Integer.toUnsignedLong(
                                MethodHeader.old(
                                        MethodHeader.OLD_NON_INCREASING, 5, 0x1ffc, 0x7ff)),
                        0x5ffc_bffcL,
                        List.of(
                                MethodHeader.oldCount(0x5ffc_bffc),
                                MethodHeader.oldMethod(0x5ffc_bffc),
                                MethodHeader.subchannel(0x5ffc_bffc)),
                        List.of(0x7ff, 0x1ffc, 5)),
                new WordCase(
                        "SLI condition",
                        Integer.toUnsignedLong(
                                MethodHeader.sli(MethodHeader.SLI_STORED_CONDITION, 0xabc)),
                        0x0003_abc0L,
                        List.of(
                                MethodHeader.sliOperation(0x0003_abc0),
                                MethodHeader.sliMask(0x0003_abc0)),
                        List.of(MethodHeader.SLI_STORED_CONDITION, 0xabc)),
                new WordCase(
                        "runlist entry",
                        RunlistEntry.of(127),
                        0x0000_0004_0000_007fL,
                        List.of(RunlistEntry.channel(RunlistEntry.of(127))),
                        List.of(127)),
                new WordCase(
                        "object",
                        ChannelClass.object(ClassId.COPY0),
                        0x0004_90b5L,
                        List.of(ClassId.of(EngineId.COPY0, 0x90b5)),
                        List.of(ClassId.COPY0)));
    }

    private static List<Object> gpfifo(long entry) {
        return List.of(
                GpfifoEntry.gpuVa(entry),
                GpfifoEntry.dwords(entry),
                GpfifoEntry.isPrivileged(entry),
                GpfifoEntry.isMain(entry),
                GpfifoEntry.isNoPrefetch(entry));
    }

    private static WordCase header(String name, int header, long bits) {
        int form = (int) (bits >>> 29);
        int count = (int) (bits >>> 16 & 0x1fff);
        int subchannel = (int) (bits >>> 13 & 7);
        int method = (int) (bits & 0xfff) * 4;
        return new WordCase(
                "command, " + name,
                Integer.toUnsignedLong(header),
                bits,
                List.of(
                        MethodHeader.form(header),
                        MethodHeader.count(header),
                        MethodHeader.subchannel(header),
                        MethodHeader.method(header)),
                List.of(form, count, subchannel, method));
    }

    private static List<WordCase> faults() {
        int status = FaultStatus.ofHub(FaultReason.PAGE_READ_ONLY, FaultClient.DISPATCH, true);
        return List.of(
                new WordCase(
                        "fault status",
                        status,
                        0x0000_04c6L,
                        List.of(
                                FaultStatus.reason(status),
                                FaultStatus.client(status),
                                FaultStatus.isWrite(status),
                                FaultStatus.isHub(status),
                                FaultStatus.gpc(status)),
                        List.of(6, 4, true, true, 0)));
    }

    static Stream<BlockCase> blocks() {
        return Stream.of(
                block(
                        "page directory",
                        m -> instance(m).directory(COHERENT, 0xab_cdef_0000L),
                        new int[][] {{0x200, 0xcdef_0006}, {0x204, 0xab}},
                        m -> List.of(instance(m).directoryTarget(), instance(m).directoryAddress()),
                        List.of(COHERENT, 0xab_cdef_0000L)),
                block(
                        "VM limit",
                        m -> instance(m).limit(0xff_ffff_ffffL),
                        new int[][] {{0x208, -1}, {0x20c, 0xff}},
                        m -> instance(m).limit(),
                        0xff_ffff_ffffL),
                block(
                        "USERD",
                        m -> ramfc(m).userd(NONCOHERENT, 0x12_3456_7000L),
                        new int[][] {{0x08, 0x3456_7003}, {0x0c, 0x12}},
                        m -> List.of(ramfc(m).userdTarget(), ramfc(m).userdAddress()),
                        List.of(NONCOHERENT, 0x12_3456_7000L)),
                block(
                        "ring",
                        m -> ramfc(m).ring(0xfe_dcba_9878L, 10),
                        new int[][] {{0x48, 0xdcba_9878}, {0x4c, 0x000a_00fe}},
                        m -> List.of(ramfc(m).ringGpuVa(), ramfc(m).ringOrder()),
                        List.of(0xfe_dcba_9878L, 10)),
                block(
                        "IB_GET",
                        m -> ramfc(m).ibGet(0x3ff),
                        new int[][] {{0x14, 0x3ff}},
                        m -> ramfc(m).ibGet(),
                        0x3ff),
                block(
                        "reference count",
                        m -> ramfc(m).refCount(-2),
                        new int[][] {{0x28, -2}},
                        m -> ramfc(m).refCount(),
                        -2),
                block(
                        "semaphore",
                        m -> ramfc(m).semaphore(0x12_3456_7890L, 77),
                        new int[][] {{0x38, 0x12}, {0x3c, 0x3456_7890}, {0x40, 77}},
                        m -> List.of(ramfc(m).semaphoreGpuVa(), ramfc(m).semaphorePayload()),
                        List.of(0x12_3456_7890L, 77)),
                block(
                        "SLI",
                        m -> ramfc(m).sli(0xabc, true, true),
                        new int[][] {{0x94, 0x3000_0abc}},
                        m ->
                                List.of(
                                        ramfc(m).sliMask(),
                                        ramfc(m).isSliActive(),
                                        ramfc(m).isSliEnabled()),
                        List.of(0xabc, true, true)),
                block(
                        "command forms",
                        m -> ramfc(m).commandForms(Ramfc.CommandForms.BOTH),
                        new int[][] {{0x9c, 0x200}},
                        m -> ramfc(m).commandForms(),
                        Ramfc.CommandForms.BOTH),
                block(
                        "engine on subchannel 5",
                        m -> ramfc(m).engine(5, 0x1f).currentEngine(4),
                        new int[][] {{0xa8, 0x1f00}, {0xac, 4}},
                        m -> List.of(ramfc(m).engine(5), ramfc(m).currentEngine()),
                        List.of(0x1f, 4)),
                block(
                        "USERD indexes",
                        m -> userd(m).ibPut(5).ibGet(4).refCount(9),
                        new int[][] {{0x48, 9}, {0x88, 4}, {0x8c, 5}},
                        m -> List.of(userd(m).ibPut(), userd(m).ibGet(), userd(m).refCount()),
                        List.of(5, 4, 9)),
                block(
                        "USERD addresses",
                        m -> userd(m).get(0x12_3456_7890L).mget(0x98_7654_3210L),
                        new int[][] {
                            {0x44, 0x3456_7890},
                            {0x58, 0x7654_3210},
                            {0x5c, 0x8000_0098},
                            {0x60, 0x12}
                        },
                        m -> List.of(userd(m).get(), userd(m).mget()),
                        List.of(0x12_3456_7890L, 0x98_7654_3210L)));
    }

    private static BlockCase block(
            String name,
            Consumer<MemorySegment> write,
            int[][] words,
            Function<MemorySegment, Object> read,
            Object value) {
        return new BlockCase(name, write, words, read, value);
    }

    private static InstanceBlock instance(MemorySegment memory) {
        return new InstanceBlock().wrap(memory, InstanceBlock.BYTES);
    }

    private static Ramfc ramfc(MemorySegment memory) {
        return new Ramfc().wrap(memory, InstanceBlock.BYTES);
    }

    private static Userd userd(MemorySegment memory) {
        return new Userd().wrap(memory, InstanceBlock.BYTES);
    }

    @ParameterizedTest
    @MethodSource("words")
    void givenWord_whenFieldsAreSet_thenBitsAndValuesMatchDocumentation(WordCase word) {
        assertAll(
                () -> assertEquals(Long.toHexString(word.bits()), Long.toHexString(word.word())),
                () -> assertEquals(word.values(), word.readBack()));
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void givenBlock_whenFieldIsWritten_thenOnlyFieldWordsChangeAndFieldReadsBack(BlockCase block) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(3 * InstanceBlock.BYTES, 8);
            block.write().accept(memory);
            assertEquals(block.value(), block.read().apply(memory));
            for (int[] word : block.words()) {
                int offset = InstanceBlock.BYTES + word[0];
                assertEquals(
                        Integer.toHexString(word[1]),
                        Integer.toHexString(memory.get(ValueLayout.JAVA_INT, offset)),
                        () -> "word at %#x".formatted(word[0]));
                memory.set(ValueLayout.JAVA_INT, offset, 0);
            }
            assertEquals(-1, memory.mismatch(arena.allocate(memory.byteSize(), 8)));
        }
    }

    @Test
    void givenZeroedBlock_whenRamfcIsInitialized_thenWordsMatchNouveau() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(InstanceBlock.BYTES, 8);
            new Ramfc().wrap(memory, 0).initialize(VRAM, 0x1234_5000L, 0x12_0001_0000L, 10);
            int[][] words = {
                {0x08, 0x1234_5000}, {0x10, 0xface}, {0x30, 0xffff_f902}, {0x48, 0x0001_0000},
                {0x4c, 0x000a_0012}, {0x54, 2}, {0x64, 2}, {0x84, 0x2040_0000},
                {0x94, 0x3000_0fff}, {0x9c, 0x100}, {0xa4, 0x1f1f_1f1f}, {0xa8, 0x1f1f_1f1f},
                {0xac, 0x1f}
            };
            for (int[] word : words) {
                assertEquals(word[1], memory.get(ValueLayout.JAVA_INT, word[0]));
            }
        }
    }
}
