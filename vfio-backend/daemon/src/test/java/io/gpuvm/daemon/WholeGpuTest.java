package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.memory.Words;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.trap.vfiouser.Region;
import io.gpuvm.trap.vgpu.GpuFunction;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the mapped BARs of a GPU that is passed through. The conformance suite tests the paths
/// to VRAM against each other.
class WholeGpuTest {
    private static final int BAR0 = 0;
    private static final int BAR1 = 1;
    private static final int BAR3 = 3;
    private static final int PRAMIN = Pramin.WINDOW.first();
    private static final int PRAMIN_BYTES = Pramin.WINDOW.end() - PRAMIN;
    private static final int WORD = Integer.BYTES;
    private static final int VALUE = 0x5eed_f00d;

    /// Unit of the position of PRAMIN, in bytes.
    private static final int STEP = 1 << Pbus.PMEM_VRAM.scale();

    /// Number of positions of PRAMIN in VRAM.
    private static final int VRAM_STEPS = (64 << 20) / STEP;

    private final HostGpu host =
            HostGpu.openIdle(
                    GpuSpec.parse("soft,vram=64M"),
                    () -> {
                        throw new AssertionError("the GPU has failed");
                    });
    private WholeGpu gpu = open("all");

    @AfterEach
    void close() {
        gpu.close();
        host.close();
    }

    @Test
    void givenFullMapping_whenConnected_thenOnlyRegistersAndDoorbellsAreTrapped() {
        GpuFunction function = gpu.function();

        function.connected();

        assertEquals(2, function.region(BAR0).areas().size(), "PROM and PRAMIN");
        assertEquals(1L << 20, function.region(BAR1).areas().getFirst().offset());
        assertEquals(0, function.region(BAR3).areas().getFirst().offset());
    }

    @Test
    void givenOnlyBar3_whenConnected_thenBar0AndBar1AreTrapped() {
        gpu.close();
        gpu = open("bar3");

        gpu.function().connected();

        assertTrue(gpu.function().region(BAR0).areas().isEmpty());
        assertTrue(gpu.function().region(BAR1).areas().isEmpty());
        assertEquals(1, gpu.function().region(BAR3).areas().size());
    }

    @Test
    void givenMappedProm_whenRead_thenContentEqualsTrappedReads() {
        GpuFunction function = gpu.function();
        function.connected();

        try (MappedMemory bar0 = map(function)) {
            long bytes = host.device().identity().bytesOf(Bar.ROM);
            for (long offset = 0; offset < bytes; offset += WORD) {
                assertEquals(
                        host.device().read(Bar.ROM, offset, WORD),
                        Words.read(bar0.segment(), Prom.WINDOW.first() + offset, WORD));
            }
        }
    }

    /// Writes the register with random widths, as a guest may; the mapping must show the same VRAM
    /// as a trapped read.
    @Test
    void givenRandomWritesToPraminRegister_whenRead_thenMappingAndTrappedReadAgree() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        GpuFunction function = gpu.function();
        function.connected();
        for (int step = 0; step < VRAM_STEPS; step++) {
            function.write(BAR0, Pbus.PMEM.offset(), WORD, step);
            function.write(BAR0, PRAMIN, WORD, VALUE + step);
        }
        try (MappedMemory bar0 = map(function)) {
            for (int i = 0; i < 200; i++) {
                int width = 1 << random.nextInt(4);
                int into = width == Long.BYTES ? 0 : random.nextInt(WORD) & -width;
                long value = random.nextInt(2 * VRAM_STEPS);
                function.write(BAR0, Pbus.PMEM.offset() + into, width, value);
                int shown = random.nextInt(PRAMIN_BYTES / STEP) * STEP;
                long position = function.read(BAR0, Pbus.PMEM.offset(), WORD);
                if (position * STEP + shown < host.device().vramBytes()) {
                    assertEquals(
                            function.read(BAR0, PRAMIN + shown, WORD),
                            Words.read(bar0.segment(), PRAMIN + shown, WORD),
                            "seed=%d step=%d position=%#x".formatted(seed, i, position));
                }
            }
        }
    }

    @Test
    void givenRetainedMapping_whenNextClientWrites_thenMappingShowsNoData() {
        GpuFunction function = gpu.function();
        function.connected();
        try (MappedMemory retained = map(function)) {
            Words.write(retained.segment(), PRAMIN, WORD, VALUE);
            assertEquals(VALUE, function.read(BAR0, PRAMIN, WORD));

            function.disconnected();
            assertEquals(0, Words.read(retained.segment(), PRAMIN, WORD));

            function.connected();
            assertNotEquals(VALUE, function.read(BAR0, PRAMIN, WORD), "VRAM was zeroed");
            function.write(BAR0, PRAMIN, WORD, VALUE);
            Words.write(retained.segment(), PRAMIN + WORD, WORD, VALUE);

            assertEquals(0, Words.read(retained.segment(), PRAMIN, WORD));
            assertEquals(0, function.read(BAR0, PRAMIN + WORD, WORD));
        }
    }

    @Test
    void givenReset_whenPraminIsRead_thenMappingShowsStartOfZeroedVram() {
        GpuFunction function = gpu.function();
        function.connected();
        function.write(BAR0, Pbus.PMEM.offset(), WORD, 3);
        try (MappedMemory bar0 = map(function)) {
            Words.write(bar0.segment(), PRAMIN, WORD, VALUE);

            function.reset();

            assertEquals(0, Words.read(bar0.segment(), PRAMIN, WORD));
            function.write(BAR0, PRAMIN, WORD, VALUE);
            assertEquals(VALUE, Words.read(bar0.segment(), PRAMIN, WORD));
            assertEquals(0, function.read(BAR0, Pbus.PMEM.offset(), WORD));
        }
        assertTrue(gpu.mappingCounters().snapshot().get("pagesShown") > 0);
    }

    private WholeGpu open(String map) {
        String option = "vm0,mode=passthrough,socket=%s,map=%s".formatted(Path.of("unused"), map);
        return new WholeGpu(VmConfig.parse(option), host.device());
    }

    private static MappedMemory map(GpuFunction function) {
        Region bar0 = function.region(BAR0);
        return MappedMemory.map(
                bar0.descriptor(), bar0.fileOffset(), bar0.bytes(), MappedMemory.Access.READ_WRITE);
    }
}
