package io.gpuvm.ptx.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Tests of the table of instructions: each form accepts the instructions that it describes.
class InstructionTableFormsTest {
    @Test
    void givenEachForm_whenInstructionIsChecked_thenOperationHasItsWords() {
        List<String> samples = FormSamples.all();
        assertTrue(samples.size() > 1_500, "samples=" + samples.size());
        for (String sample : samples) {
            PtxFunction function =
                    Sources.module(FormSamples.source(sample)).functions().getFirst();
            PtxInstruction instruction = function.code().getFirst();
            String text = sample.substring(0, (sample + " ").indexOf(' ')).replace(";", "");
            assertEquals(text, instruction.operation().text());
            long words =
                    Arrays.stream(text.split("\\.")).filter(word -> !word.contains("::")).count();
            assertEquals(
                    words - 1,
                    instruction.operation().types().size()
                            + instruction.operation().modifiers().size(),
                    text);
        }
    }

    @Test
    void givenTable_whenOpcodesAreListed_thenEachOpcodeHasForm() {
        Set<PtxOpcode> opcodes =
                InstructionRules.all().forms().stream()
                        .map(InstructionForm::opcode)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(PtxOpcode.class)));

        assertEquals(EnumSet.allOf(PtxOpcode.class), opcodes);
    }

    @Test
    void givenRefusedInstructions_whenChecked_thenMessageNamesTarget() {
        for (String line : TableReader.lines("refused.txt")) {
            String[] parts = line.split(" ");
            if (parts[0].equals("*")) {
                continue;
            }
            String text = parts[0] + (parts[1].equals("*") ? "" : "." + parts[1]) + ".u17";
            InstructionRules.Found found = InstructionRules.all().find(text, 99, 200, 20);
            assertEquals(text + " needs sm_" + parts[2] + "; this GPU is sm_20", found.problem());
        }
    }

    @Test
    void givenModuleForOlderTarget_whenNewerInstructionIsUsed_thenMessageNamesNeeds() {
        assertEquals(
                List.of("5:1: shf.l.wrap.b32 needs .target sm_32; this module has .target sm_20"),
                Sources.diagnostics(Sources.kernelSource("shf.l.wrap.b32 %r1, %r1, %r1, %r1;")));
        assertEquals(
                List.of("4:13: madc.lo.cc.u64 needs .version 4.3; this module has .version 2.3"),
                Sources.diagnostics(
                        ".version 2.3\n.target sm_20\n.address_size 64\n"
                                + ".entry k() {madc.lo.cc.u64 a, a, a, a;}"));
        assertFalse(
                InstructionRules.all().find("add.cc.u32", 14, 10, 20).rule() == null,
                "carry is part of PTX 1.4");
    }

    @Test
    void givenUpperCaseOpcode_whenChecked_thenMessageSaysThatItIsNoInstruction() {
        assertEquals(
                List.of("5:1: 'ADD': not an instruction"),
                Sources.diagnostics(
                        Sources.kernelSource("add.u32 %r1, 1, 2;".toUpperCase(Locale.ROOT))));
    }
}
