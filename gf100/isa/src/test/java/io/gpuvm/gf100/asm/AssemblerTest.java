package io.gpuvm.gf100.asm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.gf100.cubin.KernelParameter;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.isa.Disassembler;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssemblerTest {
    /// Assembles the text that older versions of NVIDIA's tools printed for words that the tools
    /// had generated.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    2800440400005de4 | /*0000*/     MOV R1, c [0x1] [0x100];
                    2c00000094001c04 | S2R R0, SR_CTAid_X
                    200440002000dca3 | IMAD R3, R0, c [0x0] [0x8], R2
                    8000000000001de7 | /*0060*/ EXIT; /* 0x8000000000001de7 */
                    940000000000e085 | @!P0 ST.E [R0], R3
                    2c00000084005c04 | S2R R1, SR33
                    """)
    void givenTextOfNvidiaTools_whenAssembled_thenWordMatchesNvidiaTools(String hex, String text) {
        assertEquals(hex, Long.toHexString(one(text.replace("SR_CTAid_X", "SR_CTAID.X"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    IADD R0, R1, 0x7ffff          | IADD R0, R1, 0x7ffff
                    IADD R0, R1, 0x80000          | IADD32I R0, R1, 0x80000
                    IADD R0, R1, -0x80000         | IADD R0, R1, -0x80000
                    IADD R0, R1, 0xffffffff       | IADD R0, R1, -0x1
                    IADD R0, R1, -5               | IADD R0, R1, -0x5
                    IADD R0, R1, 2 + 3*4          | IADD R0, R1, 0xe
                    IADD R0, R1, (2 + 3)*4 - 1    | IADD R0, R1, 0x13
                    IADD R0, R1, 1 << 4           | IADD R0, R1, 0x10
                    MOV R0, 0xdeadbeef            | MOV32I R0, 0xdeadbeef
                    MOV R0, 1.5                   | MOV32I R0, 0x3fc00000
                    FADD R0, R1, 1                | FADD R0, R1, 1.0
                    FADD R0, R1, 0x3f800000       | FADD R0, R1, 1.0
                    FADD R0, R1, 0.1              | FADD32I R0, R1, 0.1
                    FADD R0, R1, -INF             | FADD R0, R1, -Infinity
                    DADD R0, R2, 0.5              | DADD R0, R2, 0.5
                    DADD R0, R2, -1               | DADD R0, R2, -1.0
                    DADD R0, R2, 0x3fe00000       | DADD R0, R2, 0.5
                    ISETP.GE P0, R0, R1           | ISETP.GE.AND P0, PT, R0, R1, PT
                    ISETP.GE P0, P1, R0, R1       | ISETP.GE.AND P0, P1, R0, R1, PT
                    ISETP.LT.U32.OR P0, R0, R1, P2 | ISETP.LT.U32.OR P0, PT, R0, R1, P2
                    LDS R0, [0x40 + R3]           | LDS R0, [R3+0x40]
                    LDS R0, [R3 - 8]              | LDS R0, [R3-0x8]
                    LDS R0, [8]                   | LDS R0, [0x8]
                    ST.E.64 [R2], R4              | ST.E.64 [R2], R4
                    BAR.SYNC 0                    | BAR.RED.POPC RZ, 0x0, RZ, PT
                    @P1 EXIT                      | @P1 EXIT
                    BRA CC.NE, 0x10               | BRA CC.NE, 0x10
                    """)
    void givenShortText_whenAssembled_thenWordMatchesFullText(String text, String full) {
        assertEquals(full, Disassembler.text(one(text), 0));
    }

    @Test
    void givenBranchesToLabels_whenAssembled_thenTargetsAreLabelAddresses() {
        long[] words =
                Assembler.code(
                        "test",
                        """
                        start: BRA end
                        loop:
                            NOP CC.T; BRA loop
                        end: EXIT
                        """);

        assertEquals("BRA 0x18", Disassembler.text(words[0], 0));
        assertEquals("BRA 0x8", Disassembler.text(words[2], 0x10));
    }

    @Test
    void givenRegisterAliases_whenAssembled_thenRegistersAreEncoded() {
        long[] words =
                Assembler.code(
                        "test",
                        """
                        .kernel k
                        .alias i, R7
                        .alias done, P2
                        .alias same, i
                        @!done IADD i.CC, -same, R1
                        LDS R0, [i + 4]
                        """);

        assertEquals("@!P2 IADD R7.CC, -R7, R1", Disassembler.text(words[0], 0));
        assertEquals("LDS R0, [R7+0x4]", Disassembler.text(words[1], 0));
    }

    @Test
    void givenRawWordsAndPadding_whenAssembled_thenCodeContainsWordsAndPadding() {
        long[] words = Assembler.code("test", ".word 0x123456789abcdef0, 1\nEXIT\n.align 32\n");

        assertArrayEquals(
                new long[] {
                    0x1234_5678_9abc_def0L, 1, 0x8000_0000_0000_1de7L, 0x4000_0000_0000_1de4L
                },
                words);
    }

    private static final String MODULE =
            """
            .arch sm_21
            .equ  THREADS, 4 * 64
            .constant 2
            factor: .float 2.5
            table:  .long 1, -1, 0xffffffff
                    .byte 7
                    .align 8
                    .double 0.5

            .kernel scale
                .param out, 8
                .param n, 4
                .param in, 8
                .shared tile, THREADS * 4
                .shared sums, 8
                .local  spill, 16
                .stack  32, 16, 2
                LDC R0, c[factor]
                MOV R2, c[0x0][in]
                MOV R3, c[in + 4]
                LD.E R5, [R2]
                STS.64 [sums + R0], R10
                BAR.SYNC 1
                MOV R9, THREADS
                LDL R1, [spill]
                LDC R4, c[lone]
                EXIT
                .constant 16
                lone: .quad 1
                .text
                NOP CC.T
            .end

            .function helper
                RET
            """;

    private final Cubin cubin = Assembler.assemble("module.sass", MODULE);
    private final CubinFunction scale = cubin.function("scale");

    @Test
    void givenModule_whenAssembled_thenKernelsAndFunctionsArePresent() {
        assertEquals(21, cubin.architecture());
        assertEquals(ElfClass.ELF64, cubin.width());
        assertTrue(scale.kernel());
        assertFalse(cubin.function("helper").kernel());
    }

    @Test
    void givenDeclarations_whenKernelIsAssembled_thenFunctionHasDeclaredResources() {
        assertEquals(24, scale.parameterBytes());
        assertEquals(
                List.of(
                        new KernelParameter(0, 0, 8),
                        new KernelParameter(1, 8, 4),
                        new KernelParameter(2, 16, 8)),
                scale.parameters());
        assertEquals(1032, scale.sharedBytes());
        assertEquals(16, scale.localBytes());
        assertEquals(new CubinFunction.Stack(16, 32, 2), scale.stack());
    }

    @Test
    void givenNoResourceDirectives_whenAssembled_thenCountsOfRegistersAndBarriersMatchCode() {
        assertEquals(12, scale.registers());
        assertEquals(2, scale.barriers());
    }

    @ParameterizedTest
    @CsvSource({"0x1, 9", "0x8, 9", "0x5, 10", "0x7, 11", "0xf, 12"})
    void givenTexelFetch_whenAssembled_thenRegisterCountIncludesComponents(
            String components, int registers) {
        String source =
                """
                .kernel k
                    TLD.LZ.T R8, R0, 0x0, 1D, %s
                .end
                """;
        Cubin fetch = Assembler.assemble("fetch", source.formatted(components));
        assertEquals(registers, fetch.function("k").registers());
    }

    @Test
    void givenTextures_whenAssembled_thenNamesDenoteSlotsAndListingPreservesTextures() {
        String source =
                """
                .kernel k
                    .texture vector, 7
                    .texture "p0", 2
                    .param p0, 4
                    MOV R0, c[p0]
                    TLD.LZ.T R0, R0, vector, 1D, 0x1
                .end
                """;
        Cubin fetch = Assembler.assemble("fetch", source);
        CubinFunction k = fetch.function("k");
        assertEquals(List.of(new TextureSlot("vector", 7), new TextureSlot("p0", 2)), k.textures());
        String listing = Listing.of(fetch, _ -> true);
        assertTrue(listing.contains("TLD.LZ.T R0, R0, 0x7, 1D, 0x1"), listing);
        assertEquals(k.textures(), Assembler.assemble("again", listing).function("k").textures());
    }

    @Test
    void givenNamesOfObjects_whenAssembled_thenValuesAreOffsets() {
        assertEquals("LDC R0, c[0x2][0x0]", text(0));
        assertEquals("MOV R2, c[0x0][0x30]", text(1));
        assertEquals("MOV R3, c[0x0][0x34]", text(2));
        assertEquals("STS.64 [R0+0x400], R10", text(4));
        assertEquals("MOV R9, 0x100", text(6));
        assertEquals("LDC R4, c[0x10][0x0]", text(8));
    }

    @Test
    void givenConstants_whenAssembled_thenBytesArePresentAndSharedConstantsHaveNames() {
        assertArrayEquals(
                new int[] {0x40200000, 1, -1, -1, 7, 0, 0, 0x3fe00000},
                cubin.constants().getFirst().contents().toArray(ValueLayout.JAVA_INT_UNALIGNED));
        assertEquals(
                List.of(
                        new DataSymbol("factor", DataSymbol.Space.CONSTANT, 2, 0, 4),
                        new DataSymbol("table", DataSymbol.Space.CONSTANT, 2, 4, 28)),
                cubin.symbols());
        assertEquals(List.of(0, 16), scale.constants().stream().map(one -> one.index()).toList());
    }

    private String text(int instruction) {
        long word =
                scale.code()
                        .get(
                                ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                                instruction * 8L);
        return Disassembler.text(word, instruction * 8);
    }

    private static long one(String text) {
        return Assembler.code("test", text)[0];
    }
}
