package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MixTest {
    private static final int US = 100_000;
    private static final int THREADS = 16_384;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mix:share=10,transfer=4096",
                "mix:share=90,transfer=4100",
                "mix:share=30,transfer=65536",
                "mix:share=50,transfer=67108864"
            })
    void givenParameters_whenRun_thenResultIsVerifiedAndWorkMatchesParameters(String name) {
        MixShape shape = MixShape.parse(name.substring("mix:".length()));
        int size = 20_000;
        try (NativeGpu gpu = new NativeGpu("vram=256M");
                GpuContext context = gpu.openContext()) {
            Workload workload = Workloads.named(name);
            Work work = Timings.of(new Task(workload, size), context, System.nanoTime()).work();

            long bytes = (long) shape.transfers(size) * shape.transferBytes();
            assertEquals(name, workload.name());
            assertEquals(bytes, work.bytesIn());
            assertEquals(bytes, work.bytesOut());
            assertTrue(work.launches() > 0);
        }
    }

    @Test
    void givenShares_whenWorkIsDivided_thenBytesAndStepsAreInProportionToShares() {
        MixShape few = new MixShape(10, 1 << 16);
        MixShape many = new MixShape(90, 1 << 16);

        assertEquals(9.0, (double) many.transfers(US) / few.transfers(US), 0.05);
        assertEquals(9.0, (double) few.steps(US, THREADS) / many.steps(US, THREADS), 0.05);
        assertEquals(1, few.transfers(1));
        assertEquals(1, many.steps(1, THREADS));
        assertEquals(
                2.0, (double) new MixShape(10, 1 << 15).transfers(US) / few.transfers(US), 0.05);
    }

    @Test
    void givenOneParameter_whenParsed_thenOtherParameterHasUsualValue() {
        assertEquals(new MixShape(30, 1 << 20), MixShape.parse("share=30"));
        assertEquals(new MixShape(50, 4096), MixShape.parse("transfer=4096"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mix:share=9 | share=9, expected 10 to 90",
                "mix:share=91 | share=91, expected 10 to 90",
                "mix:share=half | share=half, expected a number",
                "mix:transfer=4095 | transfer=4095, expected 4096 to 67108864",
                "mix:transfer=4097 | transfer=4097, expected a multiple of 4",
                "mix:size=3 | parameter=size=3, expected share=PERCENT or transfer=BYTES",
                "mix:share | parameter=share, expected a number",
                "mix: | parameter=, expected share=PERCENT or transfer=BYTES",
                "mix:share=30,, | parameter=, expected share=PERCENT or transfer=BYTES"
            })
    void givenInvalidParameter_whenWorkloadIsLookedUp_thenErrorNamesValueAndLimit(
            String name, String error) {
        String message =
                assertThrows(IllegalArgumentException.class, () -> Workloads.named(name))
                        .getMessage();

        assertTrue(message.contains(error), message);
    }
}
