package io.gpuvm.ptx.build;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.build.FunctionCompiler.CompiledFunction;
import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Checkpoint;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Textures that functions read: by their own instructions, or by those of functions that they may
/// call. A launch binds those of its kernel.
final class TextureUse {
    private final Program program;

    /// Slots by function.
    private final Map<PtxFunction, BitSet> slots = new IdentityHashMap<>();

    private final Map<PtxSymbol, PtxFunction> functions = new HashMap<>();
    private final Map<PtxFunction, Set<PtxFunction>> callers = new IdentityHashMap<>();

    /// Functions that may call every function.
    private final Set<PtxFunction> callersOfAny = newSet();

    private final Deque<PtxFunction> changed = new ArrayDeque<>();

    TextureUse(Program program, List<CompiledFunction> compiled) {
        this.program = program;
        boolean any = false;
        for (CompiledFunction each : compiled) {
            slots.put(each.source(), (BitSet) each.textures().clone());
            any |= !each.textures().isEmpty();
        }
        if (any) {
            compiled.forEach(each -> functions.put(each.source().header(), each.source()));
            compiled.forEach(each -> addCalls(each.source()));
            changed.addAll(slots.keySet());
            propagate();
        }
    }

    /// Returns the slots that the instructions of a function contain.
    static BitSet of(Function function) {
        BitSet used = new BitSet();
        for (Block block : function.blocks()) {
            for (IrInstruction instruction : block.instructions()) {
                if (instruction.is(Opcode.TLD)) {
                    used.set(instruction.modifiers().get(Field.TEXTURE));
                }
            }
        }
        return used;
    }

    private void addCalls(PtxFunction caller) {
        for (PtxInstruction instruction : caller.code()) {
            for (PtxOperand operand : instruction.sources()) {
                if (operand instanceof PtxOperand.Call call) {
                    addCall(caller, call);
                }
            }
        }
    }

    private void addCall(PtxFunction caller, PtxOperand.Call call) {
        if (call.target() instanceof PtxOperand.Address(PtxSymbol callee, long _)) {
            addCaller(callee, caller);
        } else if (call.candidates().isEmpty()) {
            callersOfAny.add(caller);
        } else {
            for (PtxFunctionHeader candidate : call.candidates()) {
                addCaller(candidate, caller);
            }
        }
    }

    private void addCaller(PtxSymbol callee, PtxFunction caller) {
        PtxFunction function = functions.get(program.definition(callee));
        if (function != null) {
            callers.computeIfAbsent(function, _ -> newSet()).add(caller);
        }
    }

    private static Set<PtxFunction> newSet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private void propagate() {
        BitSet ofAny = new BitSet();
        while (!changed.isEmpty()) {
            Checkpoint.current().pass();
            PtxFunction function = changed.remove();
            BitSet used = slots.get(function);
            callers.getOrDefault(function, Set.of()).forEach(caller -> add(caller, used));
            if (!function.header().kernel()) {
                int before = ofAny.cardinality();
                ofAny.or(used);
                if (ofAny.cardinality() > before) {
                    callersOfAny.forEach(caller -> add(caller, ofAny));
                }
            }
        }
    }

    private void add(PtxFunction caller, BitSet more) {
        BitSet known = slots.get(caller);
        int before = known.cardinality();
        known.or(more);
        if (known.cardinality() > before) {
            changed.add(caller);
        }
    }

    /// Returns the slots of the textures that a function may read.
    BitSet slots(PtxFunction function) {
        return slots.get(function);
    }
}
