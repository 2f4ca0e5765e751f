package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of copies by copy engines and by M2MF.
@ParameterizedClass
@ValueSource(strings = {"copy-engines=on", "copy-engines=off"})
class CopyTest {
    private static final long SEED = 20261122;
    private static final int[] SIZES = {0, 1, 4, 4095, 262_144, 262_145, 3_000_001, 20_000_001};

    private final TestContext gpu;

    CopyTest(String settings) {
        gpu = new TestContext(settings);
    }

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenBytes_whenCopiedToGpuAndBack_thenBytesAreUnchanged() {
        for (int bytes : SIZES) {
            byte[] contents = TestContext.random(bytes, SEED);
            DeviceMemory memory = gpu.context().allocate(bytes + 7L);
            byte[] back = new byte[bytes];
            gpu.stream().copyToDevice(memory, 7, MemorySegment.ofArray(contents));
            gpu.stream().copyToHost(MemorySegment.ofArray(back), memory, 7);
            assertArrayEquals(contents, back, "bytes=" + bytes);
            memory.close();
        }
    }

    @Test
    void givenPinnedMemory_whenCopiedThroughGpu_thenDataIsUnchanged() {
        byte[] contents = TestContext.random(1_000_003, SEED);
        PinnedMemory source = gpu.context().allocatePinned(contents.length + 5);
        PinnedMemory target = gpu.context().allocatePinned(contents.length);
        MemorySegment.copy(
                contents, 0, source.segment(), ValueLayout.JAVA_BYTE, 5, contents.length);
        DeviceMemory first = gpu.context().allocate(contents.length);
        DeviceMemory second = gpu.context().allocate(contents.length + 3);
        gpu.stream().copyToDevice(first, 0, source, 5, contents.length);
        gpu.stream().copy(second, 3, first, 0, contents.length);
        gpu.stream().copyToHost(target, 0, second, 3, contents.length);
        gpu.stream().synchronize();
        assertArrayEquals(contents, target.segment().toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void givenLine_whenOffered_thenItIsCopiedUpToPosition() {
        PinnedMemory memory = gpu.context().allocatePinned(200);
        memory.segment().set(ValueLayout.JAVA_INT, 4, 42);
        DeviceMemory device = gpu.context().allocate(100);
        GpuStream stream = gpu.context().newStream();

        assertTrue(stream.offerLine(device, 8, memory, 4, 4));
        assertTrue(stream.offerLine(memory, 100, device, 8, 4));
        assertTrue(stream.offerLine(memory, 200, device, 100, 0));

        long position = stream.position();
        stream.close();
        while (!stream.isDone(position)) {
            Thread.onSpinWait();
        }
        assertEquals(42, memory.segment().get(ValueLayout.JAVA_INT, 100));
    }

    @Test
    void givenLineOfSeveralSubmissions_whenOffered_thenNothingIsSubmitted() {
        DeviceMemory memory = gpu.context().allocate(20_000_001);
        DeviceMemory target = gpu.context().allocate(20_000_001);
        long position = gpu.stream().position();

        assertFalse(gpu.stream().offerLine(target, 0, memory, 0, 20_000_001));

        assertEquals(position, gpu.stream().position());
    }

    @Test
    void givenLineOutsideOfMemory_whenOffered_thenItIsRefused() {
        DeviceMemory memory = gpu.context().allocate(100);

        assertError(GpuError.INVALID_VALUE, () -> gpu.stream().offerLine(memory, 97, memory, 0, 4));
        assertError(GpuError.INVALID_VALUE, () -> gpu.stream().offerLine(memory, 0, memory, -1, 4));
        memory.close();
        assertError(GpuError.INVALID_HANDLE, () -> gpu.stream().offerLine(memory, 0, memory, 8, 4));
    }

    @Test
    void givenRectangle_whenCopied_thenOnlyRectangleChanges() {
        assertRectangle(300, 20, 512, 700);
    }

    @Test
    void givenPitchBeyondCopyEngineLimit_whenCopied_thenOnlyRectangleChanges() {
        assertRectangle(1000, 3, 600_000, 1001);
    }

    @Test
    void givenLinesLongerThanCommandLimit_whenCopied_thenOnlyRectangleChanges() {
        assertRectangle(300_001, 4, 300_010, 400_000);
    }

    @Test
    void givenMoreLinesThanCommandLimit_whenCopied_thenOnlyRectangleChanges() {
        assertRectangle(3, 9000, 5, 4);
    }

    @Test
    void givenEmptyRange_whenCopiedOrFilled_thenMemoryIsUnchanged() {
        DeviceMemory memory = gpu.with(new byte[] {1, 2, 3});
        Pitched place = new Pitched(memory, 0, 2);
        gpu.stream().copy2d(place, place, 0, 1);
        gpu.stream().copy2d(place, place, 2, 0);
        gpu.stream().copy2d(place, place, 1, 0);
        gpu.stream().copy2d(place, place, 0, 2);
        gpu.stream().copy(memory, 3, memory, 3, 0);
        gpu.stream().fill(memory, 3, 0, 1);
        assertArrayEquals(new byte[] {1, 2, 3}, gpu.read(memory));
    }

    @Test
    void givenMemory_whenPartsAreFilled_thenOnlyPartsChange() {
        for (int bytes : new int[] {1, 5, 256, 257, 70_000, 1_000_001, 5_000_000}) {
            DeviceMemory memory = gpu.context().allocate(bytes + 10L);
            gpu.stream().fill(memory, 0, bytes + 10L, 0xee);
            gpu.stream().fill(memory, 3, bytes, -3);
            byte[] expected = new byte[bytes + 10];
            Arrays.fill(expected, (byte) 0xee);
            Arrays.fill(expected, 3, 3 + bytes, (byte) -3);
            assertArrayEquals(expected, gpu.read(memory), "bytes=" + bytes);
            memory.close();
        }
    }

    @Test
    void givenRangesOutsideMemory_whenCopiedOrFilled_thenErrorNamesValue() {
        DeviceMemory memory = gpu.context().allocate(100);
        PinnedMemory pinned = gpu.context().allocatePinned(50);
        GpuStream stream = gpu.stream();
        GpuError invalid = GpuError.INVALID_VALUE;
        MemorySegment ten = MemorySegment.ofArray(new byte[10]);
        assertError(
                invalid,
                () -> stream.copyToDevice(memory, 91, ten),
                "target offset=91",
                "expected 0 to 90");
        assertError(invalid, () -> stream.copyToHost(ten, memory, -1), "source offset=-1");
        assertError(
                invalid,
                () -> stream.copyToDevice(memory, 0, pinned, 0, 51),
                "source bytes=51",
                "expected 0 to 50");
        assertError(
                invalid,
                () -> stream.copyToHost(pinned, Long.MAX_VALUE, memory, 0, 1),
                "target offset=" + Long.MAX_VALUE);
        assertError(invalid, () -> stream.copy(memory, 0, memory, 0, -1), "target bytes=-1");
        assertError(invalid, () -> stream.fill(memory, 1, 100, 0), "target offset=1");
        assertError(invalid, () -> stream.fill(memory, 0, 100, 256), "fill value=256");
        assertError(
                invalid,
                () -> stream.copy2d(new Pitched(memory, 0, 9), new Pitched(memory, 0, 9), 10, 2),
                "target pitch=9");
        assertError(
                invalid,
                () ->
                        stream.copy2d(
                                new Pitched(memory, 0, Long.MAX_VALUE),
                                new Pitched(memory, 0, 10),
                                10,
                                3),
                "target height=3");
        assertError(
                invalid,
                () -> stream.copy2d(new Pitched(memory, 0, 10), new Pitched(pinned, 1, 10), 10, 5),
                "source offset=1");
        assertEquals(100, gpu.read(memory).length);
    }

    @Test
    void givenPatterns_whenMemoryIsFilled_thenElementsRepeat() {
        for (int count : new int[] {1, 3, 64, 100, 70_000, 1_000_001}) {
            byte[] expected = TestContext.random(4 * count + 20, SEED);
            DeviceMemory memory = gpu.with(expected);
            gpu.stream().fill(memory, 5, count, FillPattern.ofShort(0x1_8001));
            gpu.stream().fill(memory, 2 * count + 7, count / 2, FillPattern.ofInt(0x9abc_def0));
            for (int i = 0; i < count; i++) {
                expected[5 + 2 * i] = 1;
                expected[6 + 2 * i] = (byte) 0x80;
            }
            byte[] word = {(byte) 0xf0, (byte) 0xde, (byte) 0xbc, (byte) 0x9a};
            for (int i = 0; i < count / 2; i++) {
                System.arraycopy(word, 0, expected, 2 * count + 7 + 4 * i, 4);
            }
            assertArrayEquals(expected, gpu.read(memory), "count=" + count);
            memory.close();
        }
    }

    @Test
    void givenRectangle_whenFilled_thenOnlyRectangleChanges() {
        assertFilled(FillPattern.ofByte(7), 100, 5000, 128);
        assertFilled(FillPattern.ofShort(0x1234), 37, 33, 100);
        assertFilled(FillPattern.ofInt(0x1234_5678), 10, 3, 40);
        assertFilled(FillPattern.ofInt(0x1234_5678), 40_000, 5, 160_004);
        assertFilled(FillPattern.ofByte(1), 1, 1, 1);
    }

    @Test
    void givenEmptyRectangle_whenFilled_thenMemoryIsUnchanged() {
        DeviceMemory memory = gpu.with(new byte[] {1, 2, 3});
        gpu.stream().fill2d(new Pitched(memory, 0, 1), 0, 3, FillPattern.ofByte(9));
        gpu.stream().fill2d(new Pitched(memory, 0, 1), 1, 0, FillPattern.ofByte(9));
        gpu.stream().fill2d(new Pitched(memory, 1, 2), 1, 1, FillPattern.ofByte(9));
        assertArrayEquals(new byte[] {1, 9, 3}, gpu.read(memory));
    }

    @Test
    void givenBox_whenCopied_thenOnlyBoxChanges() {
        assertBox(30, 4, 5, new int[] {40, 300}, new int[] {64, 512});
        assertBox(30, 1, 5, new int[] {30, 77}, new int[] {31, 88});
        assertBox(16, 4, 3, new int[] {16, 64}, new int[] {16, 64});
        assertBox(16, 4, 3, new int[] {16, 64}, new int[] {20, 80});
        assertBox(7, 3, 1, new int[] {8, 0}, new int[] {9, 0});
    }

    @Test
    void givenBoxFromPinnedMemory_whenCopied_thenSlicesArrive() {
        byte[] contents = TestContext.random(1000, SEED);
        PinnedMemory source = gpu.context().allocatePinned(1000);
        source.segment().copyFrom(MemorySegment.ofArray(contents));
        PinnedMemory target = gpu.context().allocatePinned(1000);
        gpu.stream()
                .copy3d(new Slices(target, 0, 10, 100), new Slices(source, 0, 20, 200), 10, 10, 5);
        gpu.stream().synchronize();
        for (int slice = 0; slice < 5; slice++) {
            for (int line = 0; line < 10; line++) {
                assertEquals(
                        -1,
                        MemorySegment.mismatch(
                                MemorySegment.ofArray(contents),
                                slice * 200 + line * 20,
                                slice * 200 + line * 20 + 10,
                                target.segment(),
                                slice * 100 + line * 10,
                                slice * 100 + line * 10 + 10));
            }
        }
    }

    @Test
    void givenBoxOutsideMemory_whenCopied_thenErrorNamesValue() {
        DeviceMemory memory = gpu.context().allocate(1000);
        Slices whole = new Slices(memory, 0, 10, 100);
        GpuStream stream = gpu.stream();
        GpuError invalid = GpuError.INVALID_VALUE;
        assertError(invalid, () -> stream.copy3d(whole, whole, 10, 10, 11), "target height=110");
        assertError(
                invalid,
                () -> stream.copy3d(new Slices(memory, 0, 10, 90), whole, 10, 10, 2),
                "target slice pitch=90");
        assertError(invalid, () -> stream.copy3d(whole, whole, 10, 10, -1), "target");
        assertError(invalid, () -> stream.copy3d(whole, whole, 10, -1, 1), "target height=-1");
        long many = 1L << 40;
        assertError(
                invalid,
                () ->
                        stream.copy3d(
                                new Slices(memory, 0, 1, many),
                                new Slices(memory, 0, 1, many),
                                1,
                                many,
                                many),
                "copy depth=" + many);
        assertError(
                invalid,
                () -> stream.copy3d(new Slices(memory, 0, 10, Long.MAX_VALUE), whole, 10, 9, 3),
                "target slice height=3");
        assertError(
                invalid,
                () -> stream.fill(memory, 0, Long.MAX_VALUE, FillPattern.ofInt(0)),
                "fill count");
        assertError(
                invalid,
                () -> stream.fill(memory, 2, 250, FillPattern.ofInt(0)),
                "target offset=2",
                "expected 0 to 0");
        assertError(
                invalid,
                () -> stream.fill2d(new Pitched(memory, 0, 3), 1, 2, FillPattern.ofInt(0)),
                "target pitch=3");
        assertError(invalid, () -> new FillPattern(3, 0), "element=3");
    }

    private void assertFilled(FillPattern pattern, int width, int height, int pitch) {
        byte[] expected = TestContext.random(height * pitch + 9, SEED);
        DeviceMemory memory = gpu.with(expected);
        gpu.stream().fill2d(new Pitched(memory, 9, pitch), width, height, pattern);
        int bytes = width * pattern.elementBytes();
        for (int line = 0; line < height; line++) {
            for (int i = 0; i < bytes; i++) {
                int shift = i % Integer.BYTES * Byte.SIZE;
                expected[9 + line * pitch + i] = (byte) (pattern.word() >>> shift);
            }
        }
        assertArrayEquals(expected, gpu.read(memory), () -> width + "x" + height);
        memory.close();
    }

    /// @param fromPitches pitches of the source's lines and slices
    /// @param toPitches pitches of the target's lines and slices
    private void assertBox(int width, int height, int depth, int[] fromPitches, int[] toPitches) {
        int sourceBytes = depth * Math.max(fromPitches[1], height * fromPitches[0]);
        int targetBytes = depth * Math.max(toPitches[1], height * toPitches[0]);
        byte[] from = TestContext.random(sourceBytes + 3, SEED);
        byte[] to = TestContext.random(targetBytes + 5, SEED + 1);
        DeviceMemory source = gpu.with(from);
        DeviceMemory target = gpu.with(to);
        gpu.stream()
                .copy3d(
                        new Slices(target, 5, toPitches[0], toPitches[1]),
                        new Slices(source, 3, fromPitches[0], fromPitches[1]),
                        width,
                        height,
                        depth);
        for (int slice = 0; slice < depth; slice++) {
            for (int line = 0; line < height; line++) {
                System.arraycopy(
                        from,
                        3 + slice * fromPitches[1] + line * fromPitches[0],
                        to,
                        5 + slice * toPitches[1] + line * toPitches[0],
                        width);
            }
        }
        assertArrayEquals(to, gpu.read(target));
    }

    private void assertRectangle(int width, int height, int fromPitch, int toPitch) {
        byte[] from = TestContext.random(height * fromPitch + 11, SEED);
        byte[] to = TestContext.random(height * toPitch + 13, SEED + 1);
        DeviceMemory source = gpu.with(from);
        DeviceMemory target = gpu.with(to);
        gpu.stream()
                .copy2d(
                        new Pitched(target, 13, toPitch),
                        new Pitched(source, 11, fromPitch),
                        width,
                        height);
        for (int line = 0; line < height; line++) {
            System.arraycopy(from, 11 + line * fromPitch, to, 13 + line * toPitch, width);
        }
        assertArrayEquals(to, gpu.read(target));
    }
}
