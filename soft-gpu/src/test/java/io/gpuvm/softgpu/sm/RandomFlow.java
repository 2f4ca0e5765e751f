package io.gpuvm.softgpu.sm;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random kernel, as assembler text: branches, loops and functions with conditions of all kinds,
/// and arithmetic on a few registers. Some kernels resemble a compiler's output; others may trap or
/// never end.
///
/// Threads store computed values at the address in `R20`.
final class RandomFlow {
    private static final int REGISTERS = 8;
    private static final int PREDICATES = 4;
    private static final int FUNCTIONS = 2;
    private static final int DEPTH = 3;

    private final Random random;
    private final boolean isWild;
    private final List<String> lines = new ArrayList<>();
    private int labels;

    /// @param isWild whether the kernel branches between arbitrary points
    RandomFlow(Random random, boolean isWild) {
        this.random = random;
        this.isWild = isWild;
    }

    String text() {
        statements(DEPTH, false, -1);
        store();
        lines.add("EXIT");
        for (int function = 0; function < FUNCTIONS; function++) {
            lines.add("function%d:".formatted(function));
            statements(DEPTH - 1, false, function);
            lines.add("RET");
        }
        if (isWild) {
            goWild();
        }
        return String.join("\n", lines);
    }

    private void goWild() {
        int count = 1 + random.nextInt(4);
        for (int n = 0; n < count; n++) {
            String label = "wild" + n;
            lines.add(random.nextInt(lines.size()), label + ":");
            String line =
                    switch (random.nextInt(8)) {
                        case 0, 1, 2 -> guard() + "BRA " + label;
                        case 3 -> "SSY " + label;
                        case 4 -> "PBK " + label;
                        case 5 -> guard() + "NOP.S";
                        case 6 -> guard() + "BRK";
                        default -> "CAL " + label;
                    };
            lines.add(random.nextInt(lines.size()), line);
        }
    }

    private void statements(int depth, boolean inLoop, int function) {
        int count = 1 + random.nextInt(4);
        for (int n = 0; n < count; n++) {
            arithmetic();
            statement(depth, inLoop, function);
        }
        arithmetic();
    }

    private void statement(int depth, boolean inLoop, int function) {
        switch (random.nextInt(depth > 0 ? 12 : 4)) {
            case 0 -> leave(inLoop, function);
            case 1 -> {
                if (function + 1 < FUNCTIONS) {
                    lines.add("CAL function" + (function + 1));
                }
            }
            case 2 -> store();
            case 3 -> arithmetic();
            case 4, 5, 6 -> either(depth, inLoop, function);
            case 7 -> skip(depth, inLoop, function);
            case 8, 9 -> loop(depth, function);
            default -> repeat(depth, function);
        }
    }

    private void leave(boolean inLoop, int function) {
        String how =
                inLoop && random.nextInt(4) != 0
                        ? (random.nextBoolean() ? "BRK" : "CONT")
                        : function >= 0 ? "RET" : "EXIT";
        lines.add((inLoop && random.nextInt(3) == 0 ? "" : guard()) + how);
    }

    private void either(int depth, boolean inLoop, int function) {
        int label = labels++;
        lines.add("SSY join" + label);
        lines.add(guard() + "BRA else" + label);
        statements(depth - 1, inLoop, function);
        lines.add("NOP.S");
        lines.add("else%d:".formatted(label));
        statements(depth - 1, inLoop, function);
        lines.add(random.nextBoolean() ? "NOP.S" : "IADD.S R1, R1, R2");
        lines.add("join%d:".formatted(label));
    }

    /// Adds statements that some threads skip; those threads reach the join before the other
    /// threads.
    private void skip(int depth, boolean inLoop, int function) {
        int label = labels++;
        lines.add("SSY join" + label);
        lines.add(guard() + "NOP.S");
        statements(depth - 1, inLoop, function);
        lines.add("NOP.S");
        lines.add("join%d:".formatted(label));
    }

    private void loop(int depth, int function) {
        int label = labels++;
        int counter = 8 + depth;
        lines.add("MOV R%d, RZ".formatted(counter));
        lines.add("PBK done" + label);
        lines.add("loop%d:".formatted(label));
        lines.add("PCNT next" + label);
        String end = random.nextBoolean() ? "2" : "R" + random.nextInt(REGISTERS);
        lines.add("ISETP.GE.U32.AND P5, PT, R%d, %s, PT".formatted(counter, end));
        lines.add("@P5 BRK");
        lines.add("ISETP.GE.U32.AND P5, PT, R%d, 3, PT".formatted(counter));
        lines.add("@P5 BRK");
        lines.add("IADD R%d, R%d, 1".formatted(counter, counter));
        statements(depth - 1, true, function);
        lines.add("CONT");
        lines.add("next%d:".formatted(label));
        lines.add("BRA loop" + label);
        lines.add("done%d:".formatted(label));
    }

    /// Adds a loop with its branch at the end; threads that finish the loop wait at a join.
    private void repeat(int depth, int function) {
        int label = labels++;
        int counter = 8 + DEPTH + 1 + depth;
        lines.add("MOV R%d, RZ".formatted(counter));
        lines.add("SSY join" + label);
        lines.add("loop%d:".formatted(label));
        statements(depth - 1, false, function);
        lines.add("IADD R%d, R%d, 1".formatted(counter, counter));
        String end = random.nextBoolean() ? "3" : "R" + random.nextInt(REGISTERS);
        lines.add("ISETP.LT.U32.AND P5, PT, R%d, %s, PT".formatted(counter, end));
        lines.add("ISETP.LT.U32.AND P5, PT, R%d, 4, P5".formatted(counter));
        lines.add("@P5 BRA loop" + label);
        lines.add("NOP.S");
        lines.add("join%d:".formatted(label));
    }

    private void arithmetic() {
        int count = random.nextInt(4);
        for (int n = 0; n < count; n++) {
            lines.add((random.nextInt(4) == 0 ? guard() : "") + operation());
        }
    }

    private String operation() {
        String d = "R" + random.nextInt(REGISTERS);
        String a = "R" + random.nextInt(REGISTERS);
        String b = "R" + random.nextInt(REGISTERS);
        int p = random.nextInt(PREDICATES);
        return switch (random.nextInt(18)) {
            case 0, 1 -> "MOV %s, c[0x0][0x%x]".formatted(d, 4 * random.nextInt(16));
            case 2 -> "MOV32I %s, 0x%x".formatted(d, random.nextInt(4));
            case 3 -> "S2R %s, SR_TID.X".formatted(d);
            case 4 -> "S2R %s, SR_CTAID.X".formatted(d);
            case 5 -> "IADD %s.CC, %s, %s".formatted(d, a, b);
            case 6 -> "IADD.X %s, %s, %s".formatted(d, a, b);
            case 7 -> "LOP.AND %s, %s, 1".formatted(d, a);
            case 8 -> "SEL %s, %s, %s, P%d".formatted(d, a, b, p);
            case 9 -> "VOTE.ANY %s, P%d, P%d".formatted(d, p, random.nextInt(PREDICATES));
            case 10 -> "P2R.PR %s, %s, 0x5".formatted(d, a);
            case 11 -> "R2P.PR %s, 0x3".formatted(a);
            case 12 -> "CSET.AND %s, CC.%s, PT".formatted(d, random.nextBoolean() ? "EQ" : "LT");
            case 13 -> "MOV %s, %s".formatted(d, a);
            default -> "ISETP.%s.AND P%d, PT, %s, %s, PT".formatted(comparison(), p, a, b);
        };
    }

    private String comparison() {
        return List.of("EQ", "NE", "LT", "GE").get(random.nextInt(4));
    }

    private void store() {
        lines.add("ST.E [R20], R" + random.nextInt(REGISTERS));
    }

    private String guard() {
        return "@%sP%d ".formatted(not(), random.nextInt(PREDICATES));
    }

    private String not() {
        return random.nextBoolean() ? "!" : "";
    }
}
