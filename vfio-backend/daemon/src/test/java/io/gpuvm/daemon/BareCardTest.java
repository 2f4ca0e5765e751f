package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.Quadro6000;
import io.gpuvm.softgpu.SoftGpu;
import io.gpuvm.softgpu.SoftGpuConfig;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BareCardTest {
    private static final String NAME = "0000:01:00.0";
    private static final int NVIDIA_BOARD = 0x10de;
    private static final int QUADRO_6000_BOARD = 0x076f;

    @Test
    void givenSoftwareGf100_whenChecked_thenCardIsUsable() {
        try (SoftGpu gpu = new SoftGpu(SoftGpuConfig.parse("vram=64M"))) {
            assertDoesNotThrow(() -> BareCard.requireUsable(NAME, gpu.identity()));
        }
    }

    @Test
    void givenRealCard_whenChecked_thenRefusalNamesMissingSteps() {
        PciIdentity real =
                new PciIdentity(
                        Quadro6000.VENDOR,
                        Quadro6000.DEVICE,
                        Quadro6000.REVISION,
                        Quadro6000.CLASS_CODE,
                        NVIDIA_BOARD,
                        QUADRO_6000_BOARD,
                        Map.of());

        String message =
                assertThrows(GpuDeviceException.class, () -> BareCard.requireUsable(NAME, real))
                        .getMessage();

        assertTrue(message.startsWith("0000:01:00.0: 10de:06d8 on a board of vendor"), message);
        for (String missing : new String[] {"VBIOS", "PGRAPH", "power", "docs/hardware.md"}) {
            assertTrue(message.contains(missing), message);
        }
    }
}
