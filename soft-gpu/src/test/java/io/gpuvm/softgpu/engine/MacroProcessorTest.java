package io.gpuvm.softgpu.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.MacroMethods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs of the macro processor, given as words.
class MacroProcessorTest {
    private static final int SUBCHANNEL = 3;
    private static final int MACRO = 5;
    private static final int START = MacroMethods.START + MACRO * MacroMethods.STRIDE;
    private static final int PARAMETER = START + 4;

    /// No operation: an addition with register 0 as its destination.
    private static final int NOP = 0x11;

    private static final int EXIT = 0x80;

    private final List<String> sent = new ArrayList<>();
    private final Map<Integer, Integer> state = new HashMap<>();
    private MethodProgress answer = MethodProgress.DONE;
    private RuntimeException fault;
    private boolean yield;
    private final TimeSlice slice = new TimeSlice(() -> yield);
    private final MacroProcessor macros =
            new MacroProcessor(
                    new MacroMemory(),
                    new MacroTarget() {
                        @Override
                        public MethodProgress send(int subchannel, int method, int data) {
                            assertEquals(SUBCHANNEL, subchannel);
                            if (fault != null) {
                                throw fault;
                            }
                            if (answer != MethodProgress.OCCUPIED) {
                                sent.add("%x=%x".formatted(method, data));
                            }
                            return answer;
                        }

                        @Override
                        public int read(int method) {
                            return state.getOrDefault(method, 0);
                        }
                    },
                    slice,
                    new WorkCounters());

    /// Returns the bits that move an instruction's result to a register.
    private static int move(int register) {
        return MacroMethods.ACTION_MOVE << 4 | register << 8;
    }

    private static int action(int action, int register) {
        return action << 4 | register << 8;
    }

    private static int addImmediate(int value, int register) {
        return 1 | register << 11 | value << 14;
    }

    private static int alu(int operation, int a, int b) {
        return operation << 17 | b << 14 | a << 11;
    }

    /// Returns the instruction that selects method 0x1000 with an increment of 4.
    private static int selectMethod() {
        return addImmediate(0x1400, 0) | action(MacroMethods.ACTION_METHOD, 0);
    }

    private static int send(int register) {
        return addImmediate(0, register) | action(MacroMethods.ACTION_SEND, 0);
    }

    private static int branch(int register, int distance, boolean nonZero, boolean annul) {
        return 7 | (nonZero ? 0x10 : 0) | (annul ? 0x20 : 0) | register << 11 | distance << 14;
    }

    private void load(int... words) {
        slice.begin();
        macros.method(SUBCHANNEL, MacroMethods.CODE_POSITION, 0x40);
        for (int word : words) {
            macros.method(SUBCHANNEL, MacroMethods.CODE_DATA, word);
        }
        macros.method(SUBCHANNEL, MacroMethods.ENTRY_POSITION, MACRO);
        macros.method(SUBCHANNEL, MacroMethods.ENTRY_DATA, 0x40);
    }

    private MethodProgress start(int data, int... parameters) {
        MethodProgress progress = macros.method(SUBCHANNEL, START, data);
        for (int parameter : parameters) {
            progress = macros.method(SUBCHANNEL, PARAMETER, parameter);
        }
        return progress;
    }

    /// Runs one instruction on two values, and sends its result in register 3.
    private void runOn(int instruction, int a, int b) {
        load(
                action(MacroMethods.ACTION_PARAMETER, 2) | 1,
                instruction | move(3),
                selectMethod(),
                send(3) | EXIT,
                NOP);
        assertEquals(MethodProgress.DONE, start(a, b));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 7, 5, c",
        "2, 7, 5, 2",
        "2, 5, 7, fffffffe",
        "8, ff00, 0ff0, f0f0",
        "9, ff00, 0ff0, fff0",
        "10, ff00, 0ff0, f00",
        "11, ff00, 0ff0, f000",
        "12, ff00, 0ff0, fffff0ff",
    })
    void givenTwoRegisters_whenAluOperationRuns_thenResultIsSent(
            int operation, String a, String b, String result) {
        runOn(alu(operation, 1, 2), hex(a), hex(b));
        assertEquals(List.of("1000=" + result), sent);
    }

    @ParameterizedTest
    @CsvSource({
        // addition, and addition with carry: 1:ffffffff + 1 = 2:00000000
        "0, 1, ffffffff, 1, 1",
        "0, 1, 7fffffff, 1, 0",
        // subtraction, and subtraction with borrow, which is subtracted from the upper word
        "2, 3, 0, 1, ffffffff",
        "2, 3, 1, 1, 0",
    })
    void givenCarry_whenNextOperationUsesCarry_thenUpperWordIncludesCarry(
            int low, int high, String a, String b, String above) {
        load(
                action(MacroMethods.ACTION_PARAMETER, 2) | 1,
                alu(low, 1, 2) | move(3),
                alu(high, 0, 0) | move(4),
                selectMethod(),
                send(4) | EXIT,
                NOP);
        start(hex(a), hex(b));
        assertEquals(List.of("1000=" + above), sent);
    }

    @ParameterizedTest
    @CsvSource({"1, 6", "-1, 4", "131071, 20004", "-131072, fffe0005"})
    void givenNumberOf18Bits_whenAdded_thenNumberIsSignExtended(int number, String result) {
        load(addImmediate(number, 1) | move(3), selectMethod(), send(3) | EXIT, NOP);
        start(5);
        assertEquals(List.of("1000=" + result), sent);
    }

    @Test
    void givenFields_whenInsertedAndExtracted_thenOnlyFieldBitsMove() {
        // Moves eight bits from bit 4 of b to bit 16 of a.
        runOn(2 | 1 << 11 | 2 << 14 | 4 << 17 | 8 << 22 | 16 << 27, 0x12345678, 0xabc);
        // Moves eight bits from bit a of b to bit 12.
        runOn(3 | 1 << 11 | 2 << 14 | 8 << 22 | 12 << 27, 4, 0xabc);
        // Moves eight bits from bit 4 of b to bit a.
        runOn(4 | 1 << 11 | 2 << 14 | 4 << 17 | 8 << 22, 12, 0xabc);
        // Shifts out all bits.
        runOn(4 | 1 << 11 | 2 << 14 | 4 << 17 | 8 << 22, 32, 0xabc);
        assertEquals(List.of("1000=12ab5678", "1000=ab000", "1000=ab000", "1000=0"), sent);
    }

    @Test
    void givenSentMethod_whenRead_thenDataIsReturned() {
        state.put(0x1360, 0x77);
        load(5 | move(3) | 1 << 11 | 0x400 << 14, selectMethod(), send(3) | EXIT, NOP);
        start(0xd8);
        assertEquals(List.of("1000=77"), sent);
    }

    @Test
    void givenEachAction_whenProgramRuns_thenParametersAreReadAndSentInOrder() {
        load(
                addImmediate(0x1400, 0) | action(MacroMethods.ACTION_METHOD_PARAMETER, 1),
                addImmediate(1, 1) | action(MacroMethods.ACTION_SEND_PARAMETER, 2),
                send(2),
                addImmediate(0x2500, 0) | action(MacroMethods.ACTION_METHOD_SEND_PARAMETER, 3),
                send(3),
                addImmediate(0x3600, 0) | action(MacroMethods.ACTION_METHOD_SEND, 4),
                send(4) | EXIT,
                action(MacroMethods.ACTION_PARAMETER, 5) | addImmediate(9, 0));
        start(0, 10, 20, 30, 40);
        assertEquals(
                List.of("1000=b", "1004=14", "1400=1e", "1408=2500", "1800=3", "180c=3600"), sent);
        assertFalse(macros.isRunning() || macros.waitsForParameter());
    }

    @Test
    void givenMissingParameter_whenProgramNeedsParameter_thenProgramWaits() {
        load(
                selectMethod(),
                action(MacroMethods.ACTION_SEND_PARAMETER, 1) | 1,
                send(1) | EXIT,
                NOP);
        start(0);
        assertEquals(List.of("1000=0"), sent);
        assertTrue(macros.waitsForParameter());
        assertEquals(MethodProgress.DONE, macros.method(SUBCHANNEL, PARAMETER, 7));
        assertEquals(List.of("1000=0", "1004=7"), sent);
        assertFalse(macros.waitsForParameter());
    }

    @Test
    void givenNoProgram_whenParameterArrives_thenErrorIsTooManyParameters() {
        load(NOP | EXIT, NOP);
        start(0);
        assertEquals(MethodProgress.REFUSED, macros.method(SUBCHANNEL, PARAMETER, 1));
        assertEquals(MacroError.TOO_MANY_PARAMETERS, macros.takeError());
    }

    @Test
    void givenWaitingProgram_whenInterrupted_thenErrorIsTooFewParameters() {
        load(action(MacroMethods.ACTION_PARAMETER, 1) | 1 | EXIT, NOP);
        start(0);
        assertEquals(MethodProgress.REFUSED, macros.interrupt());
        assertEquals(MacroError.TOO_FEW_PARAMETERS, macros.takeError());
        assertFalse(macros.waitsForParameter());
    }

    @ParameterizedTest
    @CsvSource({
        // register 1, whether the branch requires non-zero, whether the delay slot is annulled,
        // sent methods
        "0, false, false, '1000=1,1004=3'",
        "0, false, true, '1000=3'",
        "1, false, false, '1000=1,1004=2,1008=3'",
        "1, false, true, '1000=1,1004=2,1008=3'",
        "1, true, false, '1000=1,1004=3'",
        "0, true, false, '1000=1,1004=2,1008=3'",
    })
    void givenBranch_whenTakenOrNot_thenDelaySlotRunsUnlessAnnulled(
            int register, boolean nonZero, boolean annul, String expected) {
        load(
                addImmediate(1, 0) | move(2),
                addImmediate(2, 0) | move(3),
                addImmediate(3, 0) | move(4),
                selectMethod(),
                branch(1, 3, nonZero, annul),
                send(2),
                send(3),
                send(4) | EXIT,
                NOP);
        start(register);
        assertEquals(List.of(expected.split(",")), sent);
    }

    @Test
    void givenLoop_whenRun_thenProgramSendsOncePerIteration() {
        load(
                selectMethod(),
                addImmediate(-1, 1) | move(1),
                branch(1, -1, true, false),
                send(1),
                NOP | EXIT,
                NOP);
        start(3);
        assertEquals(List.of("1000=2", "1004=1", "1008=0"), sent);
    }

    @Test
    void givenBranchWithEnd_whenNotTaken_thenProgramEnds() {
        load(selectMethod(), branch(1, 3, false, false) | EXIT, send(1), send(1), NOP | EXIT, NOP);
        start(1);
        assertEquals(List.of("1000=1"), sent);
        start(0);
        assertEquals(List.of("1000=1", "1000=0"), sent);
    }

    @Test
    void givenBranchInDelaySlot_whenRun_thenProgramIsRefused() {
        load(branch(0, 2, false, false), branch(0, 2, false, false), NOP | EXIT, NOP);
        assertEquals(MethodProgress.REFUSED, start(0));
        assertEquals(MacroError.DOUBLE_BRANCH, macros.takeError());
    }

    @ParameterizedTest
    @CsvSource({"6", "2424848", "917504"})
    void givenUnknownOperation_whenRun_thenProgramIsRefused(int word) {
        load(word, NOP | EXIT, NOP);
        assertEquals(MethodProgress.REFUSED, start(0));
        assertEquals(MacroError.ILLEGAL_OPERATION, macros.takeError());
    }

    @Test
    void givenRefusedProgram_whenParametersArrive_thenParametersAreDropped() {
        load(6, NOP | EXIT, NOP);
        start(0);
        macros.takeError();
        assertEquals(MethodProgress.DONE, macros.method(SUBCHANNEL, PARAMETER, 1));
    }

    @Test
    void givenEndlessProgram_whenRun_thenProgramSpansSlicesAndEndsAtLimit() {
        load(branch(0, 0, false, true));
        MethodProgress progress = start(0);
        int slices = 0;
        while (progress == MethodProgress.UNFINISHED) {
            slices++;
            slice.begin();
            progress = macros.run();
        }
        assertTrue(slices > 1, "slices=" + slices);
        assertEquals(MethodProgress.REFUSED, progress);
        assertEquals(MacroError.TIMEOUT, macros.takeError());
    }

    @Test
    void givenUnfinishedMethod_whenResumed_thenProgramContinues() {
        load(selectMethod(), send(1), send(1) | EXIT, NOP);
        answer = MethodProgress.UNFINISHED;
        assertEquals(MethodProgress.UNFINISHED, start(9));
        assertEquals(List.of("1000=9"), sent);
        answer = MethodProgress.DONE;
        assertEquals(MethodProgress.DONE, macros.run());
        assertEquals(List.of("1000=9", "1004=9"), sent);
    }

    @Test
    void givenOccupiedReport_whenRetried_thenMethodIsSentAgain() {
        load(selectMethod(), send(1) | EXIT, NOP);
        answer = MethodProgress.OCCUPIED;
        assertEquals(MethodProgress.OCCUPIED, start(9));
        assertTrue(macros.isStuck());
        answer = MethodProgress.DONE;
        assertEquals(MethodProgress.DONE, macros.run());
        assertEquals(List.of("1000=9"), sent);
    }

    @Test
    void givenFaultingMethod_whenRetried_thenMethodIsSentAgain() {
        load(action(MacroMethods.ACTION_PARAMETER, 1) | 1, selectMethod(), send(1) | EXIT, NOP);
        fault = new IllegalStateException("a fault");
        assertThrows(IllegalStateException.class, () -> start(9, 9));
        assertTrue(macros.isStuck());
        fault = null;
        assertEquals(MethodProgress.DONE, macros.run());
        assertEquals(List.of("1000=9"), sent);
    }

    @Test
    void givenMethodRefusedOnResume_whenSentByProgram_thenProgramEndsAndParametersAreDropped() {
        load(selectMethod(), send(1), action(MacroMethods.ACTION_PARAMETER, 1) | 1 | EXIT, NOP);
        answer = MethodProgress.UNFINISHED;
        assertEquals(MethodProgress.UNFINISHED, start(9));
        macros.endRefused();
        assertFalse(macros.isRunning());
        assertEquals(MethodProgress.DONE, macros.method(SUBCHANNEL, PARAMETER, 1));
        answer = MethodProgress.DONE;
        assertEquals(MethodProgress.DONE, start(0, 4));
    }

    @Test
    void givenNoProgram_whenMethodIsRefusedOnResume_thenNextParameterIsRefused() {
        load(NOP | EXIT, NOP);
        start(0);
        macros.endRefused();
        assertEquals(MethodProgress.REFUSED, macros.method(SUBCHANNEL, PARAMETER, 1));
    }

    @Test
    void givenRefusedMethod_whenSentByProgram_thenProgramEndsWithoutMacroError() {
        load(selectMethod(), send(1), send(1) | EXIT, NOP);
        answer = MethodProgress.REFUSED;
        assertEquals(MethodProgress.REFUSED, start(9));
        assertEquals(MacroError.NONE, macros.takeError());
        assertFalse(macros.isRunning());
    }

    @ParameterizedTest
    @CsvSource({"280, 2048", "280, -1", "288, 2048", "288, -1"})
    void givenCodeOrEntryBeyondMemory_whenLoaded_thenMethodIsRefused(int method, int data) {
        boolean code = method == MacroMethods.CODE_DATA;
        int at = code ? data : 0;
        int position = code ? MacroMethods.CODE_POSITION : MacroMethods.ENTRY_POSITION;
        macros.method(SUBCHANNEL, position, at);
        assertEquals(MethodProgress.REFUSED, macros.method(SUBCHANNEL, method, code ? NOP : data));
        assertEquals(MacroError.OUT_OF_SPACE, macros.takeError());
        macros.method(SUBCHANNEL, MacroMethods.ENTRY_POSITION, MacroMethods.MACROS);
        assertEquals(MethodProgress.REFUSED, macros.method(SUBCHANNEL, MacroMethods.ENTRY_DATA, 0));
    }

    private static int hex(String text) {
        return Integer.parseUnsignedInt(text, 16);
    }
}
