package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Modules for tests.
final class Cubins {
    private Cubins() {}

    static MemorySegment bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }

    /// Returns a module with at least one instance of every part.
    static Cubin everything(ElfClass width) {
        CubinFunction scale =
                new CubinFunction(
                        "scale",
                        true,
                        bytes(1, 2, 3, 4, 5, 6, 7, 8),
                        14,
                        2,
                        1024,
                        64,
                        new CubinFunction.Stack(16, 48, 3),
                        ConstantSection.PARAMETERS,
                        12,
                        List.of(new KernelParameter(0, 0, 8), new KernelParameter(1, 8, 4)),
                        List.of(
                                new ConstantSection(ConstantSection.DRIVER, bytes(new int[44])),
                                new ConstantSection(ConstantSection.LITERALS, bytes(9, 8, 7, 6))),
                        List.of(new TextureSlot("weights", 3), new TextureSlot("vector", 255)),
                        List.of());
        return new Cubin(
                20,
                20,
                width,
                List.of(scale, empty("helper", false), empty("plain", true)),
                List.of(new ConstantSection(ConstantSection.USER, bytes(1, 0, 0, 0, 2, 0, 0, 0))),
                256,
                bytes(42, 43),
                1,
                List.of(
                        new DataSymbol("factor", DataSymbol.Space.CONSTANT, 2, 4, 4),
                        new DataSymbol("table", DataSymbol.Space.GLOBAL, 0, 128, 128),
                        new DataSymbol("start", DataSymbol.Space.GLOBAL_INIT, 0, 0, 2)),
                List.of());
    }

    /// Returns a module with one function only.
    static Cubin of(CubinFunction function) {
        return new Cubin(
                20,
                20,
                ElfClass.ELF64,
                List.of(function),
                List.of(),
                0,
                bytes(),
                1,
                List.of(),
                List.of());
    }

    static CubinFunction empty(String name, boolean kernel) {
        return new CubinFunction(
                name,
                kernel,
                bytes(new int[8]),
                2,
                0,
                0,
                0,
                CubinFunction.Stack.NONE,
                ConstantSection.PARAMETERS,
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }
}
