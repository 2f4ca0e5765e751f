package io.gpuvm.gf100.asm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AssemblyErrorTest {
    private static final int GARBLED_SOURCES = 3_000;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    IADDX R0, R1, R2        | 1:1: 'IADDX': expected an instruction
                    MOV R0, R64             | 1:9: 'R64': expected a register (R0..R62, RZ)
                    MOV P0, R1              | 1:5: 'P0': expected a register (R0..R62, RZ)
                    MOV R0, R1, R2          | 1:13: 'R2': expected no more operands
                    S2R R0, SR_NOTHING      | 1:9: 'SR_NOTHING': expected a special register (SR_TID.X)
                    @P8 EXIT                | 1:2: 'P8': expected a predicate (P0..P6, PT)
                    BRA nowhere             | 1:5: 'nowhere': not defined
                    a: a: EXIT              | 1:4: 'a': defined twice
                    R5: EXIT                | 1:1: 'R5': reserved name
                    LDS.FOO R0, [R1]        | 1:4: '.FOO': expected .S, or .U8 .S8 .U16 .S16 .64 .128, or no more modifiers
                    LDS R0, R1              | 1:9: 'R1': expected an address ([register + offset])
                    .alias x, 5             | 1:11: '5': expected a register or a predicate
                    .frob 3                 | 1:1: '.frob': expected a directive
                    .byte 3                 | 1:1: '.byte': valid only after '.constant BANK'
                    MOV R0, 0x1234567890    | 1:9: '0x1234567890': expected a number of 32 bits
                    IADD R0, R1, 4 / 0      | 1:16: '/': division by zero
                    EXIT extra              | 1:6: 'extra': expected a condition (CC.NE), or no more operands
                    MOV R0,                 | 1:8: end of the statement: expected a number or a name
                    DADD R0, R2, 0.1        | 1:14: '0.1': expected a constant (c[bank][offset]), or a double (upper 20 bits), or a register (R0..R62, RZ)
                    IADD R0, -R1, -R2       | 1:1: 'IADD': expected another combination of signs and modifiers
                    FFMA32I R0, R1, 1.0, R2 | 1:9: 'R0': expected the value that another operand gives to the same bits
                    MOV R0, c[0x0][0x3]     | 1:9: 'c': expected a constant (c[bank][offset]), or a number of 20 bits, or a number of 32 bits, or a register (R0..R62, RZ)
                    TLD.LZ R0, R1, 0x0, 0x1 | 1:21: '0x1': expected the shape 1D
                    .kernel k; .texture t, 256 | 1:24: '256': expected a slot, 0 to 255
                    ^                       | 1:1: '^': not part of the language
                    """)
    void givenInvalidLine_whenAssembled_thenErrorHasPositionAndExpectedText(
            String source, String message) {
        assertEquals(List.of("t:" + message), errors(source));
    }

    @Test
    void givenSeveralErrors_whenAssembled_thenAllErrorsAreListedInOrder() {
        String source =
                """
                .kernel k
                    .param a, 8
                    MOV R0, c[0x2][a]
                    FOO R1
                    .registers 4
                    .param a, 4
                    LD.E R5, [R8]
                    .frob
                """;

        assertEquals(
                List.of(
                        "t:3:20: 'a': bank=2, expected=0",
                        "t:4:5: 'FOO': expected an instruction",
                        "t:5:5: '.registers': registers=4, expected at least 10",
                        "t:6:12: 'a': defined twice",
                        "t:8:5: '.frob': expected a directive"),
                errorsOfModule(source));
    }

    @Test
    void givenSizeAboveLimit_whenAssembled_thenErrorHasValueAndLimit() {
        assertEquals(
                List.of("t:2:9: 's': bytes of shared memory=49156, limit=49152"),
                errorsOfModule(".kernel k\n.shared s, 49156\n"));
        assertEquals(
                List.of("t:2:1: '.registers': registers=64, limit=63"),
                errorsOfModule(".kernel k\n.registers 64\n"));
        assertEquals(
                List.of("t:2:11: bank 2: bytes=65537, limit=65536"),
                errorsOfModule(".constant 2\n.space 1; .space 65536\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "-", "1+", "1*"})
    void givenNumberWithTooManyTerms_whenAssembled_thenErrorHasLimit(String part) {
        String number = part.repeat(20_000) + "1";
        assertTrue(errors("MOV32I R0, " + number).getFirst().endsWith("terms=257, limit=256"));
        assertTrue(errors("LD R0, [R2+" + number + "]").getFirst().contains("limit=256"));
    }

    @Test
    void givenCodeWithoutKernel_whenCubinIsRequested_thenErrorNamesKernel() {
        assertEquals(
                List.of("t:1:1: code: expected '.kernel NAME' before the code"),
                errorsOfModule("EXIT"));
    }

    @Test
    void givenRandomlyChangedSource_whenAssembled_thenOnlyAssemblyExceptionIsThrown() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String good =
                ".kernel k\n.param a, 8\n.constant 2\nx: .float 1.5e3, 0x10\n.text\nl: @!P0 IADD.X"
                        + " R0.CC, -R1, c[0x0][a]; BRA l /* c */\nLD.E.64 R2, [R4+-0x10]\n";
        for (int i = 0; i < GARBLED_SOURCES; i++) {
            StringBuilder source = new StringBuilder(good);
            for (int changes = 1 + random.nextInt(5); changes > 0; changes--) {
                int at = random.nextInt(source.length());
                source.setCharAt(at, (char) (' ' + random.nextInt(96)));
                if (random.nextBoolean()) {
                    source.deleteCharAt(random.nextInt(source.length()));
                }
            }
            try {
                Assembler.assemble("t", source.toString());
            } catch (AssemblyException e) {
                // Result of most sources.
            } catch (RuntimeException e) {
                throw new AssertionError("seed=" + seed + ", source=" + source, e);
            }
        }
    }

    private static List<String> errors(String source) {
        return assertThrows(AssemblyException.class, () -> Assembler.code("t", source))
                .errors()
                .stream()
                .map(AssemblyError::toString)
                .toList();
    }

    private static List<String> errorsOfModule(String source) {
        return assertThrows(AssemblyException.class, () -> Assembler.assemble("t", source))
                .errors()
                .stream()
                .map(AssemblyError::toString)
                .toList();
    }
}
