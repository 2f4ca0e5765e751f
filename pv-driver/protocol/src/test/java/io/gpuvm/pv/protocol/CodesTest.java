package io.gpuvm.pv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the codes of opcodes and statuses.
class CodesTest {
    @ParameterizedTest
    @EnumSource
    void givenOpcode_whenLookedUpByCode_thenOpcodeIsFound(CommandOpcode opcode) {
        assertSame(opcode, CommandOpcode.of(opcode.code()));
    }

    @ParameterizedTest
    @EnumSource
    void givenStatus_whenLookedUpByCode_thenStatusIsFound(CommandStatus status) {
        assertSame(status, CommandStatus.of(status.code()));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0x5f, 0x60, 0xffff, Integer.MAX_VALUE})
    void givenUnknownNumber_whenLookedUp_thenResultIsNull(int code) {
        assertNull(CommandOpcode.of(code));
        assertNull(CommandStatus.of(code));
    }

    @Test
    void givenUnwrittenMemory_whenReadAsCommand_thenOpcodeIsNull() {
        assertNull(CommandOpcode.of(0));
    }

    @Test
    void givenUnwrittenMemory_whenReadAsStatus_thenStatusIsOk() {
        assertEquals(0, CommandStatus.OK.code());
    }
}
