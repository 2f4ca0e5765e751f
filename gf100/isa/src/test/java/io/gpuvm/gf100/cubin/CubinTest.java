package io.gpuvm.gf100.cubin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CubinTest {
    @ParameterizedTest
    @EnumSource
    void givenCompleteModule_whenWrittenAndRead_thenAllPartsAreEqual(ElfClass width) {
        Cubin written = Cubins.everything(width);

        Cubin read = Cubin.read(written.toBytes());

        assertEquals(written.architecture(), read.architecture());
        assertEquals(width, read.width());
        assertEquals(written.globalBytes(), read.globalBytes());
        assertEquals(-1, written.globalInit().mismatch(read.globalInit()));
        assertEquals(written.symbols(), read.symbols());
        assertBanks(written.constants(), read.constants());
        assertEquals(written.functions().size(), read.functions().size());
        for (CubinFunction function : written.functions()) {
            assertSame(function, read.function(function.name()));
        }
    }

    private static void assertSame(CubinFunction expected, CubinFunction actual) {
        assertEquals(expected.kernel(), actual.kernel());
        assertEquals(-1, expected.code().mismatch(actual.code()));
        assertEquals(expected.registers(), actual.registers());
        assertEquals(expected.barriers(), actual.barriers());
        assertEquals(expected.sharedBytes(), actual.sharedBytes());
        assertEquals(expected.localBytes(), actual.localBytes());
        assertEquals(expected.stack(), actual.stack());
        assertEquals(expected.parameterOffset(), actual.parameterOffset());
        assertEquals(expected.parameterBytes(), actual.parameterBytes());
        assertEquals(expected.parameters(), actual.parameters());
        assertBanks(expected.constants(), actual.constants());
        assertEquals(expected.textures(), actual.textures());
    }

    private static void assertBanks(List<ConstantSection> expected, List<ConstantSection> actual) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(expected.get(i).index(), actual.get(i).index());
            assertEquals(-1, expected.get(i).contents().mismatch(actual.get(i).contents()));
        }
    }

    @Test
    void givenKernelAndFunction_whenKernelsAreListed_thenFunctionIsOmitted() {
        Cubin cubin = Cubin.read(Cubins.everything(ElfClass.ELF64).toBytes());

        assertEquals(
                List.of("scale", "plain"),
                cubin.kernels().stream().map(CubinFunction::name).toList());
        assertNull(cubin.function("absent"));
    }

    @Test
    void givenFile_whenModuleIsRead_thenContentsAreReadOnly() {
        Cubin cubin = Cubin.read(Cubins.everything(ElfClass.ELF64).toBytes());

        assertTrue(cubin.function("scale").code().isReadOnly());
        assertTrue(cubin.globalInit().isReadOnly());
        assertTrue(cubin.constants().getFirst().contents().isReadOnly());
        assertTrue(cubin.function("scale").info().getFirst().contents().isReadOnly());
    }

    /// Checks the order that gdev's loader requires: it interprets the records after the total size
    /// as the parameters' descriptions.
    @Test
    void givenKernelWithParameters_whenWritten_thenDescriptionsFollowSize() {
        List<InfoRecord> info =
                Cubin.read(Cubins.everything(ElfClass.ELF64).toBytes()).function("scale").info();

        assertEquals(
                List.of(
                        InfoAttribute.PARAM_CBANK.number(),
                        InfoAttribute.CBANK_PARAM_SIZE.number(),
                        InfoAttribute.KPARAM_INFO.number(),
                        InfoAttribute.KPARAM_INFO.number(),
                        InfoAttribute.IMAGE_SLOT.number(),
                        InfoAttribute.IMAGE_SLOT.number(),
                        InfoAttribute.CRS_STACK_SIZE.number()),
                info.stream().map(InfoRecord::attribute).toList());
    }

    @Test
    void givenBlockSizes_whenWrittenAndRead_thenSizesAreEqual() {
        CubinFunction plain = Cubins.empty("plain", true);
        CubinFunction sized =
                new CubinFunction(
                        plain.name(),
                        true,
                        plain.code(),
                        plain.registers(),
                        0,
                        0,
                        0,
                        CubinFunction.Stack.NONE,
                        ConstantSection.PARAMETERS,
                        0,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(
                                InfoRecord.of(InfoAttribute.MAX_THREADS, 128, 2, 1),
                                InfoRecord.of(InfoAttribute.REQNTID, 64, 2, 1)));

        CubinFunction read = Cubin.read(Cubins.of(sized).toBytes()).function("plain");

        assertArrayEquals(new int[] {128, 2, 1}, read.words(InfoAttribute.MAX_THREADS, 3));
        assertArrayEquals(new int[] {64, 2, 1}, read.words(InfoAttribute.REQNTID, 3));
    }

    @ParameterizedTest
    @EnumSource
    void givenRelocations_whenWrittenAndRead_thenRelocationsAreEqual(ElfClass width) {
        Cubin everything = Cubins.everything(width);
        Location code = everything.function("scale").location();
        Location init = new Location(Location.Part.GLOBAL_INIT, "", 0, 0);
        Location bank = new Location(Location.Part.CONSTANT, "", ConstantSection.USER, 0);
        List<CubinRelocation> relocations =
                List.of(
                        relocation(
                                code,
                                RelocationType.ABS32_LO_26,
                                "table",
                                new Location(Location.Part.GLOBAL, "", 0, 128)),
                        relocation(
                                code,
                                RelocationType.ABS32_26,
                                "helper",
                                everything.function("helper").location()),
                        relocation(code, RelocationType.ABS32_26, "elsewhere", null),
                        relocation(bank, RelocationType.G32, "$bank", bank),
                        relocation(
                                bank,
                                RelocationType.FUNC_DESC_32,
                                "helper",
                                everything.function("helper").location()));
        Cubin written =
                new Cubin(
                        20,
                        20,
                        width,
                        everything.functions(),
                        everything.constants(),
                        everything.globalBytes(),
                        everything.globalInit(),
                        1,
                        everything.symbols(),
                        relocations);

        Cubin read = Cubin.read(written.toBytes());

        assertEquals(relocations, read.relocations());
    }

    private static CubinRelocation relocation(
            Location place, RelocationType type, String symbol, Location target) {
        return new CubinRelocation(place, type, symbol, target, target == null ? 0 : 4, false);
    }

    @ParameterizedTest
    @EnumSource
    void givenSourceLines_whenWrittenAndRead_thenTablesAreEqual(ElfClass width) {
        Cubin everything = Cubins.everything(width);
        List<LineTable> lines =
                List.of(
                        new LineTable(
                                "scale",
                                List.of(
                                        new LineTable.Row(0, "a.cu", 3, 1),
                                        new LineTable.Row(8, "größe.h", 70000, 0),
                                        new LineTable.Row(24, "a.cu", 4, 12))),
                        new LineTable("plain", List.of(new LineTable.Row(8, "", 1, 0))));
        Cubin written =
                new Cubin(
                        20,
                        20,
                        width,
                        everything.functions(),
                        everything.constants(),
                        everything.globalBytes(),
                        everything.globalInit(),
                        1,
                        everything.symbols(),
                        List.of(),
                        lines);

        Cubin read = Cubin.read(written.toBytes());

        assertEquals(lines, read.lines());
        assertEquals("größe.h:70000", read.line("scale", 16).toString());
        assertEquals("a.cu:4:12", read.line("scale", 24).toString());
        assertNull(read.line("plain", 0));
        assertNull(read.line("helper", 0));
    }

    @Test
    void givenGapInParameters_whenCreated_thenErrorNamesOrdinal() {
        CubinFunction plain = Cubins.empty("plain", true);

        CubinException e =
                assertThrows(
                        CubinException.class,
                        () ->
                                new CubinFunction(
                                        "plain",
                                        true,
                                        plain.code(),
                                        2,
                                        0,
                                        0,
                                        0,
                                        CubinFunction.Stack.NONE,
                                        ConstantSection.PARAMETERS,
                                        8,
                                        List.of(new KernelParameter(1, 0, 4)),
                                        List.of(),
                                        List.of(),
                                        List.of()));

        assertEquals("function plain: ordinal of a parameter=1, expected=0", e.getMessage());
    }
}
