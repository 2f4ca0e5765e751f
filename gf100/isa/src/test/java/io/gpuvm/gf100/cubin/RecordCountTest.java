package io.gpuvm.gf100.cubin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/// Tests of files whose records need more memory than the file is long, or more time than their
/// number suggests.
class RecordCountTest {
    private static final int RECORD_BYTES = 4;
    private static final int SYMBOL_BYTES = 24;
    private static final int INFO = 0x70000000;

    private final ElfWriter writer = new ElfWriter(ElfClass.ELF64);

    private void add(String name, int type, byte[] contents) {
        writer.addSection(name, type, 0).contents = contents;
    }

    private void addFunction(String name) {
        add(".text." + name, ElfSection.PROGBITS, new byte[8]);
    }

    private void assertRefused(String message) {
        byte[] file = writer.write(20);
        CubinException e = assertThrows(CubinException.class, () -> Cubin.read(file));
        assertEquals(message, e.getMessage());
    }

    /// Returns attributes that have no meaning, without contents.
    private static byte[] attributes(int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count * RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putInt(0x7703);
        }
        return bytes.array();
    }

    @Test
    void givenManyAttributesOfFunction_whenRead_thenErrorNamesLimit() {
        addFunction("f");
        add(".nv.info.f", INFO, attributes(RecordCount.LIMIT));

        assertRefused(
                ".nv.info.f: records=%d, limit=%d"
                        .formatted(RecordCount.LIMIT + 1, RecordCount.LIMIT));
    }

    @Test
    void givenManySymbols_whenRead_thenErrorNamesLimit() {
        for (int i = 0; i < RecordCount.LIMIT; i++) {
            writer.addSymbol("", 0, ElfSymbol.LOCAL, 0, writer.nothing(), 0, 0);
        }

        assertRefused(
                ".symtab: records=%d, limit=%d"
                        .formatted(RecordCount.LIMIT + 5, RecordCount.LIMIT));
    }

    @Test
    void givenManyRelocations_whenRead_thenErrorNamesLimit() {
        addFunction("f");
        ElfWriter.Section table = writer.addSection(".rel.text.f", ElfSection.REL, 0);
        table.contents = new byte[RecordCount.LIMIT * 16];
        table.link = ElfWriter.SYMBOL_TABLE;
        table.info = 4;

        assertRefused(
                ".rel.text.f: records=%d, limit=%d"
                        .formatted(RecordCount.LIMIT + 7, RecordCount.LIMIT));
    }

    @Test
    void givenSeveralSectionsOfAttributesOfAllFunctions_whenRead_thenSecondIsRefused() {
        addFunction("f");
        add(".nv.info", INFO, attributes(1));
        add(".nv.info", INFO, attributes(1));

        assertRefused("file: sections .nv.info=2, limit=1");
    }
}
