package io.gpuvm.gf100.reg;

import java.util.ArrayList;
import java.util.List;

/// Collection of the registers of one hardware unit, filled while the unit's class is initialized.
/// The block prefixes each name with the unit's name, checks that the definition lies inside the
/// unit's part of BAR0, and records the definition for [RegisterMap].
///
/// A unit class holds its block in a static field and defines all registers through it, so that
/// every defined register is in the map.
final class RegisterBlock {
    private final String name;
    private final int first;
    private final int end;
    private final List<RegisterArray> registers = new ArrayList<>();
    private final List<RegisterRange> ranges = new ArrayList<>();

    /// @param name name of the unit and prefix of its registers' names
    /// @param first byte offset in BAR0 where the unit starts
    /// @param bytes length of the unit's part of BAR0
    RegisterBlock(String name, int first, int bytes) {
        Register.checkOffset(name, first);
        Register.checkOffset(name, first + bytes - Register.BYTES);
        this.name = name;
        this.first = first;
        this.end = first + bytes;
    }

    /// Defines a register.
    Register reg32(String register, int offset) {
        Register defined = Register.reg32(name + '.' + register, offset);
        include(new RegisterArray(defined.name(), offset, Register.BYTES, 1));
        return defined;
    }

    /// Defines identical registers at a fixed distance.
    RegisterArray array(String register, int offset, int stride, int count) {
        RegisterArray defined = new RegisterArray(name + '.' + register, offset, stride, count);
        include(defined);
        return defined;
    }

    /// Defines a run of registers; `stop` is exclusive.
    RegisterRange range(String part, int start, int stop) {
        RegisterRange range = new RegisterRange(name + '.' + part, start, stop);
        include(range);
        return range;
    }

    /// Adds a run that was created elsewhere.
    void include(RegisterRange range) {
        check(range.name(), range.first(), range.end() - Register.BYTES);
        ranges.add(range);
    }

    /// Adds registers that were created elsewhere.
    void include(RegisterArray array) {
        check(array.name(), array.offset(), array.at(array.count() - 1));
        registers.add(array);
    }

    String name() {
        return name;
    }

    int first() {
        return first;
    }

    int end() {
        return end;
    }

    /// Returns the defined registers; a single register is an array with one element.
    List<RegisterArray> registers() {
        return List.copyOf(registers);
    }

    /// Returns the named runs.
    List<RegisterRange> ranges() {
        return List.copyOf(ranges);
    }

    private void check(String register, int lowest, int highest) {
        if (lowest < first || highest >= end) {
            throw new IllegalArgumentException(
                    "register=%s, first=%#x, last=%#x, expected %#x to %#x"
                            .formatted(register, lowest, highest, first, end - Register.BYTES));
        }
    }
}
