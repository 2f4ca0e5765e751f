package io.gpuvm.softgpu.sm.instruction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.isa.OperandKind;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BenchTest {
    @Test
    void givenWrongExpectation_whenChecked_thenCheckFails() {
        try (Bench bench = new Bench()) {
            InstructionCase wrong =
                    InstructionCase.of("IADD R16, R0, {1}").with(1, 2).gives(3).with(1, 2).gives(4);
            assertThrows(AssertionError.class, () -> bench.check(wrong));
        }
    }

    @Test
    void givenOperandsWithSeveralEncodings_whenListed_thenAllEncodingsAreListed() {
        InstructionCase sum = InstructionCase.of("IMAD R16, R0, {1}, {2}").with(1, 2, 3).gives(5);
        Set<String> kinds =
                Encodings.tested(sum).stream()
                        .map(f -> f.kindB() + " " + f.kindC())
                        .collect(Collectors.toSet());
        OperandKind register = OperandKind.REGISTER;
        assertEquals(
                Set.of(
                        register + " " + register,
                        OperandKind.CONSTANT + " " + register,
                        OperandKind.IMMEDIATE + " " + register,
                        register + " " + OperandKind.CONSTANT),
                kinds);
    }
}
