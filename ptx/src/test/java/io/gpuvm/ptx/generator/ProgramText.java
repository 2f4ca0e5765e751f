package io.gpuvm.ptx.generator;

import java.util.SplittableRandom;

/// Text of a random function: choices, names of registers, and lines.
final class ProgramText {
    /// Numbers of registers of each kind. Kinds: h of 16 bits, r of 32, d of 64, f floats, g
    /// doubles, p predicates.
    static final int HALVES = 4;

    static final int WORDS = 8;
    static final int LONGS = 5;
    static final int FLOATS = 5;
    static final int DOUBLES = 4;
    static final int PREDICATES = 4;

    private final StringBuilder text = new StringBuilder();
    private final SplittableRandom random;
    private final boolean newer;
    private int labels;
    private int temporaries;

    /// @param newer whether the program may use what newer targets have and Fermi can express
    ProgramText(SplittableRandom random, boolean newer) {
        this.random = random;
        this.newer = newer;
    }

    /// Returns whether the current statement uses what newer targets have.
    boolean newer(int percent) {
        return newer && chance(percent);
    }

    SplittableRandom random() {
        return random;
    }

    int pick(int bound) {
        return random.nextInt(bound);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    String choose(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    /// Returns one of the words, which blanks separate, with a leading dot.
    String word(String words) {
        return "." + choose(words.split(" "));
    }

    /// Returns the word, or an empty text.
    String maybe(String word) {
        return random.nextBoolean() ? word : "";
    }

    void line(String format, Object... arguments) {
        text.append("  ").append(format.formatted(arguments));
        text.append('\n');
    }

    void label(String label) {
        text.append(label).append(":\n");
    }

    String newLabel() {
        return "L" + labels++;
    }

    /// Returns the number of a register that only the current statement uses.
    int temporary() {
        return temporaries++;
    }

    String h() {
        return "%h" + random.nextInt(HALVES);
    }

    String r() {
        return "%r" + random.nextInt(WORDS);
    }

    String d() {
        return "%d" + random.nextInt(LONGS);
    }

    String f() {
        return "%f" + random.nextInt(FLOATS);
    }

    String g() {
        return "%g" + random.nextInt(DOUBLES);
    }

    String p() {
        return "%p" + random.nextInt(PREDICATES);
    }

    /// Returns a register or constant of a kind: `h`, `r` or `d`.
    String integer(char kind) {
        if (chance(20)) {
            return constant(kind);
        }
        return register(kind);
    }

    String register(char kind) {
        return switch (kind) {
            case 'h' -> h();
            case 'r' -> r();
            case 'd' -> d();
            case 'f' -> f();
            default -> g();
        };
    }

    private String constant(char kind) {
        if (random.nextBoolean()) {
            return choose("0", "1", "-1", "2", "7", "31", "32", "255", "-128", "32767");
        }
        return switch (kind) {
            case 'h' -> String.valueOf((short) random.nextInt());
            case 'r' -> String.valueOf(random.nextInt());
            default -> String.valueOf(random.nextLong());
        };
    }

    /// Returns a register or constant of floating point: kind `f` or `g`.
    String real(char kind) {
        if (!chance(15)) {
            return register(kind);
        }
        if (kind == 'f') {
            return "0f%08X"
                    .formatted(
                            random.nextBoolean()
                                    ? Float.floatToRawIntBits((float) (random.nextInt(9) - 4))
                                    : random.nextInt() & 0xFF7FFFFF);
        }
        return "0d%016X".formatted(Double.doubleToRawLongBits(random.nextInt(9) - 4.5));
    }

    String text() {
        return text.toString();
    }
}
