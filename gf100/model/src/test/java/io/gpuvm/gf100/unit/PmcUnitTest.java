package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.reg.Pmc;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PmcUnitTest {
    private final List<Integer> switchedOff = new ArrayList<>();
    private final RegisterBench bench = new RegisterBench(new PmcUnit(switchedOff::add));

    @Test
    void givenPowerOn_whenIdentityIsRead_thenChipIsLittleEndianGf100() {
        assertEquals(0x0c0000a3, bench.read(Pmc.BOOT_0));
        assertEquals(0, bench.read(Pmc.BOOT_1));
    }

    @Test
    void givenEnabledUnits_whenUnitBitIsCleared_thenResetIsReportedOnce() {
        bench.write(Pmc.ENABLE, -1);
        int graphics = Pmc.ENABLE_PGRAPH.mask();

        bench.write(Pmc.ENABLE, ~graphics);
        bench.write(Pmc.ENABLE, ~graphics);
        bench.write(Pmc.ENABLE, -1);

        assertEquals(List.of(graphics), switchedOff);
        assertEquals(-1, bench.read(Pmc.ENABLE));
    }

    /// nouveau counts the bits that read back as set.
    @Test
    void givenFetchUnitEnableRegister_whenAllOnesAreWritten_thenThreeBitsAreSet() {
        bench.write(Pmc.SUBFIFO_ENABLE, -1);

        assertEquals(3, Integer.bitCount(bench.read(Pmc.SUBFIFO_ENABLE)));
    }
}
