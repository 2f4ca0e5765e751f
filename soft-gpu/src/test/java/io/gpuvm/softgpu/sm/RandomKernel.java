package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.softgpu.fifo.TestGpu;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Random;

/// Random kernel that resembles a compiler's output: runs of instructions, branches whose lanes
/// reconverge, loops, calls, barriers and sometimes an invalid instruction. The kernel requires the
/// environment of [Playground].
///
/// The same seed gives the same kernel.
final class RandomKernel {
    private static final int FUNCTIONS = 2;
    private static final int DEPTH = 3;
    private static final int TRUE = 7;
    private static final int RZ = Rows.ZERO_REGISTER;
    private static final int LOOP_PREDICATE = 6;

    /// Register for temporary values, which other code must not use.
    private static final int SCRATCH = Playground.SCRATCH;

    private static final int LONGEST_RUN = 40;
    private static final int BYTES = Long.BYTES;

    private final Random random;
    private final RandomInstructions instructions;
    private final Code code = new Code();
    private final int threads;
    private final boolean hasBarriers;
    private final boolean hasMemory;
    private final boolean hasFault;

    /// Number of statements that may still be generated.
    private int left;

    private int labels;
    private boolean isFaulty;

    RandomKernel(long seed) {
        random = new Random(seed);
        instructions = new RandomInstructions(random);
        int warps = random.nextInt(3) == 0 ? 2 + random.nextInt(Playground.WARPS - 1) : 1;
        int most = warps * Rows.LANES;
        threads = random.nextInt(3) == 0 ? most - random.nextInt(Rows.LANES) : most;
        hasBarriers = warps > 1 && random.nextBoolean();
        hasMemory = random.nextInt(4) > 0;
        hasFault = random.nextInt(3) == 0;
        left = 1 + random.nextInt(14);
        write();
    }

    /// Returns the kernel's code, for the start of a code segment.
    long[] words() {
        return code.words();
    }

    /// Returns the number of threads in the kernel's block.
    int threads() {
        return threads;
    }

    private void write() {
        if (random.nextInt(4) > 0) {
            uniformRegisters();
        }
        while (left > 0) {
            statement(DEPTH, Surroundings.TOP);
        }
        code.exit();
        for (int function = 0; function < FUNCTIONS; function++) {
            code.label("function" + function);
            left = 1 + random.nextInt(3);
            while (left > 0) {
                statement(1, new Surroundings(false, true, false, function + 1));
            }
            code.add(Opcode.RET);
        }
        code.exit();
    }

    /// Initializes the uniform registers with values that the analysis can recognize as equal in
    /// all lanes.
    private void uniformRegisters() {
        for (int r = Playground.UNIFORM; r < Playground.UNIFORM_END; r++) {
            code.add(
                    Opcode.MOV,
                    Field.DST,
                    r,
                    Field.B_BANK,
                    Playground.OTHER_BANK,
                    Field.B_OFFSET,
                    random.nextInt(Playground.BANK_WORDS) * Integer.BYTES,
                    Field.QUAD_LANES,
                    RandomInstructions.ALL_QUAD_LANES);
        }
    }

    /// Context of a statement.
    ///
    /// @param isTop whether all remaining threads of the block execute the statement equally often
    /// @param hasReturn whether the statement is in a function, which can return
    /// @param hasLoop whether the statement is in a loop, which a break can leave
    /// @param function first function that can be called
    private record Surroundings(boolean isTop, boolean hasReturn, boolean hasLoop, int function) {
        static final Surroundings TOP = new Surroundings(true, false, false, 0);

        Surroundings inside() {
            return new Surroundings(false, hasReturn, hasLoop, function);
        }

        Surroundings inLoop() {
            return new Surroundings(false, hasReturn, true, function);
        }
    }

    private void body(int depth, Surroundings where) {
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            statement(depth - 1, where);
        }
    }

    private void statement(int depth, Surroundings where) {
        left--;
        int kind = random.nextInt(depth > 0 && left > 0 ? 16 : 9);
        if (hasFault && !isFaulty && random.nextInt(12) == 0) {
            isFaulty = true;
            fault();
        }
        switch (kind) {
            case 0, 1, 2, 3 -> run(1 + random.nextInt(LONGEST_RUN));
            case 4 -> uniformRun();
            case 5, 6 -> {
                if (hasMemory) {
                    computedAccess();
                } else {
                    run(LONGEST_RUN);
                }
            }
            case 7 -> leave(where);
            case 8 -> {
                if (where.isTop() && hasBarriers) {
                    exchange();
                } else {
                    seldom(where);
                }
            }
            case 9, 10, 11 -> branch(depth, where);
            case 12 -> uniformLoop(depth, where);
            case 13 -> breakingLoop(depth, where);
            case 14 -> joiningLoop(depth, where);
            default -> call(where);
        }
    }

    private void seldom(Surroundings where) {
        switch (random.nextInt(4)) {
            case 0 -> skip();
            case 1 -> table(where);
            case 2 -> longJump(where);
            default -> run(1);
        }
    }

    private void run(int count) {
        int memory = hasMemory ? random.nextInt(3) * 12 : 0;
        for (int i = 0; i < count; i++) {
            code.add(
                    random.nextInt(100) < memory
                            ? instructions.memory()
                            : instructions.arithmetic());
        }
    }

    private void uniformRun() {
        int count = 1 + random.nextInt(8);
        for (int i = 0; i < count; i++) {
            code.add(instructions.uniform());
        }
    }

    private String label() {
        return "label" + labels++;
    }

    /// Restricts the next instruction to some lanes.
    private void some() {
        if (random.nextBoolean()) {
            code.when(instructions.predicate());
        } else {
            code.unless(instructions.predicate());
        }
    }

    /// Sets a predicate from register values.
    private int choice() {
        int result = instructions.predicate();
        boolean isUniform = random.nextInt(4) == 0;
        code.add(
                Opcode.ISETP,
                Field.PDST,
                result,
                Field.PDST_2,
                TRUE,
                Field.SRC_A,
                isUniform ? instructions.uniformSource() : instructions.source(),
                Field.SRC_B,
                isUniform ? instructions.uniformSource() : instructions.source(),
                Field.COMPARISON,
                1 + random.nextInt(Comparison.NUM.ordinal() - 1),
                Field.PSRC,
                TRUE);
        return result;
    }

    /// Ends some threads, or their path through a loop or function; otherwise adds instructions.
    private void leave(Surroundings where) {
        if (random.nextInt(3) == 0) {
            choice();
        }
        int kind = random.nextInt(4);
        if (where.hasLoop() && kind < 2) {
            some();
            code.add(Opcode.BRK);
        } else if (where.hasReturn() && kind < 3) {
            some();
            code.add(Opcode.RET);
        } else if (kind == 3) {
            int one = choice();
            code.when(one).add(random.nextInt(8) == 0 ? Opcode.KIL : Opcode.EXIT);
        } else {
            run(3);
        }
    }

    /// Adds a join of all arriving lanes, possibly after a join of some lanes.
    private void join() {
        if (random.nextInt(4) == 0) {
            code.joining();
            some();
            code.add(Opcode.NOP);
        }
        if (random.nextInt(3) == 0) {
            code.add(joining(instructions.arithmetic()));
        } else {
            code.joining().add(Opcode.NOP);
        }
    }

    private static long joining(long word) {
        Form form = InstructionTable.find(word);
        long all = form.set(Field.PREDICATE, TRUE, word);
        return form.set(Field.JOIN, 1, form.set(Field.PREDICATE_NOT, 0, all));
    }

    private void branch(int depth, Surroundings where) {
        String join = label();
        String other = label();
        int condition = random.nextInt(3) > 0 ? choice() : instructions.predicate();
        code.to(join, Opcode.SSY);
        code.unless(condition).to(other, Opcode.BRA);
        body(depth, where.inside());
        join();
        code.label(other);
        if (random.nextBoolean()) {
            body(depth, where.inside());
        }
        join();
        code.label(join);
    }

    /// Branches over some instructions if all lanes agree.
    private void skip() {
        String to = label();
        int condition = choice();
        code.when(condition).to(to, Opcode.BRA, Field.UNIFORM, 1);
        run(4);
        code.label(to);
    }

    private int counter(int depth) {
        return Playground.FIRST_COUNTER + depth;
    }

    private void count(int register, int by) {
        code.add(Opcode.IADD, Field.DST, register, Field.SRC_A, register, Field.IMMEDIATE, by);
        code.add(
                Opcode.ISETP,
                Field.PDST,
                LOOP_PREDICATE,
                Field.PDST_2,
                TRUE,
                Field.SRC_A,
                register,
                Field.SRC_B,
                RZ,
                Field.COMPARISON,
                Comparison.GT.ordinal(),
                Field.SIGNED,
                1,
                Field.PSRC,
                TRUE);
    }

    /// Sets a small number of iterations, which may differ between threads.
    private void someRounds(int register) {
        code.add(
                Opcode.LOP,
                Field.DST,
                register,
                Field.SRC_A,
                instructions.source(),
                Field.IMMEDIATE,
                random.nextBoolean() ? 3 : 7,
                Field.LOGIC_INNER,
                LogicOp.AND.ordinal());
    }

    private void uniformLoop(int depth, Surroundings where) {
        String loop = label();
        int register = counter(depth);
        code.load(register, 1 + random.nextInt(5));
        code.label(loop);
        body(depth, new Surroundings(false, where.hasReturn(), false, where.function()));
        count(register, -1);
        code.when(LOOP_PREDICATE).to(loop, Opcode.BRA);
    }

    private void breakingLoop(int depth, Surroundings where) {
        String loop = label();
        String next = label();
        String done = label();
        int register = counter(depth);
        boolean continues = random.nextBoolean();
        someRounds(register);
        code.to(done, Opcode.PBK);
        code.label(loop);
        if (continues) {
            code.to(next, Opcode.PCNT);
        }
        count(register, -1);
        code.unless(LOOP_PREDICATE).add(Opcode.BRK);
        body(depth, where.inLoop());
        if (continues) {
            some();
            code.add(Opcode.CONT);
            run(2);
            code.add(Opcode.CONT);
        }
        code.label(next);
        code.to(loop, Opcode.BRA);
        code.label(done);
    }

    private void joiningLoop(int depth, Surroundings where) {
        String loop = label();
        String join = label();
        int register = counter(depth);
        someRounds(register);
        code.to(join, Opcode.SSY);
        code.label(loop);
        body(depth, new Surroundings(false, where.hasReturn(), false, where.function()));
        count(register, -1);
        code.when(LOOP_PREDICATE).to(loop, Opcode.BRA);
        join();
        code.label(join);
    }

    private void call(Surroundings where) {
        if (where.function() < FUNCTIONS) {
            int function = where.function() + random.nextInt(FUNCTIONS - where.function());
            code.to("function" + function, Opcode.CAL);
        } else {
            run(5);
        }
    }

    /// Branches to one of two addresses, which is in a register.
    private void table(Surroundings where) {
        String join = label();
        String first = label();
        code.to(join, Opcode.SSY);
        and(SCRATCH, instructions.source(), BYTES);
        code.to(first, Opcode.BRX, Field.SRC_A, SCRATCH);
        code.label(first);
        String one = label();
        String other = label();
        code.to(one, Opcode.BRA);
        code.to(other, Opcode.BRA);
        code.label(one);
        body(1, where.inside());
        join();
        code.label(other);
        body(1, where.inside());
        join();
        code.label(join);
    }

    private void longJump(Surroundings where) {
        if (where.hasLoop() || where.hasReturn()) {
            run(2);
            return;
        }
        String to = label();
        code.to(to, Opcode.PLONGJMP);
        run(3);
        some();
        code.add(Opcode.LONGJMP);
        run(3);
        code.add(Opcode.LONGJMP);
        code.label(to);
    }

    /// Makes every thread store a word that every other thread may read.
    private void exchange() {
        barrier();
        code.add(
                Opcode.ISCADD,
                Field.DST,
                SCRATCH,
                Field.SRC_A,
                Playground.THREAD,
                Field.SRC_B,
                RZ,
                Field.SHIFT,
                2);
        code.add(
                Opcode.STS,
                Field.DATA,
                instructions.source(),
                Field.SRC_A,
                SCRATCH,
                Field.OFFSET,
                Playground.EXCHANGE,
                Field.SIZE,
                MemorySize.B32.ordinal());
        barrier();
        and(SCRATCH, instructions.source(), Playground.EXCHANGE_BYTES - Integer.BYTES);
        code.add(
                Opcode.LDS,
                Field.DST,
                instructions.target(),
                Field.SRC_A,
                SCRATCH,
                Field.OFFSET,
                Playground.EXCHANGE,
                Field.SIZE,
                MemorySize.B32.ordinal());
    }

    private void barrier() {
        code.add(
                Opcode.BAR,
                Field.DST,
                instructions.target(),
                Field.PDST,
                random.nextInt(8),
                Field.PSRC,
                random.nextInt(8),
                Field.BARRIER_OP,
                random.nextInt(3),
                Field.BARRIER,
                0,
                Field.THREADS,
                0);
    }

    private void and(int target, int source, int mask) {
        code.add(
                Opcode.LOP,
                Field.DST,
                target,
                Field.SRC_A,
                source,
                Field.IMMEDIATE,
                mask,
                Field.LOGIC_INNER,
                LogicOp.AND.ordinal());
    }

    /// Accesses the warp's part of memory at a computed address.
    private void computedAccess() {
        switch (random.nextInt(5)) {
            case 0 -> computedShared();
            case 1 -> scaled();
            case 2 -> multiplied();
            case 3 -> fromStart();
            default -> uniformAddress();
        }
        int accesses = 1 + random.nextInt(4);
        for (int i = 0; i < accesses; i++) {
            code.add(instructions.memoryAt(Playground.COMPUTED));
            run(random.nextInt(3));
        }
    }

    private void computedShared() {
        and(SCRATCH, instructions.source(), 0x1f0);
        add(Playground.COMPUTED_SHARED, SCRATCH, Playground.SHARED_START, false, false);
        code.add(
                Opcode.IADD,
                Field.DST,
                Playground.COMPUTED_SHARED,
                Field.SRC_A,
                Playground.COMPUTED_SHARED,
                Field.IMMEDIATE,
                0x100);
    }

    private void add(int target, int a, int b, boolean sets, boolean carries) {
        code.add(
                Opcode.IADD,
                Field.DST,
                target,
                Field.SRC_A,
                a,
                Field.SRC_B,
                b,
                Field.CC_OUT,
                sets ? 1 : 0,
                Field.CARRY_IN,
                carries ? 1 : 0);
    }

    private void addConstant(int target, int a, int offset, boolean sets, boolean carries) {
        code.add(
                Opcode.IADD,
                Field.DST,
                target,
                Field.SRC_A,
                a,
                Field.B_BANK,
                Playground.BANK,
                Field.B_OFFSET,
                offset,
                Field.CC_OUT,
                sets ? 1 : 0,
                Field.CARRY_IN,
                carries ? 1 : 0);
    }

    /// Computes an offset in the warp's part, relative to the start of all parts.
    private void someOffset() {
        and(SCRATCH, instructions.source(), 0x1ff0);
        add(SCRATCH, SCRATCH, Playground.GLOBAL_START, false, false);
        code.add(Opcode.IADD, Field.DST, SCRATCH, Field.SRC_A, SCRATCH, Field.IMMEDIATE, 0x800);
    }

    private void fromStart() {
        someOffset();
        addConstant(Playground.COMPUTED, SCRATCH, Playground.GLOBAL_AT, true, false);
        addConstant(Playground.COMPUTED + 1, RZ, Playground.GLOBAL_AT + BYTES / 2, false, true);
    }

    /// Computes multiples of the lane's number.
    private void scaled() {
        code.add(
                Opcode.S2R,
                Field.DST,
                SCRATCH,
                Field.SPECIAL_REGISTER,
                SpecialRegister.LANEID.code());
        code.add(
                Opcode.ISCADD,
                Field.DST,
                SCRATCH,
                Field.SRC_A,
                SCRATCH,
                Field.SRC_B,
                Playground.GLOBAL_START,
                Field.SHIFT,
                4 + random.nextInt(3));
        addConstant(SCRATCH, SCRATCH, Playground.GLOBAL_AT, true, false);
        addConstant(SCRATCH + 1, RZ, Playground.GLOBAL_AT + BYTES / 2, false, true);
        code.add(
                Opcode.IADD,
                Field.DST,
                Playground.COMPUTED,
                Field.SRC_A,
                SCRATCH,
                Field.IMMEDIATE,
                0x800,
                Field.CC_OUT,
                1);
        add(Playground.COMPUTED + 1, SCRATCH + 1, RZ, false, true);
    }

    private void multiplied() {
        someOffset();
        code.load(SCRATCH + 1, 1);
        multiplyAdd(Playground.COMPUTED, Playground.GLOBAL_AT, false);
        multiplyAdd(Playground.COMPUTED + 1, Playground.GLOBAL_AT + BYTES / 2, true);
    }

    private void multiplyAdd(int target, int offset, boolean isUpper) {
        code.add(
                Opcode.IMAD,
                Field.DST,
                target,
                Field.SRC_A,
                SCRATCH,
                Field.SRC_B,
                SCRATCH + 1,
                Field.C_BANK,
                Playground.BANK,
                Field.C_OFFSET,
                offset,
                Field.HIGH,
                isUpper ? 1 : 0,
                Field.SIGNED_A,
                0,
                Field.SIGNED_B,
                0,
                Field.CC_OUT,
                isUpper ? 0 : 1,
                Field.CARRY_IN,
                isUpper ? 1 : 0);
    }

    /// Computes an address from the number of the warp that S2R returns.
    private void uniformAddress() {
        int register = instructions.uniformRegister();
        code.add(
                Opcode.S2R,
                Field.DST,
                register,
                Field.SPECIAL_REGISTER,
                SpecialRegister.VIRTID.code());
        and(register, register, (Playground.WARPS - 1) << 8);
        // The number of the warp starts at bit 8, and parts are 16 KiB.
        code.add(
                Opcode.ISCADD,
                Field.DST,
                SCRATCH,
                Field.SRC_A,
                register,
                Field.SRC_B,
                RZ,
                Field.SHIFT,
                6);
        code.add(
                Opcode.IADD,
                Field.DST,
                SCRATCH,
                Field.SRC_A,
                SCRATCH,
                Field.IMMEDIATE,
                0x800 + (random.nextInt(0x2000) & -16));
        addConstant(Playground.COMPUTED, SCRATCH, Playground.GLOBAL_AT, true, false);
        addConstant(Playground.COMPUTED + 1, RZ, Playground.GLOBAL_AT + BYTES / 2, false, true);
    }

    /// Adds an error, possibly for some threads only.
    private void fault() {
        switch (random.nextInt(12)) {
            case 0 -> wrongRegister();
            case 1 -> notAnInstruction();
            case 2 -> outsideOfConstants();
            case 3, 4, 8, 9 -> wrongAddress();
            case 5, 10 -> wrongOffset();
            case 6 -> wrongControl();
            case 7 -> endlessCalls();
            default -> code.add(guarded(Code.word(Opcode.BPT)));
        }
    }

    private long guarded(long word) {
        Form form = InstructionTable.find(word);
        return form != null && form.has(Field.PREDICATE) && random.nextBoolean()
                ? instructions.guarded(form, word)
                : word;
    }

    private void wrongRegister() {
        while (true) {
            long word = instructions.arithmetic();
            Form form = InstructionTable.find(word);
            Field field = new Field[] {Field.DST, Field.SRC_A, Field.SRC_B}[random.nextInt(3)];
            if (form.has(field)) {
                word = form.set(field, RZ - 1, word);
                if (Decoder.decode(word, 0, Playground.REGISTERS).error != null) {
                    code.add(guarded(word));
                    return;
                }
            }
        }
    }

    private void notAnInstruction() {
        long word = random.nextLong();
        while (InstructionTable.find(word) != null) {
            word = random.nextLong();
        }
        code.add(word);
    }

    private void outsideOfConstants() {
        boolean bound = random.nextBoolean();
        code.add(
                guarded(
                        Code.word(
                                random.nextBoolean() ? Opcode.IADD : Opcode.FADD,
                                Field.DST,
                                instructions.target(),
                                Field.SRC_A,
                                instructions.source(),
                                Field.B_BANK,
                                bound ? Playground.BANK : Playground.UNBOUND_BANK,
                                Field.B_OFFSET,
                                bound ? Playground.BANK_WORDS * Integer.BYTES : 0)));
    }

    /// Makes the addresses of some lanes invalid.
    private void wrongAddress() {
        code.add(
                Opcode.MOV,
                Field.DST,
                SCRATCH,
                Field.SRC_B,
                Playground.GLOBAL_16,
                Field.QUAD_LANES,
                RandomInstructions.ALL_QUAD_LANES);
        code.add(
                Opcode.MOV,
                Field.DST,
                SCRATCH + 1,
                Field.SRC_B,
                Playground.GLOBAL_16 + 1,
                Field.QUAD_LANES,
                RandomInstructions.ALL_QUAD_LANES);
        long elsewhere =
                switch (random.nextInt(4)) {
                    case 0 -> Playground.NOTHING;
                    // At the greatest distance from the page's start that an offset can reach back.
                    case 1 -> Playground.READ_ONLY + 0x400;
                    case 2 -> Playground.READ_ONLY + TestGpu.PAGE_BYTES - Integer.BYTES;
                    default -> 0;
                };
        int chosen = choice();
        if (elsewhere == 0) {
            code.when(chosen);
            code.add(
                    Opcode.IADD,
                    Field.DST,
                    SCRATCH,
                    Field.SRC_A,
                    SCRATCH,
                    Field.IMMEDIATE,
                    1 + random.nextInt(15));
            code.add(instructions.memoryAt(SCRATCH));
            return;
        }
        code.when(chosen).load(SCRATCH, (int) elsewhere);
        code.when(chosen).load(SCRATCH + 1, (int) (elsewhere >>> Integer.SIZE));
        code.add(instructions.memoryAt(SCRATCH));
    }

    private void wrongOffset() {
        int size = random.nextInt(MemorySize.values().length);
        int offset = random.nextBoolean() ? 1 + random.nextInt(3) : 1 << 16;
        switch (random.nextInt(3)) {
            case 0 ->
                    code.add(
                            Opcode.LDS,
                            Field.DST,
                            instructions.target() & -4,
                            Field.SRC_A,
                            random.nextBoolean() ? Playground.SHARED_4 : Playground.SHARED_16,
                            Field.OFFSET,
                            offset,
                            Field.SIZE,
                            size);
            case 1 ->
                    code.add(
                            Opcode.STL,
                            Field.DATA,
                            instructions.source() & -4,
                            Field.SRC_A,
                            instructions.source(),
                            Field.SIZE,
                            size);
            default ->
                    code.add(
                            Opcode.LDC,
                            Field.DST,
                            instructions.target() & -4,
                            Field.SRC_A,
                            instructions.source(),
                            Field.B_BANK,
                            Playground.BANK,
                            Field.SIZE,
                            size);
        }
    }

    private void wrongControl() {
        some();
        // Kernels with barriers contain no branch with which some warps could skip a barrier.
        switch (random.nextInt(hasBarriers ? 4 : 5)) {
            case 0 -> code.add(Opcode.BRK);
            case 1 -> code.add(Opcode.RET);
            case 2 -> code.joining().add(Opcode.NOP);
            case 3 -> code.add(Opcode.BRA, Field.TARGET, 1 << 20);
            default -> code.add(Opcode.BRX, Field.SRC_A, instructions.source());
        }
    }

    private void endlessCalls() {
        String loop = label();
        code.label(loop);
        run(2);
        code.to(loop, Opcode.CAL);
    }
}
