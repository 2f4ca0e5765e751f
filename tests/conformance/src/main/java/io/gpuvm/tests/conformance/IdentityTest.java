package io.gpuvm.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.IovaRange;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.Quadro6000;
import io.gpuvm.gf100.driver.InstalledVram;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.reg.Register;
import org.junit.jupiter.api.Test;

/// Tests of the GPU's identification.
@GpuTest
final class IdentityTest {
    private final Bench bench;

    IdentityTest(Bench bench) {
        this.bench = bench;
    }

    @Test
    void givenGpu_whenIdentified_thenGpuIsDisplayControllerOfVendor() {
        PciIdentity identity = bench.gpu.identity();

        assertEquals(Quadro6000.VENDOR, identity.vendor());
        assertEquals(Quadro6000.CLASS_CODE >>> 16, identity.classCode() >>> 16);
    }

    @Test
    void givenChip_whenFirstRegisterIsRead_thenChipIsGf100() {
        assertEquals(Pmc.CHIPSET_GF100, Pmc.BOOT_0_CHIPSET.get(bench.read(Pmc.BOOT_0)));
    }

    @Test
    void givenRegions_whenSizesAreRead_thenRequiredRegionsExist() {
        PciIdentity identity = bench.gpu.identity();

        assertEquals(Register.SPACE_BYTES, identity.bytesOf(Bar.BAR0));
        assertTrue(identity.bytesOf(Bar.BAR1) >= 16 * Bench.MIB);
        assertTrue(identity.bytesOf(Bar.BAR3) >= Bench.MIB);
    }

    @Test
    void givenVram_whenSizeIsRead_thenRegistersAgree() {
        assertEquals(InstalledVram.bytes(bench.registers), bench.gpu.vramBytes());
        assertEquals(0, bench.gpu.vramBytes() % Bench.MIB);
    }

    @Test
    void givenBusAddresses_whenListed_thenRangesAscendAndArePageAligned() {
        long end = -1;
        for (IovaRange range : bench.gpu.iovaRanges()) {
            assertTrue(range.first() > end, range::toString);
            assertEquals(0, range.first() % Bench.PAGE_BYTES, range::toString);
            assertEquals(0, (range.last() + 1) % Bench.PAGE_BYTES, range::toString);
            end = range.last();
        }
        assertTrue(end > 0);
    }
}
