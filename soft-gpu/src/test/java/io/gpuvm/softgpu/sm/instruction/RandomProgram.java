package io.gpuvm.softgpu.sm.instruction;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random structured program, which this class can write as assembler text, and can interpret for a
/// single thread.
///
/// Choices depend on successive bits of the thread's input, so threads take different paths through
/// branches in loops in functions, with `break`, `continue`, `return` and `exit` at any point. The
/// first result of a thread is a hash of the executed statements, the second the number of choices.
final class RandomProgram {
    /// Reason for skipping the remaining statements of a list.
    private enum End {
        NONE,
        BREAK,
        CONTINUE,
        RETURN,
        EXIT
    }

    private sealed interface Statement {}

    private record Mark(int value) implements Statement {}

    private record If(List<Statement> yes, List<Statement> no) implements Statement {}

    /// Loop that ends after at most `rounds` iterations.
    private record Loop(int register, int rounds, List<Statement> body) implements Statement {}

    private record Call(int function) implements Statement {}

    /// Break, continue, return or exit, executed only if the next choice is true.
    private record Leave(End how) implements Statement {}

    private static final int FUNCTIONS = 3;
    private static final int DEPTH = 4;
    private static final int FIRST_LOOP_REGISTER = 32;
    private static final int LAST_LOOP_REGISTER = 55;
    private static final int HASH_FACTOR = 31;

    private final Random random;
    private final List<List<Statement>> functions = new ArrayList<>();
    private int nextLoopRegister = FIRST_LOOP_REGISTER;
    private int nextLabel;
    private int nextMark;

    // State of the interpreted thread.
    private int input;
    private int hash;
    private int choices;

    RandomProgram(long seed) {
        random = new Random(seed);
        for (int i = 0; i < FUNCTIONS; i++) {
            functions.add(List.of());
        }
        // A function calls only later functions.
        for (int i = FUNCTIONS - 1; i >= 0; i--) {
            functions.set(i, statements(DEPTH, false, i));
        }
    }

    private List<Statement> statements(int depth, boolean inLoop, int function) {
        List<Statement> list = new ArrayList<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            list.add(statement(depth, inLoop, function));
        }
        return list;
    }

    private Statement statement(int depth, boolean inLoop, int function) {
        int kind = depth == 0 ? random.nextInt(3) : random.nextInt(10);
        return switch (kind) {
            case 0, 1 -> new Mark(++nextMark);
            case 2 -> new Leave(end(inLoop, function));
            case 3 ->
                    function + 1 < FUNCTIONS
                            ? new Call(function + 1 + random.nextInt(FUNCTIONS - function - 1))
                            : new Mark(++nextMark);
            case 4, 5, 6 ->
                    nextLoopRegister <= LAST_LOOP_REGISTER
                            ? new Loop(
                                    nextLoopRegister++,
                                    1 + random.nextInt(3),
                                    statements(depth - 1, true, function))
                            : new Mark(++nextMark);
            default ->
                    new If(
                            statements(depth - 1, inLoop, function),
                            statements(depth - 1, inLoop, function));
        };
    }

    private End end(boolean inLoop, int function) {
        if (inLoop && random.nextInt(3) > 0) {
            return random.nextBoolean() ? End.BREAK : End.CONTINUE;
        }
        return function > 0 && random.nextInt(8) > 0 ? End.RETURN : End.EXIT;
    }

    /// Returns the program as assembler text: input in `R0`, results in `R16` and `R17`.
    String text() {
        StringBuilder text = new StringBuilder("MOV R16, RZ\nMOV R17, RZ\n");
        write(functions.getFirst(), text);
        text.append("BRA end\n");
        for (int i = 1; i < FUNCTIONS; i++) {
            text.append("function%d:\n".formatted(i));
            write(functions.get(i), text);
            text.append("RET\n");
        }
        return text.append("end:\nNOP").toString();
    }

    private void write(List<Statement> statements, StringBuilder text) {
        for (Statement statement : statements) {
            switch (statement) {
                case Mark(int value) ->
                        text.append(
                                "IMAD R16, R16, %d, RZ\nIADD R16, R16, %d\n"
                                        .formatted(HASH_FACTOR, value));
                case If(var yes, var no) -> writeIf(yes, no, text);
                case Loop loop -> writeLoop(loop, text);
                case Call(int function) -> text.append("CAL function%d\n".formatted(function));
                case Leave(End how) -> {
                    writeChoice(text);
                    text.append("@P0 ").append(mnemonic(how)).append('\n');
                }
            }
        }
    }

    private static String mnemonic(End how) {
        return switch (how) {
            case BREAK -> "BRK";
            case CONTINUE -> "CONT";
            case RETURN -> "RET";
            case EXIT -> "EXIT";
            case NONE -> "NOP";
        };
    }

    private void writeIf(List<Statement> yes, List<Statement> no, StringBuilder text) {
        int label = nextLabel++;
        writeChoice(text);
        text.append("SSY join%d\n@!P0 BRA else%d\n".formatted(label, label));
        write(yes, text);
        text.append("NOP.S\nelse%d:\n".formatted(label));
        write(no, text);
        text.append("NOP.S\njoin%d:\n".formatted(label));
    }

    private void writeLoop(Loop loop, StringBuilder text) {
        int label = nextLabel++;
        int register = loop.register();
        text.append(
                "MOV R%d, RZ\nPBK done%d\nloop%d:\nPCNT next%d\n"
                        .formatted(register, label, label, label));
        text.append(
                "ISETP.GE.AND P1, PT, R%d, %d, PT\n@P1 BRK\n".formatted(register, loop.rounds()));
        text.append("IADD R%d, R%d, 1\n".formatted(register, register));
        write(loop.body(), text);
        text.append("CONT\nnext%d:\nBRA loop%d\ndone%d:\n".formatted(label, label, label));
    }

    /// Writes code that reads the next bit of the input into `P0`.
    private static void writeChoice(StringBuilder text) {
        text.append(
                "SHR.U32.W R1, R0, R17\nIADD R17, R17, 1\nLOP.AND R1, R1, 1\nISETP.NE.AND P0, PT, R1, RZ, PT\n");
    }

    /// Returns the values that a thread with an input leaves in `R16` and `R17`; zeros if the
    /// thread exits.
    int[] results(int threadInput) {
        input = threadInput;
        hash = 0;
        choices = 0;
        return run(functions.getFirst()) == End.EXIT ? new int[2] : new int[] {hash, choices};
    }

    private End run(List<Statement> statements) {
        for (Statement statement : statements) {
            End end =
                    switch (statement) {
                        case Mark(int value) -> {
                            hash = hash * HASH_FACTOR + value;
                            yield End.NONE;
                        }
                        case If(var yes, var no) -> run(choose() ? yes : no);
                        case Loop loop -> run(loop);
                        case Call(int function) -> {
                            End called = run(functions.get(function));
                            yield called == End.RETURN ? End.NONE : called;
                        }
                        case Leave(End how) -> choose() ? how : End.NONE;
                    };
            if (end != End.NONE) {
                return end;
            }
        }
        return End.NONE;
    }

    private End run(Loop loop) {
        for (int round = 0; round < loop.rounds(); round++) {
            End end = run(loop.body());
            if (end == End.BREAK) {
                return End.NONE;
            }
            if (end == End.RETURN || end == End.EXIT) {
                return end;
            }
        }
        return End.NONE;
    }

    private boolean choose() {
        return (input >>> (choices++ & Integer.SIZE - 1) & 1) != 0;
    }
}
