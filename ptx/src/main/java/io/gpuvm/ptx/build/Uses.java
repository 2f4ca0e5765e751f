package io.gpuvm.ptx.build;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxReference;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxVariable;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Symbols that code and initial values use.
final class Uses {
    private Uses() {}

    /// Returns the names of all symbols that a module uses.
    static Set<String> names(PtxModule module) {
        Set<String> names = new LinkedHashSet<>();
        for (PtxFunction function : module.functions()) {
            symbols(function).forEach(symbol -> names.add(symbol.name()));
        }
        for (PtxVariable variable : module.variables()) {
            for (PtxReference reference : variable.references()) {
                names.add(reference.symbol());
            }
        }
        return names;
    }

    /// Returns the position of an instruction that uses a name, or of the start of the source.
    static SourcePosition position(PtxModule module, String name) {
        for (PtxFunction function : module.functions()) {
            for (PtxInstruction instruction : function.code()) {
                Set<PtxSymbol> symbols = new LinkedHashSet<>();
                add(instruction.sources(), symbols);
                if (symbols.stream().anyMatch(symbol -> symbol.name().equals(name))) {
                    return instruction.position();
                }
            }
        }
        return new SourcePosition(1, 1);
    }

    /// Returns the symbols that a function uses, in the order of their first use.
    static Set<PtxSymbol> symbols(PtxFunction function) {
        Set<PtxSymbol> symbols = new LinkedHashSet<>();
        for (PtxInstruction instruction : function.code()) {
            add(instruction.sources(), symbols);
        }
        return symbols;
    }

    private static void add(List<PtxOperand> operands, Set<PtxSymbol> symbols) {
        for (PtxOperand operand : operands) {
            switch (operand) {
                case PtxOperand.Memory memory when memory.variable() != null ->
                        symbols.add(memory.variable());
                case PtxOperand.Address address -> symbols.add(address.symbol());
                case PtxOperand.Image(PtxOperand.Address address) -> symbols.add(address.symbol());
                case PtxOperand.Call call -> {
                    add(List.of(call.target()), symbols);
                    symbols.addAll(call.candidates());
                }
                default -> {}
            }
        }
    }

    /// Returns whether a function has an instruction with an opcode.
    static boolean has(PtxFunction function, PtxOpcode opcode) {
        return function.code().stream().anyMatch(one -> one.opcode() == opcode);
    }
}
