package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterArray;
import java.util.ArrayList;
import java.util.List;

/// Some units in a register table, accessed as a driver does.
final class RegisterBench {
    final List<String> log = new ArrayList<>();
    final UndeclaredAccesses undeclared = new UndeclaredAccesses(log::add);
    private final List<Unit> units;
    private final RegisterTable table;

    RegisterBench(Unit... units) {
        this.units = List.of(units);
        RegisterTable.Builder builder = RegisterTable.builder(undeclared);
        this.units.forEach(builder::unit);
        table = builder.build();
    }

    int read(Register register) {
        return read(register.offset());
    }

    int read(RegisterArray registers, int index) {
        return read(registers.at(index));
    }

    int read(int offset) {
        return (int) table.read(offset, Register.BYTES);
    }

    void write(Register register, int value) {
        write(register.offset(), value);
    }

    void write(RegisterArray registers, int index, int value) {
        write(registers.at(index), value);
    }

    void write(int offset, int value) {
        table.write(offset, Register.BYTES, value);
    }

    void writeByte(int offset, int value) {
        table.write(offset, Byte.BYTES, value);
    }

    long read(int offset, int width) {
        return table.read(offset, width);
    }

    void write(int offset, int width, long value) {
        table.write(offset, width, value);
    }

    void reset() {
        table.reset();
        units.forEach(Unit::reset);
    }
}
