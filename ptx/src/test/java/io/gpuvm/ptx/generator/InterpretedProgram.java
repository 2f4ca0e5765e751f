package io.gpuvm.ptx.generator;

import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.interpreter.PtxMachine;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// Execution of a random program by the interpreter.
public final class InterpretedProgram {
    private static final int MEMORY_BYTES = 1 << 20;

    private InterpretedProgram() {}

    /// Returns the output of all threads, followed by the results of atomic operations.
    ///
    /// @throws io.gpuvm.ptx.interpreter.MachineFault if the program has an error
    public static byte[] run(RandomProgram program, PtxModule module) {
        PtxMachine machine = new PtxMachine(module, MEMORY_BYTES);
        byte[] input = program.input();
        int outputBytes = program.allThreads() * RandomProgram.OUTPUT_BYTES;
        long in = machine.allocate(input.length);
        long out = machine.allocate(outputBytes);
        long sums = machine.allocate(RandomProgram.SUM_BYTES);
        machine.write(in, input);
        byte[] arguments =
                ByteBuffer.allocate(RandomProgram.ARGUMENTS * Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(in)
                        .putLong(out)
                        .putLong(sums)
                        .array();
        machine.launch(
                RandomProgram.KERNEL,
                PtxMachine.Size.of(program.blocks()),
                PtxMachine.Size.of(program.threads()),
                0,
                arguments);
        byte[] output =
                Arrays.copyOf(
                        machine.read(out, outputBytes), outputBytes + RandomProgram.SUM_BYTES);
        System.arraycopy(
                machine.read(sums, RandomProgram.SUM_BYTES),
                0,
                output,
                outputBytes,
                RandomProgram.SUM_BYTES);
        return output;
    }
}
