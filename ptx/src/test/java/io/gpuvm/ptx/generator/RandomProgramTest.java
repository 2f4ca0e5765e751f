package io.gpuvm.ptx.generator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.Sources;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Tests of the generator: its programs are valid and terminate, and equal seeds give equal
/// programs.
class RandomProgramTest {
    private static final int PROGRAMS = 100;

    @Test
    void givenSeeds_whenProgramsAreInterpreted_thenAllEndWithOutput() {
        Set<PtxOpcode> used = EnumSet.noneOf(PtxOpcode.class);
        for (int seed = 0; seed < PROGRAMS; seed++) {
            RandomProgram program =
                    seed % 2 == 0
                            ? ProgramWriter.write(seed, 60)
                            : ProgramWriter.writeForNewerTarget(seed, 60);
            PtxModule module = Sources.module(program.source());
            byte[] output = InterpretedProgram.run(program, module);
            assertFalse(Arrays.equals(output, new byte[output.length]), program.source());
            for (PtxFunction function : module.functions()) {
                function.code().stream().map(PtxInstruction::opcode).forEach(used::add);
            }
        }
        assertTrue(used.size() > 55, used::toString);
    }

    @Test
    void givenEqualSeeds_whenProgramsAreWritten_thenProgramsAreEqual() {
        assertEquals(ProgramWriter.write(7, 100), ProgramWriter.write(7, 100));
        assertArrayEquals(ProgramWriter.write(7, 100).input(), ProgramWriter.write(7, 100).input());
    }
}
