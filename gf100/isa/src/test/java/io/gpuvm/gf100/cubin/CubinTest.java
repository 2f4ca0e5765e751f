package io.gpuvm.gf100.cubin;

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
