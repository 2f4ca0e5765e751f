package io.gpuvm.ptx.clang;

import java.util.List;
import java.util.SplittableRandom;

/// Writer of random expressions without side effects. One thread.
final class CExpressions {
    private static final List<String> WHOLE_OPERATORS = List.of("+", "-", "*", "&", "|", "^");
    private static final List<String> COMPARISONS = List.of("<", "<=", ">", ">=", "==", "!=");
    private static final List<String> WHOLE_FUNCTIONS =
            List.of(
                    "divide",
                    "modulo",
                    "least",
                    "greatest",
                    "distance",
                    "saturated_sum",
                    "saturated_difference",
                    "saturated_product",
                    "high");
    private static final List<String> BIT_FUNCTIONS =
            List.of("left_zeros", "right_zeros", "ones", "swapped", "reversed");
    private static final List<String> FLOAT_FUNCTIONS =
            List.of("root", "magnitude", "down", "up", "cut");
    private static final long[] WORDS = {
        0,
        1,
        2,
        3,
        5,
        7,
        10,
        16,
        31,
        32,
        33,
        63,
        64,
        100,
        0x7f,
        0x80,
        0xff,
        0x100,
        1000,
        0x7fff,
        0x8000,
        0xffff,
        0x10001,
        0x7fff_ffff,
        0x8000_0000L,
        0xffff_ffffL,
        0x1_0000_0000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1,
        -2,
        -7
    };
    private static final List<String> FLOATS =
            List.of(
                    "0.0",
                    "1.0",
                    "0.5",
                    "2.0",
                    "3.0",
                    "10.0",
                    "0.1",
                    "1e-3",
                    "65536.0",
                    "16777216.0",
                    "4294967296.0",
                    "1e10",
                    "1e-30",
                    "1e-40",
                    "7.25");

    /// Probabilities in percent.
    private static final int LEAF = 30;

    private static final int CONDITIONAL = 8;
    private static final int CALL = 6;
    private static final int CONVERSION = 12;

    private final SplittableRandom random;
    private final CScope scope;

    CExpressions(SplittableRandom random, CScope scope) {
        this.random = random;
        this.scope = scope;
    }

    /// Returns an expression of a type.
    ///
    /// @param depth maximum depth of operators
    String write(CType type, int depth) {
        if (depth <= 0 || percent(LEAF)) {
            return leaf(type);
        }
        if (percent(CONDITIONAL)) {
            return "(%s ? %s : %s)"
                    .formatted(
                            condition(depth - 1), write(type, depth - 1), write(type, depth - 1));
        }
        List<CScope.Function> functions = scope.functions(type);
        if (!functions.isEmpty() && percent(CALL)) {
            return call(any(functions), depth - 1);
        }
        if (percent(CONVERSION)) {
            return conversion(type, depth - 1);
        }
        return type.isFloating() ? floating(type, depth - 1) : whole(type, depth - 1);
    }

    /// Returns a call of a function with random arguments.
    String call(CScope.Function function, int depth) {
        StringBuilder text = new StringBuilder(function.name()).append('(');
        for (int i = 0; i < function.parameters().size(); i++) {
            text.append(i == 0 ? "" : ", ").append(write(function.parameters().get(i), depth));
        }
        return text.append(')').toString();
    }

    /// Returns a condition.
    String condition(int depth) {
        if (depth > 1 && percent(20)) {
            String operator = random.nextBoolean() ? "&&" : "||";
            return "(%s %s %s)".formatted(condition(depth - 1), operator, condition(depth - 1));
        }
        if (percent(10)) {
            return "!" + condition(depth - 1);
        }
        if (percent(15)) {
            return "((%s >> %d) & 1)"
                    .formatted(write(CType.U32, depth - 1), random.nextInt(Integer.SIZE));
        }
        if (percent(15)) {
            return "((m_thread + %d) %% %d == %d)"
                    .replace("m_thread", scope.hasMemory() ? "m.thread" : leaf(CType.U32))
                    .formatted(random.nextInt(9), 2 + random.nextInt(5), random.nextInt(2));
        }
        CType type = any(CType.all());
        return "(%s %s %s)"
                .formatted(write(type, depth - 1), any(COMPARISONS), write(type, depth - 1));
    }

    /// Returns an expression of type u32 that is less than a limit.
    ///
    /// @param limit a power of two
    String index(int limit, int depth) {
        return "(%s & %du)".formatted(write(CType.U32, depth), limit - 1);
    }

    private String leaf(CType type) {
        int choice = random.nextInt(10);
        if (choice < 2) {
            return constant(type);
        }
        if (choice < 4 && scope.hasMemory()) {
            return memory(type);
        }
        List<String> names = scope.names(type);
        if (!names.isEmpty()) {
            return any(names);
        }
        CType other = any(CType.all());
        List<String> others = scope.names(other);
        return others.isEmpty() || type.isFloating() != other.isFloating()
                ? constant(type)
                : cast(type, any(others));
    }

    private String constant(CType type) {
        if (type.isFloating()) {
            String sign = percent(20) ? "-" : "";
            return "(%s%s%s)".formatted(sign, any(FLOATS), type == CType.F32 ? "f" : "");
        }
        long word = WORDS[random.nextInt(WORDS.length)];
        String text = word == Long.MIN_VALUE ? "(-9223372036854775807ll - 1)" : word + "ll";
        return cast(type, text);
    }

    private String memory(CType type) {
        if (type == CType.U64 && scope.phase() > 0 && percent(30)) {
            return "m.shared->wide[%d]".formatted(random.nextInt(scope.phase()));
        }
        int bytes = type.bits() / Byte.SIZE;
        int count = RandomKernels.IN_WORDS * Integer.BYTES / bytes;
        if (type != CType.U32 || percent(30)) {
            return "((const %s *)m.in)[%s]".formatted(type.text(), index(count, 1));
        }
        int phase = scope.phase();
        return switch (random.nextInt(phase > 0 ? 6 : 4)) {
            case 0 -> "table" + "[" + index(16, 1) + "]";
            case 1 -> "variable" + "[" + index(16, 1) + "]";
            case 2 -> "s.array[" + index(8, 1) + "]";
            case 3 ->
                    "m.shared->%s[%s %% %d]"
                            .formatted(
                                    phase % 2 == 0 ? "odd" : "even",
                                    write(CType.U32, 1),
                                    scope.threads());
            case 4 -> "m.shared->all[%d]".formatted(random.nextInt(phase));
            default -> "m.own[" + index(RandomKernels.SCRATCH_WORDS, 1) + "]";
        };
    }

    private String conversion(CType type, int depth) {
        CType from = any(CType.all());
        String value = write(from, depth);
        if (from.isFloating() && !type.isFloating()) {
            CType wide = type.isWide() ? type : type.isSigned() ? CType.S32 : CType.U32;
            return cast(type, "to_%s(%s)".formatted(wide.text(), value));
        }
        if (from == type && type.isFloating()) {
            return type == CType.F32 && percent(40)
                    ? "f32(f64(%s))".formatted(value)
                    : cast(type, value);
        }
        if (type == CType.F32 && percent(20)) {
            return "bits<f32>(%s)".formatted(write(CType.U32, depth));
        }
        return cast(type, value);
    }

    private String whole(CType type, int depth) {
        String a = write(type, depth);
        switch (random.nextInt(12)) {
            case 0 -> {
                return cast(type, (random.nextBoolean() ? "-" : "~") + a);
            }
            case 1 -> {
                String direction = random.nextBoolean() ? "<<" : ">>";
                return cast(
                        type,
                        "%s %s %s".formatted(a, direction, index(type.bits(), Math.min(1, depth))));
            }
            case 2 -> {
                int shift = 1 + random.nextInt(type.bits() - 1);
                return cast(type, "%s %s %d".formatted(a, shiftOperator(), shift));
            }
            case 3 -> {
                String function = any(WHOLE_FUNCTIONS);
                if (function.equals("high") && !type.isWide()) {
                    return cast(type, "%s * %s >> 3".formatted(a, write(type, depth)));
                }
                return "%s<%s>(%s, %s)"
                        .formatted(function, type.text(), a, write(type, depth))
                        .replace("high<" + type.text() + ">", "high");
            }
            case 4 -> {
                int divisor = 2 + random.nextInt(random.nextBoolean() ? 20 : 120);
                return cast(type, a + (random.nextBoolean() ? " / " : " % ") + divisor);
            }
            case 5 -> {
                CType unsigned = type.bits() > Integer.SIZE ? CType.U64 : CType.U32;
                return cast(type, bits(unsigned, depth));
            }
            case 6 -> {
                return cast(
                        type, "%s * %s + %s".formatted(a, write(type, depth), write(type, depth)));
            }
            case 7 -> {
                return cast(type, condition(depth));
            }
            case 8 -> {
                int shift = random.nextInt(type.bits());
                int mask = (1 << 1 + random.nextInt(12)) - 1;
                return cast(type, "(%s >> %d) & %d".formatted(a, shift, mask));
            }
            case 9 -> {
                return type == CType.U64
                        ? "carried(%s, %s, %s)"
                                .formatted(a, write(CType.U64, depth), write(CType.U64, depth))
                        : cast(type, "%s(%s) * %s".formatted(wider(type), a, write(type, depth)));
            }
            default -> {
                return cast(
                        type, "%s %s %s".formatted(a, any(WHOLE_OPERATORS), write(type, depth)));
            }
        }
    }

    private String shiftOperator() {
        return random.nextBoolean() ? "<<" : ">>";
    }

    private static String wider(CType type) {
        return type.isSigned() ? "s64" : "u64";
    }

    private String bits(CType unsigned, int depth) {
        String a = write(unsigned, depth);
        if (percent(25)) {
            // clang generates wrong code for sm_20 if the number is a variable beyond 31.
            return "rotated(%s, %d)".formatted(a, 1 + random.nextInt(unsigned.bits() - 1));
        }
        if (unsigned == CType.U32 && percent(15)) {
            return "joined(%s, %s, %s)"
                    .formatted(a, write(CType.U32, depth), write(CType.U32, Math.min(1, depth)));
        }
        if (unsigned == CType.U32 && percent(15)) {
            return "bits<u32>(magnitude(f32(%s)))".formatted(write(CType.S32, depth));
        }
        return "%s(%s)".formatted(any(BIT_FUNCTIONS), a);
    }

    private String floating(CType type, int depth) {
        String a = write(type, depth);
        return switch (random.nextInt(8)) {
            case 0 -> "(-%s)".formatted(a);
            case 1 -> "%s(%s)".formatted(any(FLOAT_FUNCTIONS), a);
            case 2 -> "fused(%s, %s, %s)".formatted(a, write(type, depth), write(type, depth));
            case 3 -> "(%s / %s)".formatted(a, write(type, depth));
            case 4 -> "(%s * %s)".formatted(a, write(type, depth));
            case 5 -> "(%s - %s)".formatted(a, write(type, depth));
            case 6 -> cast(type, write(any(CType.whole()), depth));
            default -> "(%s + %s)".formatted(a, write(type, depth));
        };
    }

    private static String cast(CType type, String value) {
        return "%s(%s)".formatted(type.text(), value);
    }

    boolean percent(int probability) {
        return random.nextInt(100) < probability;
    }

    <T> T any(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
