package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxParameter;
import io.gpuvm.ptx.check.PtxVariable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Places of a function's variables in its frame of local memory, and its meeting points.
///
/// @param offsets offset of each variable from the start of the frame, by index; parameters of a
///   kernel are not in the frame
/// @param bytes size of the frame
record FunctionLayout(
        PtxFunction function,
        FlowGraph graph,
        List<DecodedInstruction> code,
        Map<Integer, Integer> offsets,
        int bytes) {
    private static final int ALIGNMENT = 16;

    static FunctionLayout of(PtxFunction function) {
        Map<Integer, Integer> offsets = new HashMap<>();
        int end = 0;
        for (PtxVariable variable : function.variables()) {
            end = place(variable, end, offsets);
        }
        if (!function.header().kernel()) {
            for (PtxParameter parameter : function.header().signature().parameters()) {
                end = place(parameter.variable(), end, offsets);
            }
            for (PtxParameter parameter : function.header().signature().results()) {
                end = place(parameter.variable(), end, offsets);
            }
        }
        return new FunctionLayout(
                function,
                new FlowGraph(function),
                function.code().stream().map(DecodedInstruction::new).toList(),
                offsets,
                align(end, ALIGNMENT));
    }

    private static int place(PtxVariable variable, int end, Map<Integer, Integer> offsets) {
        if (variable == null) {
            return end;
        }
        int offset = align(end, variable.alignment());
        offsets.put(variable.index(), offset);
        return offset + (int) variable.bytes();
    }

    static int align(int value, int alignment) {
        return (value + alignment - 1) / alignment * alignment;
    }
}
