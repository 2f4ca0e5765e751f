package io.gpuvm.ptx.clang;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Writer of random statements. One thread.
final class CStatements {
    private static final int DEPTH = 2;
    private static final List<CType> COUNTED = List.of(CType.U32, CType.S32, CType.U64, CType.U16);
    private static final List<String> ATOMICS =
            List.of(
                    "atomic_sum(%s, u32(%s))",
                    "atomic_xor(%s, u32(%s))",
                    "atomic_and(%s, u32(%s))",
                    "atomic_or(%s, u32(%s))",
                    "atomic_least(%s, u32(%s))",
                    "atomic_greatest(%s, u32(%s))",
                    "atomic_least((s32 *)%s, s32(%s))",
                    "atomic_greatest((s32 *)%s, s32(%s))",
                    "atomic_sum((f32 *)%s, f32(%s & 15))",
                    "compared_sum(%s, %s)");

    /// First sum with an own operation; those before are pairs for 64-bit operations.
    private static final int FIRST_SINGLE = 4;

    private final SplittableRandom random;
    private final CScope scope;
    private final CExpressions expressions;
    private int loops;
    private boolean inLoop;

    CStatements(SplittableRandom random, CScope scope) {
        this.random = random;
        this.scope = scope;
        expressions = new CExpressions(random, scope);
    }

    /// Returns a block of statements.
    ///
    /// @param count number of statements
    /// @param depth maximum depth of nested blocks
    List<CStatement> block(int count, int depth) {
        List<CStatement> statements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            statements.add(statement(depth));
        }
        return statements;
    }

    private CStatement statement(int depth) {
        int choice = random.nextInt(100);
        if (depth > 0 && choice < 14) {
            return branch(depth - 1);
        }
        if (depth > 0 && choice < 26) {
            return loop(depth - 1);
        }
        if (depth > 0 && choice < 30) {
            return selection(depth - 1);
        }
        if (choice < 34) {
            return exit();
        }
        if (scope.hasMemory() && choice < 58) {
            return store();
        }
        return assignment();
    }

    private CStatement assignment() {
        CScope.Variable target = expressions.any(scope.assignable());
        String value = expressions.write(target.type(), DEPTH);
        if (expressions.percent(30)) {
            String operator =
                    target.type().isFloating() ? "+" : expressions.any(List.of("+", "-", "^", "|"));
            return CStatement.of("%s %s= %s;".formatted(target.name(), operator, value));
        }
        return CStatement.of("%s = %s;".formatted(target.name(), value));
    }

    private CStatement branch(int depth) {
        String head = "if (%s) {".formatted(expressions.condition(2));
        List<CStatement> first = block(1 + random.nextInt(3), depth);
        if (random.nextBoolean()) {
            return new CStatement(head, List.of(first), List.of("}"));
        }
        List<CStatement> second = block(1 + random.nextInt(3), depth);
        return new CStatement(head, List.of(first, second), List.of("} else {", "}"));
    }

    private CStatement loop(int depth) {
        int known = scope.size();
        boolean outer = inLoop;
        String name = "i" + loops++;
        CType type = expressions.any(COUNTED);
        String count =
                random.nextBoolean()
                        ? "" + (1 + random.nextInt(6))
                        : expressions.index(8, 1) + (random.nextBoolean() ? "" : " + 1");
        scope.add(type, name, false);
        inLoop = true;
        // Calls in nested loops, or in loops of functions, would take too long.
        boolean calls = scope.calls(scope.hasMemory() && !outer);
        List<CStatement> body = block(1 + random.nextInt(4), depth);
        scope.calls(calls);
        inLoop = outer;
        scope.truncate(known);
        String text = type.text();
        return switch (random.nextInt(4)) {
            case 0 ->
                    new CStatement(
                            "{ %s %s = 0, n%s = %s; do {".formatted(text, name, name, count),
                            List.of(body),
                            List.of("} while (++%s < n%s); }".formatted(name, name)));
            case 1 ->
                    CStatement.of(
                            "for (%s %s = %s; %s != 0; %s--)"
                                    .formatted(text, name, count, name, name),
                            body);
            default ->
                    CStatement.of(
                            "for (%s %s = 0, n%s = %s; %s < n%s; %s += %d)"
                                    .formatted(
                                            text,
                                            name,
                                            name,
                                            count,
                                            name,
                                            name,
                                            name,
                                            1 + random.nextInt(2)),
                            body);
        };
    }

    private CStatement selection(int depth) {
        boolean outer = inLoop;
        int cases = 2 + random.nextInt(7);
        String value =
                random.nextBoolean()
                        ? expressions.index(8, 1)
                        : "%s %% %du".formatted(expressions.write(CType.U32, 1), cases + 1);
        List<List<CStatement>> bodies = new ArrayList<>();
        List<String> separators = new ArrayList<>();
        int stride = expressions.percent(80) ? 1 : 37;
        for (int i = 1; i <= cases; i++) {
            bodies.add(block(1 + random.nextInt(2), depth));
            String end = expressions.percent(80) ? "break; " : "";
            separators.add(
                    i == cases
                            ? "}"
                            : expressions.percent(90) || i < cases - 1
                                    ? "%scase %d:".formatted(end, i * stride)
                                    : end + "default:");
        }
        inLoop = outer;
        return new CStatement("switch (%s) { case 0:".formatted(value), bodies, separators);
    }

    private CStatement exit() {
        if (!inLoop) {
            return assignment();
        }
        String what = expressions.percent(50) ? "continue" : "break";
        return CStatement.of("if (%s) %s;".formatted(expressions.condition(2), what));
    }

    private CStatement store() {
        int phase = scope.phase();
        String value = expressions.write(CType.U32, DEPTH);
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                return CStatement.of(
                        "m.own[%s] = %s;"
                                .formatted(
                                        expressions.index(RandomKernels.SCRATCH_WORDS, 1), value));
            }
            case 2 -> {
                return CStatement.of(
                        "s.array[%s] += %s;".formatted(expressions.index(8, 1), value));
            }
            case 3 -> {
                return CStatement.of(
                        "m.shared->%s[m.thread] = %s;"
                                .formatted(phase % 2 == 0 ? "even" : "odd", value));
            }
            case 4 -> {
                return CStatement.of(
                        "((%s *)m.own)[%s] = %s;"
                                .formatted(
                                        random.nextBoolean() ? "u8" : "s16",
                                        expressions.index(RandomKernels.SCRATCH_WORDS * 2, 1),
                                        value));
            }
            case 5 -> {
                return CStatement.of(
                        "*(Quad *)(m.own + 4) = {%s, %s, %s, %s};"
                                .formatted(
                                        value,
                                        expressions.write(CType.U32, 1),
                                        expressions.write(CType.U32, 1),
                                        expressions.write(CType.U32, 1)));
            }
            case 6 -> {
                return pair();
            }
            default -> {
                return atomic(value);
            }
        }
    }

    private CStatement pair() {
        CScope.Variable target = expressions.any(scope.assignable());
        return CStatement.of(
                "%s = %s(combined({%s, %s, %s}, &%s));"
                        .formatted(
                                target.name(),
                                target.type().isFloating() ? target.type().text() : "u32",
                                expressions.write(CType.U32, 1),
                                expressions.write(CType.S16, 1),
                                expressions.write(CType.F64, 1),
                                "s.array[" + expressions.index(8, 1) + "]"));
    }

    private CStatement atomic(String value) {
        int phase = scope.phase();
        if (expressions.percent(40)) {
            return CStatement.of(
                    expressions.any(List.of("atomic_sum", "compared_sum"))
                            + "(&m.shared->all[%d], %s);".formatted(phase, value));
        }
        if (expressions.percent(25)) {
            String place =
                    random.nextBoolean() ? "(u64 *)m.sums" : "&m.shared->wide[%d]".formatted(phase);
            return CStatement.of(
                    "atomic_sum(%s, %s);".formatted(place, expressions.write(CType.U64, DEPTH)));
        }
        if (expressions.percent(15)) {
            // The sum of the squares of all tickets does not depend on their order.
            return CStatement.of(
                    "{ u32 mine = ticket(m.sums + 2); atomic_sum(m.sums + 3, mine * mine); }");
        }
        int place = random.nextInt(ATOMICS.size());
        return CStatement.of(
                ATOMICS.get(place).formatted("(m.sums + %d)".formatted(FIRST_SINGLE + place), value)
                        + ";");
    }
}
