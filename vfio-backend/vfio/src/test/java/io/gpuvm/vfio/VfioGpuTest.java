package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.GpuDeviceException;
import org.junit.jupiter.api.Test;

/// What can be said of a card without one; the conformance suite has the rest.
class VfioGpuTest {
    @Test
    void givenNoSuchCard_whenOpened_thenTheMessageSaysWhatIsMissing() {
        PciAddress nowhere = PciAddress.parse("fffe:ff:1f.7");

        GpuDeviceException e = assertThrows(GpuDeviceException.class, () -> VfioGpu.open(nowhere));

        String message = e.getMessage();
        assertTrue(message.contains("fffe:ff:1f.7: no such PCI device"), message);
    }
}
