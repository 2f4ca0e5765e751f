package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.trap.vgpu.DirectMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests of the clean-up after the creation of a shared GPU has failed.
class SharedGpuTest {
    private static final Path OPEN = Path.of("/proc/self/fd");

    @Test
    void givenTooLittleVram_whenShared_thenAllDescriptorsAreClosed() throws IOException {
        assertNothingLeft(ConfigException.class, 4096, VramSize.ofBytes(1L << 30));
    }

    @Test
    void givenNoRoomForDoorbells_whenShared_thenAllDescriptorsAreClosed() throws IOException {
        assertNothingLeft(GpuDeviceException.class, 128L << 20, VramSize.EQUAL_PART);
    }

    private static void assertNothingLeft(
            Class<? extends Exception> error, long sliceBytes, VramSize vram) throws IOException {
        try (HostGpu host = HostGpu.open(GpuSpec.parse("soft,vram=256M"), () -> {})) {
            host.device().openSlice(Bar.BAR1, sliceBytes);
            BackendConfig config = config(vram);
            long before = openOnes();

            assertThrows(error, () -> new SharedGpu(host, config, () -> {}));

            assertEquals(before, openOnes());
        }
    }

    private static BackendConfig config(VramSize vram) {
        Path socket = Path.of("not-made");
        return new BackendConfig(
                GpuSpec.parse("soft"),
                List.of(
                        new VmConfig(
                                "vm0",
                                VmMode.FV,
                                socket,
                                ShadowStrategy.LAZY,
                                DirectMapping.ALL,
                                vram)),
                IdleMode.BLOCK,
                Duration.ofSeconds(10));
    }

    /// Returns the number of open descriptors of the kinds that a shared GPU creates.
    private static long openOnes() throws IOException {
        long count = 0;
        try (Stream<Path> all = Files.list(OPEN)) {
            for (Path each : all.toList()) {
                String link = linkOf(each);
                boolean one = link.contains("gpuvm") || link.startsWith("anon_inode:");
                count += one ? 1 : 0;
            }
        }
        return count;
    }

    private static String linkOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return ""; // closed since the listing
        }
    }
}
