package io.gpuvm.pv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Opcodes and statuses as numbers.
class CodesTest {
    @ParameterizedTest
    @EnumSource
    void givenAnOpcode_whenLookedUpByItsCode_thenItIsFound(Opcode opcode) {
        assertSame(opcode, Opcode.of(opcode.code()));
    }

    @ParameterizedTest
    @EnumSource
    void givenAStatus_whenLookedUpByItsCode_thenItIsFound(Status status) {
        assertSame(status, Status.of(status.code()));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0x5f, 0x60, 0xffff, Integer.MAX_VALUE})
    void givenANumberThatMeansNothing_whenLookedUp_thenThereIsNothing(int code) {
        assertNull(Opcode.of(code));
        assertNull(Status.of(code));
    }

    @Test
    void givenMemoryThatNobodyHasWritten_whenReadAsACommand_thenItIsNone() {
        assertNull(Opcode.of(0));
    }

    @Test
    void givenMemoryThatNobodyHasWritten_whenReadAsAStatus_thenItIsOk() {
        assertEquals(0, Status.OK.code());
    }
}
