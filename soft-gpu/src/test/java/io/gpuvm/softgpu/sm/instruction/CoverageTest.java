package io.gpuvm.softgpu.sm.instruction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Coverage of the instruction table: every form has a test.
class CoverageTest {
    private static final String NOT_GENERATED =
            "no compiler generates it, and its effect is not publicly documented";

    /// Operations whose forms need no test of their effect, with the reason.
    private static final Map<Opcode, String> UNTESTED =
            Map.of(
                    Opcode.RTT, "returns from a trap handler, and no API installs one",
                    Opcode.LDLK, NOT_GENERATED,
                    Opcode.STUL, NOT_GENERATED,
                    Opcode.B2R, NOT_GENERATED);

    @Test
    void givenInstructionTable_whenAllCasesAreCollected_thenEveryFormIsTested() {
        Set<Form> tested = new HashSet<>();
        Stream.of(
                        IntegerTest.cases(),
                        LogicTest.cases(),
                        FloatTest.cases(),
                        DoubleTest.cases(),
                        MultiFunctionTest.cases(),
                        ConversionTest.cases(),
                        MoveTest.cases(),
                        VideoTest.cases(),
                        MemoryTest.cases(),
                        TextureTest.cases(),
                        PairedLoadTest.cases(),
                        ControlTest.cases())
                .flatMap(List::stream)
                .forEach(instructions -> tested.addAll(Encodings.tested(instructions)));
        List<String> missing =
                InstructionTable.forms().stream()
                        .filter(form ->
                                !tested.contains(form) && !UNTESTED.containsKey(form.opcode()))
                        .map(Form::toString)
                        .toList();
        assertEquals("", String.join("\n", missing));
    }
}
