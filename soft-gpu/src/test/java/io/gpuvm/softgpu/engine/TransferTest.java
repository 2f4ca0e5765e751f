package io.gpuvm.softgpu.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Seal;
import io.gpuvm.softgpu.fifo.GpuProgram;
import io.gpuvm.softgpu.fifo.TestChannel;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Copies by M2MF and by the copy engines, compared with [CopyModel].
class TransferTest {
    private static final long VA = 0x5000_0000L;
    private static final int BYTES = 1 << 20;
    private static final int HALF = BYTES / 2;
    private static final int M2MF = CopyPrograms.M2MF;
    private static final int COPY = CopyPrograms.COPY;

    private final TestGpu gpu = new TestGpu();
    private TestChannel channel;
    private long vram;
    private byte[] model;

    @BeforeEach
    void fillMemory() {
        channel = TestChannel.running(gpu, 1);
        vram = channel.map(VA, BYTES);
        model = new byte[BYTES];
        new Random(5).nextBytes(model);
        gpu.slice(vram, BYTES).copyFrom(MemorySegment.ofArray(model));
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    private void runAndCompare(GpuProgram program, String where) {
        channel.submit(program);
        gpu.run();
        assertEquals(0, gpu.read(Pfifo.VM_FAULT_SOURCE), where);
        byte[] actual = gpu.slice(vram, BYTES).toArray(ValueLayout.JAVA_BYTE);
        int difference = Arrays.mismatch(model, actual);
        assertEquals(-1, difference, where);
    }

    /// Program that copies lines of linear memory.
    private interface LineCopy {
        GpuProgram of(long source, int pitchIn, long target, int pitchOut, int bytes, int lines);
    }

    @Test
    void givenStridesAndOddSizes_whenM2mfCopiesLines_thenMemoryEqualsModel() {
        copyLines(CopyPrograms::m2mfLines);
    }

    @ParameterizedTest
    @EnumSource(names = {"COPY0", "COPY1"})
    void givenStridesAndOddSizes_whenCopyEngineCopiesLines_thenMemoryEqualsModel(ClassId id) {
        copyLines((source, pitchIn, target, pitchOut, bytes, lines) ->
                CopyPrograms.copyLines(id, source, pitchIn, target, pitchOut, bytes, lines));
    }

    private void copyLines(LineCopy program) {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int bytes = random.nextInt(9000);
            int lines = random.nextInt(20);
            int from = random.nextInt(4096);
            int to = HALF + random.nextInt(4096);
            int pitchIn = random.nextInt(12_000);
            int pitchOut = bytes + random.nextInt(5000);
            CopyModel.copy(
                    model,
                    CopyModel.linear(from, pitchIn),
                    CopyModel.linear(to, pitchOut),
                    bytes,
                    lines);
            runAndCompare(
                    program.of(VA + from, pitchIn, VA + to, pitchOut, bytes, lines),
                    "seed=" + seed);
        }
    }

    @Test
    void givenOverlappingRectangles_whenCopied_thenSourceIsReadBeforeOverwrite() {
        for (long seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int bytes = 1 + random.nextInt(20_000);
            int lines = 1 + random.nextInt(6);
            int pitch = bytes + random.nextInt(3) * random.nextInt(300);
            int from = random.nextInt(30_000);
            int to = Math.max(0, from + random.nextInt(10_000) - 5000);
            CopyModel.copy(
                    model,
                    CopyModel.linear(from, pitch),
                    CopyModel.linear(to, pitch),
                    bytes,
                    lines);
            runAndCompare(
                    CopyPrograms.m2mfLines(VA + from, pitch, VA + to, pitch, bytes, lines),
                    "seed=" + seed);
        }
    }

    @Test
    void givenNegativePitch_whenM2mfCopies_thenMemoryEqualsModel() {
        int pitch = -100;
        CopyModel.copy(model, CopyModel.linear(5000, pitch), CopyModel.linear(HALF, 64), 64, 10);
        runAndCompare(CopyPrograms.m2mfLines(VA + 5000, pitch, VA + HALF, 64, 64, 10), "");
    }

    @Test
    void givenBlockLinearSurfaces_whenM2mfCopiesInAndOut_thenMemoryEqualsModel() {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int mode = BlockLinear.mode(random.nextInt(5), random.nextInt(3));
            int width = 1 + random.nextInt(500);
            int height = 1 + random.nextInt(100);
            int depth = 1 + random.nextInt(4);
            int z = random.nextInt(depth);
            int x = random.nextInt(width);
            int y = random.nextInt(height);
            int bytes = 1 + random.nextInt(width - x);
            int lines = 1 + random.nextInt(height - y);
            int pitch = bytes + random.nextInt(50);
            CopyModel.Place surface = CopyModel.tiled(HALF, mode, width, height, x, y, z);
            CopyModel.Place line = CopyModel.linear(123, pitch);
            String where = "seed=" + seed;

            CopyModel.copy(model, line, surface, bytes, lines);
            GpuProgram program =
                    new GpuProgram()
                            .bind(M2MF, ClassId.M2MF)
                            .methods(M2MF, M2mfClass.TILE_MODE_OUT, mode, width, height, depth, z)
                            .methods(M2MF, M2mfClass.POSITION_OUT_X, x, y)
                            .address(M2MF, M2mfClass.OFFSET_OUT_HIGH, VA + HALF)
                            .address(M2MF, M2mfClass.OFFSET_IN_HIGH, VA + 123)
                            .methods(M2MF, M2mfClass.PITCH_IN, pitch, 0, bytes, lines)
                            .methods(M2MF, M2mfClass.EXEC, M2mfClass.EXEC_LINEAR_IN.of(1));
            runAndCompare(program, where + " in");

            CopyModel.Place back = CopyModel.linear(200_000, pitch);
            CopyModel.copy(model, surface, back, bytes, lines);
            program =
                    new GpuProgram()
                            .methods(M2MF, M2mfClass.TILE_MODE_IN, mode, width, height, depth, z)
                            .methods(M2MF, M2mfClass.POSITION_IN_X, x, y)
                            .address(M2MF, M2mfClass.OFFSET_IN_HIGH, VA + HALF)
                            .address(M2MF, M2mfClass.OFFSET_OUT_HIGH, VA + 200_000)
                            .methods(M2MF, M2mfClass.PITCH_IN, 0, pitch, bytes, lines)
                            .methods(M2MF, M2mfClass.EXEC, M2mfClass.EXEC_LINEAR_OUT.of(1));
            runAndCompare(program, where + " out");
        }
    }

    @Test
    void givenTiledSurfaces_whenCopyEngineCopiesBetweenSurfaces_thenMemoryEqualsModel() {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            boolean narrow = random.nextBoolean();
            int source = BlockLinear.mode(random.nextInt(4), random.nextInt(2));
            int target = narrow ? BlockLinear.narrowMode(1, 1) : BlockLinear.mode(2, 0);
            int width = 32 + random.nextInt(300);
            int height = 8 + random.nextInt(60);
            int x = random.nextInt(16);
            int y = random.nextInt(5);
            int bytes = 1 + random.nextInt(width - 16);
            int lines = 1 + random.nextInt(height - 7);
            CopyModel.copy(
                    model,
                    CopyModel.tiled(0, source, width, height, x, y, 1),
                    CopyModel.tiled(HALF, target, width, height, 3, 2, 2),
                    bytes,
                    lines);
            GpuProgram program =
                    new GpuProgram()
                            .bind(COPY, ClassId.COPY0)
                            .methods(
                                    COPY,
                                    CopyClass.SRC_TILE_MODE,
                                    source,
                                    width,
                                    height,
                                    4,
                                    1,
                                    x,
                                    y)
                            .methods(
                                    COPY,
                                    CopyClass.DST_TILE_MODE,
                                    target,
                                    width,
                                    height,
                                    4,
                                    2,
                                    3,
                                    2)
                            .address(COPY, CopyClass.SRC_ADDRESS_HIGH, VA)
                            .address(COPY, CopyClass.DST_ADDRESS_HIGH, VA + HALF)
                            .methods(COPY, CopyClass.X_COUNT, bytes, lines)
                            .methods(COPY, CopyClass.EXEC, 0);
            runAndCompare(program, "seed=" + seed);
        }
    }

    @Test
    void givenFormat_whenCopyEngineConverts_thenComponentsAreRearranged() {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            int componentBytes = 1 + random.nextInt(4);
            int sources = 1 + random.nextInt(4);
            int targets = 1 + random.nextInt(4);
            int columns = 1 + random.nextInt(40);
            int lines = 1 + random.nextInt(8);
            int const0 = random.nextInt();
            int const1 = random.nextInt();
            int format =
                    CopyClass.FORMAT_COMPONENT_BYTES.of(componentBytes - 1)
                            | CopyClass.FORMAT_SRC_COMPONENTS.of(sources - 1)
                            | CopyClass.FORMAT_DST_COMPONENTS.of(targets - 1);
            int[] selectors = new int[4];
            for (int i = 0; i < 4; i++) {
                selectors[i] = random.nextInt(8);
                if (selectors[i] < CopyClass.SELECT_CONST0) {
                    selectors[i] %= sources;
                }
                format |= selectors[i] << 4 * i;
            }
            for (int y = 0; y < lines; y++) {
                for (int x = 0; x < columns; x++) {
                    for (int b = 0; b < targets * componentBytes; b++) {
                        int in = b % componentBytes;
                        int selector = selectors[b / componentBytes];
                        int from = y * 1000 + x * sources * componentBytes;
                        model[HALF + y * 1000 + x * targets * componentBytes + b] =
                                switch (selector) {
                                    case CopyClass.SELECT_CONST0 -> (byte) (const0 >>> 8 * in);
                                    case CopyClass.SELECT_CONST1 -> (byte) (const1 >>> 8 * in);
                                    case 6, 7 -> 0;
                                    default -> model[from + selector * componentBytes + in];
                                };
                    }
                }
            }
            GpuProgram program =
                    new GpuProgram()
                            .bind(COPY, ClassId.COPY1)
                            .address(COPY, CopyClass.SRC_ADDRESS_HIGH, VA)
                            .address(COPY, CopyClass.DST_ADDRESS_HIGH, VA + HALF)
                            .methods(COPY, CopyClass.SRC_PITCH, 1000, 1000, columns, lines)
                            .methods(COPY, CopyClass.FORMAT, format, const0, const1)
                            .methods(COPY, CopyClass.EXEC, 0x111);
            runAndCompare(program, "seed=" + seed);
        }
    }

    @Test
    void givenInlineData_whenM2mfWritesData_thenEachLineStartsWithNewWord() {
        int bytes = 7;
        int lines = 3;
        int[] words = {0x0403_0201, 0xff07_0605, 0x1413_1211, 0xff17_1615, 0x2423_2221, 0x2625};
        for (int y = 0; y < lines; y++) {
            for (int x = 0; x < bytes; x++) {
                model[100 + 5000 * y + x] = (byte) (words[2 * y + x / 4] >>> 8 * (x % 4));
            }
        }
        GpuProgram program =
                new GpuProgram()
                        .bind(M2MF, ClassId.M2MF)
                        .address(M2MF, M2mfClass.OFFSET_OUT_HIGH, VA + 100)
                        .methods(M2MF, M2mfClass.PITCH_OUT, 5000, bytes, lines)
                        .methods(M2MF, M2mfClass.EXEC, 0x0010_0111)
                        .repeat(M2MF, M2mfClass.DATA, words)
                        .repeat(M2MF, M2mfClass.DATA, 1, 2, 3);
        runAndCompare(program, "");
    }

    @Test
    void givenInlineDataAcrossPageAndGobBoundaries_whenWritten_thenMemoryEqualsModel() {
        Random random = new Random(9);
        int bytes = 301;
        int lines = 4;
        int mode = BlockLinear.mode(1, 0);
        int perLine = (bytes + 3) / 4;
        int[] words = random.ints((long) perLine * lines).toArray();
        CopyModel.Place place = CopyModel.tiled(8192, mode, 400, 30, 13, 5, 0);
        for (int y = 0; y < lines; y++) {
            for (int x = 0; x < bytes; x++) {
                int word = words[perLine * y + x / 4];
                model[(int) place.at(x, y)] = (byte) (word >>> 8 * (x % 4));
            }
        }
        GpuProgram program =
                new GpuProgram()
                        .bind(M2MF, ClassId.M2MF)
                        .methods(M2MF, M2mfClass.TILE_MODE_OUT, mode, 400, 30, 1, 0)
                        .methods(M2MF, M2mfClass.POSITION_OUT_X, 13, 5)
                        .address(M2MF, M2mfClass.OFFSET_OUT_HIGH, VA + 8192)
                        .methods(M2MF, M2mfClass.LINE_LENGTH, bytes, lines)
                        .methods(M2MF, M2mfClass.EXEC, M2mfClass.EXEC_PUSH.of(1))
                        .repeat(M2MF, M2mfClass.DATA, words);
        runAndCompare(program, "");
    }

    @Test
    void givenQueries_whenM2mfIsDone_thenRecordsAreWritten() {
        gpu.slice(vram + 64, 64).fill((byte) -1);
        GpuProgram program =
                CopyPrograms.m2mfLinear(VA + 1024, VA + 2048, 16)
                        .address(M2MF, M2mfClass.QUERY_ADDRESS_HIGH, VA + 64)
                        .methods(M2MF, M2mfClass.QUERY_SEQUENCE, 77)
                        .methods(M2MF, M2mfClass.EXEC, 0x2110)
                        .address(M2MF, M2mfClass.QUERY_ADDRESS_HIGH, VA + 96)
                        .methods(M2MF, M2mfClass.EXEC, 0x0010_2110);
        channel.submit(program);
        gpu.run();

        assertEquals(77, gpu.word(vram + 64));
        assertEquals(0, gpu.word(vram + 68));
        long time = gpu.slice(vram + 72, 8).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
        assertTrue(time > 0 && time <= gpu.nowNs());
        assertEquals(77, gpu.word(vram + 96));
        assertEquals(-1, gpu.word(vram + 100));
        assertEquals(3, gpu.count(WorkCounter.M2MF_LAUNCHES));
        assertEquals(48, gpu.count(WorkCounter.M2MF_BYTES));
    }

    @Test
    void givenQueries_whenCopyEngineIsDone_thenRecordsAreWritten() {
        gpu.slice(vram + 64, 64).fill((byte) -1);
        GpuProgram program =
                CopyPrograms.copyLinear(ClassId.COPY0, VA + 1024, VA + 2048, 16)
                        .address(COPY, CopyClass.QUERY_ADDRESS_HIGH, VA + 64)
                        .methods(COPY, CopyClass.QUERY_COUNTER, 78)
                        .methods(COPY, CopyClass.EXEC, 0x1110)
                        .address(COPY, CopyClass.QUERY_ADDRESS_HIGH, VA + 96)
                        .methods(COPY, CopyClass.EXEC, 0x3110);
        channel.submit(program);
        gpu.run();

        assertEquals(78, gpu.word(vram + 64));
        assertEquals(0, gpu.word(vram + 68));
        assertEquals(78, gpu.word(vram + 96));
        assertEquals(-1, gpu.word(vram + 100));
        assertEquals(3, gpu.count(WorkCounter.COPY0_LAUNCHES));
        assertEquals(48, gpu.count(WorkCounter.COPY0_BYTES));
        assertEquals(0, gpu.count(WorkCounter.COPY1_LAUNCHES));
    }

    @Test
    void givenHostMemory_whenCopiedToVramAndBack_thenContentsAreEqual() {
        long iova = 0x8_0000_0000L;
        int bytes = 300_001;
        gpu.mapHost(iova, 1 << 20);
        channel.space.map(0x6000_0000L, MemoryTarget.SYSTEM_COHERENT, iova, 1 << 20);
        channel.submit(CopyPrograms.m2mfLinear(VA + 17, 0x6000_0003L, bytes));
        gpu.run();
        channel.submit(CopyPrograms.copyLinear(ClassId.COPY0, 0x6000_0003L, VA + HALF + 5, 60_001));
        gpu.run();

        byte[] expected = Arrays.copyOfRange(model, 17, 17 + 60_001);
        byte[] actual = gpu.slice(vram + HALF + 5, 60_001).toArray(ValueLayout.JAVA_BYTE);
        assertArrayEquals(expected, actual);
    }

    @Test
    void givenTruncatedHostMemory_whenCopied_thenRemainingMemoryIsCopiedAndEnginesContinue() {
        long iova = 0x8_0000_0000L;
        var file = gpu.mapHost(iova, 1 << 16);
        channel.space.map(0x6000_0000L, MemoryTarget.SYSTEM_COHERENT, iova, 1 << 16);
        gpu.memory.write(MemoryTarget.SYSTEM_COHERENT, iova, 4, 0x1234);
        file.resize(8192);

        channel.submit(CopyPrograms.m2mfLinear(0x6000_0000L, VA, 1 << 16).reference(1));
        gpu.run();
        channel.submit(CopyPrograms.m2mfLinear(VA + HALF, 0x6000_0000L, 1 << 16).reference(2));
        gpu.run();

        assertEquals(0x1234, gpu.word(vram));
        assertEquals(2, channel.userd.refCount());
        assertTrue(gpu.memory.lostAccesses() > 0);
    }

    @Test
    void givenExhaustedHugePages_whenCopied_thenPagesWithoutMemoryAreSkipped() {
        assumeTrue(freeHugePages() == 0, "free huge pages exist");
        long iova = 0x8_0000_0000L;
        long bytes = 2 << 20;
        try (MemFd file = MemFd.createHuge("gpuvm-test", bytes)) {
            file.seal(EnumSet.of(Seal.SHRINK, Seal.GROW, Seal.SEAL));
            gpu.mapHost(iova, file);
            channel.space.map(0x6000_0000L, MemoryTarget.SYSTEM_COHERENT, iova, bytes);
            long next = iova + bytes;
            gpu.mapHost(next, 1 << 12);
            channel.space.map(0x6000_0000L + bytes, MemoryTarget.SYSTEM_COHERENT, next, 1 << 12);
            int word = gpu.word(vram + HALF);

            channel.submit(CopyPrograms.m2mfLinear(0x6000_0000L, VA, 1 << 16).reference(1));
            gpu.run();
            long lastPage = 0x6000_0000L + bytes - (1 << 12);
            channel.submit(CopyPrograms.m2mfLinear(VA + HALF, lastPage, 1 << 13).reference(2));
            gpu.run();
            channel.submit(CopyPrograms.m2mfLinear(VA + HALF, VA, 1 << 12).reference(3));
            gpu.run();

            assertEquals(word, gpu.word(vram));
            int after = gpu.word(vram + HALF + (1 << 12));
            assertEquals(after, (int) gpu.memory.read(MemoryTarget.SYSTEM_COHERENT, next, 4));
            assertEquals(3, channel.userd.refCount());
            assertTrue(gpu.memory.lostAccesses() > 0);
        }
    }

    private static long freeHugePages() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("HugePages_Free:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void givenEmptyCopy_whenStarted_thenQueryIsWritten() {
        GpuProgram program =
                CopyPrograms.m2mfLines(VA, 0, VA, 0, 0, -1)
                        .address(M2MF, M2mfClass.QUERY_ADDRESS_HIGH, VA + 64)
                        .methods(M2MF, M2mfClass.QUERY_SEQUENCE, 5)
                        .methods(M2MF, M2mfClass.EXEC, 0x0010_2110);
        channel.submit(program);
        gpu.run();
        assertEquals(5, gpu.word(vram + 64));
    }

    @Test
    void givenIncompleteInlineWrite_whenCopyStarts_thenLaterWordsAreDropped() {
        try (TestGpu own = new TestGpu()) {
            TestChannel channel = TestChannel.running(own, 5);
            long vram = channel.map(0x5000_0000L, TestGpu.PAGE_BYTES);
            int push = M2mfClass.EXEC_PUSH.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1);
            int linear = M2mfClass.EXEC_LINEAR_IN.of(1) | M2mfClass.EXEC_LINEAR_OUT.of(1);
            channel.submit(
                    new GpuProgram()
                            .bind(0, ClassId.M2MF)
                            .address(0, M2mfClass.OFFSET_IN_HIGH, 0x5000_0100L)
                            .address(0, M2mfClass.OFFSET_OUT_HIGH, 0x5000_0000L)
                            .methods(0, M2mfClass.LINE_LENGTH, 8, 1)
                            .methods(0, M2mfClass.EXEC, push)
                            .methods(0, M2mfClass.DATA, 11)
                            .methods(0, M2mfClass.EXEC, linear)
                            .methods(0, M2mfClass.DATA, 22));
            own.run();
            assertEquals(0, own.word(vram + 4));
        }
    }
}
