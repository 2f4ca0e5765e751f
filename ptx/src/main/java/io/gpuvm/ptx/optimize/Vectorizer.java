package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Replaces loads of consecutive words by loads of 64 or 128 bits, and stores likewise, where the
/// computation of the address shows that it is aligned.
///
/// Loads take the place of the first of them, stores that of the last. No other access lies between
/// that could make a difference: none that writes between loads, and none at all between stores.
final class Vectorizer {
    /// Maximum number of instructions between the first and the last load that are replaced: their
    /// results occupy registers for longer.
    private static final int REACH = 24;

    private static final int QUAD_BYTES = 16;
    private static final int PAIR_BYTES = 8;

    /// Accesses that differ in their offsets only.
    private record Kind(Opcode opcode, IrOperand base, Modifiers modifiers) {}

    /// Access at an index of the block's instructions.
    private record Access(int index, IrInstruction instruction) {}

    private final Function function;
    private final Map<Kind, List<Access>> open = new LinkedHashMap<>();

    /// Instructions that take the place of another, by index in the block.
    private final Map<Integer, List<IrInstruction>> replacements = new HashMap<>();

    private final Set<Integer> removed = new HashSet<>();

    private Vectorizer(Function function) {
        this.function = function;
    }

    static void apply(Function function) {
        Vectorizer pass = new Vectorizer(function);
        for (Block block : function.blocks()) {
            pass.apply(block);
        }
    }

    private void apply(Block block) {
        List<IrInstruction> instructions = block.instructions();
        for (int i = 0; i < instructions.size(); i++) {
            IrInstruction instruction = instructions.get(i);
            boolean joins = canJoin(instruction);
            boolean writes = isStore(instruction);
            if (!joins && touchesMemory(instruction)) {
                close();
            }
            if (!joins) {
                continue;
            }
            // An open list has loads of several kinds, or stores of one kind.
            Kind kind = kind(instruction);
            boolean isOther =
                    !open.isEmpty()
                            && (writes
                                    || isStore(
                                            open.values().iterator().next().getFirst().instruction))
                            && !open.containsKey(kind);
            if (isOther) {
                close();
            }
            open.computeIfAbsent(kind, _ -> new ArrayList<>()).add(new Access(i, instruction));
        }
        close();
        if (!replacements.isEmpty()) {
            rebuild(block);
        }
    }

    private void rebuild(Block block) {
        List<IrInstruction> code = new ArrayList<>(block.instructions().size());
        for (int i = 0; i < block.instructions().size(); i++) {
            code.addAll(replacements.getOrDefault(i, List.of()));
            if (!removed.contains(i)) {
                code.add(block.instructions().get(i));
            }
        }
        block.instructions(code);
        replacements.clear();
        removed.clear();
    }

    private static boolean isStore(IrInstruction instruction) {
        return instruction.pseudo() == null
                && switch (instruction.opcode()) {
                    case ST, STS, STL -> true;
                    default -> false;
                };
    }

    private static boolean canJoin(IrInstruction instruction) {
        if (instruction.pseudo() != null
                || instruction.find(Slot.GUARD) != null
                || instruction.isVolatile()) {
            return false;
        }
        return switch (instruction.opcode()) {
            case LD, LDS, LDL, ST, STS, STL -> bytes(instruction) > 0;
            default -> false;
        };
    }

    private static boolean touchesMemory(IrInstruction instruction) {
        if (instruction.pseudo() != null) {
            return false;
        }
        return switch (instruction.opcode()) {
            case LD, LDS, LDL, LDU, LDSLK -> true;
            default -> Effects.isNeeded(instruction);
        };
    }

    /// Returns the number of bytes of an access, or 0 if it cannot be joined with others.
    private static int bytes(IrInstruction instruction) {
        return switch (MemorySize.values()[instruction.modifiers().get(Field.SIZE)]) {
            case B32 -> Integer.BYTES;
            case B64 -> Long.BYTES;
            default -> 0;
        };
    }

    private static int offset(Access access) {
        return access.instruction.modifiers().get(Field.OFFSET);
    }

    private static Kind kind(IrInstruction instruction) {
        return new Kind(
                instruction.opcode(),
                instruction.operand(Slot.A),
                instruction.modifiers().with(Field.OFFSET, 0));
    }

    private void close() {
        open.values().forEach(this::join);
        open.clear();
    }

    private void join(List<Access> accesses) {
        if (accesses.size() < 2) {
            return;
        }
        IrInstruction first = accesses.getFirst().instruction;
        int zeros = Alignment.zeros(first.operand(Slot.A));
        TreeMap<Integer, Access> byOffset = new TreeMap<>();
        for (Access access : accesses) {
            if (byOffset.put(offset(access), access) != null && isStore(first)) {
                // Of two stores to one word, the last must remain the last.
                return;
            }
        }
        int size = bytes(first);
        for (int width = QUAD_BYTES; width > size; width -= PAIR_BYTES) {
            if (1 << Math.min(zeros, QUAD_BYTES) < width) {
                continue;
            }
            for (int start : List.copyOf(byOffset.keySet())) {
                List<Access> run = run(byOffset, start, width, size);
                if (run != null) {
                    run.forEach(access -> byOffset.remove(offset(access)));
                    replace(run, width);
                }
            }
        }
    }

    /// Returns the accesses to the parts of an aligned range, or null if there is none to a part.
    private static List<Access> run(
            TreeMap<Integer, Access> byOffset, int start, int width, int size) {
        if (start % width != 0) {
            return null;
        }
        List<Access> run = new ArrayList<>();
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int at = start; at < start + width; at += size) {
            Access access = byOffset.get(at);
            if (access == null) {
                return null;
            }
            run.add(access);
            least = Math.min(least, access.index);
            most = Math.max(most, access.index);
        }
        return most - least <= REACH ? run : null;
    }

    private void replace(List<Access> run, int width) {
        IrInstruction first = run.getFirst().instruction;
        MemorySize size = width == QUAD_BYTES ? MemorySize.B128 : MemorySize.B64;
        IrInstruction joined =
                IrInstruction.of(first.opcode(), first.modifiers().with(Field.SIZE, size))
                        .line(first.line())
                        .use(Slot.A, first.operand(Slot.A));
        Value whole = function.wide(width / Integer.BYTES);
        List<IrInstruction> code = new ArrayList<>();
        int at;
        if (isStore(first)) {
            at = run.stream().mapToInt(Access::index).max().orElseThrow();
            IrInstruction combination = IrInstruction.of(Pseudo.COMBINE).define(whole);
            for (Access access : run) {
                parts(access.instruction, combination, code);
            }
            code.add(combination);
            code.add(joined.use(Slot.DATA, whole));
        } else {
            at = run.stream().mapToInt(Access::index).min().orElseThrow();
            code.add(joined.define(whole));
            int word = 0;
            for (Access access : run) {
                Value result = access.instruction.result();
                code.add(
                        IrInstruction.of(Pseudo.EXTRACT)
                                .use(Slot.PART, whole)
                                .index(word)
                                .define(result));
                word += result.words();
            }
        }
        replacements.computeIfAbsent(at, _ -> new ArrayList<>()).addAll(code);
        run.forEach(access -> removed.add(access.index));
    }

    /// Adds the words of a store's data to a combination.
    private void parts(IrInstruction store, IrInstruction combination, List<IrInstruction> code) {
        Use data = store.find(Slot.DATA);
        int words = bytes(store) / Integer.BYTES;
        if (words == 1) {
            combination.use(Slot.PART, data.operand());
            return;
        }
        for (int i = 0; i < words; i++) {
            if (!(data.operand() instanceof Value pair)) {
                combination.use(Slot.PART, IrOperand.Literal.ZERO);
            } else if (pair.definition().is(Pseudo.COMBINE)) {
                combination.use(Slot.PART, pair.definition().uses().get(i).operand());
            } else {
                Value word = function.word();
                code.add(
                        IrInstruction.of(Pseudo.EXTRACT)
                                .use(Slot.PART, pair)
                                .index(i)
                                .define(word));
                combination.use(Slot.PART, word);
            }
        }
    }
}
