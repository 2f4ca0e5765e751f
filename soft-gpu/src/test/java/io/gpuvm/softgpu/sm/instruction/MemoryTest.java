package io.gpuvm.softgpu.sm.instruction;

import static io.gpuvm.softgpu.sm.instruction.Bench.DATA;
import static io.gpuvm.softgpu.sm.instruction.Words.bits;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.softgpu.sm.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of loads, stores, atomic operations and fences, in every size and address space.
class MemoryTest {
    private static final Bench BENCH = new Bench();
    private static final int WORD = 0x84f3_927f;
    private static final String[] SIZES = {".U8", ".S8", ".U16", ".S16", ""};
    private static final int[] LOADED = {0x7f, 0x7f, 0x927f, 0xffff_927f, WORD};
    private static final int[] UPPER_LOADED = {0x92, 0xffff_ff92, 0x84f3, 0xffff_84f3, 0};
    private static final int[] UPPER_OFFSETS = {1, 1, 2, 2, 0};

    @AfterAll
    static void close() {
        BENCH.close();
    }

    static List<InstructionCase> cases() {
        List<InstructionCase> cases = new ArrayList<>();
        loads(cases);
        stores(cases);
        spaces(cases);
        constants(cases);
        locks(cases);
        reductions(cases);
        atomics(cases);
        wideAtomics(cases);
        controls(cases);
        return cases;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void givenInstructionCase_whenRunInAllEncodings_thenRegistersAndDataEqualCase(
            InstructionCase instructions) {
        BENCH.check(instructions);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LD R16, [R0+0x1]",
                "LD.64 R16, [R0+0x4]",
                "LD.128 R16, [R0+0x8]",
                "LD.U16 R16, [R0+0x1]",
                "ST R16, [R0]",
                "LDS R16, [0x1000]",
                "LDL R16, [0x100]",
                "LDC R16, c[0x3][0x0]",
                "RED.ADD [R0+0x2], R1",
                "LDS R16, [0x2]",
                "LD.E R16, [R4]",
            })
    void givenInvalidAddress_whenInstructionIsExecuted_thenWarpTraps(String text) {
        String code = text.startsWith("ST") ? "ST [R0+0x1], R16" : text;
        assertEquals(
                Outcome.TRAPPED, BENCH.outcome(code, new int[] {DATA, 1, 2, 3, DATA, 1}), code);
    }

    private static void loads(List<InstructionCase> cases) {
        for (String load : new String[] {"LD", "LD.CG", "LD.CS", "LD.CV", "LDU"}) {
            for (int i = 0; i < SIZES.length; i++) {
                String text = load + SIZES[i] + " R16, [R0+0x10]";
                cases.add(InstructionCase.of(text).data(0x10, WORD).with(DATA).gives(LOADED[i]));
                cases.add(
                        InstructionCase.of(
                                        "* "
                                                + load.replaceFirst("LDU?", "$0.E")
                                                + SIZES[i]
                                                + " R16, [R0+-0x10]")
                                .data(0x10, WORD)
                                .with(DATA + 0x20 + UPPER_OFFSETS[i], 0)
                                .gives(i == 4 ? WORD : UPPER_LOADED[i]));
            }
            InstructionCase wide =
                    InstructionCase.of(
                            "* " + load + ".64 R16, [R0]", "* " + load + ".128 R20, [R0]");
            cases.add(quad(wide).with(DATA).gives(1, 2, 0, 0, 1, 2, 3, 4));
        }
        InstructionCase gather = InstructionCase.of("LD R16, [R0]");
        for (int i = 0; i < 64; i++) {
            gather.data(0x400 + 4 * i, i * i)
                    .with(DATA + 0x400 + 4 * (i * 37 % 64))
                    .gives((i * 37 % 64) * (i * 37 % 64));
        }
        cases.add(gather);
        cases.add(
                InstructionCase.of("* LD RZ, [R0]", "MOV R16, RZ").data(0, 77).with(DATA).gives(0));
        cases.add(InstructionCase.of("LD R16, [0x500010]").data(0x10, 55).with(0).gives(55));
        cases.add(InstructionCase.of("MOV R16, R1", "@!PT LD R16, [RZ]").with(0, 9).gives(9));
    }

    private static InstructionCase quad(InstructionCase instructions) {
        for (int i = 0; i < 4; i++) {
            instructions.data(4 * i, i + 1);
        }
        return instructions;
    }

    private static void stores(List<InstructionCase> cases) {
        int[] left = {0xffff_ff7f, 0xffff_ff7f, 0xffff_927f, 0xffff_927f, WORD};
        for (String store : new String[] {"ST", "ST.CG", "ST.CS", "ST.WT"}) {
            for (int i = 0; i < SIZES.length; i++) {
                cases.add(
                        InstructionCase.of(store + SIZES[i] + " [R0+0x10], R1")
                                .data(0x10, -1)
                                .with(DATA, WORD)
                                .gives(0)
                                .leaves(0x10, left[i]));
                cases.add(
                        InstructionCase.of(
                                        store.replaceFirst("ST", "$0.E") + SIZES[i] + " [R0], R2")
                                .data(0x10, -1)
                                .with(DATA + 0x10, 0, WORD)
                                .gives(0)
                                .leaves(0x10, left[i]));
            }
            cases.add(
                    InstructionCase.of(
                                    "* " + store + ".64 [R0], R2",
                                    "* " + store + ".128 [R0+0x10], R4")
                            .with(DATA, 0, 1, 2, 3, 4, 5, 6)
                            .gives(0)
                            .leaves(0, 1)
                            .leaves(4, 2)
                            .leaves(0x10, 3)
                            .leaves(0x14, 4)
                            .leaves(0x18, 5)
                            .leaves(0x1c, 6));
        }
        cases.add(
                InstructionCase.of("* ST [R0], RZ", "* ST.64 [R0+0x8], RZ")
                        .data(0, -1)
                        .data(8, -1)
                        .data(12, -1)
                        .with(DATA)
                        .gives(0)
                        .leaves(0, 0)
                        .leaves(8, 0)
                        .leaves(12, 0));
    }

    /// Adds accesses to shared and local memory, also through generic addresses; each thread has
    /// separate local memory.
    private static void spaces(List<InstructionCase> cases) {
        for (int i = 0; i < SIZES.length; i++) {
            String size = SIZES[i];
            cases.add(
                    InstructionCase.of("STS [R0+0x20], R1", "* LDS" + size + " R16, [R0+0x20]")
                            .with(0x40, WORD)
                            .gives(LOADED[i]));
            cases.add(
                    InstructionCase.of("STL [R0+0x20], R1", "* LDL" + size + " R16, [R0+0x20]")
                            .with(0x40, WORD)
                            .gives(LOADED[i]));
            cases.add(
                    InstructionCase.of(
                                    "STS [R0], R2", "* STS" + size + " [R0], R1", "LDS R16, [R0]")
                            .with(0x40, WORD, -1)
                            .gives(
                                    new int[] {
                                                0xffff_ff7f,
                                                0xffff_ff7f,
                                                0xffff_927f,
                                                0xffff_927f,
                                                WORD
                                            }
                                            [i]));
            cases.add(
                    InstructionCase.of(
                                    "STL [R0], R2", "* STL" + size + " [R0], R1", "LDL R16, [R0]")
                            .with(0x40, WORD, -1)
                            .gives(
                                    new int[] {
                                                0xffff_ff7f,
                                                0xffff_ff7f,
                                                0xffff_927f,
                                                0xffff_927f,
                                                WORD
                                            }
                                            [i]));
        }
        for (String space : new String[] {"S", "L"}) {
            cases.add(
                    InstructionCase.of(
                                    "* ST" + space + ".128 [R0], R4",
                                    "* LD" + space + ".128 R16, [R0]",
                                    "LD" + space + ".64 R20, [R0+0x8]")
                            .with(0x40, 0, 0, 0, 1, 2, 3, 4)
                            .gives(1, 2, 3, 4, 3, 4));
        }
        InstructionCase own =
                InstructionCase.of(
                        "STL [0x8], R0",
                        "LDL R16, [0x8]",
                        "MOV32I R1, 0x%x".formatted(Bench.LOCAL_WINDOW + 8),
                        "LD R17, [R1]",
                        "ST [R1], R2",
                        "LDL R18, [0x8]");
        InstructionCase shared =
                InstructionCase.of(
                        "S2R R3, SR_TID.X",
                        "SHL R3, R3, 0x2",
                        "STS [R3], R0",
                        "BAR.SYNC 0",
                        "LOP32I.XOR R3, R3, 0xfc",
                        "LDS R16, [R3]",
                        "MOV32I R1, 0x%x".formatted(Bench.SHARED_WINDOW),
                        "IADD R1, R1, R3",
                        "LD R17, [R1]");
        for (int i = 0; i < 64; i++) {
            own.with(i, 0, i + 100).gives(i, i, i + 100);
            shared.with(i * 3).gives((63 - i) * 3, (63 - i) * 3);
        }
        cases.add(own);
        cases.add(shared);
    }

    private static void constants(List<InstructionCase> cases) {
        for (int i = 0; i < SIZES.length; i++) {
            cases.add(
                    InstructionCase.of("LDC" + SIZES[i] + " R16, c[0x0][R0+0x10]")
                            .constant(0x50, WORD)
                            .with(0x40)
                            .gives(LOADED[i]));
        }
        cases.add(
                InstructionCase.of("* LDC.64 R16, c[0x0][0x60]", "* LDC.128 R20, c[0x0][R0+-0x20]")
                        .constant(0x60, 1)
                        .constant(0x64, 2)
                        .constant(0x68, 3)
                        .constant(0x6c, 4)
                        .with(0x80)
                        .gives(1, 2, 0, 0, 1, 2, 3, 4));
        InstructionCase each = InstructionCase.of("LDC R16, c[0x0][R0]");
        for (int i = 0; i < 32; i++) {
            each.constant(0x200 + 4 * i, i * 7).with(0x200 + 4 * (31 - i)).gives((31 - i) * 7);
        }
        cases.add(each);
    }

    /// Adds an addition under a lock: the thread with the lock adds its number, and the other
    /// threads try again.
    private static void locks(List<InstructionCase> cases) {
        InstructionCase shared =
                InstructionCase.of(
                        "STS [0x80], RZ",
                        "BAR.SYNC 0",
                        "SSY done",
                        "again:",
                        "* LDSLK P0, R1, [0x80]",
                        "@P0 IADD R1, R1, R0",
                        "* @P0 STSUL [0x80], R1",
                        "@!P0 BRA again",
                        "NOP.S",
                        "done:",
                        "BAR.SYNC 0",
                        "LDS R16, [0x80]");
        for (int i = 0; i < 96; i++) {
            shared.with(i).gives(95 * 96 / 2);
        }
        cases.add(shared);
    }

    private static void reductions(List<InstructionCase> cases) {
        String[] names = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR"};
        int[] after = {
            7 + 0xffff_fff0, 7, 0xffff_fff0, 8, 6, 7 & 0xffff_fff0, 0xffff_fff7, 7 ^ 0xffff_fff0
        };
        for (int i = 0; i < names.length; i++) {
            cases.add(
                    InstructionCase.of("RED." + names[i] + " [R0+0x4], R1")
                            .data(4, 7)
                            .with(DATA, 0xffff_fff0)
                            .gives(0)
                            .leaves(4, after[i]));
            cases.add(
                    InstructionCase.of("RED.E." + names[i] + " [R2+0x4], R1")
                            .data(4, 7)
                            .with(0, 0xffff_fff0, DATA, 0)
                            .gives(0)
                            .leaves(4, after[i]));
        }
        cases.add(
                InstructionCase.of("RED.INC [R0], R1")
                        .data(0, 9)
                        .with(DATA, 9)
                        .gives(0)
                        .leaves(0, 0));
        cases.add(
                InstructionCase.of("RED.DEC [R0], R1")
                        .data(0, 0)
                        .with(DATA, 9)
                        .gives(0)
                        .leaves(0, 9));
        cases.add(
                InstructionCase.of("RED.DEC [R0], R1")
                        .data(0, 10)
                        .with(DATA, 9)
                        .gives(0)
                        .leaves(0, 9));
        cases.add(
                InstructionCase.of("RED.ADD.64 [R0], R2")
                        .data(0, -1)
                        .data(4, 5)
                        .with(DATA, 0, 1, 1)
                        .gives(0)
                        .leaves(0, 0)
                        .leaves(4, 7));
        cases.add(
                InstructionCase.of("RED.ADD.S32 [R0], R1")
                        .data(0, Integer.MAX_VALUE)
                        .with(DATA, 1)
                        .gives(0)
                        .leaves(0, Integer.MIN_VALUE));
        cases.add(
                InstructionCase.of("RED.MIN.S32 [R0], R1")
                        .data(0, 7)
                        .with(DATA, -16)
                        .gives(0)
                        .leaves(0, -16));
        cases.add(
                InstructionCase.of("RED.MAX.S32 [R0], R1")
                        .data(0, 7)
                        .with(DATA, -16)
                        .gives(0)
                        .leaves(0, 7));
        cases.add(
                InstructionCase.of("RED.ADD.F32.FTZ.RN [R0], R1")
                        .data(0, bits(1.5f))
                        .with(DATA, bits(0.1f))
                        .gives(0)
                        .leaves(0, bits(1.5f + 0.1f)));
        InstructionCase many = InstructionCase.of("RED.ADD [R0], R1").data(0, 0);
        InstructionCase manyFloats = InstructionCase.of("RED.ADD.F32.FTZ.RN [R0], R1").data(0, 0);
        for (int i = 0; i < 256; i++) {
            many.with(DATA, i).gives(0);
            manyFloats.with(DATA, bits(i)).gives(0);
        }
        cases.add(many.leaves(0, 255 * 128));
        cases.add(manyFloats.leaves(0, bits(255 * 128)));
    }

    private static void atomics(List<InstructionCase> cases) {
        String[] names = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH"};
        int[] after = {
            7 + 0xffff_fff0,
            7,
            0xffff_fff0,
            8,
            6,
            7 & 0xffff_fff0,
            0xffff_fff7,
            7 ^ 0xffff_fff0,
            0xffff_fff0
        };
        for (int i = 0; i < names.length; i++) {
            cases.add(
                    InstructionCase.of("ATOM." + names[i] + " R16, [R0+-0x4], R1")
                            .data(4, 7)
                            .with(DATA + 8, 0xffff_fff0)
                            .gives(7)
                            .leaves(4, after[i]));
            cases.add(
                    InstructionCase.of("ATOM.E." + names[i] + " R16, [R2+0x4], R1")
                            .data(4, 7)
                            .with(0, 0xffff_fff0, DATA, 0)
                            .gives(7)
                            .leaves(4, after[i]));
        }
        cases.add(
                InstructionCase.of("ATOM.CAS R16, [R0], R1, R2")
                        .data(0, 7)
                        .with(DATA, 7, 9)
                        .gives(7)
                        .leaves(0, 9));
        cases.add(
                InstructionCase.of("ATOM.CAS R16, [R0], R1, R2")
                        .data(0, 7)
                        .with(DATA, 8, 9)
                        .gives(7)
                        .leaves(0, 7));
        cases.add(
                InstructionCase.of("ATOM.ADD.S32 R16, [R0], R1")
                        .data(0, 7)
                        .with(DATA, -9)
                        .gives(7)
                        .leaves(0, -2));
        cases.add(
                InstructionCase.of("ATOM.MIN.S32 R16, [R0], R1")
                        .data(0, 7)
                        .with(DATA, -9)
                        .gives(7)
                        .leaves(0, -9));
        cases.add(
                InstructionCase.of("ATOM.MAX.S32 R16, [R0], R1")
                        .data(0, 7)
                        .with(DATA, -9)
                        .gives(7)
                        .leaves(0, 7));
        cases.add(
                InstructionCase.of("ATOM.ADD.F32.FTZ.RN R16, [R0], R1")
                        .data(0, bits(0.25f))
                        .with(DATA, bits(0.5f))
                        .gives(bits(0.25f))
                        .leaves(0, bits(0.75f)));
        cases.add(
                InstructionCase.of("* ATOM.ADD.F32.FTZ.RN R16, [R0], R1")
                        .data(0, bits(1.0e-40f))
                        .with(DATA, bits(-1.0e-40f))
                        .gives(bits(1.0e-40f))
                        .leaves(0, 0));
        // Every thread gets a different number.
        InstructionCase tickets =
                InstructionCase.of(
                                "ATOM.ADD R1, [R0], R2",
                                "ISCADD R1, R1, R0, 0x2",
                                "ST [R1+0x10], R3")
                        .data(0, 0);
        for (int i = 0; i < 128; i++) {
            tickets.with(DATA, 0, 1, 5).gives(0).leaves(0x10 + 4 * i, 5);
        }
        cases.add(tickets.leaves(0, 128));
    }

    private static void wideAtomics(List<InstructionCase> cases) {
        cases.add(
                InstructionCase.of("ATOM.ADD.64 R16, [R0], R2")
                        .data(0, -1)
                        .data(4, 5)
                        .with(DATA, 0, 1, 1)
                        .gives(-1, 5)
                        .leaves(0, 0)
                        .leaves(4, 7));
        cases.add(
                InstructionCase.of("ATOM.EXCH.64 R16, [R0], R2")
                        .data(0, 1)
                        .data(4, 2)
                        .with(DATA, 0, 3, 4)
                        .gives(1, 2)
                        .leaves(0, 3)
                        .leaves(4, 4));
        cases.add(
                InstructionCase.of("ATOM.CAS.64 R16, [R0], R2, R4")
                        .data(0, 1)
                        .data(4, 2)
                        .with(DATA, 0, 1, 2, 8, 9)
                        .gives(1, 2)
                        .leaves(0, 8)
                        .leaves(4, 9));
        cases.add(
                InstructionCase.of("ATOM.E.CAS.64 R16, [R0], R2, R4")
                        .data(0, 1)
                        .data(4, 2)
                        .with(DATA, 0, 1, 3, 8, 9)
                        .gives(1, 2)
                        .leaves(0, 1)
                        .leaves(4, 2));
    }

    private static void controls(List<InstructionCase> cases) {
        for (String level : new String[] {"CTA", "GL", "SYS"}) {
            cases.add(
                    InstructionCase.of("ST [R0], R1", "* MEMBAR." + level, "LD R16, [R0]")
                            .with(DATA, 6)
                            .gives(6)
                            .leaves(0, 6));
        }
        for (String operation :
                new String[] {"QRY1", "PF1", "PF1.5", "PF2", "WB", "IV", "IVALL", "RS"}) {
            cases.add(
                    InstructionCase.of(
                                    "ST [R0], R1",
                                    "* CCTL." + operation + " RZ, [R0]",
                                    "* CCTLL." + operation + " RZ, [R2]",
                                    "LD R16, [R0]")
                            .with(DATA, 8, 0)
                            .gives(8)
                            .leaves(0, 8));
        }
    }
}
