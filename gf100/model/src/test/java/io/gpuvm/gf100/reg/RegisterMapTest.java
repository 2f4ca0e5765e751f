package io.gpuvm.gf100.reg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegisterMapTest {
    private final RegisterMap map = RegisterMap.gf100();

    /// Offsets as in nouveau's sources, names as in rnndb.
    @ParameterizedTest
    @CsvSource({
        "000000, PMC.BOOT_0",
        "000100, PMC.INTR_HOST",
        "000140, PMC.INTR_EN_HOST",
        "000200, PMC.ENABLE",
        "000640, PMC.INTR_MASK_HOST",
        "001100, PBUS.INTR",
        "001700, PBUS.PMEM",
        "001704, PBUS.BAR1",
        "001714, PBUS.BAR3",
        "002100, PFIFO.INTR",
        "009084, PTIMER.MMIO_FAULT_ADDRESS",
        "009100, PTIMER.INTR",
        "009140, PTIMER.INTR_EN",
        "009400, PTIMER.TIME_LOW",
        "009410, PTIMER.TIME_HIGH",
        "009420, PTIMER.ALARM",
        "00e050, PNVIO.GPIO_INTR_EN_0",
        "00e06c, PNVIO.AUXCH_INTR",
        "020000, PTHERM.CTRL_0",
        "0212cc, PFUSE.SPEEDO",
        "022400, PUNITS.FUSE_CONTROL",
        "022438, PUNITS.DESIGN_PART_COUNT",
        "022500, PUNITS.HW_MISC_DISABLE",
        "022554, PUNITS.HW_MC_DISABLE_MASK",
        "070000, PFIFO_FLUSH.FLUSH_CTRL",
        "084048, PVLD.ACCESS_EN",
        "088050, PPCI.ROM_SHADOW_ENABLE",
        "088704, PPCI.CYA_2",
        "100c80, PFFB.VM.CFG",
        "100cbc, PFFB.VM.TLB_FLUSH_TRIGGER",
        "101000, PSTRAPS.STRAPS0_PRIMARY",
        "104108, PCOPY0.CAPS",
        "1051c4, PCOPY1.DATA",
        "10a4d0, PDAEMON.H2D",
        "10a580, PDAEMON.MUTEX[0]",
        "11220c, PBFB.MEM_AMOUNT[2]",
        "122348, PIBUS.HUB.CFG[18]",
        "137160, PCLOCK.DIV_SRC[0]",
        "17e8dc, PMFB_BROADCAST.CBC_PARAM",
        "400100, PGRAPH.INTR",
        "400700, PGRAPH.STATUS",
        "404000, PGRAPH.DISPATCH+0x0",
        "409100, PGRAPH.CTXCTL.UC_CTRL",
        "409504, PGRAPH.CTXCTL.WRCMD_CMD",
        "409804, PGRAPH.CTXCTL.CC_SCRATCH[1]",
        "418880, PGRAPH.GPC_BROADCAST.ESETUP+0x0",
        "419e44, PGRAPH.GPC_BROADCAST.TPC_ALL.MP+0x0",
        "41a1c0, PGRAPH.GPC_BROADCAST.CTXCTL.DATA_INDEX",
        "50a608, PGRAPH.GPC.CTXCTL.UNITS[1]",
        "50c644, PGRAPH.GPC[1].TPC[0].MP+0x0",
        "6013d4, PRMVGA.CRTC",
        "610010, PDISPLAY.OBJECTS",
        "610230, PDISPLAY.CHANNEL.STAT[3]",
        "61c804, PDISPLAY.SOR.DPMS[1]",
        "640004, PDISPLAY.USER.GET[0]",
        "00e104, PNVIO+0x104",
        "abc000, +0xabc000",
    })
    void givenOffset_whenNamed_thenNameMatchesRnndb(String offset, String name) {
        assertEquals(name, map.nameOf(Integer.parseInt(offset, 16)));
    }

    @Test
    void givenByteOfRegister_whenNamed_thenNameIsRegister() {
        assertEquals("PPCI.CYA_2", map.nameOf(Ppci.CYA_2.offset() + 3));
    }

    @Test
    void givenTwoDefinitionsOfOneOffset_whenMapIsBuilt_thenErrorNamesBothDefinitions() {
        RegisterBlock first = new RegisterBlock("ONE", 0x1000, 0x1000);
        RegisterBlock second = new RegisterBlock("TWO", 0x1000, 0x1000);
        first.reg32("A", 0x1010);
        second.array("B", 0x1008, 8, 2);

        IllegalStateException refusal =
                assertThrows(
                        IllegalStateException.class, () -> new RegisterMap(List.of(first, second)));

        assertEquals("offset=0x1010 has two definitions: ONE.A and TWO.B[1]", refusal.getMessage());
    }

    @Test
    void givenRegisterOutsideUnit_whenDefined_thenDefinitionIsRefused() {
        RegisterBlock block = new RegisterBlock("ONE", 0x1000, 0x1000);

        assertThrows(IllegalArgumentException.class, () -> block.reg32("A", 0x2000));
        assertThrows(IllegalArgumentException.class, () -> block.array("B", 0x1ff8, 8, 2));
    }

    @Test
    void givenInvalidOffset_whenDefined_thenDefinitionIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new Register("A", 0x1002));
        assertThrows(IllegalArgumentException.class, () -> new Register("A", Register.SPACE_BYTES));
    }
}
