package io.gpuvm.pv.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.protocol.SessionState;
import io.gpuvm.pv.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of connections through a function that cannot be completed.
@Timeout(60)
class PciConnectionTest {
    private static final int SESSION = 7;
    private static final int NO_MEMORY = 12;

    private final Function function = new Function();

    @Test
    void givenAreaThatCannotBeMapped_whenProgramConnects_thenSessionIsEnded() {
        assertThrows(TransportException.class, () -> PciConnection.open(function));
        assertEquals(List.of("write BEGIN", "map", "write END", "close"), function.done);
    }

    @Test
    void givenRefusedSession_whenProgramConnects_thenSessionIsEnded() {
        function.state = SessionState.REFUSED;
        String reason =
                assertThrows(TransportException.class, () -> PciConnection.open(function))
                        .getMessage();
        assertTrue(reason.contains("session=REFUSED"), reason);
        assertEquals(List.of("write BEGIN", "write END", "close"), function.done);
    }

    @Test
    void givenSessionThatOtherProgramHasBegun_whenConnectionFails_thenSessionContinues() {
        function.isTaken = true;
        assertThrows(TransportException.class, () -> PciConnection.open(function));
        assertEquals(List.of("write BEGIN", "map", "close"), function.done);
    }

    @Test
    void givenFunctionForOtherPrograms_whenOpened_thenReasonIsClearAndNoSessionBegins() {
        TransportException e =
                assertThrows(
                        TransportException.class,
                        () -> PciConnection.open(function, RingProtocol.CUDA));
        assertEquals(
                "magic=0x56507067: the function is for paravirtual guests, not for CUDA programs",
                e.getMessage());
        assertEquals(List.of("close"), function.done);
    }

    /// Function whose areas cannot be mapped.
    private static final class Function implements MappedFunction {
        private final List<String> done = new ArrayList<>();
        private SessionState state = SessionState.OPEN;
        private boolean isTaken;
        private int session = SESSION;

        @Override
        public int read(int register) {
            return switch (register) {
                case FunctionRegisters.MAGIC -> RingProtocol.COMMANDS.functionMagic();
                case FunctionRegisters.VERSION -> AreaHeader.VERSION;
                case FunctionRegisters.SESSION -> session;
                case FunctionRegisters.STATE -> state.code();
                default -> 0;
            };
        }

        @Override
        public void write(int register, int value) {
            assertEquals(FunctionRegisters.CONTROL, register);
            done.add(value == FunctionRegisters.END ? "write END" : "write BEGIN");
        }

        @Override
        public MappedMemory map(long offset, long bytes) {
            done.add("map");
            session += isTaken ? 1 : 0;
            throw new LinuxException("mmap", NO_MEMORY);
        }

        @Override
        public void close() {
            done.add("close");
        }
    }
}
