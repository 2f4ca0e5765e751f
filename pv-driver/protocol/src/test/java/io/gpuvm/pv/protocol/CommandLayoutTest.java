package io.gpuvm.pv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that the operands of each command do not overlap and stay within the entry.
class CommandLayoutTest {
    private static final long AT = 2 * RingEntry.BYTES;

    private final MemorySegment memory = Arena.ofAuto().allocate(4 * RingEntry.BYTES, 64);

    static Stream<CommandEntry> commands() {
        return Stream.of(
                new VramAllocCommand(),
                new HandleCommand(),
                new MapCommand(),
                new MapStridedCommand(),
                new MapListCommand(),
                new UnmapCommand(),
                new ChannelCreateCommand(),
                new SubmitCommand(),
                new FenceQueryCommand(),
                new FenceWaitCommand(),
                new FenceDeclareCommand(),
                new StatisticsCommand());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void givenOperandsOfCommand_whenAllAreWritten_thenEachOperandIsReadBack(CommandEntry command)
            throws ReflectiveOperationException {
        command.wrap(memory, AT).correlation(-2);
        List<Method> setters = setters(command);
        assertFalse(setters.isEmpty());
        for (int i = 0; i < setters.size(); i++) {
            setters.get(i).invoke(command, value(setters.get(i), i));
        }
        for (int i = 0; i < setters.size(); i++) {
            Method getter = command.getClass().getMethod(setters.get(i).getName());
            assertEquals(value(setters.get(i), i), getter.invoke(command), getter.getName());
        }
        assertEquals(-2, command.correlation());
    }

    @ParameterizedTest
    @MethodSource("commands")
    void givenCommand_whenWritten_thenSurroundingBytesAreUnchanged(CommandEntry command)
            throws ReflectiveOperationException {
        memory.fill((byte) 0x5a);
        MemorySegment before = Arena.ofAuto().allocate(memory.byteSize()).copyFrom(memory);
        command.wrap(memory, AT);
        for (Method setter : setters(command)) {
            setter.invoke(command, value(setter, -1));
        }
        long body = AT + RingEntry.BODY;
        assertEquals(-1, MemorySegment.mismatch(before, 0, body, memory, 0, body));
        assertEquals(
                -1,
                MemorySegment.mismatch(
                        before, AT + 64, before.byteSize(), memory, AT + 64, memory.byteSize()));
    }

    @Test
    void givenOpcodeWithFlags_whenTagIsRead_thenOpcodeAndFlagsMatch() {
        memory.set(
                WireType.U32,
                AT + RingEntry.TAG,
                CommandEntry.tag(CommandOpcode.UNMAP, CommandEntry.QUIET | CommandEntry.LINKED));
        CommandEntry command = new CommandEntry().wrap(memory, AT);
        assertEquals(CommandOpcode.UNMAP.code(), command.opcode());
        assertTrue(command.isQuiet());
        assertTrue(command.isLinked());
    }

    @Test
    void givenTagOfOnes_whenRead_thenOpcodeAndFlagsAre16BitNumbers() {
        memory.set(WireType.U32, AT + RingEntry.TAG, -1);
        CommandEntry command = new CommandEntry().wrap(memory, AT);
        assertEquals(0xffff, command.opcode());
        assertEquals(0xffff, command.flags());
        assertEquals("opcode 65535 flags=0xffff correlation=0x0", command.toString());
    }

    @Test
    void givenCompletion_whenWritten_thenSameCompletionIsRead() {
        CompletionEntry completion = new CompletionEntry().wrap(memory, AT).set(7, 8, 9);
        memory.set(WireType.U32, AT + RingEntry.TAG, CompletionEntry.tag(CommandStatus.CANCELLED));
        assertEquals("CANCELLED correlation=0x7 done=8 result=0x9", completion.toString());
    }

    private static List<Method> setters(CommandEntry command) {
        List<Method> found = new ArrayList<>();
        for (Method method : command.getClass().getDeclaredMethods()) {
            boolean own = !method.getName().equals("correlation") && !method.isBridge();
            if (own
                    && method.getParameterCount() == 1
                    && Modifier.isPublic(method.getModifiers())) {
                found.add(method);
            }
        }
        found.sort(Comparator.comparing(Method::getName));
        return found;
    }

    /// Returns a value for an operand: different for each operand, and without a zero byte.
    private static Object value(Method setter, int which) {
        long value = which < 0 ? -1 : 0x0101_0101_0101_0101L * (which + 1);
        return setter.getParameterTypes()[0] == int.class ? (Object) (int) value : (Object) value;
    }
}
