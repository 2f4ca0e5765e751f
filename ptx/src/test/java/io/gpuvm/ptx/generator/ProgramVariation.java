package io.gpuvm.ptx.generator;

import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Variation of a random program: any instruction may have a guard, carry chains included, and some
/// registers have constants instead of inputs, so that operands are numbers anywhere.
public final class ProgramVariation {
    private static final int GUARDED_PERCENT = 30;
    private static final int CONSTANT_PERCENT = 40;

    /// Last instruction that gives a function's registers their first values.
    private static final String LAST_INITIALIZATION =
            "setp.gt.s32 %p" + (ProgramText.PREDICATES - 1) + ",";

    /// Load of an input to a register that statements use.
    private static final Pattern INPUT =
            Pattern.compile("ld\\.global\\.\\w+ (%([rdhfg])\\d+), \\[%in\\+\\d+];");

    /// Instruction whose result is a register that statements use, and no temporary one.
    private static final Pattern STATEMENT =
            Pattern.compile("([a-z][a-z0-9_.]*) \\{?%[rdhfgp]\\d.*;");

    /// Instructions that all threads of a warp or block execute, and those of calls, by their first
    /// letters.
    private static final List<String> UNGUARDED =
            List.of("bar", "bra", "brx", "shfl", "vote", "activemask", "ld.param", "st.param");

    private static final long[] NUMBERS = {
        0,
        1,
        -1,
        2,
        3,
        10,
        15,
        16,
        31,
        32,
        33,
        63,
        64,
        0xFF,
        0x7FFF,
        0x8000,
        0xFFFF,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0xFFFFFFFFL,
        0x100000000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        0x7F800000,
        0x3F800000,
        0x3FF0000000000000L
    };

    private final SplittableRandom random;
    private final StringBuilder text = new StringBuilder();

    private ProgramVariation(long seed) {
        random = new SplittableRandom(seed);
    }

    /// Returns the variation of a program.
    public static RandomProgram of(RandomProgram program) {
        ProgramVariation variation = new ProgramVariation(program.seed());
        variation.write(program.source());
        return new RandomProgram(
                program.seed(), variation.text.toString(), program.threads(), program.blocks());
    }

    private void write(String source) {
        boolean isKernel = false;
        boolean isInitialized = false;
        for (String line : source.lines().map(String::strip).toList()) {
            if (line.startsWith(".func") || line.startsWith(".visible")) {
                isKernel = line.startsWith(".visible");
                isInitialized = false;
            }
            Matcher input = INPUT.matcher(line);
            if (isKernel && input.matches() && chance(CONSTANT_PERCENT)) {
                add(constant(input.group(1), input.group(2).charAt(0)));
            } else if (isInitialized && mayHaveGuard(line) && chance(GUARDED_PERCENT)) {
                String not = random.nextBoolean() ? "!" : "";
                add("@%s%%p%d %s".formatted(not, random.nextInt(ProgramText.PREDICATES), line));
            } else {
                add(line);
            }
            if (line.startsWith(LAST_INITIALIZATION)) {
                isInitialized = true;
                // Gives the carry its first value.
                add("add.cc.u32 %r0, %r0, 0;");
            }
        }
    }

    private void add(String line) {
        text.append(line).append('\n');
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /// Returns whether an instruction may have a guard. Those that make every NaN the same have
    /// none.
    private static boolean mayHaveGuard(String line) {
        Matcher statement = STATEMENT.matcher(line);
        return statement.matches()
                && UNGUARDED.stream().noneMatch(line::startsWith)
                && !line.contains(".sync")
                && !line.contains("testp.")
                && !line.contains("[%in+")
                && !line.startsWith("selp.b")
                && !line.contains("%tp0;");
    }

    private String constant(String register, char kind) {
        long number =
                random.nextInt(4) == 0
                        ? random.nextLong()
                        : NUMBERS[random.nextInt(NUMBERS.length)];
        return switch (kind) {
            case 'h' -> "mov.b16 %s, %d;".formatted(register, (short) number);
            case 'r' -> "mov.b32 %s, %d;".formatted(register, (int) number);
            case 'd' -> "mov.b64 %s, %d;".formatted(register, number);
            case 'f' -> "mov.f32 %s, 0f%08X;".formatted(register, (int) number);
            default -> "mov.f64 %s, 0d%016X;".formatted(register, number);
        };
    }
}
