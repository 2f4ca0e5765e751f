package io.gpuvm.pv.module;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.isa.Disassembler;
import io.gpuvm.pv.module.ElfBytes.Section;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of modules with properties that files of this project's assembler do not have.
class ForeignCubinTest {
    private static final long VA = 0x1234_5000L;
    private static final int SIZED = 4;
    private static final int VALUE = 3;

    /// Returns the first word of a record of `.nv.info`.
    private static int record(int attribute, int words) {
        return SIZED | attribute << 8 | words * Integer.BYTES << 16;
    }

    private static ModuleImage image(ElfBytes file) {
        return ModuleImage.of(Cubin.read(file.build()));
    }

    private static long longAt(ModuleImage image, long offset) {
        return MemorySegment.ofArray(image.contentsAt(VA))
                .get(ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), offset);
    }

    private static int wordAt(ModuleImage image, long offset) {
        return (int) longAt(image, offset);
    }

    private static String instruction(ModuleImage image, int number) {
        int at = image.kernels().getFirst().entry() + number * Long.BYTES;
        return Disassembler.text(longAt(image, at), number * Long.BYTES);
    }

    private static String refusal(ElfBytes file) {
        return assertThrows(ModuleException.class, () -> image(file).contentsAt(VA)).getMessage();
    }

    /// File with one kernel.
    private static final class OneKernel {
        final ElfBytes file;
        final Section text;
        final int symbol;

        OneKernel(boolean wide, String source) {
            file = new ElfBytes(wide);
            text = text(file, "k", 9, source);
            symbol = function(file, text, "k", ElfBytes.ENTRY);
        }

        Section info(int... words) {
            return file.words(".nv.info.k", ElfBytes.PROGBITS, words);
        }

        int object(Section section, String name, long value) {
            return file.symbol(
                    name, ElfBytes.OBJECT, ElfBytes.GLOBAL, 0, file.index(section), value, 4);
        }
    }

    private static Section text(ElfBytes file, String name, int registers, String source) {
        long[] words = source.isEmpty() ? new long[0] : Assembler.code(name, source);
        return file.section(".text." + name, ElfBytes.PROGBITS, ElfBytes.bytes(words))
                .flags(ElfBytes.ALLOC | ElfBytes.EXECINSTR)
                .info(registers << 24);
    }

    private static int function(ElfBytes file, Section text, String name, int other) {
        return file.symbol(name, ElfBytes.FUNC, ElfBytes.GLOBAL, other, file.index(text), 0, 0);
    }

    /// Returns a file with a call, constants, variables, and relocations of all three.
    static ElfBytes everything(boolean wide) {
        ElfBytes file = new ElfBytes(wide);
        // Symbols, info and memory precede the code to which they refer.
        Section zeros = file.empty(".nv.global", 1000).alignment(8);
        Section init = file.words(".nv.global.init", ElfBytes.PROGBITS, 1, 2, 0, 0).alignment(16);
        Section shared = file.empty(".nv.shared.k", 40);
        file.words(".nv.info.k", ElfBytes.PROGBITS, record(0x0a, 2), 0, 0x20 | 12 << 16);
        file.words(".debug_line", ElfBytes.PROGBITS, 1, 2, 3);
        Section addresses = file.words(".nv.constant14", ElfBytes.PROGBITS, 0, 0, 0, 0);
        file.words(".nv.constant16.k", ElfBytes.PROGBITS, 5, 6);
        file.words(".nv.constant0.k", ElfBytes.PROGBITS, new int[11]);
        Section text = text(file, "k", 9, "MOV32I R0, 0\nMOV32I R1, 0\nJCAL 0\nEXIT");
        Section callee = text(file, "callee", 5, "MOV R0, c[0x10][4]\nRET");
        int table = object(file, zeros, "table", 16);
        int start = object(file, init, "start", 4);
        int tile = object(file, shared, "tile", 8);
        function(file, text, "k", ElfBytes.ENTRY);
        int called = function(file, callee, "callee", 0);
        file.relocate(addresses, 0, table, 1, 0);
        file.relocate(addresses, 4, start, 1, 4);
        file.relocate(addresses, 8, called, 34, 0);
        file.relocate(text, 0, table, 10, 0);
        file.relocate(text, 8, tile, 5, 0);
        file.relocate(text, 16, called, 5, 0);
        file.relocate(init, 8, table, 3, 0);
        return file;
    }

    @Test
    void givenVariableInBankOfLaunches_whenLoaded_thenVariableIsIgnored() {
        OneKernel one = new OneKernel(true, "EXIT");
        Section launches = one.file.words(".nv.constant0", ElfBytes.PROGBITS, 0, 0);
        one.object(launches, "impostor", 4);
        Section user = one.file.words(".nv.constant2", ElfBytes.PROGBITS, 5, 6);
        one.object(user, "factor", 4);
        ModuleImage image = image(one.file);
        List<ModuleVariable> variables = image.variables();
        assertEquals(List.of("factor"), variables.stream().map(ModuleVariable::name).toList());
        assertEquals(6, wordAt(image, variables.getFirst().offset()));
    }

    private static int object(ElfBytes file, Section section, String name, long value) {
        return file.symbol(
                name, ElfBytes.OBJECT, ElfBytes.GLOBAL, 0, file.index(section), value, 4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givenFileWithAllFeatures_whenPlaced_thenAddressesAreFilledIn(boolean wide) {
        ModuleImage image = image(everything(wide));
        KernelImage kernel = image.kernels().getFirst();
        long table = VA + variable(image, "table");
        long start = VA + variable(image, "start");
        BankImage addresses = bank(kernel, 14);

        assertEquals(table, wordAt(image, addresses.offset()));
        assertEquals(start + 4, wordAt(image, addresses.offset() + 4));
        assertEquals(table, wordAt(image, variable(image, "start") + 4));
        assertEquals("MOV32I R0, 0x%x".formatted(table), instruction(image, 0));
        assertEquals("MOV32I R1, 0x8", instruction(image, 1));
        int callee = wordAt(image, addresses.offset() + 8);
        assertEquals("JCAL 0x%x".formatted(callee), instruction(image, 2));
        assertEquals(Assembler.code("callee", "RET")[0], longAt(image, callee + 8));
        assertEquals(48, kernel.resources().sharedBytes());
        assertEquals(12, kernel.parameterBytes());
        assertEquals(5, wordAt(image, bank(kernel, 16).offset()));
        assertTrue(image.bytes() >= variable(image, "table") + 1000 - 16);
    }

    private static long variable(ModuleImage image, String name) {
        return image.variables().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow()
                .offset();
    }

    private static BankImage bank(KernelImage kernel, int index) {
        return kernel.banks().stream()
                .filter(one -> one.index() == index)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "false, 2", "true, 3", "true, 4"})
    void givenSectionsAnywhereInFile_whenPlaced_thenImageIsUnchanged(boolean wide, long seed) {
        byte[] usual = image(everything(wide)).contentsAt(VA);

        assertArrayEquals(usual, image(everything(wide).scattered(seed)).contentsAt(VA));
        assertArrayEquals(usual, image(everything(wide).oneStringTable()).contentsAt(VA));
        assertArrayEquals(usual, image(everything(wide).relocatable()).contentsAt(VA));
        assertArrayEquals(
                usual, image(everything(wide).explicitAddends().scattered(seed)).contentsAt(VA));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 4, 0x0000000012345678",
        "2, 8, 0x0000000112345678",
        "4, 8, 0x0000000112345678",
        "70, 4, 0x0000000012345678",
        "71, 4, 0x0000000000000001"
    })
    void givenDataWord_whenPlaced_thenWordHoldsAddress(int type, int bytes, String value) {
        ElfBytes file = new ElfBytes(true).explicitAddends();
        Section init = file.words(".nv.global.init", ElfBytes.PROGBITS, -1, -1, -1, -1, -1);
        object(file, init, "place", 4);
        long address = type == 1 ? 0x1234_5678L : 0x1_1234_5678L;
        file.relocate(init, 4, far(file), type, address);
        ModuleImage image = image(file);
        long place = variable(image, "place");

        long mask = bytes == 8 ? -1 : 0xffffffffL;
        assertEquals(Long.decode(value), longAt(image, place) & mask);
        assertEquals(-1, wordAt(image, place + bytes));
    }

    @ParameterizedTest
    @CsvSource({"10, 0x2345678", "11, 0x1"})
    void givenHalfAddressInInstruction_whenPlaced_thenFieldHoldsHalf(int type, String half) {
        OneKernel module = new OneKernel(true, "MOV32I R3, -1\nEXIT");
        module.file.explicitAddends();
        module.file.relocate(module.text, 0, far(module.file), type, 0x1_0234_5678L);

        assertEquals("MOV32I R3, " + half, instruction(image(module.file), 0));
    }

    @Test
    void givenCallTargetOutOfRange_whenPlaced_thenErrorNamesTarget() {
        OneKernel module = new OneKernel(true, "JCAL 0\nEXIT");
        module.file.explicitAddends();
        module.file.relocate(module.text, 0, far(module.file), 15, 0x123_4567);

        assertEquals(
                "CODE of k+0: ABS24_26 to far: value=19088743, limit=24 bits",
                refusal(module.file));
    }

    private static int far(ElfBytes file) {
        return file.symbol("far", ElfBytes.NOTYPE, ElfBytes.GLOBAL, 0, ElfBytes.ABS, 0, 0);
    }

    @Test
    void givenVariableInBank_whenPlaced_thenInstructionsHaveBankAndOffset() {
        OneKernel module = new OneKernel(true, "MOV R0, c[0][0]\nLDC R0, c[0][0]\nEXIT");
        Section bank = module.file.words(".nv.constant16", ElfBytes.PROGBITS, 1, 2, 3);
        int variable = module.object(bank, "factor", 8);
        module.file.relocate(module.text, 0, variable, 24, 0);
        module.file.relocate(module.text, 8, variable, 36, 0);
        ModuleImage image = image(module.file);

        assertEquals("MOV R0, c[0x10][0x8]", instruction(image, 0));
        assertEquals("LDC R0, c[0x10][0x8]", instruction(image, 1));
    }

    @Test
    void givenBranchToAnotherFunction_whenPlaced_thenBranchHoldsDistance() {
        OneKernel module = new OneKernel(true, "NOP\nCAL 0\nEXIT");
        module.file.explicitAddends();
        Section callee = text(module.file, "callee", 5, "RET");
        int symbol = function(module.file, callee, "callee", 0);
        module.file.relocate(module.text, 8, symbol, 40, 0);
        module.file.relocate(callee, 0, module.symbol, 0, 0);
        ModuleImage image = image(module.file);
        long field = longAt(image, image.kernels().getFirst().entry() + 8) >> 26 << 40 >> 40;

        assertEquals(256 - 16, field);
    }

    @Test
    void givenUndefinedSymbol_whenLoaded_thenErrorNamesSymbol() {
        OneKernel module = new OneKernel(true, "JCAL 0\nEXIT");
        int print = module.file.symbol("vprintf", ElfBytes.FUNC, ElfBytes.GLOBAL, 0, 0, 0, 0);
        module.file.relocate(module.text, 0, print, 5, 0);

        assertEquals(
                "CODE of k+0: ABS32_26 to vprintf: not defined in this module",
                refusal(module.file));
    }

    @Test
    void givenUndefinedWeakSymbol_whenPlaced_thenAddressIsZero() {
        OneKernel module = new OneKernel(true, "MOV32I R0, -1\nEXIT");
        module.file.explicitAddends();
        int maybe = module.file.symbol("maybe", ElfBytes.FUNC, ElfBytes.WEAK, 0, 0, 0, 0);
        module.file.relocate(module.text, 0, maybe, 5, 0);

        assertEquals("MOV32I R0, 0x0", instruction(image(module.file), 0));
    }

    @Test
    void givenVariablesWithoutSection_whenPlaced_thenSpaceIsReserved() {
        OneKernel module = new OneKernel(true, "MOV32I R0, 0\nEXIT");
        Section zeros = module.file.empty(".nv.global", 6);
        module.object(zeros, "first", 0);
        int common =
                module.file.symbol(
                        "common", ElfBytes.OBJECT, ElfBytes.GLOBAL, 0, ElfBytes.COMMON, 64, 100);
        module.file.relocate(module.text, 0, common, 5, 0);
        ModuleImage image = image(module.file);
        long place = variable(image, "common");

        assertEquals(variable(image, "first") + 64, place);
        assertEquals(image.bytes(), place + 100);
        assertEquals("MOV32I R0, 0x%x".formatted(VA + place), instruction(image, 0));
    }

    @Test
    void givenDebugInformation_whenLoaded_thenInformationIsIgnored() {
        OneKernel module = new OneKernel(true, "EXIT");
        Section frame = module.file.words(".debug_frame", ElfBytes.PROGBITS, 1, 2);
        Section line = module.file.words(".nv_debug_line_sass", ElfBytes.PROGBITS, 1, 2);
        int local = module.object(line, ".L_1", 7);
        module.file.relocate(frame, 3, module.symbol, 1000, 0);
        module.file.relocate(line, 7, local, 77, 0);
        module.file.words(".nv.callgraph", 0x70000001, 0, -1);

        assertEquals(1, image(module.file).kernels().size());
    }

    @Test
    void givenInfoOfFunctionInsideKernelCode_whenLoaded_thenInfoIsIgnored() {
        OneKernel module = new OneKernel(true, "EXIT\nRET");
        int section = module.file.index(module.text);
        module.file.symbol("inner", ElfBytes.FUNC, ElfBytes.LOCAL, 0, section, 8, 8);
        module.file.words(".nv.info.inner", ElfBytes.PROGBITS, record(0x1e, 1), 1);

        assertEquals(1, image(module.file).kernels().size());
    }

    @Test
    void givenInfoOfUndefinedFunction_whenLoaded_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.file.words(".nv.info.absent", ElfBytes.PROGBITS, record(0x1e, 1), 1);

        assertEquals(
                ".nv.info.absent: function=absent, expected a function of the file",
                assertThrows(CubinException.class, () -> image(module.file)).getMessage());
    }

    @Test
    void givenRelocationOfAnotherArchitecture_whenLoaded_thenErrorNamesType() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.file.relocate(module.text, 0, module.symbol, 43, 0);

        assertEquals(
                ".text.k+0: relocation type=43, expected a type for data or sm_20 code",
                assertThrows(CubinException.class, () -> image(module.file)).getMessage());
    }

    @Test
    void givenNarrowPointer_whenImageIsPlacedAtHighAddress_thenErrorNamesAddress() {
        OneKernel module = new OneKernel(true, "EXIT");
        Section init = module.file.words(".nv.global.init", ElfBytes.PROGBITS, 0, 0);
        module.file.relocate(init, 0, module.object(init, "self", 0), 1, 0);
        ModuleImage image = image(module.file);
        long high = 1L << 32;
        long self = high + variable(image, "self");

        assertEquals(
                "GLOBAL_INIT+0: DATA_32 to self: value=" + self + ", limit=32 bits",
                assertThrows(ModuleException.class, () -> image.contentsAt(high)).getMessage());
    }

    @Test
    void givenGenericAddressOfSharedMemory_whenLoaded_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "EXIT");
        Section shared = module.file.empty(".nv.shared.k", 16);
        Section init = module.file.words(".nv.global.init", ElfBytes.PROGBITS, 0, 0);
        module.file.relocate(init, 0, module.object(shared, "tile", 0), 4, 0);

        assertEquals("GLOBAL_INIT+0: G64 to tile: symbol is in SHARED", refusal(module.file));
    }

    @Test
    void givenRelocationOfParameters_whenLoaded_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "EXIT");
        Section bank = module.file.words(".nv.constant0.k", ElfBytes.PROGBITS, new int[9]);
        module.file.relocate(bank, 4, module.symbol, 1, 0);

        assertEquals(
                "CONSTANT of k+4: DATA_32 to k: field is not in the image", refusal(module.file));
    }

    @Test
    void givenLaunchBound_whenLaidOut_thenBlocksAreLimited() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.info(record(0x05, 3), 16, 12, 1);

        assertEquals(new BlockRule(192, null), image(module.file).kernels().getFirst().block());
    }

    @Test
    void givenRequiredBlock_whenLaidOut_thenOnlyRequiredBlockIsAllowed() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.info(record(0x10, 3), 16, 12, 2);

        assertEquals(
                new BlockRule.Size(16, 12, 2),
                image(module.file).kernels().getFirst().block().required());
    }

    @Test
    void givenBlockOfTwoDirections_whenRead_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.info(record(0x10, 2), 16, 12);

        assertEquals(
                ".nv.info.k attribute 16: bytes=8, expected a multiple of 4, at least 12",
                assertThrows(CubinException.class, () -> image(module.file)).getMessage());
    }

    @Test
    void givenTooLargeRequiredBlock_whenLaidOut_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.info(record(0x10, 3), 64, 64, -1);

        assertEquals(
                "kernel k: required threads in direction 2=4294967295, limit=2147483647",
                refusal(module.file));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1024", "100, 100, 1024", "2000, 32, 2000", "-1, 8, 1024"})
    void givenStackInModuleInfo_whenLaidOut_thenLocalMemoryHasRoomForStack(
            int least, int frame, int bytes) {
        OneKernel module = new OneKernel(true, "EXIT");
        module.file.words(
                ".nv.info",
                ElfBytes.PROGBITS,
                record(0x12, 2),
                module.symbol,
                least,
                record(0x11, 2),
                module.symbol,
                frame,
                record(0x2f, 2),
                module.symbol,
                21);

        KernelResources resources = image(module.file).kernels().getFirst().resources();
        assertEquals(least == 0 ? 0 : bytes, resources.localBytes());
        assertEquals(21, resources.registers());
    }

    @Test
    void givenAlternativeParameterDescriptions_whenLaidOut_thenParametersAreDetected() {
        OneKernel bySize = new OneKernel(true, "EXIT");
        bySize.info(VALUE | 0x19 << 8 | 16 << 16);
        OneKernel byBank = new OneKernel(true, "EXIT");
        byBank.file.words(".nv.constant0.k", ElfBytes.PROGBITS, new int[11]);
        OneKernel byList = new OneKernel(true, "EXIT");
        byList.info(
                record(0x0a, 2),
                0,
                0x20 | 12 << 16,
                record(0x17, 3),
                0,
                1 | 8 << 16,
                4 << 18,
                record(0x17, 3),
                0,
                0,
                8 << 18);

        assertEquals(16, image(bySize.file).kernels().getFirst().parameterBytes());
        assertEquals(12, image(byBank.file).kernels().getFirst().parameterBytes());
        assertEquals(
                List.of(new KernelParameter(0, 0, 8), new KernelParameter(1, 8, 4)),
                image(byList.file).kernels().getFirst().parameters());
    }

    @Test
    void givenBankOfLaunch_whenLoaded_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.file.words(".nv.constant1.k", ElfBytes.PROGBITS, 1);

        assertEquals("constant bank=1, expected 2 to 17", refusal(module.file));
    }

    @ParameterizedTest
    @CsvSource({
        ".nv.shared.callee, bytes of shared memory=4",
        ".nv.local.callee, bytes of local memory=4",
        ".nv.constant16.callee, own constant banks=1"
    })
    void givenMemoryOfDeviceFunction_whenLoaded_thenFileIsRefused(String section, String what) {
        OneKernel module = new OneKernel(true, "EXIT");
        text(module.file, "callee", 5, "RET");
        module.file.words(section, ElfBytes.PROGBITS, 1);

        assertEquals("function callee: " + what + ", limit=0", refusal(module.file));
    }

    @Test
    void givenDuplicateBank_whenLoaded_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.file.words(".nv.constant2.k", ElfBytes.PROGBITS, 1);
        module.file.words(".nv.constant2", ElfBytes.PROGBITS, 1);

        assertEquals("kernel k: sections of bank 2=2, limit=1", refusal(module.file));
    }

    @Test
    void givenFileForSm21_whenLoaded_thenFileIsTreatedAsSm20() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.file.flags(21 | 20 << 16 | 0x500);

        assertEquals(1, image(module.file).kernels().size());
    }

    @Test
    void givenFileForSm35_whenLoaded_thenErrorNamesArchitecture() {
        OneKernel module = new OneKernel(true, "EXIT");
        module.file.flags(35 | 35 << 16 | 0x500);

        assertEquals(
                "file: architecture=35, expected 20 or 21",
                assertThrows(CubinException.class, () -> image(module.file)).getMessage());
    }

    @Test
    void givenEmptyKernel_whenLoaded_thenFileIsRefused() {
        OneKernel module = new OneKernel(true, "");

        assertEquals("kernel k: bytes of code=0, expected at least 8", refusal(module.file));
    }
}
