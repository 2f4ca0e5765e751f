package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpinTest {
    private static final int LENGTH_NS = 1000;

    private static NativeGpu gpu;
    private static GpuContext context;

    @BeforeAll
    static void open() {
        gpu = new NativeGpu("vram=64M");
        context = gpu.openContext();
    }

    @AfterAll
    static void close() {
        context.close();
        gpu.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 50, 3000})
    void givenTime_whenKernelRuns_thenKernelSpinsForAtLeastGivenTime(int lengthUs) {
        Timings.of(new Task(Workloads.named("spin"), lengthUs), context, 0);
    }

    @Test
    void givenNoLaunch_whenVerified_thenResultIsWrong() {
        try (WorkloadRun run = Workloads.named("spin").prepare(context, 1, 0)) {
            run.initialize();
            run.wipe();
            run.copyOut();

            assertThrows(WrongResultException.class, run::verify);
        }
    }

    @Test
    void givenNotesOfKernelThatEndedEarly_whenVerified_thenErrorNamesBothTimes() {
        WrongResultException e =
                assertThrows(WrongResultException.class, () -> notes(1, 992, 1).verify(LENGTH_NS));

        assertEquals("passedNs=992, expected at least 1000", e.getMessage());
    }

    @Test
    void givenImpossibleNotes_whenVerified_thenNotesAreRefused() {
        notes(1, LENGTH_NS, 1).verify(LENGTH_NS);

        assertThrows(WrongResultException.class, () -> notes(0, LENGTH_NS, 1).verify(LENGTH_NS));
        assertThrows(WrongResultException.class, () -> notes(1, LENGTH_NS, 0).verify(LENGTH_NS));
    }

    @Test
    void givenLongTimes_whenRead_thenTimesAreUnsigned() {
        SpinNotes notes = notes(Long.MAX_VALUE, 0xffff_ffe0, -1);

        assertEquals(0xffff_ffe0L, notes.passedNs());
        assertTrue(notes.looks() > Integer.MAX_VALUE);
    }

    private static SpinNotes notes(long begin, int passed, int looks) {
        ByteBuffer bytes = ByteBuffer.allocate(SpinNotes.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(begin).putInt(passed).putInt(looks);
        return new SpinNotes(MemorySegment.ofArray(bytes.array()));
    }
}
