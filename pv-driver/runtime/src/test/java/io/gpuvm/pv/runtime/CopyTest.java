package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
