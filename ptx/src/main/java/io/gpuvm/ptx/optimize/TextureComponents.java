package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// Restricts fetches of texels to the components that the program uses, so that they occupy fewer
/// registers.
final class TextureComponents {
    private static final int PAIR = 2;

    private final Function function;

    /// Mask of the used components, by texel of a fetch.
    private final Map<Value, Integer> used = new HashMap<>();

    /// Texels with other uses than the extraction of components.
    private final Set<Value> whole = new HashSet<>();

    private final Map<Value, Value> narrowed = new HashMap<>();
    private final Substitution substitution;

    private TextureComponents(Function function) {
        this.function = function;
        substitution = new Substitution(function);
    }

    /// Expects a function without unused instructions.
    static void apply(Function function) {
        TextureComponents pass = new TextureComponents(function);
        if (pass.find()) {
            function.blocks().forEach(pass::narrow);
            function.blocks().forEach(pass::renumber);
            pass.substitution.apply();
        }
    }

    private boolean find() {
        for (Block block : function.blocks()) {
            for (IrInstruction instruction : block.instructions()) {
                if (instruction.is(Opcode.TLD) && instruction.find(Slot.KEPT) == null) {
                    used.put(instruction.result(), 0);
                }
            }
        }
        if (used.isEmpty()) {
            return false;
        }
        for (Block block : function.blocks()) {
            block.phis().forEach(this::count);
            block.instructions().forEach(this::count);
        }
        return true;
    }

    private void count(IrInstruction instruction) {
        for (Use use : instruction.uses()) {
            if (use.value() == null || !used.containsKey(use.value())) {
                continue;
            }
            if (instruction.is(Pseudo.EXTRACT)) {
                used.merge(use.value(), 1 << instruction.index(), (a, b) -> a | b);
            } else {
                whole.add(use.value());
            }
        }
    }

    private void narrow(Block block) {
        for (IrInstruction instruction : block.instructions()) {
            Integer mask = instruction.is(Opcode.TLD) ? used.get(instruction.result()) : null;
            if (mask == null || whole.contains(instruction.result())) {
                continue;
            }
            int words = Integer.bitCount(mask);
            if (words == 0 || words > PAIR) {
                continue;
            }
            Value texel = instruction.result();
            Value fresh = words == PAIR ? function.wide(PAIR) : function.word();
            narrowed.put(texel, fresh);
            instruction.modifiers(instruction.modifiers().with(Field.COMPONENTS, mask));
            instruction.results().clear();
            instruction.define(fresh);
        }
    }

    private void renumber(Block block) {
        block.instructions()
                .removeIf(instruction -> {
                    if (!instruction.is(Pseudo.EXTRACT)) {
                        return false;
                    }
                    Value texel = instruction.uses().getFirst().value();
                    Value fresh = narrowed.get(texel);
                    if (fresh == null) {
                        return false;
                    }
                    if (fresh.words() == 1) {
                        substitution.replace(instruction.result(), fresh);
                        return true;
                    }
                    int before = used.get(texel) & (1 << instruction.index()) - 1;
                    instruction.index(Integer.bitCount(before));
                    instruction.replace(Slot.PART, fresh);
                    return false;
                });
    }
}
