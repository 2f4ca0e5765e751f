package io.gpuvm.trap.pci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.PciIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PciConfigSpaceTest {
    private static final int COMMAND = 0x04;
    private static final int PM = 0x60;
    private static final int PM_CONTROL = PM + 4;
    private static final int MSI = 0x68;
    private static final int PCIE = 0x78;
    private static final int DEVICE_CONTROL = PCIE + 8;
    private static final int FLR = 0x8000;
    private static final int ALL_ONES = -1;
    private static final long MIB = 1 << 20;

    private final PciConfigSpace config = space(128 * MIB);

    @Test
    void givenIdentity_whenRead_thenHeaderContainsIdentity() {
        assertEquals(0x06d810de, word(0x00));
        assertEquals(0x030000a3, word(0x08));
        assertEquals(0x076f10de, word(0x2c));
        assertEquals(0, config.read(0x0e, 1), "header type");
        assertEquals(1, config.read(0x3d, 1), "interrupt pin A");
        assertEquals(0x0010, config.read(0x06, 2), "status: capabilities");
    }

    @Test
    void givenField_whenReadInSeveralWidths_thenValuesAgree() {
        assertEquals(0x06d810deL, config.read(0, 4));
        assertEquals(0x10de, config.read(0, 2));
        assertEquals(0xd8, config.read(2, 1));
        assertEquals(0x0010_0000_06d8_10deL, config.read(0, 8));
    }

    @Test
    void givenCapabilityList_whenFollowed_thenOffsetsEqualGf100Offsets() {
        List<String> list = new ArrayList<>();
        for (int at = (int) config.read(0x34, 1); at != 0; at = (int) config.read(at + 1, 1)) {
            list.add("%x at %x".formatted(config.read(at, 1), at));
        }
        assertEquals(List.of("1 at 60", "5 at 68", "10 at 78"), list);
        assertEquals(0, word(0x100), "no extended capability");
    }

    @Test
    void givenReadOnlyFields_whenWritten_thenFieldsAreUnchanged() {
        List<Integer> readOnly =
                List.of(0x00, 0x08, 0x28, 0x2c, 0x34, 0x38, PCIE, PCIE + 12, 0x100);
        for (int offset : readOnly) {
            long before = config.read(offset, 4);
            config.write(offset, 4, ALL_ONES);
            config.write(offset, 4, 0);
            config.write(offset, 4, ~before);
            assertEquals(before, config.read(offset, 4), Integer.toHexString(offset));
        }
    }

    @ParameterizedTest
    @CsvSource({
        // BAR register, writable bits, flags
        "0x10, 0xff000000, 0x0",
        "0x14, 0xf8000000, 0xc",
        "0x18, 0xffffffff, 0x0",
        "0x1c, 0xfc000000, 0xc",
        "0x20, 0xffffffff, 0x0",
        "0x24, 0xffffff80, 0x1",
        "0x30, 0xffff0001, 0x0"
    })
    void givenBaseAddress_whenSized_thenSizeAndTypeAreReadable(
            String register, String writable, String flags) {
        int offset = Integer.decode(register);
        assertEquals(Long.decode(flags), config.read(offset, 4));
        config.write(offset, 4, ALL_ONES);
        assertEquals(Long.decode(writable) | Long.decode(flags), config.read(offset, 4));
        config.write(offset, 4, 0);
        assertEquals(Long.decode(flags), config.read(offset, 4));
    }

    @ParameterizedTest
    @CsvSource({
        "0x100000000, 0x0000000c, 0xffffffff",
        "0x200000000, 0x0000000c, 0xfffffffe",
        "0x400000000, 0x0000000c, 0xfffffffc",
        "0x80000000, 0x8000000c, 0xffffffff"
    })
    void givenLargeBar_whenSized_thenSizeMaskSpansBothRegisters(
            String bytes, String low, String high) {
        PciConfigSpace large = space(Long.decode(bytes));
        large.write(0x14, 4, ALL_ONES);
        large.write(0x18, 4, ALL_ONES);
        assertEquals(Long.decode(low), large.read(0x14, 4));
        assertEquals(Long.decode(high), large.read(0x18, 4));
    }

    @Test
    void givenNoRom_whenSized_thenSizeIsZero() {
        PciConfigSpace bare =
                new PciConfigSpace(
                        new PciIdentity(0x10de, 0x06d8, 0, 0x030000, 0, 0, Map.of(Bar.BAR0, MIB)));
        bare.write(0x30, 4, 0xfffff800L);
        bare.write(0x14, 4, ALL_ONES);
        assertEquals(0, bare.read(0x30, 4));
        assertEquals(0, bare.read(0x14, 4));
    }

    @Test
    void givenCommandRegister_whenWritten_thenBitsTakeEffect() {
        assertFalse(config.busMaster());
        config.write(COMMAND, 2, 0xffff);
        assertEquals(0x0547, config.read(COMMAND, 2));
        assertTrue(config.busMaster());
        assertTrue(config.intxDisabled());
        config.write(COMMAND, 2, 0);
        assertFalse(config.busMaster());
        assertFalse(config.intxDisabled());
    }

    @Test
    void givenCommandRegister_whenWrittenByteByByte_thenOnlyWrittenBytesChange() {
        config.write(COMMAND + 1, 1, 0x04);
        assertEquals(0x0400, config.read(COMMAND, 2));
        config.write(COMMAND, 1, 0x06);
        assertEquals(0x0406, config.read(COMMAND, 2));
    }

    @Test
    void givenMsi_whenProgrammed_thenOnlyWritableBitsAreStored() {
        config.write(MSI + 2, 2, 0xffff);
        assertEquals(0x0081, config.read(MSI + 2, 2), "64 bit, one vector, enabled");
        config.write(MSI + 4, 4, 0xfee01003L);
        assertEquals(0xfee01000L, config.read(MSI + 4, 4));
        config.write(MSI + 8, 4, 0x1);
        config.write(MSI + 12, 2, 0x4041);
        assertEquals(0x1, config.read(MSI + 8, 4));
        assertEquals(0x4041, config.read(MSI + 12, 2));
        config.reset();
        assertEquals(0x0080, config.read(MSI + 2, 2));
        assertEquals(0, config.read(MSI + 4, 8));
    }

    @Test
    void givenD3Hot_whenD0IsWritten_thenResetIsRequested() {
        assertFalse(config.write(PM_CONTROL, 2, 0));
        assertFalse(config.write(PM_CONTROL, 2, 3));
        assertEquals(3, config.read(PM_CONTROL, 2));
        assertFalse(config.write(PM_CONTROL, 2, 3));
        assertTrue(config.write(PM_CONTROL, 2, 0));
        assertFalse(config.write(PM_CONTROL, 2, 0));
    }

    @Test
    void givenWriteAcrossTwoCapabilities_whenPowerStateChanges_thenResetIsRequested() {
        assertFalse(config.write(PM_CONTROL, 8, 3));
        assertTrue(config.write(PM_CONTROL, 8, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void givenUnsupportedPowerState_whenWritten_thenWriteIsDropped(int state) {
        assertFalse(config.write(PM_CONTROL, 2, state));
        assertEquals(0, config.read(PM_CONTROL, 2));
        config.write(PM_CONTROL, 2, 3);
        config.write(PM_CONTROL, 2, state);
        assertEquals(3, config.read(PM_CONTROL, 2));
    }

    @Test
    void givenResetInD3Hot_whenD0IsWritten_thenNoResetIsRequested() {
        config.write(PM_CONTROL, 2, 3);
        config.reset();
        assertEquals(0, config.read(PM_CONTROL, 2));
        assertFalse(config.write(PM_CONTROL, 2, 0));
    }

    @Test
    void givenFunctionLevelReset_whenWritten_thenResetIsRequestedAndBitReadsZero() {
        assertEquals(1, config.read(PCIE + 4, 4) >>> 28 & 1, "the capability is announced");
        long before = config.read(DEVICE_CONTROL, 2);
        assertTrue(config.write(DEVICE_CONTROL, 2, before | FLR));
        assertEquals(before, config.read(DEVICE_CONTROL, 2));
        assertTrue(config.write(DEVICE_CONTROL + 1, 1, 0xff));
        assertFalse(config.write(DEVICE_CONTROL, 1, 0xff));
    }

    @Test
    void givenExpressControls_whenWritten_thenValuesAreStored() {
        config.write(DEVICE_CONTROL, 2, 0x5936);
        assertEquals(0x5936, config.read(DEVICE_CONTROL, 2));
        config.write(PCIE + 16, 2, 0x0040);
        assertEquals(0x0040, config.read(PCIE + 16, 2));
        config.write(PCIE + 40, 2, 0x0005);
        assertEquals(0x0005, config.read(PCIE + 40, 2));
        config.write(PCIE + 48, 2, 0x0001);
        assertEquals(0x0001, config.read(PCIE + 48, 2));
    }

    @Test
    void givenProgrammedFunction_whenReset_thenFunctionIsInPowerOnState() {
        PciConfigSpace fresh = space(128 * MIB);
        Random random = new Random(1);
        for (int offset = 0; offset < 0x100; offset += 4) {
            config.write(offset, 4, random.nextInt());
        }
        config.reset();
        for (int offset = 0; offset < PciConfigSpace.BYTES; offset += 8) {
            assertEquals(fresh.read(offset, 8), config.read(offset, 8));
        }
    }

    @Test
    void givenBarsAtAddresses_whenRangesAreQueried_thenOnlyContainedRangesAreDecoded() {
        config.write(0x10, 4, 0xfd000000L);
        config.write(0x14, 4, 0xe0000000L);
        config.write(0x18, 4, 0x1);
        assertFalse(config.decodes(0xfd000000L, 0x1000), "memory is not enabled");
        config.write(COMMAND, 2, 2);
        assertTrue(config.decodes(0xfd000000L, 0x1000));
        assertTrue(config.decodes(0xfd000000L, 0x1000000));
        assertFalse(config.decodes(0xfd000000L, 0x1001000));
        assertFalse(config.decodes(0xfcfff000L, 0x1000));
        assertTrue(config.decodes(0x1e0000000L, 128 * MIB));
        assertFalse(config.decodes(0xe0000000L, 0x1000));
        assertFalse(config.decodes(0xfd000000L, 0));
        assertFalse(config.decodes(0xfd000000L, -0x1000));
    }

    private long word(int offset) {
        return config.read(offset, 4);
    }

    private static PciConfigSpace space(long bar1Bytes) {
        return new PciConfigSpace(
                new PciIdentity(
                        0x10de,
                        0x06d8,
                        0xa3,
                        0x030000,
                        0x10de,
                        0x076f,
                        Map.of(
                                Bar.BAR0, 16 * MIB, Bar.BAR1, bar1Bytes, Bar.BAR3, 64 * MIB,
                                Bar.BAR5, 128L, Bar.ROM, 0x10000L)));
    }
}
