package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.Errno;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the messages for a refused card: reason and remedy.
class TakingCheckTest {
    private static final String CARD = "0000:01:00.0";
    private static final String AUDIO = "0000:01:00.1";
    private static final String GROUP_FILE = "/dev/vfio/7";

    @TempDir private Path root;
    private HostTree host;
    private TakingCheck check;

    @BeforeEach
    void setUp() {
        host = new HostTree(root).function(CARD, "0x030000", "10de:06d8");
        check = new TakingCheck(root, PciAddress.parse(CARD));
    }

    @Test
    void givenCardBoundToVfio_whenChecked_thenGroupIsReturned() {
        host.group(7, CARD).bound(CARD, "vfio-pci");

        assertEquals("7", check.group());
    }

    @Test
    void givenNoSuchCard_whenChecked_thenErrorNamesAddress() {
        TakingCheck other = new TakingCheck(root, PciAddress.parse("0000:02:00.0"));

        assertRefused("0000:02:00.0: no such PCI device", "gpuvm doctor", other);
    }

    @Test
    void givenNoIommu_whenChecked_thenErrorNamesParameter() {
        assertRefused("not behind an IOMMU", "intel_iommu=on", check);
    }

    @Test
    void givenOtherDriver_whenChecked_thenDriverAndBindCommandAreNamed() {
        host.group(7, CARD).bound(CARD, "nouveau");

        assertRefused("driver=nouveau, expected=vfio-pci", "gpuvm bind " + CARD, check);
    }

    @Test
    void givenNoDriver_whenChecked_thenMissingDriverIsReported() {
        host.group(7, CARD);

        assertRefused("driver=none, expected=vfio-pci", "gpuvm bind " + CARD, check);
    }

    @Test
    void givenGroupMembersInUse_whenErrorIsCreated_thenMembersAreNamed() {
        host.function(AUDIO, "0x040300", "10de:0be5").group(7, CARD, AUDIO);
        host.bound(CARD, "vfio-pci").bound(AUDIO, "snd_hda_intel");

        String message = check.notViable(GROUP_FILE).getMessage();

        assertTrue(message.contains(AUDIO + " (snd_hda_intel)"), message);
        assertTrue(message.contains("gpuvm bind " + CARD + " --whole-group"), message);
    }

    @ParameterizedTest
    @CsvSource({
        "EACCES, chown",
        "EBUSY, another process has the file open",
        "ENOENT, modprobe vfio-pci",
        "EIO, gpuvm doctor",
    })
    void givenFileThatCannotBeOpened_whenExplained_thenRemedyIsNamed(Errno errno, String advice) {
        VfioException refused = new VfioException(GROUP_FILE, "open", errno.number());

        String message = check.notOpened(GROUP_FILE, refused).getMessage();

        assertTrue(message.startsWith("%s: %s: open: %s".formatted(CARD, GROUP_FILE, errno)));
        assertTrue(message.contains(advice), message);
    }

    private static void assertRefused(String reason, String advice, TakingCheck check) {
        String message = assertThrows(GpuDeviceException.class, check::group).getMessage();
        assertTrue(message.contains(reason), message);
        assertTrue(message.contains(advice), message);
    }
}
