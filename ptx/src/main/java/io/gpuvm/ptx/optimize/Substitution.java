package io.gpuvm.ptx.optimize;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Values that replace others in a function.
final class Substitution {
    private final Function function;
    private final Map<Value, Value> replacements = new HashMap<>();

    Substitution(Function function) {
        this.function = function;
    }

    void replace(Value old, Value fresh) {
        replacements.put(old, fresh);
    }

    /// Returns the value that replaces another, or the value itself.
    Value of(Value value) {
        Value found = value;
        for (Value next = replacements.get(found); next != null; next = replacements.get(found)) {
            found = next;
        }
        return found;
    }

    /// Returns the operand that replaces another, or the operand itself.
    IrOperand of(IrOperand operand) {
        return operand instanceof Value value ? of(value) : operand;
    }

    /// Replaces all operands.
    void apply() {
        if (replacements.isEmpty()) {
            return;
        }
        for (Block block : function.blocks()) {
            block.phis().forEach(this::apply);
            block.instructions().forEach(this::apply);
            Value last = block.terminator().value();
            if (last != null && of(last) != last) {
                block.terminator(block.terminator().withValue(of(last)));
            }
        }
    }

    private void apply(IrInstruction instruction) {
        List<Use> uses = instruction.uses();
        for (int i = 0; i < uses.size(); i++) {
            IrOperand operand = uses.get(i).operand();
            if (operand instanceof Value value && of(value) != value) {
                uses.set(i, uses.get(i).with(of(value)));
            }
        }
    }
}
