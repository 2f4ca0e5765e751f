package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.GpuDeviceException;
import org.junit.jupiter.api.Test;

/// Tests of errors at opening that occur without a card; the conformance suite requires an open
/// card.
class VfioGpuTest {
    @Test
    void givenNoSuchCard_whenOpened_thenErrorNamesAddress() {
        PciAddress nowhere = PciAddress.parse("fffe:ff:1f.7");

        GpuDeviceException e = assertThrows(GpuDeviceException.class, () -> VfioGpu.open(nowhere));

        String message = e.getMessage();
        assertTrue(message.contains("fffe:ff:1f.7: no such PCI device"), message);
    }
}
