package io.gpuvm.ptx.run;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import java.lang.foreign.ValueLayout;
import java.util.EnumMap;
import java.util.Map;

/// Numbers of instructions in the code of a module's functions.
final class CodeShape {
    private final Map<Opcode, Integer> counts = new EnumMap<>(Opcode.class);

    private CodeShape() {}

    static CodeShape of(Cubin cubin) {
        CodeShape shape = new CodeShape();
        for (CubinFunction function : cubin.functions()) {
            for (long word : function.code().toArray(ValueLayout.JAVA_LONG_UNALIGNED)) {
                shape.counts.merge(InstructionTable.find(word).opcode(), 1, Integer::sum);
            }
        }
        return shape;
    }

    int count(Opcode opcode) {
        return counts.getOrDefault(opcode, 0);
    }

    int all() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
