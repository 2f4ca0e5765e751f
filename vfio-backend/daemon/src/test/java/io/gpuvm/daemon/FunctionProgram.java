package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.remote.MappedFunction;

/// Session of the machine's function as one program maps it.
record FunctionProgram(FunctionMachine machine, int session) implements MappedFunction {
    @Override
    public int read(int register) {
        return machine.read(session * FunctionRegisters.PAGE_BYTES + register);
    }

    @Override
    public void write(int register, int value) {
        machine.write(session * FunctionRegisters.PAGE_BYTES + register, value);
    }

    @Override
    public MappedMemory map(long offset, long bytes) {
        long start = Integer.toUnsignedLong(read(FunctionRegisters.START_LO));
        assertEquals(0, read(FunctionRegisters.START_HI));
        return machine.map(start + offset, bytes);
    }

    @Override
    public void close() {
        // The machine stays connected.
    }
}
