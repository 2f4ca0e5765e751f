package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.gpuvm.gf100.isa.Opcode;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("own-mode")
class InterpreterTalliesTest {
    private final InterpreterTallies tallies = new InterpreterTallies();

    @Test
    void givenInterpretedAndCompiledKernels_whenCounted_thenEachInstructionIsCountedOnce() {
        tallies.of(0).interpreted(16);
        tallies.of(1).inCompiled(10);
        tallies.of(1).handOver(Opcode.BAR);
        tallies.of(1).handOver(Opcode.BAR);
        tallies.of(0).handOver(Opcode.TLD);
        tallies.of(0).inCompiled(5);

        assertEquals(Map.of(Opcode.BAR, 2L, Opcode.TLD, 1L), tallies.handedOverByOpcode());
        assertEquals(16 + 3, tallies.interpreted());
        assertEquals(15 - 3, tallies.compiled());
    }

    @Test
    void givenInstructionHandedOverInUnfinishedTurn_whenCounted_thenNoCountIsNegative() {
        tallies.of(0).handOver(Opcode.EXIT);

        assertEquals(1, tallies.interpreted());
        assertEquals(0, tallies.compiled());
    }

    @Test
    void givenMultiprocessorNumber_whenTallyIsRequestedTwice_thenTallyIsSame() {
        assertSame(tallies.of(3), tallies.of(3));
    }

    @Test
    void givenInterpreter_whenBlockEnds_thenInstructionsCountAsInterpretedAndNotAsHandedOver() {
        Kernels kernels = new Kernels(ExecutionMode.INTERPRETER);
        try (TestSm sm = new TestSm(0, kernels)) {
            sm.code("NOP\nNOP\nEXIT").run();
        }

        assertEquals(3, kernels.tallies().interpreted());
        assertEquals(0, kernels.tallies().compiled());
        assertEquals(Map.of(), kernels.tallies().handedOverByOpcode());
    }

    @Test
    void givenCompiledKernel_whenInstructionsAreHandedOver_thenInstructionsAreCountedByOpcode() {
        Kernels kernels = new Kernels(ExecutionMode.COMPILED);
        try (TestSm sm = new TestSm(0, kernels)) {
            sm.code("IADD R1, R2, R3\nBPT.DRAIN 0x0\nBPT.DRAIN 0x0\nEXIT").run();
        }

        InterpreterTallies tallies = kernels.tallies();
        assertEquals(4, tallies.interpreted() + tallies.compiled());
        assertEquals(2L, tallies.handedOverByOpcode().get(Opcode.BPT));
        assertFalse(tallies.handedOverByOpcode().containsKey(Opcode.IADD));
    }

    @Test
    void givenConstantThatNoLaneReads_whenCompiled_thenOtherInstructionsAreNotHandedOver() {
        Kernels kernels = new Kernels(ExecutionMode.COMPILED);
        try (TestSm sm = new TestSm(0, kernels)) {
            sm.code("@P0 MOV R1, c[0x0][0x80]\nIADD R2, R3, R4\nEXIT").run();
        }

        assertEquals(Map.of(Opcode.EXIT, 1L), kernels.tallies().handedOverByOpcode());
    }
}
