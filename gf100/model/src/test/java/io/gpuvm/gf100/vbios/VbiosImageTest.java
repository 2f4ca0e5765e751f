package io.gpuvm.gf100.vbios;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.device.PciIdentity;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads the image as a driver does: from the ROM header, pointer by pointer.
class VbiosImageTest {
    private static final PciIdentity QUADRO_6000 =
            new PciIdentity(0x10de, 0x06d8, 0xa3, 0x030000, 0x10de, 0x076f, Map.of());

    private final ByteBuffer image = parse(VbiosImage.build(QUADRO_6000, true));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenImage_whenAllBytesAreAdded_thenSumIsMultipleOf256(boolean output) {
        int sum = 0;
        for (byte b : VbiosImage.build(QUADRO_6000, output)) {
            sum += b;
        }

        assertEquals(0, sum & 0xff);
    }

    @Test
    void givenRomHeader_whenRead_thenLengthAndPcirPointerAreValid() {
        assertEquals(0xaa55, u16(0));
        assertEquals(VbiosImage.BYTES, u8(2) * 512);
        assertEquals("PCIR", text(u16(0x18), 4));
    }

    /// The firmware of a PC runs the expansion ROM of every display adapter.
    @Test
    void givenRomHeader_whenFirmwareCallsEntryPoint_thenCodeReturnsImmediately() {
        int farReturn = 0xcb;

        assertEquals(farReturn, u8(3));
    }

    @Test
    void givenPcir_whenRead_thenDeviceIdsMatchAndImageIsLast() {
        int pcir = u16(0x18);

        assertEquals(0x10de, u16(pcir + 4));
        assertEquals(0x06d8, u16(pcir + 6));
        assertEquals(0x030000, u8(pcir + 13) | u8(pcir + 14) << 8 | u8(pcir + 15) << 16);
        assertEquals(VbiosImage.BYTES, u16(pcir + 16) * 512);
        assertEquals(0x80, u8(pcir + 21) & 0x80);
        assertNotEquals("NPDE", text(pcir + 0x20, 4));
    }

    @ParameterizedTest
    @CsvSource({
        "i,2,20", "I,1,28", "A,1,3", "D,1,4", "M,2,13", "L,1,2", "T,1,2", "P,2,72", "C,2,16"
    })
    void givenBitTable_whenEntryIsRead_thenVersionAndLengthMatch(char id, int version, int bytes) {
        int entry = bitEntry(id);

        assertEquals(version, u8(entry + 1));
        assertEquals(bytes, u16(entry + 2));
        assertTrue(u16(entry + 4) + bytes <= u16(0x36), "table " + id + " runs into the DCB");
    }

    @Test
    void givenInfoTable_whenRead_thenVersionIsPresent() {
        int info = bitTable('i');

        assertArrayEquals(
                new int[] {0x70, 0, 0, 1, 1},
                new int[] {u8(info + 3), u8(info + 2), u8(info + 1), u8(info), u8(info + 4)});
    }

    @Test
    void givenFirstInitScript_whenRead_thenScriptEndsImmediately() {
        int scripts = u16(bitTable('I'));

        assertEquals(0x71, u8(u16(scripts)));
        assertEquals(0, u16(scripts + 2), "there is no second script");
    }

    @Test
    void givenMemoryTable_whenEntryOfStrapZeroIsRead_thenMemoryIsGddr5() {
        int m0203 = u16(bitTable('M') + 3);
        int entry = m0203 + u8(m0203 + 1);

        assertEquals(0x10, u8(m0203));
        assertEquals(1, u8(m0203 + 3));
        assertEquals(0, u8(entry) >> 4, "strap");
        assertEquals(3, u8(entry) & 0xf, "type");
    }

    @Test
    void givenDcb_whenRead_thenSignatureAndOneTmdsOutputWithConnectorExist() {
        int dcb = u16(0x36);
        int output = dcb + u8(dcb + 1);
        int connectors = u16(dcb + 0x14);

        assertEquals(0x40, u8(dcb));
        assertEquals(0x4edcbdcb, image.getInt(dcb + 6));
        assertEquals(1, u8(dcb + 2));
        assertEquals(2, image.getInt(output) & 0xf, "TMDS");
        assertEquals(0x3, image.getInt(output) >> 8 & 0xf, "heads");
        assertEquals(0x31, u8(connectors + u8(connectors + 1)), "DVI-D");
    }

    @Test
    void givenNoOutput_whenDcbIsRead_thenDcbIsEmpty() {
        ByteBuffer dark = parse(VbiosImage.build(QUADRO_6000, false));

        assertEquals(0, dark.get(Short.toUnsignedInt(dark.getShort(0x36)) + 2));
    }

    private static ByteBuffer parse(byte[] bytes) {
        assertEquals(VbiosImage.BYTES, bytes.length);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private int bitTable(char id) {
        return u16(bitEntry(id) + 4);
    }

    private int bitEntry(char id) {
        int bit =
                new String(image.array(), StandardCharsets.ISO_8859_1).indexOf("\u00ff\u00b8BIT\0");
        for (int i = 0; i < u8(bit + 10); i++) {
            int entry = bit + u8(bit + 8) + i * u8(bit + 9);
            if (u8(entry) == id) {
                return entry;
            }
        }
        throw new AssertionError("no BIT table " + id);
    }

    private String text(int offset, int bytes) {
        return new String(image.array(), offset, bytes, StandardCharsets.US_ASCII);
    }

    private int u8(int offset) {
        return Byte.toUnsignedInt(image.get(offset));
    }

    private int u16(int offset) {
        return Short.toUnsignedInt(image.getShort(offset));
    }
}
