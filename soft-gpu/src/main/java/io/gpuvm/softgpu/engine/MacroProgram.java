package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MacroMethods;
import io.gpuvm.gf100.fifo.MethodHeader;
import java.util.Arrays;

/// Running program of the macro processor: registers, position, and pending action.
///
/// An instruction is executed in stages, so that the program can stop while a parameter is missing
/// or a sent method is unfinished. A branch, and the end of the program, take effect after the
/// following instruction. Confined to the engine thread.
final class MacroProgram {
    private enum Stage {
        IDLE,
        EXECUTE,
        SEND,
        TAKE,
        TAKE_AND_SEND,
        ADVANCE
    }

    /// Maximum number of instructions per start. The hardware also has a watchdog; drivers'
    /// programs execute tens of instructions.
    private static final int BUDGET = 1 << 20;

    /// Time-slice cost of an instruction, in bytes.
    private static final int INSTRUCTION_COST_BYTES = 16;

    private static final int NOWHERE = -1;
    private static final int CODE_MASK = MacroMethods.CODE_WORDS - 1;

    private final MacroMemory memory;
    private final MacroTarget target;
    private final TimeSlice slice;
    private final int[] registers = new int[MacroMethods.REGISTERS];

    private Stage stage = Stage.IDLE;
    private Stage afterSend = Stage.ADVANCE;
    private boolean stuck;
    private int subchannel;
    private int position;

    /// Target of the branch that takes effect after this instruction; [#NOWHERE] if there is none.
    private int next = NOWHERE;

    /// Target of the branch that takes effect after the next instruction; [#NOWHERE] if there is
    /// none.
    private int afterNext = NOWHERE;

    /// True if the program ends after this instruction.
    private boolean last;

    /// True if the program ends after the next instruction.
    private boolean lastNext;

    private boolean carry;
    private int sendMethod;
    private int sendIncrement;
    private int toSend;
    private int destination;
    private int parameter;
    private boolean hasParameter;
    private int budget;
    private MacroError error = MacroError.NONE;

    MacroProgram(MacroMemory memory, MacroTarget target, TimeSlice slice) {
        this.memory = memory;
        this.target = target;
        this.slice = slice;
    }

    /// Prepares a run.
    void start(int from, int entry, int data) {
        abandon();
        Arrays.fill(registers, 0);
        registers[1] = data;
        subchannel = from;
        position = entry;
        carry = false;
        sendMethod = 0;
        sendIncrement = 0;
        budget = BUDGET;
        stage = Stage.EXECUTE;
    }

    /// Supplies the parameter that the program waits for ([#waitsForParameter()]).
    void take(int data) {
        parameter = data;
        hasParameter = true;
    }

    /// Discards the program's state.
    void abandon() {
        stage = Stage.IDLE;
        stuck = false;
        hasParameter = false;
        next = NOWHERE;
        afterNext = NOWHERE;
        last = false;
        lastNext = false;
        error = MacroError.NONE;
    }

    boolean isRunning() {
        return stage != Stage.IDLE && !waitsForParameter();
    }

    boolean waitsForParameter() {
        return !hasParameter && (stage == Stage.TAKE || stage == Stage.TAKE_AND_SEND);
    }

    boolean isStuck() {
        return stuck;
    }

    int position() {
        return position & CODE_MASK;
    }

    /// Returns the reason for a refusal of [#run()]; [MacroError#NONE] if a sent method was
    /// refused.
    MacroError error() {
        return error;
    }

    /// Runs until the program ends, waits for a parameter, is refused, or must stop.
    MethodProgress run() {
        stuck = false;
        while (isRunning()) {
            if (slice.isOver()) {
                return MethodProgress.UNFINISHED;
            }
            MethodProgress progress = step();
            if (progress != MethodProgress.DONE) {
                return progress;
            }
        }
        return MethodProgress.DONE;
    }

    private MethodProgress step() {
        switch (stage) {
            case EXECUTE -> {
                return begin(memory.word(position()));
            }
            case SEND -> {
                return send();
            }
            case TAKE -> {
                set(destination, takeParameter());
                stage = Stage.ADVANCE;
            }
            case TAKE_AND_SEND -> {
                toSend = takeParameter();
                sendThen(Stage.ADVANCE);
            }
            case ADVANCE -> advance();
            case IDLE -> {}
        }
        return MethodProgress.DONE;
    }

    private MethodProgress begin(int word) {
        slice.spend(INSTRUCTION_COST_BYTES);
        if (--budget < 0) {
            return fail(MacroError.TIMEOUT);
        }
        next = afterNext;
        afterNext = NOWHERE;
        last = lastNext;
        int operation = MacroMethods.OPERATION.get(word);
        if (operation == MacroMethods.OPERATION_BRANCH) {
            return branch(word);
        }
        lastNext = MacroMethods.EXIT.isSet(word);
        destination = MacroMethods.DESTINATION.get(word);
        int a = registers[MacroMethods.A.get(word)];
        int b = registers[MacroMethods.B.get(word)];
        switch (operation) {
            case MacroMethods.OPERATION_ALU -> {
                return alu(word, a, b);
            }
            case MacroMethods.OPERATION_ADD_IMMEDIATE ->
                    act(MacroMethods.ACTION.get(word), a + MacroMethods.immediate(word));
            case MacroMethods.OPERATION_INSERT ->
                    act(MacroMethods.ACTION.get(word), insert(word, a, b));
            case MacroMethods.OPERATION_EXTRACT_AT ->
                    act(MacroMethods.ACTION.get(word), shift(field(word, b, a), position(word)));
            case MacroMethods.OPERATION_MOVE_TO ->
                    act(MacroMethods.ACTION.get(word), shift(field(word, b, from(word)), a));
            case MacroMethods.OPERATION_READ ->
                    act(
                            MacroMethods.ACTION_MOVE,
                            target.read(methodOf(a + MacroMethods.immediate(word))));
            default -> {
                return fail(MacroError.ILLEGAL_OPERATION);
            }
        }
        return MethodProgress.DONE;
    }

    private MethodProgress branch(int word) {
        if (next != NOWHERE || last) {
            return fail(MacroError.DOUBLE_BRANCH);
        }
        boolean zero = registers[MacroMethods.A.get(word)] == 0;
        boolean taken = zero != MacroMethods.BRANCH_NON_ZERO.isSet(word);
        int to = position + MacroMethods.immediate(word) & CODE_MASK;
        if (!taken) {
            lastNext = MacroMethods.EXIT.isSet(word);
        } else {
            lastNext = false;
            if (MacroMethods.BRANCH_ANNUL.isSet(word)) {
                next = to;
            } else {
                afterNext = to;
            }
        }
        stage = Stage.ADVANCE;
        return MethodProgress.DONE;
    }

    private MethodProgress alu(int word, int a, int b) {
        int result;
        switch (MacroMethods.ALU.get(word)) {
            case MacroMethods.ALU_ADD -> result = add(a, b, 0);
            case MacroMethods.ALU_ADD_CARRY -> result = add(a, b, carry ? 1 : 0);
            // A difference is a sum with the complement; a carry means that there was no borrow.
            case MacroMethods.ALU_SUBTRACT -> result = add(a, ~b, 1);
            case MacroMethods.ALU_SUBTRACT_BORROW -> result = add(a, ~b, carry ? 1 : 0);
            case MacroMethods.ALU_XOR -> result = a ^ b;
            case MacroMethods.ALU_OR -> result = a | b;
            case MacroMethods.ALU_AND -> result = a & b;
            case MacroMethods.ALU_AND_NOT -> result = a & ~b;
            case MacroMethods.ALU_NAND -> result = ~(a & b);
            default -> {
                return fail(MacroError.ILLEGAL_OPERATION);
            }
        }
        act(MacroMethods.ACTION.get(word), result);
        return MethodProgress.DONE;
    }

    private int add(int a, int b, int carryIn) {
        long sum = Integer.toUnsignedLong(a) + Integer.toUnsignedLong(b) + carryIn;
        carry = sum >>> Integer.SIZE != 0;
        return (int) sum;
    }

    /// Applies the action to a result, until the action needs a parameter or sends a method.
    private void act(int action, int result) {
        switch (action) {
            case MacroMethods.ACTION_PARAMETER -> stage = Stage.TAKE;
            case MacroMethods.ACTION_MOVE -> {
                set(destination, result);
                stage = Stage.ADVANCE;
            }
            case MacroMethods.ACTION_METHOD -> {
                selectMethod(result);
                set(destination, result);
                stage = Stage.ADVANCE;
            }
            case MacroMethods.ACTION_SEND_PARAMETER -> {
                toSend = result;
                sendThen(Stage.TAKE);
            }
            case MacroMethods.ACTION_SEND -> {
                set(destination, result);
                toSend = result;
                sendThen(Stage.ADVANCE);
            }
            case MacroMethods.ACTION_METHOD_PARAMETER -> {
                selectMethod(result);
                stage = Stage.TAKE;
            }
            case MacroMethods.ACTION_METHOD_SEND_PARAMETER -> {
                selectMethod(result);
                set(destination, result);
                stage = Stage.TAKE_AND_SEND;
            }
            default -> {
                selectMethod(result);
                set(destination, result);
                toSend = MacroMethods.METHOD_INCREMENT.get(result);
                sendThen(Stage.ADVANCE);
            }
        }
    }

    private void sendThen(Stage then) {
        stage = Stage.SEND;
        afterSend = then;
    }

    private MethodProgress send() {
        // Set until the send has completed: the send may throw a fault, and is then retried.
        stuck = true;
        MethodProgress progress = target.send(subchannel, sendMethod, toSend);
        if (progress != MethodProgress.OCCUPIED) {
            stuck = false;
            sendMethod = methodOf(sendMethod + sendIncrement >>> MacroMethods.METHOD.scale());
            stage = afterSend;
        }
        return progress;
    }

    private int takeParameter() {
        hasParameter = false;
        return parameter;
    }

    private void advance() {
        if (last) {
            abandon();
            return;
        }
        position = next == NOWHERE ? position + 1 & CODE_MASK : next;
        stage = Stage.EXECUTE;
    }

    /// Sets a register; register 0 stays 0.
    private void set(int register, int value) {
        if (register != 0) {
            registers[register] = value;
        }
    }

    private void selectMethod(int word) {
        sendMethod = (int) MacroMethods.METHOD.bytes(word);
        sendIncrement = (int) MacroMethods.METHOD_INCREMENT.bytes(word);
    }

    /// Returns the byte offset of the method with the given number, truncated to the valid bits.
    private static int methodOf(int number) {
        return (int) MacroMethods.METHOD.bytes(number) & MethodHeader.METHOD_MASK;
    }

    private static int from(int word) {
        return MacroMethods.FROM.get(word);
    }

    private static int position(int word) {
        return MacroMethods.POSITION.get(word);
    }

    private static int sizeMask(int word) {
        return (1 << MacroMethods.SIZE.get(word)) - 1;
    }

    private static int field(int word, int value, int from) {
        return shiftDown(value, from) & sizeMask(word);
    }

    private static int insert(int word, int a, int b) {
        int mask = sizeMask(word) << position(word);
        return a & ~mask | field(word, b, from(word)) << position(word) & mask;
    }

    /// Shifts left; the result is 0 for amounts of 32 or more, which a register can contain.
    private static int shift(int value, int by) {
        return Integer.compareUnsigned(by, Integer.SIZE) < 0 ? value << by : 0;
    }

    private static int shiftDown(int value, int by) {
        return Integer.compareUnsigned(by, Integer.SIZE) < 0 ? value >>> by : 0;
    }

    private MethodProgress fail(MacroError what) {
        error = what;
        return MethodProgress.REFUSED;
    }
}
