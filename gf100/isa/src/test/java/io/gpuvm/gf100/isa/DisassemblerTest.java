package io.gpuvm.gf100.isa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisassemblerTest {
    /// Disassembles words that NVIDIA's and Mesa's compilers generated, and compares the text with
    /// that of NVIDIA's tools in current spelling.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                            2c00000094001c04 | S2R R0, SR_CTAID.X
                            2c00000084005c04 | S2R R1, SR_TID.X
                            6000c00014001e03 | SHL.W R0, R0, 0x5
                            4800000004001c03 | IADD R0, R0, R1
                            6000c00008009e03 | SHL.W R2, R0, 0x2
                            4080000000001c43 | ISCADD R0, R0, -R0, 0x2
                            4800c0001c00dc03 | IADD R3, R0, 0x7
                            48017c0a80201c03 | IADD R0.CC, R2, c[0xf][0x2a0]
                            48007c0a93f05c43 | IADD.X R1, RZ, c[0xf][0x2a4]
                            1a0e7c0aa021dc03 | ISETP.GT.U32.AND P0, PT, R2, c[0xf][0x2a8], PT
                            940000000000e085 | @!P0 ST.E [R0], R3
                            8000000000001de7 | EXIT
                            2800440400005de4 | MOV R1, c[0x1][0x100]
                            1800000010015de2 | MOV32I R5, 0x4
                            200440002000dca3 | IMAD R3, R0, c[0x0][0x8], R2
                            5000c00010311ce3 | IMUL.HI R4, R3, 0x4
                            200b800080321ca3 | IMAD R8.CC, R3, R5, c[0x0][0x20]
                            8400000000809c85 | LD.E R2, [R8]
                            5000000000201c00 | FADD R0, R2, R0
                            8c00000000209c85 | LDU.E R2, [R2]
                    bf00000a10225c05 | LD_LDU.E.32.E.32 R10, R9, [R2], [R4]
                    bf00180710221c25 | LD_LDU.E.32.E.32 R7, R8, [R2+0xc], [R4+0x4]
                    bf00300010219c45 | LD_LDU.E.32.E.32 R0, R6, [R2+0x18], [R4+0x8]
                    4001400500009c43 | ISCADD R2.CC, R0, c[0x0][0x140], 0x2
                    208680051000dce3 | IMAD.HI.X R3, R0, R3, c[0x0][0x144]
                    188e40054001dc23 | ISETP.LT.AND P0, PT, R0, c[0x0][0x150], PT
                    0bfffffffc001c02 | IADD32I R0, R0, -0x1
                    94000000002fdc85 | ST.E [R2], RZ
                    80000000000001e7 | @P0 EXIT
                    4000000000001de4 | NOP
                    90004000fc63dc86 | TLD.LZ.T R15, R6, 0x0, 1D, 0x1
                    9000c000fc619c86 | TLD.LZ.T R6, R6, 0x0, 1D, 0x3
                    """)
    void givenCompiledWords_whenDisassembled_thenTextMatchesNvidiaTools(String hex, String text) {
        assertEquals(text, Disassembler.text(Long.parseUnsignedLong(hex, 16), 0));
    }

    @Test
    void givenBranch_whenDisassembled_thenTargetIsAddress() {
        assertEquals("@P0 BRA 0x38", Disassembler.text(0x4003_fffe_6000_01e7L, 0x98));
        assertEquals("BRA 0xa8", Disassembler.text(0x4003_ffff_e000_1de7L, 0xa8));
    }

    @Test
    void givenInvalidWord_whenListed_thenLineIsWordDirective() {
        assertNull(Disassembler.text(-1, 0));
        assertEquals("/*0010*/  .word 0xffffffffffffffff;", Disassembler.line(-1, 0x10));
    }

    @Test
    void givenIgnoredBits_whenListed_thenLineIsWordDirectiveWithComment() {
        String line = Disassembler.line(0x8000_0000_0000_1de7L | 1L << 40, 0);
        assertEquals("/*0000*/  .word 0x8000010000001de7; // EXIT", line);
    }

    @Test
    void givenEveryForm_whenDisassembled_thenTextContainsOpcode() {
        RandomWords words = new RandomWords(1);
        for (Form form : InstructionTable.forms()) {
            String text = Disassembler.text(words.nextFound(form), 0);
            assertTrue(text.contains(form.opcode().name()), form::toString);
        }
    }
}
