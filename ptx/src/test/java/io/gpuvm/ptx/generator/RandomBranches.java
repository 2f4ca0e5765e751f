package io.gpuvm.ptx.generator;

import java.util.SplittableRandom;

/// Random instructions whose branches lead anywhere: loops that are entered in the middle, left
/// from within conditions and repeated from several places. Each thread counts its backward
/// branches, so that it ends; then, all threads of a warp vote.
///
/// The kernel has the number of a thread in `%i`, an input in `%t0`, and receives a word that
/// depends on all variables in `%t1`.
public final class RandomBranches {
    private static final int MOST_REPETITIONS = 12;
    private static final int TARGETS = 4;

    private final SplittableRandom random;
    private final StringBuilder text = new StringBuilder();
    private final int blocks;
    private final int variables;
    private final int statements;

    private RandomBranches(long seed, int blocks, int variables, int statements) {
        this.random = new SplittableRandom(seed);
        this.blocks = blocks;
        this.variables = variables;
        this.statements = statements;
    }

    /// Returns instructions.
    ///
    /// @param blocks number of labels, at least 1
    /// @param variables number of words and of predicates, at least 1
    /// @param statements maximum number of instructions at a label, besides branches
    public static String write(long seed, int blocks, int variables, int statements) {
        return new RandomBranches(seed, blocks, variables, statements).write();
    }

    private String write() {
        line(".reg .b32 %%v<%d>, %%rest, %%x;", variables);
        line(".reg .pred %%q<%d>, %%end;", variables);
        line("mov.u32 %%rest, %d;", MOST_REPETITIONS);
        for (int i = 0; i < variables; i++) {
            line("mad.lo.u32 %%v%d, %%t0, %d, %%i;", i, 2 * i + 3);
            line("and.b32 %%x, %%v%d, %d;", i, 1 + i % 7);
            line("setp.eq.u32 %%q%d, %%x, 1;", i);
        }
        for (int i = 0; i < blocks; i++) {
            line("B%d:", i);
            for (int k = random.nextInt(statements + 1); k > 0; k--) {
                statement();
            }
            branch(i);
        }
        line("END:");
        // Threads that do not join here would miss votes.
        line("vote.ballot.b32 %%t1, %%q0;");
        for (int i = 0; i < variables; i++) {
            line("selp.u32 %%x, 1, %%v%d, %%q%d;", i, i);
            line("mad.lo.u32 %%t1, %%t1, 31, %%x;");
        }
        return text.toString();
    }

    private void line(String format, Object... arguments) {
        text.append(format.formatted(arguments)).append('\n');
    }

    private String word() {
        return "%v" + random.nextInt(variables);
    }

    private String predicate() {
        return "%q" + random.nextInt(variables);
    }

    private String condition() {
        return "@" + (random.nextBoolean() ? "!" : "") + predicate();
    }

    private void statement() {
        String guard = random.nextInt(4) == 0 ? condition() + " " : "";
        switch (random.nextInt(4)) {
            case 0 -> line("%sadd.u32 %s, %s, %s;", guard, word(), word(), word());
            case 1 -> line("%sxor.b32 %s, %s, %s;", guard, word(), word(), word());
            case 2 -> line("%sxor.pred %s, %s, %s;", guard, predicate(), predicate(), predicate());
            default -> line("%ssetp.lt.s32 %s, %s, %s;", guard, predicate(), word(), word());
        }
    }

    /// Writes the end of a block: it continues at the next one, at another, or at one of several.
    private void branch(int at) {
        switch (random.nextInt(8)) {
            case 0, 1 -> {}
            case 2 -> {
                int to = target(at);
                line("bra B%d;", to);
            }
            case 3 -> {
                String[] labels = new String[TARGETS];
                count();
                for (int i = 0; i < TARGETS; i++) {
                    labels[i] = "B" + random.nextInt(blocks);
                }
                line("and.b32 %%x, %s, %d;", word(), TARGETS - 1);
                line("T%d: .branchtargets %s;", at, String.join(", ", labels));
                line("%s brx.idx %%x, T%d;", random.nextBoolean() ? condition() : "", at);
            }
            default -> {
                int to = target(at);
                line("%s bra B%d;", condition(), to);
            }
        }
    }

    /// Returns a block to which another branches.
    private int target(int from) {
        int to = random.nextInt(blocks);
        if (to <= from) {
            count();
        }
        return to;
    }

    /// Writes the end of threads that have branched backward often enough.
    private void count() {
        line("sub.u32 %%rest, %%rest, 1;");
        line("setp.eq.u32 %%end, %%rest, 0;");
        line("@%%end bra END;");
    }
}
