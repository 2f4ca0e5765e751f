package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Bench.DATA;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Instructions with two loads, in every valid pair of sizes.
class PairedLoadTest {
    private static final Bench BENCH = new Bench();
    private static final int[] PATTERN = {
        0x84f3_927f, 0x0102_0304, 0xfffe_fdfc, 0x8000_7fff, 17, -18, 19, 0x1234_5678
    };
    private static final int AREA = 0x40;
    private static final int RESULTS = 8;
    private static final String CLEAR =
            "MOV R16, RZ\nMOV R17, RZ\nMOV R18, RZ\nMOV R19, RZ\n"
                    + "MOV R20, RZ\nMOV R21, RZ\nMOV R22, RZ\nMOV R23, RZ";

    /// Size of an access: its name, number of bytes and signedness.
    private record Size(String name, int bytes, boolean signed) {}

    private static final List<Size> SIZES =
            List.of(
                    new Size("U8", 1, false),
                    new Size("S8", 1, true),
                    new Size("U16", 2, false),
                    new Size("S16", 2, true),
                    new Size("32", 4, false),
                    new Size("64", 8, false),
                    new Size("128", 16, false));

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        for (Size first : SIZES) {
            for (Size second : SIZES) {
                if (exists(first, second)) {
                    cases.add(global(first, second));
                    cases.add(wide(first, second));
                    cases.add(shared(first, second));
                }
            }
        }
        cases.add(
                data(InstructionCase.of("* LD_LDU.32.32 R4, R16, [R0+0x0], [R4]", "MOV R17, R4"))
                        .with(DATA + AREA, 0, 0, 0, DATA + AREA + 4)
                        .gives(PATTERN[1], PATTERN[0]));
        cases.add(
                data(InstructionCase.of("* LD_LDU.32.32 R16, R0, [R0+0x0], [R4]", "MOV R17, R0"))
                        .with(DATA + AREA, 0, 0, 0, DATA + AREA + 4)
                        .gives(PATTERN[0], PATTERN[1]));
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    private static boolean exists(Size first, Size second) {
        return switch (first.bytes) {
            case 1, 2 -> second.bytes <= 4;
            case 4 -> true;
            case 8 -> second.bytes >= 4;
            default -> second.bytes == 4 || second.bytes == 8;
        };
    }

    private static InstructionCase global(Size first, Size second) {
        String text = "* LD_LDU.%s.%s R16, R20, [R0+0x%x], [R1-0x%x]";
        return data(InstructionCase.of(CLEAR, text(text, first, second)))
                .with(DATA + AREA - first.bytes, DATA + AREA + 16 + second.bytes)
                .gives(results(0, first, 16, second));
    }

    private static InstructionCase wide(Size first, Size second) {
        String text = "* LD_LDU.E.%s.E.%s R16, R20, [R0+0x%x], [R2-0x%x]";
        return data(InstructionCase.of(CLEAR, text(text, first, second)))
                .with(DATA + AREA + 16 - first.bytes, 0, DATA + AREA + second.bytes, 0)
                .gives(results(16, first, 0, second));
    }

    /// Returns a case whose first load reads the four inputs that the case has stored to shared
    /// memory.
    private static InstructionCase shared(Size first, Size second) {
        String text = "* LDS_LDU.%s.E.%s R16, R20, [R0+0x%x], [R2-0x%x]";
        return data(InstructionCase.of(CLEAR, "STS.128 [0x80], R4", text(text, first, second)))
                .with(
                        0x80 - first.bytes,
                        0,
                        DATA + AREA + 16 + second.bytes,
                        0,
                        PATTERN[0],
                        PATTERN[1],
                        PATTERN[2],
                        PATTERN[3])
                .gives(results(0, first, 16, second));
    }

    private static String text(String text, Size first, Size second) {
        return text.formatted(first.name, second.name, first.bytes, second.bytes);
    }

    private static InstructionCase data(InstructionCase instructions) {
        for (int i = 0; i < PATTERN.length; i++) {
            instructions.data(AREA + i * Integer.BYTES, PATTERN[i]);
        }
        return instructions;
    }

    private static int[] results(int firstOffset, Size first, int secondOffset, Size second) {
        int[] results = new int[RESULTS];
        load(firstOffset, first, results, 0);
        load(secondOffset, second, results, 4);
        return results;
    }

    private static void load(int offset, Size size, int[] results, int at) {
        ByteBuffer bytes =
                ByteBuffer.allocate(PATTERN.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(PATTERN);
        switch (size.bytes) {
            case 1 -> results[at] = size.signed ? bytes.get(offset) : bytes.get(offset) & 0xff;
            case 2 ->
                    results[at] =
                            size.signed ? bytes.getShort(offset) : bytes.getShort(offset) & 0xffff;
            default -> {
                for (int i = 0; i < size.bytes / Integer.BYTES; i++) {
                    results[at + i] = bytes.getInt(offset + i * Integer.BYTES);
                }
            }
        }
    }
}
