package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterArray;
import java.util.ArrayList;
import java.util.List;

/// Register table of the units under test, accessed as by a driver.
public final class RegisterBench {
    final List<String> log = new ArrayList<>();
    public final UndeclaredAccesses undeclared =
            new UndeclaredAccesses(
                    (offset, written) -> log.add(UndeclaredAccesses.text(offset, written)));
    private final List<Unit> units;
    private final RegisterTable table;

    public RegisterBench(Unit... units) {
        this.units = List.of(units);
        RegisterTable.Builder builder = RegisterTable.builder(undeclared);
        this.units.forEach(builder::unit);
        table = builder.build();
    }

    public int read(Register register) {
        return read(register.offset());
    }

    public int read(RegisterArray registers, int index) {
        return read(registers.at(index));
    }

    public int read(int offset) {
        return (int) table.read(offset, Register.BYTES);
    }

    public void write(Register register, int value) {
        write(register.offset(), value);
    }

    public void write(RegisterArray registers, int index, int value) {
        write(registers.at(index), value);
    }

    public void write(int offset, int value) {
        table.write(offset, Register.BYTES, value);
    }

    public void writeByte(int offset, int value) {
        table.write(offset, Byte.BYTES, value);
    }

    public long read(int offset, int width) {
        return table.read(offset, width);
    }

    public void write(int offset, int width, long value) {
        table.write(offset, width, value);
    }

    public void reset() {
        table.reset();
        units.forEach(Unit::reset);
    }
}
