package io.gpuvm.ptx.generator;

import java.util.ArrayList;
import java.util.List;

/// Random statements with control flow, memory and calls.
final class StatementWriter {
    private final ProgramText t;
    private final ScalarStatements scalars;

    /// Number of functions that the code may call.
    private final int functions;

    private final boolean kernel;

    /// Labels to which a statement may branch: the ends of the loops around it, and the ends of
    /// their bodies.
    private final List<String> exits = new ArrayList<>();

    /// Statements that set the result of a function before an early return.
    private final String result;

    /// @param result statement that sets the result of a function, with a place for a register;
    ///   null for a kernel
    StatementWriter(ProgramText text, int functions, String result) {
        t = text;
        this.functions = functions;
        this.result = result;
        kernel = result == null;
        scalars = new ScalarStatements(text);
    }

    /// Writes statements.
    ///
    /// @param depth maximum depth of nested control flow
    void statements(int count, int depth) {
        for (int i = 0; i < count; i++) {
            int choice = t.pick(100);
            if (depth > 0 && choice < 6) {
                conditional(depth, Math.max(1, count / 4));
            } else if (depth > 0 && choice < 9) {
                loop(depth, Math.max(1, count / 6));
            } else if (depth > 0 && choice < 11) {
                indexedBranch(depth, Math.max(1, count / 8));
            } else if (functions > 0 && choice < 14) {
                call();
            } else if (kernel && choice < 26) {
                memory();
            } else if (choice < 29 && !exits.isEmpty()) {
                t.line("@%s%s bra %s;", t.maybe("!"), t.p(), exits.get(t.pick(exits.size())));
            } else if (choice < 30 && !kernel) {
                t.line(result, t.r());
                t.line("@%s%s ret;", t.maybe("!"), t.p());
            } else {
                scalars.write();
            }
        }
    }

    private void conditional(int depth, int count) {
        String otherwise = t.newLabel();
        String end = t.newLabel();
        if (t.chance(60)) {
            scalars.comparison();
        }
        t.line("@%s%s bra %s;", t.maybe("!"), t.p(), otherwise);
        statements(count, depth - 1);
        if (t.chance(50)) {
            t.line("bra %s;", end);
            t.label(otherwise);
            statements(count, depth - 1);
            t.label(end);
        } else {
            t.label(otherwise);
        }
    }

    /// Writes a loop with at most eight iterations, whose number may depend on the thread. It may
    /// have a break and a continue.
    private void loop(int depth, int count) {
        String start = t.newLabel();
        String next = t.newLabel();
        String end = t.newLabel();
        int counter = t.temporary();
        int condition = t.temporary();
        if (t.chance(50)) {
            t.line("mov.u32 %%tr%d, %d;", counter, 1 + t.pick(4));
        } else {
            t.line("and.b32 %%tr%d, %s, 3;", counter, t.r());
        }
        t.label(start);
        exits.add(next);
        exits.add(end);
        statements(count, depth - 1);
        if (t.chance(30)) {
            t.line("@%s bra %s;", t.p(), end);
            statements(1, 0);
        }
        if (t.chance(30)) {
            t.line("@!%s bra %s;", t.p(), next);
            statements(count, depth - 1);
        }
        exits.removeLast();
        exits.removeLast();
        t.label(next);
        t.line("sub.s32 %%tr%d, %%tr%d, 1;", counter, counter);
        t.line("setp.gt.s32 %%tp%d, %%tr%d, 0;", condition, counter);
        t.line("@%%tp%d bra %s;", condition, start);
        t.label(end);
    }

    private void indexedBranch(int depth, int count) {
        String table = t.newLabel();
        String end = t.newLabel();
        String[] targets = new String[4];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = i > 0 && t.chance(20) ? targets[i - 1] : t.newLabel();
        }
        int index = t.temporary();
        t.line("and.b32 %%tr%d, %s, 3;", index, t.r());
        t.line("%s: .branchtargets %s;", table, String.join(", ", targets));
        t.line("brx.idx %%tr%d, %s;", index, table);
        for (int i = 0; i < targets.length; i++) {
            if (i > 0 && targets[i].equals(targets[i - 1])) {
                continue;
            }
            t.label(targets[i]);
            statements(count, depth - 1);
            if (t.chance(70)) {
                t.line("bra %s;", end);
            }
        }
        t.label(end);
    }

    private void call() {
        if (functions > 2 && t.newer(50)) {
            callPointer();
            return;
        }
        if (functions > 1 && t.chance(50)) {
            t.line("call (%s), f1, (%s, %s);", t.r(), t.r(), t.d());
            return;
        }
        t.line("{");
        t.line(".param .b32 value;");
        t.line(".param .b32 first;");
        t.line(".param .b64 second;");
        t.line("st.param.b32 [first+0], %s;", t.r());
        t.line("st.param.b64 [second+0], %s;", t.d());
        t.line("call.uni (value), f0, (first, second);");
        t.line("ld.param.b32 %s, [value+0];", t.r());
        t.line("}");
    }

    /// Writes a call of one of two functions, which each thread selects.
    private void callPointer() {
        int first = t.temporary();
        int second = t.temporary();
        t.line("{");
        t.line(".param .b32 value;");
        t.line(".param .b32 first;");
        t.line(".param .b64 second;");
        t.line("mov.u64 %%td%d, f0;", first);
        t.line("mov.u64 %%td%d, f2;", second);
        t.line("selp.b64 %%td%d, %%td%d, %%td%d, %s;", first, first, second, t.p());
        t.line("st.param.b32 [first], %s;", t.r());
        t.line("st.param.b64 [second], %s;", t.d());
        t.line("P%d: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);", first);
        t.line("call (value), %%td%d, (first, second), P%d;", first, first);
        t.line("ld.param.b32 %s, [value];", t.r());
        t.line("}");
    }

    /// Writes accesses to local memory by generic addresses.
    private void generic() {
        int number = t.temporary();
        int offset = 4 * t.pick(16);
        t.line("cvta.local.u64 %%td%d, locals;", number);
        switch (t.pick(4)) {
            case 0 -> t.line("st.u32 [%%td%d+%d], %s;", number, offset, t.r());
            case 1 ->
                    t.line(
                            "ld%s.u32 %s, [%%td%d+%d];",
                            t.maybe(".volatile"), t.r(), number, offset);
            case 2 -> {
                t.line("cvta.to.local.u64 %%td%d, %%td%d;", number, number);
                t.line("ld.local.s16 %s, [%%td%d+%d];", t.r(), number, offset);
            }
            default ->
                    t.line("isspacep%s %s, %%td%d;", t.word("local shared global"), t.p(), number);
        }
    }

    private void memory() {
        if (t.newer(30)) {
            generic();
            return;
        }
        int number = t.temporary();
        switch (t.pick(9)) {
            case 7 -> consecutive(true);
            case 8 -> consecutive(false);
            case 0 -> {
                t.line("and.b32 %%tr%d, %s, 60;", number, t.r());
                t.line("mov.u32 %%local1, locals;");
                t.line("add.u32 %%tr%d, %%tr%d, %%local1;", number, number);
                if (t.chance(50)) {
                    t.line("st.local.b32 [%%tr%d], %s;", number, t.r());
                } else {
                    t.line("ld.local.%s32 %s, [%%tr%d];", t.choose("u", "s", "b"), t.r(), number);
                }
            }
            case 1 ->
                    t.line(
                            "ld.local.%s %s, [locals+%d];",
                            t.choose("u8", "s8", "b8"), t.chance(50) ? t.r() : t.h(), t.pick(64));
            case 2 ->
                    t.line(
                            "st.local.u8 [locals+%d], %s;",
                            t.pick(64), t.chance(50) ? t.r() : t.h());
            case 3 -> vector();
            case 4 -> {
                t.line("and.b32 %%tr%d, %s, 15;", number, t.r());
                t.line("mul.wide.u32 %%td%d, %%tr%d, 4;", number, number);
                int base = t.temporary();
                t.line("mov.u64 %%td%d, table;", base);
                t.line("add.u64 %%td%d, %%td%d, %%td%d;", number, number, base);
                t.line("ld.const.u32 %s, [%%td%d];", t.r(), number);
            }
            case 5 ->
                    t.line(
                            "ld.global.%s %s, [%%in+%d];",
                            t.choose("u16", "s16", "u8", "s8"), t.r(), 2 * t.pick(50));
            default -> sum();
        }
    }

    /// Writes accesses to consecutive words of local memory, or of the thread's part of shared
    /// memory, in any order.
    private void consecutive(boolean shared) {
        int number = t.temporary();
        if (shared) {
            t.line("mov.u32 %%local1, parts;");
            t.line("mad.lo.u32 %%tr%d, %%local0, 16, %%local1;", number);
        }
        String space = shared ? "shared" : "local";
        String base = shared ? "%tr" + number : "locals";
        boolean loads = t.chance(50);
        int count = 2 + t.pick(4);
        for (int i = 0; i < count; i++) {
            String mode = t.chance(10) ? ".volatile" : "";
            boolean wide = t.chance(25);
            String type = wide ? "b64" : "b32";
            String register = wide ? t.d() : t.r();
            int offset = wide ? 8 * t.pick(2) : 4 * t.pick(4);
            if (loads != t.chance(10)) {
                t.line("ld%s.%s.%s %s, [%s+%d];", mode, space, type, register, base, offset);
            } else {
                t.line("st%s.%s.%s [%s+%d], %s;", mode, space, type, base, offset, register);
            }
        }
    }

    private void vector() {
        int offset = 16 * t.pick(4);
        switch (t.pick(4)) {
            case 0 ->
                    t.line(
                            "st.local.v4.b32 [locals+%d], {%s, %s, %s, %s};",
                            offset, t.r(), t.r(), t.r(), t.r());
            case 1 -> t.line("ld.local.v2.b64 {%%d0, %%d%d}, [locals+%d];", 1 + t.pick(4), offset);
            case 2 ->
                    t.line(
                            "ld.local.v4.b16 {%%h0, %%h1, %%h2, %%h3}, [locals+%d];",
                            offset + 8 * t.pick(2));
            default -> t.line("ld.global.v2.b32 {%%r1, %%r%d}, [%%in+%d];", 2 + t.pick(4), offset);
        }
    }

    /// Writes an atomic operation. Each word has its own operation, so that the order of operations
    /// does not matter.
    private void sum() {
        String guard = t.chance(30) ? "@" + t.p() + " " : "";
        switch (t.pick(7)) {
            case 0 -> t.line("%sred.global.add.u32 [%%sums], %s;", guard, t.integer('r'));
            case 1 -> t.line("%sred.global.min.s32 [%%sums+4], %s;", guard, t.r());
            case 2 -> t.line("%sred.global.max.u32 [%%sums+8], %s;", guard, t.r());
            case 3 -> t.line("%sred.global.and.b32 [%%sums+12], %s;", guard, t.r());
            case 4 -> t.line("%sred.global.or.b32 [%%sums+16], %s;", guard, t.r());
            case 5 -> t.line("%sred.global.xor.b32 [%%sums+20], %s;", guard, t.r());
            default -> t.line("%sred.global.add.u64 [%%sums+24], %s;", guard, t.d());
        }
    }

    /// Writes operations of all threads of a block or warp, which execute them together.
    void together(int threads) {
        if (t.newer(60)) {
            togetherOfWarp();
            return;
        }
        switch (t.pick(5)) {
            case 0 -> exchange(threads);
            case 1 ->
                    t.line(
                            "vote%s.pred %s, %s%s;",
                            t.word("all any uni"), t.p(), t.maybe("!"), t.p());
            case 2 -> t.line("vote.ballot.b32 %s, %s%s;", t.r(), t.maybe("!"), t.p());
            case 3 ->
                    t.line(
                            "bar.red.popc.u32 %s, %d, %s%s;",
                            t.r(), t.pick(16), t.maybe("!"), t.p());
            default ->
                    t.line(
                            "bar.red%s.pred %s, %d, %s;",
                            t.word("and or"), t.p(), t.pick(16), t.p());
        }
    }

    private void togetherOfWarp() {
        String result = t.r() + (t.chance(40) ? "|" + t.p() : "");
        String lane = t.chance(50) ? String.valueOf(t.pick(32)) : t.r();
        switch (t.pick(5)) {
            case 0 ->
                    t.line(
                            "shfl.sync.up.b32 %s, %s, %s, %s, -1;",
                            result, t.r(), lane, t.choose("0", "0x1800", "0x1000"));
            case 1 ->
                    t.line(
                            "shfl%s.b32 %s, %s, %s, %s;",
                            t.word("down bfly idx"),
                            result,
                            t.r(),
                            lane,
                            t.choose("31", "0x181F", "0x101F", "15"));
            case 2 ->
                    t.line(
                            "vote.sync%s.pred %s, %s%s, -1;",
                            t.word("all any uni"), t.p(), t.maybe("!"), t.p());
            case 3 -> t.line("vote.sync.ballot.b32 %s, %s, 0xFFFFFFFF;", t.r(), t.p());
            default -> {
                t.line("bar.warp.sync -1;");
                t.line("activemask.b32 %s;", t.r());
            }
        }
    }

    private void exchange(int threads) {
        int number = t.temporary();
        String barrier = String.valueOf(t.pick(4));
        t.line("bar.sync %s;", barrier);
        t.line("mov.u32 %%local1, exchange;");
        t.line("mad.lo.u32 %%tr%d, %%local0, 8, %%local1;", number);
        t.line("st.shared.b64 [%%tr%d], %s;", number, t.d());
        t.line("bar.sync %s;", barrier);
        int other = t.temporary();
        t.line("add.u32 %%tr%d, %%local0, %d;", other, 1 + t.pick(40));
        t.line("rem.u32 %%tr%d, %%tr%d, %d;", other, other, threads);
        t.line("mad.lo.u32 %%tr%d, %%tr%d, 8, %%local1;", other, other);
        t.line("ld.shared.b64 %s, [%%tr%d];", t.d(), other);
        t.line("ld.shared.%s %s, [%%tr%d+4];", t.choose("u16", "s16"), t.r(), other);
    }
}
