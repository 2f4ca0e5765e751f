package io.gpuvm.softgpu.sm;

import java.util.Collections;

/// Loop of arithmetic, as a kernel and as plain Java over arrays with one element per thread. All
/// forms execute the same operations in the same order, with bit-identical results.
enum ArithmeticLoop {
    INTEGER_4(
            4,
            ArithmeticLoop.INTEGER_SHORT,
            1,
            (s, rounds) -> IntegerLoops.arrays4(s.a(), s.b(), rounds),
            (s, rounds) -> IntegerLoops.threads4(s.a(), s.b(), rounds)),
    INTEGER_10(
            10,
            ArithmeticLoop.INTEGER,
            1,
            (s, rounds) -> IntegerLoops.arrays10(s.a(), s.b(), rounds),
            (s, rounds) -> IntegerLoops.threads10(s.a(), s.b(), rounds)),
    INTEGER_20(
            20,
            ArithmeticLoop.INTEGER,
            2,
            (s, rounds) -> IntegerLoops.arrays20(s.a(), s.b(), rounds),
            (s, rounds) -> IntegerLoops.threads20(s.a(), s.b(), rounds)),
    INTEGER_40(
            40,
            ArithmeticLoop.INTEGER,
            4,
            (s, rounds) -> IntegerLoops.arrays40(s.a(), s.b(), rounds),
            (s, rounds) -> IntegerLoops.threads40(s.a(), s.b(), rounds)),
    FLOAT_4(
            4,
            ArithmeticLoop.FLOAT_SHORT,
            1,
            (s, rounds) -> FloatLoops.arrays4(s.f(), s.g(), rounds),
            (s, rounds) -> FloatLoops.threads4(s.f(), s.g(), rounds)),
    FLOAT_10(
            10,
            ArithmeticLoop.FLOAT,
            1,
            (s, rounds) -> FloatLoops.arrays10(s.f(), s.g(), rounds),
            (s, rounds) -> FloatLoops.threads10(s.f(), s.g(), rounds)),
    FLOAT_20(
            20,
            ArithmeticLoop.FLOAT,
            2,
            (s, rounds) -> FloatLoops.arrays20(s.f(), s.g(), rounds),
            (s, rounds) -> FloatLoops.threads20(s.f(), s.g(), rounds)),
    FLOAT_40(
            40,
            ArithmeticLoop.FLOAT,
            4,
            (s, rounds) -> FloatLoops.arrays40(s.f(), s.g(), rounds),
            (s, rounds) -> FloatLoops.threads40(s.f(), s.g(), rounds)),
    MIXED_4(
            4,
            ArithmeticLoop.MIXED_SHORT,
            1,
            (s, rounds) -> MixedLoops.arrays4(s.a(), s.b(), s.f(), s.g(), rounds),
            (s, rounds) -> MixedLoops.threads4(s.a(), s.b(), s.f(), s.g(), rounds)),
    MIXED_10(
            10,
            ArithmeticLoop.MIXED,
            1,
            (s, rounds) -> MixedLoops.arrays10(s.a(), s.b(), s.f(), s.g(), rounds),
            (s, rounds) -> MixedLoops.threads10(s.a(), s.b(), s.f(), s.g(), rounds)),
    MIXED_20(
            20,
            ArithmeticLoop.MIXED,
            2,
            (s, rounds) -> MixedLoops.arrays20(s.a(), s.b(), s.f(), s.g(), rounds),
            (s, rounds) -> MixedLoops.threads20(s.a(), s.b(), s.f(), s.g(), rounds)),
    MIXED_40(
            40,
            ArithmeticLoop.MIXED,
            4,
            (s, rounds) -> MixedLoops.arrays40(s.a(), s.b(), s.f(), s.g(), rounds),
            (s, rounds) -> MixedLoops.threads40(s.a(), s.b(), s.f(), s.g(), rounds));

    /// Loop in Java.
    interface Form {
        void run(ThreadState state, int rounds);
    }

    static final int MULTIPLIER = 0x3039;
    static final int ADDEND = 1;
    static final int MASK = 0xff;

    /// Start of a kernel. R0 to R3: a thread's values; R4: rounds; R5 to R9: constants of the loop.
    private static final String START =
            """
            S2R R0, SR_TID.X
            ISCADD R16, R0, c[0x0][0x0], 0x4
            MOV R17, c[0x0][0x4]
            LD.E.128 R0, [R16]
            MOV32I R5, 0x3039
            MOV32I R6, 0x1
            MOV32I R7, 0x3f000000
            MOV32I R8, 0x3e800000
            MOV32I R9, 0x32800000
            MOV R4, RZ
            loop:
            """;

    private static final String END =
            """
            IADD R4, R4, 0x1
            ISETP.LT P0, R4, %#x
            @P0 BRA loop
            ST.E.128 [R16], R0
            EXIT
            """;

    private static final String INTEGER_SHORT =
            """
            IMAD R0, R0, R5, R6
            SHR.U32 R10, R0, 0xf
            LOP.XOR R1, R1, R10
            IADD R1, R1, R0
            """;

    private static final String INTEGER =
            INTEGER_SHORT
                    + """
                    SHL R10, R1, 0x7
                    LOP.XOR R0, R0, R10
                    IMAD R1, R1, R5, R0
                    LOP.AND R10, R1, 0xff
                    IADD R0, R0, R10
                    IADD R0, R0, -R1
                    """;

    private static final String FLOAT_SHORT =
            """
            FFMA R2, R2, R7, R8
            FFMA R3, R3, R8, R2
            FFMA R2, R2, R8, R3
            FFMA R3, R3, R7, R8
            """;

    private static final String FLOAT =
            FLOAT_SHORT
                    + """
                    FMUL R11, R2, R8
                    FADD R3, R3, -R11
                    FFMA R2, R3, R8, R11
                    FADD R11, R2, R3
                    FFMA R3, R11, R8, R3
                    FFMA R2, R11, R8, R2
                    """;

    private static final String MIXED_SHORT =
            """
            IMAD R0, R0, R5, R6
            FFMA R2, R2, R7, R8
            LOP.XOR R1, R1, R0
            FFMA R3, R3, R8, R2
            """;

    private static final String MIXED =
            MIXED_SHORT
                    + """
                    SHR.U32 R10, R0, 0x8
                    IADD R0, R0, R10
                    I2F.F32.S32 R11, R10
                    FFMA R2, R11, R9, R2
                    FMUL R3, R3, R7
                    IADD R1, R1, R0
                    """;

    private final int instructions;
    private final String body;
    private final Form arrays;
    private final Form threads;

    ArithmeticLoop(int instructions, String part, int parts, Form arrays, Form threads) {
        this.instructions = instructions;
        this.arrays = arrays;
        this.threads = threads;
        body = String.join("", Collections.nCopies(parts, part));
    }

    /// Returns the number of the kernel's instructions per round, without the three that count
    /// rounds.
    int instructions() {
        return instructions;
    }

    /// Returns the kernel as assembler text. Its values are read from the address in constant bank
    /// 0, in the layout of [ThreadState#words()], and are written to the same address.
    String text(int rounds) {
        return START + body + END.formatted(rounds);
    }

    /// Returns the Java form with a loop over the threads in each round.
    Form arrays() {
        return arrays;
    }

    /// Returns the Java form with a loop of rounds for each thread.
    Form threads() {
        return threads;
    }
}
