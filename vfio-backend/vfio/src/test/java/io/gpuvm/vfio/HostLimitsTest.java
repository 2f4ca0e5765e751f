package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the explanations for mappings that the kernel has refused.
class HostLimitsTest {
    private static final long MIB = 1 << 20;

    @TempDir Path root;

    @Test
    void givenTooLittleLockedMemory_whenRefusalIsExplained_thenValueLimitAndRemedyAreNamed()
            throws IOException {
        locked("1024", "8388608              8388608");

        String text = explain(Errno.ENOMEM, 8 * MIB);

        assertTrue(text.contains("locked memory=1024 KiB and 8192 KiB more, limit=8192 KiB"), text);
        assertTrue(text.contains("ulimit -l unlimited"), text);
        assertTrue(text.contains("LimitMEMLOCK=infinity"), text);
    }

    @Test
    void givenRoomBelowLimit_whenRefusalIsExplained_thenExhaustedMemoryIsReported()
            throws IOException {
        locked("1024", "8388608              8388608");
        assertTrue(explain(Errno.ENOMEM, 7 * MIB).contains("out of memory"));

        locked("1024", "unlimited            unlimited");
        assertTrue(
                explain(Errno.ENOMEM, MIB)
                        .endsWith("out of memory (locked memory=1024 KiB, limit=unlimited)"));
    }

    @Test
    void givenTooManyMappings_whenRefusalIsExplained_thenKernelLimitAndRemedyAreNamed()
            throws IOException {
        write("sys/module/vfio_iommu_type1/parameters/dma_entry_limit", "65535\n");

        String text = explain(Errno.ENOSPC, MIB);

        assertTrue(text.contains("limit=65535 (dma_entry_limit of vfio_iommu_type1)"), text);
        assertTrue(
                text.contains("> /sys/module/vfio_iommu_type1/parameters/dma_entry_limit"), text);
    }

    @Test
    void givenHostWithoutProcfs_whenRefusalIsExplained_thenRemedyIsNamed() {
        assertTrue(explain(Errno.ENOMEM, MIB).contains("ulimit -l unlimited"));
        assertTrue(explain(Errno.ENOSPC, MIB).contains("limit=unknown"));
        assertEquals("", explain(Errno.EINVAL, MIB));
    }

    @Test
    void givenRealHost_whenRefusalIsExplained_thenProcfsIsParsed() {
        String text = new HostLimits(Path.of("/")).explain(Errno.ENOMEM.number(), MIB);

        assertTrue(text.matches(".*locked memory=\\d+ KiB.*limit=(unlimited|\\d+).*"), text);
    }

    private void locked(String kib, String limits) throws IOException {
        write("proc/self/status", "Name:\tjava\nVmLck:\t    " + kib + " kB\nVmPin:\t 0 kB\n");
        write(
                "proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                        + "Max locked memory         "
                        + limits
                        + "              bytes\n");
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    private String explain(Errno errno, long bytes) {
        return new HostLimits(root).explain(errno.number(), bytes);
    }
}
