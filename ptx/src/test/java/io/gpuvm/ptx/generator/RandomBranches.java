package io.gpuvm.ptx.generator;

import java.util.SplittableRandom;

/// Random instructions whose branches lead anywhere: loops that are entered in the middle, left
/// from within conditions and repeated from several places. Each thread counts its backward
/// branches, so that it ends; then, all threads of a warp vote, unless some may have ended before.
/// Instructions access memory of the thread, have carries, and call functions that threads leave at
/// different places.
///
/// The kernel declares [#DECLARATIONS], has the number of a thread, less than 64, in `%i`, an input
/// in `%t0`, and receives a word that depends on all variables in `%t1`.
public final class RandomBranches {
    /// Variables and functions of the module. The first function has a loop that threads leave by
    /// different returns, the second one calls itself.
    public static final String DECLARATIONS =
            """
            .shared .align 4 .b32 shared[64];
            .global .align 4 .b32 global[64];
            .func (.reg .b32 r) loop(.reg .b32 x, .reg .b32 y)
            {
              .reg .b32 %a<3>;
              .reg .pred %p<3>;
              and.b32 %a0, x, 7;
              mov.u32 %a1, y;
            AGAIN:
              setp.gt.u32 %p0, %a1, x;
              @%p0 bra GREATER;
              mad.lo.u32 %a1, %a1, 3, 7;
              and.b32 %a2, %a1, 5;
              setp.eq.u32 %p1, %a2, 1;
              mov.u32 r, %a1;
              @%p1 ret;
              bra NEXT;
            GREATER:
              xor.b32 %a1, %a1, x;
            NEXT:
              sub.u32 %a0, %a0, 1;
              setp.gt.s32 %p2, %a0, 0;
              @%p2 bra AGAIN;
              add.u32 r, %a1, 1;
              ret;
            }
            .func (.param .b32 r) recursion(.param .b32 x, .param .b32 y)
            {
              .reg .b32 %a<5>;
              .reg .pred %p;
              ld.param.u32 %a0, [x];
              ld.param.u32 %a1, [y];
              and.b32 %a1, %a1, 7;
              add.u32 %a2, %a0, %a1;
              st.param.b32 [r], %a2;
              setp.eq.u32 %p, %a1, 0;
              @%p ret;
              sub.u32 %a3, %a1, 1;
              {
                .param .b32 first, second, result;
                st.param.b32 [first], %a2;
                st.param.b32 [second], %a3;
                call (result), recursion, (first, second);
                ld.param.b32 %a4, [result];
              }
              mad.lo.u32 %a4, %a4, 3, %a0;
              st.param.b32 [r], %a4;
              ret;
            }
            """;

    private static final int MOST_REPETITIONS = 12;
    private static final int LOCAL_BYTES = 32;
    private static final int TARGETS = 4;

    private final SplittableRandom random;
    private final StringBuilder text = new StringBuilder();
    private final int blocks;
    private final int variables;
    private final int statements;
    private final boolean hasCalls;
    private final boolean hasExits;

    private RandomBranches(long seed, int blocks, int variables, int statements) {
        this.random = new SplittableRandom(seed);
        this.blocks = blocks;
        this.variables = variables;
        this.statements = statements;
        hasCalls = random.nextInt(3) == 0;
        hasExits = random.nextInt(3) == 0;
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
        line(".reg .b32 %%own;");
        line(".reg .b64 %%far;");
        line(".local .align 16 .b8 locals[%d];", LOCAL_BYTES);
        for (int i = 0; i < LOCAL_BYTES; i += Integer.BYTES) {
            line("st.local.u32 [locals+%d], %%t0;", i);
        }
        line("mov.u32 %%own, shared;");
        line("mad.lo.u32 %%own, %%i, 4, %%own;");
        line("st.shared.u32 [%%own], %%i;");
        line("mov.u64 %%far, global;");
        line("mad.wide.u32 %%far, %%i, 4, %%far;");
        line("add.cc.u32 %%x, %%i, %%i;");
        line("mov.u32 %%rest, %d;", MOST_REPETITIONS);
        for (int i = 0; i < variables; i++) {
            line("mad.lo.u32 %%v%d, %%t0, %d, %%i;", i, 2 * i + 3);
            line("and.b32 %%x, %%v%d, %d;", i, 1 + i % 7);
            line("setp.eq.u32 %%q%d, %%x, 1;", i);
        }
        for (int i = 0; i < blocks; i++) {
            line("B%d:", i);
            if (hasExits && random.nextInt(blocks) < 2) {
                line("%s exit;", condition());
            }
            for (int k = random.nextInt(statements + 1); k > 0; k--) {
                statement();
            }
            branch(i);
        }
        line("END:");
        // Threads that do not join here would miss votes.
        line(hasExits ? "mov.u32 %%t1, 0;" : "vote.ballot.b32 %%t1, %%q0;");
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
        switch (random.nextInt(12)) {
            case 0, 1 -> line("%sadd.u32 %s, %s, %s;", guard, word(), word(), word());
            case 2, 3 -> line("%sxor.b32 %s, %s, %s;", guard, word(), word(), word());
            case 4, 5 ->
                    line("%sxor.pred %s, %s, %s;", guard, predicate(), predicate(), predicate());
            case 6 -> line("%sadd.cc.u32 %s, %s, %s;", guard, word(), word(), word());
            case 7 -> line("%saddc.u32 %s, %s, 0;", guard, word(), word());
            case 8 -> access(guard);
            case 9 -> {
                if (hasCalls) {
                    call(guard);
                }
            }
            default -> line("%ssetp.lt.s32 %s, %s, %s;", guard, predicate(), word(), word());
        }
    }

    private void access(String guard) {
        int offset = Integer.BYTES * random.nextInt(LOCAL_BYTES / Integer.BYTES);
        switch (random.nextInt(5)) {
            case 0 -> line("%sst.local.u32 [locals+%d], %s;", guard, offset, word());
            case 1 -> line("%sld.local.u32 %s, [locals+%d];", guard, word(), offset);
            case 2 -> line("%satom.shared.add.u32 %s, [%%own], %s;", guard, word(), word());
            case 3 -> line("%satom.global.exch.b32 %s, [%%far], %s;", guard, word(), word());
            default -> line("%sred.global.max.s32 [%%far], %s;", guard, word());
        }
    }

    private void call(String guard) {
        if (random.nextBoolean()) {
            line("%scall (%s), loop, (%s, %s);", guard, word(), word(), word());
            return;
        }
        line("{");
        line(".param .b32 first, second, result;");
        line("st.param.b32 [first], %s;", word());
        line("st.param.b32 [second], %s;", word());
        line("call (result), recursion, (first, second);");
        line("ld.param.b32 %s, [result];", word());
        line("}");
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
