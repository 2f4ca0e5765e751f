package io.gpuvm.ptx.check;

import java.util.ArrayList;
import java.util.List;

/// Registers of a function, numbered in the order of their first use.
final class RegisterList {
    private static final String[] COMPONENTS = {".x", ".y", ".z", ".w"};

    private final List<PtxRegister> registers = new ArrayList<>();

    /// Creates a register, or the registers of a vector.
    ///
    /// @param vector number of components: 1, 2 or 4
    Named create(String name, PtxType type, int vector) {
        if (vector == 1) {
            return scalar(name, type);
        }
        List<Named.Scalar> parts = new ArrayList<>();
        for (int i = 0; i < vector; i++) {
            parts.add(scalar(name + COMPONENTS[i], type));
        }
        return new Named.Components(List.copyOf(parts));
    }

    List<PtxRegister> list() {
        return registers;
    }

    private Named.Scalar scalar(String name, PtxType type) {
        PtxRegister register = new PtxRegister(registers.size(), name, type);
        registers.add(register);
        return new Named.Scalar(register);
    }
}
