package io.gpuvm.gf100.cubin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests each kind of malformed file, and random changes.
class MalformedCubinTest {
    private static final int FLIPPED_FILES = 20_000;
    private static final int SECTION_HEADERS = 64;
    private static final int SECTION_HEADER_BYTES = 64;
    private static final int SEGMENT_HEADERS = 32;
    private static final int SEGMENT_OFFSET = 8;
    private static final int SEGMENT_FILE_BYTES = 32;
    private static final int TYPE = 4;
    private static final int FLAGS = 8;
    private static final int OFFSET = 24;
    private static final int SIZE = 32;
    private static final int LINK = 40;
    private static final int INFO = 44;

    private final ByteBuffer file =
            ByteBuffer.wrap(Cubins.everything(ElfClass.ELF64).toBytes())
                    .order(ByteOrder.LITTLE_ENDIAN);

    @ParameterizedTest
    @CsvSource({
        "4, 3, 'file: class=3, expected=2'",
        "5, 2, 'file: data encoding=2, expected=1'",
        "16, 3, 'file: type=3, expected 1 or 2'",
        "18, 62, 'file: machine=62, expected=190'",
        "48, 30, 'file: architecture=30, expected 20 or 21'",
        "52, 63, 'file: header bytes=63, expected=64'",
        "54, 55, 'file: segment header bytes=55, expected=56'",
        "58, 40, 'file: section header bytes=40, expected=64'",
        "60, 0, 'file: sections=0, expected 1 to 65535'",
        "62, 99, 'file: section of names=99, limit=17'",
    })
    void givenInvalidHeaderField_whenRead_thenErrorHasValueAndLimit(
            int offset, int value, String message) {
        file.put(offset, (byte) value);

        assertRefused(message);
    }

    /// Tests a file of a newer toolkit, which writes its own version to the field for ELF's
    /// version: 75 for CUDA 7.5.
    @Test
    void givenToolkitVersionInsteadOfElfVersion_whenRead_thenFileIsAccepted() {
        file.put(20, (byte) 75);

        assertEquals(20, Cubin.read(file.array()).architecture());
    }

    @Test
    void givenFileWithoutElfHeader_whenRead_thenErrorReportsFormat() {
        file.put(0, (byte) 0);

        assertRefused("file: not an ELF file");
    }

    @Test
    void givenSectionBeyondEnd_whenRead_thenErrorHasOffsetAndLength() {
        file.putLong(header(".text.scale") + OFFSET, file.capacity() - 4);

        assertRefused(
                "section "
                        + index(".text.scale")
                        + " .text.scale: offset="
                        + (file.capacity() - 4)
                        + ", bytes=8, limit="
                        + file.capacity());
    }

    @Test
    void givenSectionWithOverflowingEnd_whenRead_thenFileIsRefused() {
        file.putLong(header(".text.scale") + SIZE, Long.MAX_VALUE);

        assertThrows(CubinException.class, this::read);
    }

    @Test
    void givenEmptySectionBeyondEnd_whenRead_thenElfFileIsAccepted() {
        int segments = (int) file.getLong(SEGMENT_HEADERS);
        file.putLong(segments + SEGMENT_OFFSET, Long.MAX_VALUE);
        file.putLong(segments + SEGMENT_FILE_BYTES, 0);
        file.putLong(header(".nv.constant2") + OFFSET, Long.MAX_VALUE);
        file.putLong(header(".nv.constant2") + SIZE, 0);

        assertThrows(CubinException.class, this::read, "variables do not fit in the bank");
        assertEquals(20, ElfFile.read(file.array()).flags() & Cubin.FLAG_SM);
    }

    @Test
    void givenTwoSectionsAtSameOffset_whenRead_thenFileIsRefused() {
        long place = file.getLong(header(".text.plain") + OFFSET);
        file.putLong(header(".text.scale") + OFFSET, place);

        assertRefused("file: section at offset=" + place + ", expected at least " + (place + 8));
    }

    @Test
    void givenTooManyRegisters_whenRead_thenFileIsRefused() {
        file.putInt(header(".text.scale") + INFO, 64 << 24);

        assertRefused("function scale: registers=64, limit=63");
    }

    @Test
    void givenTooManyBarriers_whenRead_thenFileIsRefused() {
        file.putLong(header(".text.scale") + FLAGS, 17 << 20);

        assertRefused("function scale: barriers=17, limit=16");
    }

    @Test
    void givenTooMuchSharedMemory_whenRead_thenFileIsRefused() {
        file.putLong(header(".nv.shared.scale") + SIZE, 1L << 40);

        assertRefused(".nv.shared.scale: bytes=1099511627776, limit=49152");
    }

    @Test
    void givenSymbolsWithoutNames_whenRead_thenFileIsRefused() {
        file.putInt(header(".symtab") + LINK, 0);

        assertRefused(".symtab: type of section 0=0, expected=3");
    }

    @Test
    void givenRelocationsWithoutTarget_whenRead_thenFileIsRefused() {
        file.putInt(header(".nv.constant2") + TYPE, ElfSection.REL);

        assertRefused(".nv.constant2: type of section 0=0, expected=2");
    }

    @Test
    void givenAttributeOfUnknownFormat_whenRead_thenFileIsRefused() {
        file.put((int) file.getLong(header(".nv.info.scale") + OFFSET), (byte) 9);

        assertRefused(".nv.info.scale+0: format=9, expected 1 to 4");
    }

    @Test
    void givenAttributeBeyondSection_whenRead_thenFileIsRefused() {
        file.putShort((int) file.getLong(header(".nv.info.scale") + OFFSET) + 2, (short) 4096);

        assertRefused(".nv.info.scale+0: offset=4, bytes=4096, limit=80");
    }

    @Test
    void givenTextureWithoutSymbol_whenRead_thenFileIsRefused() {
        file.putInt(textureWords(), 1000);

        assertRefused("textures of scale: symbol=1000, limit=13");
    }

    @Test
    void givenTextureInInvalidSlot_whenRead_thenFileIsRefused() {
        file.putInt(textureWords() + Integer.BYTES, 256);

        assertRefused("texture weights: slot=256, limit=255");
    }

    @Test
    void givenTwoTexturesInSameSlot_whenRead_thenFileIsRefused() {
        file.putInt(textureWords() + Integer.BYTES, 255);

        assertRefused("function scale: textures in slot 255=2, limit=1");
    }

    /// Returns the offset of the symbol and slot of the first texture of `scale`.
    private int textureWords() {
        int at = (int) file.getLong(header(".nv.info.scale") + OFFSET);
        while (file.get(at + 1) != InfoAttribute.IMAGE_SLOT.number()) {
            boolean hasSize = file.get(at) == 4;
            at += Integer.BYTES + (hasSize ? file.getShort(at + 2) : 0);
        }
        return at + Integer.BYTES;
    }

    @ParameterizedTest
    @EnumSource
    void givenTruncatedFile_whenRead_thenFileIsRefused(ElfClass width) {
        byte[] whole = Cubins.everything(width).toBytes();

        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThrows(CubinException.class, () -> Cubin.read(part), "length=" + length);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givenRandomlyChangedFile_whenReadAndWritten_thenOnlyDocumentedExceptionsAreThrown(
            ElfClass width) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] whole = Cubins.everything(width).toBytes();
        int refused = 0;
        for (int i = 0; i < FLIPPED_FILES; i++) {
            byte[] changed = whole.clone();
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                // A file that can be read can also be written.
                Cubin.read(changed).toBytes();
            } catch (CubinException | IllegalStateException e) {
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + ", file=" + i, e);
            }
        }
        assertTrue(refused > 0, "seed=" + seed);
    }

    private void assertRefused(String message) {
        assertEquals(message, assertThrows(CubinException.class, this::read).getMessage());
    }

    private void read() {
        Cubin.read(file.array());
    }

    private int header(String section) {
        return SECTION_HEADERS + index(section) * SECTION_HEADER_BYTES;
    }

    private static int index(String section) {
        return ElfFile.read(Cubins.everything(ElfClass.ELF64).toBytes()).sections().stream()
                .filter(one -> one.name().equals(section))
                .findFirst()
                .orElseThrow()
                .index();
    }
}
