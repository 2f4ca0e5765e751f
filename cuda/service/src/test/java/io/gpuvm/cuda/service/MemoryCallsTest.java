package io.gpuvm.cuda.service;

import static io.gpuvm.cuda.service.TestSession.assertSuccess;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of allocations, copies, fills, and the use of the data area.
class MemoryCallsTest {
    private static final int BYTES = 10_000;
    private static final long SEED = 3;

    private final TestSession session = new TestSession();
    private final GpuContextExecutor executor = session.executor;
    private final TestSession.Context context = session.newContext();
    private final long memory = context.allocate(BYTES);
    private final byte[] contents = TestSession.random(BYTES, SEED);

    MemoryCallsTest() {
        context.write(memory, contents);
    }

    @AfterEach
    void close() {
        context.releaseSpin();
        session.close();
    }

    @Test
    void givenAllocations_whenFreed_thenAddressesAndSizesAreChecked() {
        CudaResult invalid = CudaResult.INVALID_VALUE;
        assertEquals(invalid, executor.free(0));
        assertEquals(invalid, executor.free(memory + 256));
        assertSuccess(executor.free(memory));
        assertEquals(invalid, executor.free(memory));
        assertEquals(
                invalid, executor.copyToDevice(session.newCall(), context.stream, memory, 0, 1));
        assertEquals(invalid, allocate(0).result());
        assertEquals(invalid, allocate(-1).result());
        assertEquals(CudaResult.OUT_OF_MEMORY, allocate(1L << 30).result());
        assertEquals(CudaResult.OUT_OF_MEMORY, allocate(Long.MAX_VALUE).result());
    }

    @Test
    void givenMemoryInUse_whenSameAmountIsAllocated_thenReplyFollowsRelease() {
        long most = context.allocate(40 << 20);
        context.module();
        context.spin(context.stream);
        assertSuccess(executor.free(most));
        List<CudaResult> waiting =
                session.begin(reply -> executor.allocate(context.handle, 40 << 20, reply));
        final List<CudaResult> info =
                session.begin(reply -> executor.readMemoryInfo(context.handle, reply));
        executor.doWork();
        assertTrue(waiting.isEmpty());
        assertTrue(info.isEmpty());
        assertTrue(executor.isWaiting());

        context.releaseSpin();
        session.workUntil(() -> !waiting.isEmpty() && !info.isEmpty());

        assertEquals(List.of(CudaResult.SUCCESS), waiting);
        assertEquals(List.of(CudaResult.SUCCESS), info);
    }

    @Test
    void givenLaunchThatNeedsMemory_whenMemoryIsReleasedLater_thenKernelRuns() {
        long stream = context.newStream(CudaExecutor.NON_BLOCKING);
        long out = context.allocate(16);
        context.module();
        final long most = context.allocate(44 << 20);
        context.spin(context.stream);
        assertSuccess(executor.free(most));

        assertSuccess(context.launch(stream, Kernels.LOCAL, 4, out, 0));
        assertSuccess(executor.copyToArea(session.newCall(), stream, 64, out, 16));
        context.releaseSpin();
        context.synchronize(stream);

        assertEquals(3, context.area().get(ValueLayout.JAVA_INT, 64 + 12));
        assertEquals(List.of(), session.failedLater);
    }

    /// Tests that a launch does not wait for the release of memory that follows it, and that waits
    /// for the launch.
    @Test
    void givenLaunchThatNeedsMemory_whenOnlyLaterReleasesAreLeft_thenLaunchFails() {
        long stream = context.newStream(CudaExecutor.NON_BLOCKING);
        long stalled = context.newStream(CudaExecutor.NON_BLOCKING);
        long out = context.allocate(16);
        context.module();
        long most = context.allocate(44 << 20);
        long little = context.allocate(1 << 20);
        long function = session.newCall();
        List<CudaResult> functions =
                session.begin(reply -> executor.launchHostFunction(function, stalled, reply));
        session.workUntil(() -> !functions.isEmpty());
        assertSuccess(executor.fill(session.newCall(), stalled, little, 1, 0, 1));
        assertSuccess(executor.free(little));
        assertSuccess(context.launch(stream, Kernels.LOCAL, 4, out, 0));
        assertSuccess(executor.free(most));

        assertSuccess(executor.endHostFunction(function));

        assertSuccess(
                session.await(reply -> executor.synchronizeContext(context.handle, reply))
                        .result());
        assertEquals(1, session.failedLater.size());
        assertTrue(
                session.failedLater.getFirst().contains("OUT_OF_MEMORY"),
                session.failedLater.getFirst());
        context.allocate(44 << 20);
    }

    @Test
    void givenAllocation_whenMemoryInfoIsRead_thenFreeBytesDecrease() {
        TestSession.Answer before =
                session.await(reply -> executor.readMemoryInfo(context.handle, reply));
        long large = context.allocate(8 << 20);
        TestSession.Answer after =
                session.await(reply -> executor.readMemoryInfo(context.handle, reply));
        assertEquals(before.second(), after.second());
        assertEquals(8 << 20, before.first() - after.first());

        assertSuccess(executor.free(large));

        assertEquals(
                before, session.await(reply -> executor.readMemoryInfo(context.handle, reply)));
    }

    @Test
    void givenRanges_whenCopied_thenBytesArrive() {
        long target = context.allocate(BYTES);
        context.write(target, new byte[BYTES]);
        assertSuccess(
                executor.copy(session.newCall(), context.stream, target + 3, memory + 5, 100));
        byte[] expected = new byte[BYTES];
        System.arraycopy(contents, 5, expected, 3, 100);

        assertArrayEquals(expected, context.read(target, BYTES));
    }

    @Test
    void givenAddressOfDataArea_whenCopiedAndFilled_thenDataAreaChanges() {
        context.area().fill((byte) 0);
        long address = context.areaAddress(4096);
        assertSuccess(executor.copy(session.newCall(), context.stream, address, memory, 50));
        assertSuccess(executor.fill(session.newCall(), context.stream, address + 50, 1, 0xab, 10));
        context.synchronize(context.stream);

        byte[] expected = new byte[61];
        System.arraycopy(contents, 0, expected, 0, 50);
        Arrays.fill(expected, 50, 60, (byte) 0xab);
        assertArrayEquals(
                expected, context.area().asSlice(4096, 61).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void givenRangesOutsideMemory_whenCopiedOrFilled_thenCallsAreRefused() {
        long stream = context.stream;
        CudaResult invalid = CudaResult.INVALID_VALUE;
        assertEquals(invalid, executor.copyToDevice(1, stream, memory, 0, BYTES + 1));
        assertEquals(invalid, executor.copyToDevice(1, stream, memory, TestSession.AREA_BYTES, 1));
        assertEquals(invalid, executor.copyToDevice(1, stream, memory, -1, 1));
        assertEquals(invalid, executor.copyToDevice(1, stream, memory, 0, -1));
        assertEquals(invalid, executor.copyToArea(1, stream, 0, memory - 1, 1));
        assertEquals(invalid, executor.copyToArea(1, stream, Long.MAX_VALUE, memory, 1));
        assertEquals(invalid, executor.copy(1, stream, memory, memory, Long.MAX_VALUE));
        assertEquals(invalid, executor.copy(1, stream, memory, 0, 1));
        assertEquals(invalid, executor.fill(1, stream, memory, 4, 0, BYTES));
        assertEquals(invalid, executor.fill(1, stream, memory, 4, 0, Long.MAX_VALUE));
        assertEquals(invalid, executor.fill(1, stream, memory, 3, 0, 1));
        assertEquals(invalid, executor.fillRectangle(1, stream, memory, 3, 4, 0, 1, 2));
        assertEquals(invalid, executor.fillRectangle(1, stream, memory, -4, 4, 0, 1, 2));
        assertEquals(CudaExecutor.NO_CALL, executor.oldestAreaUse());
        assertEquals(
                CudaResult.INVALID_HANDLE, executor.fill(1, stream ^ 1L << 33, memory, 1, 0, 1));
        assertArrayEquals(contents, context.read(memory, BYTES));
        for (String message : session.refused) {
            boolean hasLimit = message.contains("expected") || message.contains("limit=");
            assertTrue(message.contains("=") && hasLimit, message);
        }
    }

    @Test
    void givenFills_whenDone_thenElementsRepeat() {
        assertSuccess(executor.fill(session.newCall(), context.stream, memory, 1, 0x1ff, 3));
        assertSuccess(executor.fill(session.newCall(), context.stream, memory + 4, 2, 0x1234, 3));
        assertSuccess(
                executor.fill(session.newCall(), context.stream, memory + 12, 4, 0x1234_5678, 200));
        assertSuccess(
                executor.fillRectangle(
                        session.newCall(), context.stream, memory + 1024, 64, 2, 0x4321, 8, 9));
        byte[] expected = contents.clone();
        MemorySegment all = MemorySegment.ofArray(expected);
        for (int i = 0; i < 3; i++) {
            all.set(ValueLayout.JAVA_BYTE, i, (byte) 0xff);
            all.set(ValueLayout.JAVA_SHORT_UNALIGNED, 4 + 2 * i, (short) 0x1234);
        }
        for (int i = 0; i < 200; i++) {
            all.set(ValueLayout.JAVA_INT_UNALIGNED, 12 + 4 * i, 0x1234_5678);
        }
        for (int line = 0; line < 9; line++) {
            for (int i = 0; i < 8; i++) {
                all.set(ValueLayout.JAVA_SHORT_UNALIGNED, 1024 + 64 * line + 2 * i, (short) 0x4321);
            }
        }
        assertArrayEquals(expected, context.read(memory, BYTES));
    }

    @Test
    void givenBoxes_whenCopiedBetweenAllPlaces_thenOnlyBoxesChange() {
        long other = context.allocate(BYTES);
        for (boolean toArea : new boolean[] {false, true}) {
            for (boolean fromArea : new boolean[] {false, true}) {
                byte[] before = TestSession.random(BYTES, SEED + 1);
                context.write(other, before);
                context.write(memory, contents);
                MemorySegment area = context.area();
                MemorySegment.copy(contents, 0, area, ValueLayout.JAVA_BYTE, 20_000, BYTES);
                MemorySegment.copy(before, 0, area, ValueLayout.JAVA_BYTE, 40_000, BYTES);
                CopyBox box =
                        new CopyBox(
                                new CopyBox.Side(toArea, (toArea ? 40_000 : other) + 7, 50, 10),
                                new CopyBox.Side(fromArea, (fromArea ? 20_000 : memory) + 9, 40, 8),
                                30,
                                6,
                                5);
                assertSuccess(executor.copyBox(session.newCall(), context.stream, box));
                context.synchronize(context.stream);
                byte[] after =
                        toArea
                                ? area.asSlice(40_000, BYTES).toArray(ValueLayout.JAVA_BYTE)
                                : context.read(other, BYTES);
                for (int slice = 0; slice < 5; slice++) {
                    for (int line = 0; line < 6; line++) {
                        System.arraycopy(
                                contents,
                                9 + slice * 320 + line * 40,
                                before,
                                7 + slice * 500 + line * 50,
                                30);
                    }
                }
                assertArrayEquals(before, after, "toArea=" + toArea + ", fromArea=" + fromArea);
            }
        }
    }

    @Test
    void givenInvalidBoxes_whenCopied_thenCallsAreRefused() {
        CopyBox.Side good = new CopyBox.Side(false, memory, 10, 10);
        assertRefused(new CopyBox(good, good, 11, 1, 1));
        assertRefused(new CopyBox(good, good, 10, 11, 2));
        assertRefused(new CopyBox(good, good, 10, 10, 101));
        assertRefused(new CopyBox(good, good, -1, 1, 1));
        assertRefused(new CopyBox(good, good, 1, -1, 1));
        assertRefused(new CopyBox(good, good, 1, 1, -1));
        assertRefused(new CopyBox(new CopyBox.Side(true, -1, 10, 10), good, 1, 1, 1));
        assertRefused(new CopyBox(new CopyBox.Side(false, memory, 1L << 62, 4), good, 1, 1, 2));
        assertRefused(
                new CopyBox(new CopyBox.Side(false, memory, Long.MIN_VALUE, 1), good, 1, 2, 2));
    }

    @Test
    void givenCopiesFromDataArea_whenStreamIsBusy_thenOldestCallUsesDataArea() {
        context.module();
        context.spin(context.stream);
        long stream = context.newStream(CudaExecutor.NON_BLOCKING);
        final long first = session.newCall();
        assertSuccess(executor.copyToDevice(first, context.stream, memory, 0, 100));
        long second = session.newCall();
        assertSuccess(executor.copyToDevice(second, stream, memory + 200, 200, 100));
        context.synchronize(stream);

        assertEquals(first, executor.oldestAreaUse());
        context.releaseSpin();
        session.workUntil(() -> executor.oldestAreaUse() == CudaExecutor.NO_CALL);
        assertNotEquals(CudaResult.NOT_READY, executor.queryStream(stream));
    }

    private void assertRefused(CopyBox box) {
        assertEquals(
                CudaResult.INVALID_VALUE,
                executor.copyBox(session.newCall(), context.stream, box),
                box::toString);
    }

    private TestSession.Answer allocate(long bytes) {
        return session.await(reply -> executor.allocate(context.handle, bytes, reply));
    }
}
