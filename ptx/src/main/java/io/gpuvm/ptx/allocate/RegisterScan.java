package io.gpuvm.ptx.allocate;

import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Assigns registers in one pass over the blocks, each after its dominator: a value takes a
/// register that is free at its definition and retains it.
///
/// Values that are equal share registers: the parts of a combination, a copy and its source. Hints
/// avoid moves: parts of a combination prefer adjacent registers, operands of a phi the register of
/// its result.
final class RegisterScan {
    /// Signals that no suitable register is free.
    static final class OutOfRegisters extends Exception {
        private static final long serialVersionUID = 1;

        OutOfRegisters() {
            super(null, null, false, false);
        }
    }

    private static final int WORDS = 64;
    private static final int PREDICATES = 8;
    private static final int ZERO = 63;
    private static final int TRUE = 7;
    private static final Value[] NOTHING = {};

    private final Function function;
    private final Liveness live;
    private final int limit;
    private final int reserved;

    /// Number of live values in a register.
    private final int[] words = new int[WORDS];

    private final int[] predicates = new int[PREDICATES];

    /// Combination that a register is intended for.
    private final IrInstruction[] intended = new IrInstruction[WORDS];

    private final IrInstruction[] combinations;
    private final int[] parts;
    private final IrInstruction[] phis;
    private final Value[] extracts;
    private final int[] seen;
    private final List<Value> dying = new ArrayList<>();
    private List<IrInstruction> code = new ArrayList<>();
    private int highest = -1;

    /// @param limit number of registers, at most 63
    /// @param reserved register that is not allocated, or -1
    RegisterScan(Function function, Liveness live, int limit, int reserved) {
        this.function = function;
        this.live = live;
        this.limit = limit;
        this.reserved = reserved;
        int values = function.values();
        combinations = new IrInstruction[values];
        parts = new int[values];
        phis = new IrInstruction[values];
        extracts = new Value[values];
        seen = new int[values];
        findHints();
    }

    private void findHints() {
        for (Block block : function.blocks()) {
            for (IrInstruction phi : block.phis()) {
                phi.result().assign(Value.NONE);
                for (Use use : phi.uses()) {
                    if (use.value() != null) {
                        phis[use.value().id()] = phi;
                    }
                }
            }
            for (IrInstruction instruction : block.instructions()) {
                for (Value result : instruction.results()) {
                    if (!result.isFixed()) {
                        result.assign(Value.NONE);
                    }
                }
                if (instruction.is(Pseudo.COMBINE)) {
                    for (int i = 0; i < instruction.uses().size(); i++) {
                        Value part = instruction.uses().get(i).value();
                        if (part != null && combinations[part.id()] == null) {
                            combinations[part.id()] = instruction;
                            parts[part.id()] = i;
                        }
                    }
                } else if (instruction.is(Pseudo.EXTRACT)) {
                    extracts[instruction.uses().getFirst().value().id()] = instruction.result();
                }
            }
        }
        findHintsOfPhis();
    }

    /// Makes operands of a phi prefer the registers that its result prefers as part of a
    /// combination.
    private void findHintsOfPhis() {
        for (Block block : function.blocks()) {
            for (IrInstruction phi : block.phis()) {
                IrInstruction combination = combinations[phi.result().id()];
                for (Use use : phi.uses()) {
                    Value value = use.value();
                    if (combination != null && value != null && combinations[value.id()] == null) {
                        combinations[value.id()] = combination;
                        parts[value.id()] = parts[phi.result().id()];
                    }
                }
            }
        }
    }

    /// Assigns all registers, and replaces phis and combinations with moves.
    ///
    /// @return number of general registers
    int run() throws OutOfRegisters {
        List<List<IrInstruction>> fresh = new ArrayList<>();
        for (Block block : function.blocks()) {
            // The values that are live at a block's start are not proportional to its instructions.
            function.checkpoint();
            code = new ArrayList<>(block.instructions().size() + 4);
            scan(block);
            fresh.add(code);
        }
        for (Block block : function.blocks()) {
            block.instructions(fresh.get(block.index()));
        }
        for (Block block : function.blocks()) {
            function.checkpoint();
            resolvePhis(block);
        }
        return highest + 1;
    }

    private void scan(Block block) throws OutOfRegisters {
        Arrays.fill(words, 0);
        Arrays.fill(predicates, 0);
        Arrays.fill(intended, null);
        if (reserved >= 0) {
            words[reserved] = 1;
        }
        live.in(block).forEach(this::occupy);
        for (IrInstruction phi : block.phis()) {
            place(phi.result(), choose(phi.result()));
        }
        List<IrInstruction> instructions = block.instructions();
        Value[][] kills = kills(block);
        for (IrInstruction phi : block.phis()) {
            if (!isSeen(phi.result(), block)) {
                release(phi.result());
            }
        }
        for (int i = 0; i < instructions.size(); i++) {
            scan(instructions.get(i), kills[i]);
        }
    }

    private boolean isSeen(Value value, Block block) {
        return seen[value.id()] == block.index() + 1;
    }

    /// Finds the values whose last use is an instruction; the first element of a row is a result
    /// without uses.
    private Value[][] kills(Block block) {
        int stamp = block.index() + 1;
        for (Value value : live.out(block)) {
            seen[value.id()] = stamp;
        }
        Value last = block.terminator().value();
        if (last != null && !last.isFixed()) {
            seen[last.id()] = stamp;
        }
        List<IrInstruction> instructions = block.instructions();
        Value[][] kills = new Value[instructions.size()][];
        for (int i = kills.length - 1; i >= 0; i--) {
            IrInstruction instruction = instructions.get(i);
            for (Value result : instruction.results()) {
                if (!result.isFixed() && seen[result.id()] != stamp) {
                    dying.add(result);
                }
            }
            for (Use use : instruction.uses()) {
                Value value = use.value();
                if (value != null && !value.isFixed() && seen[value.id()] != stamp) {
                    seen[value.id()] = stamp;
                    dying.add(value);
                }
            }
            kills[i] = dying.isEmpty() ? NOTHING : dying.toArray(NOTHING);
            dying.clear();
        }
        return kills;
    }

    private void scan(IrInstruction instruction, Value[] kills) throws OutOfRegisters {
        if (instruction.is(Pseudo.COPY) || instruction.is(Pseudo.EXTRACT)) {
            share(instruction, kills);
            return;
        }
        if (instruction.is(Pseudo.COMBINE)) {
            combine(instruction, kills);
            return;
        }
        Use kept = instruction.find(Slot.KEPT);
        if (kept != null && kept.value() != null) {
            keep(instruction, kept.value(), kills);
        }
        releaseSources(instruction, kills);
        for (Value result : instruction.results()) {
            if (result.isFixed()) {
                continue;
            }
            if (contains(kills, result)) {
                if (result.register() == Value.NONE || kept == null) {
                    result.assign(result.isWord() ? ZERO : TRUE);
                }
            } else if (kept != null && kept.value() != null && result == instruction.result()) {
                occupy(result);
            } else {
                place(result, choose(result));
            }
        }
        code.add(instruction);
    }

    private static boolean contains(Value[] values, Value wanted) {
        for (Value value : values) {
            if (value == wanted) {
                return true;
            }
        }
        return false;
    }

    private void releaseSources(IrInstruction instruction, Value[] kills) {
        for (Value value : kills) {
            if (value.definition() != instruction) {
                release(value);
            }
        }
    }

    private void share(IrInstruction instruction, Value[] kills) {
        Value source = instruction.uses().getFirst().value();
        Value result = instruction.result();
        int index = instruction.index();
        result.assign(source.register() + index);
        occupy(result);
        for (Value value : kills) {
            release(value);
        }
    }

    /// Assigns the result the register of the former contents, or a copy of it.
    private void keep(IrInstruction instruction, Value former, Value[] kills)
            throws OutOfRegisters {
        Value result = instruction.result();
        int[] counts = former.isWord() ? words : predicates;
        boolean dies = contains(kills, former);
        for (int i = 0; i < former.words(); i++) {
            dies &= counts[former.register() + i] == 1;
        }
        if (dies) {
            result.assign(former.register());
            return;
        }
        int register = choose(result);
        ParallelCopy copies = new ParallelCopy(former.kind(), WORDS);
        for (int i = 0; i < former.words(); i++) {
            copies.add(register + i, former.register() + i);
        }
        code.addAll(copies.sequence());
        result.assign(register);
        note(result);
    }

    private void combine(IrInstruction instruction, Value[] kills) throws OutOfRegisters {
        Value result = instruction.result();
        List<Use> uses = instruction.uses();
        releaseSources(instruction, kills);
        for (int r = 0; r < limit; r++) {
            if (intended[r] == instruction) {
                intended[r] = null;
            }
        }
        int best = -1;
        int inPlace = 0;
        for (int i = 0; i < uses.size(); i++) {
            Value part = uses.get(i).value();
            int base = part == null ? -1 : part.register() - i;
            int matches = base < 0 ? 0 : matches(uses, base);
            if (matches > inPlace) {
                best = base;
                inPlace = matches;
            }
        }
        place(result, best >= 0 ? best : choose(result));
        ParallelCopy copies = new ParallelCopy(Value.Kind.WORD, WORDS);
        for (int i = 0; i < uses.size(); i++) {
            switch (uses.get(i).operand()) {
                case Value part -> copies.add(result.register() + i, part.register());
                case IrOperand.Literal literal -> copies.add(result.register() + i, literal);
                default -> throw new IllegalStateException("operand of " + instruction);
            }
        }
        code.addAll(copies.sequence());
        if (contains(kills, result)) {
            release(result);
        }
    }

    /// Returns the number of parts that are in place if the combination starts at a register, or 0
    /// if it cannot.
    private int matches(List<Use> uses, int base) {
        if (base % uses.size() != 0 || base + uses.size() > limit) {
            return 0;
        }
        int matches = 0;
        for (int i = 0; i < uses.size(); i++) {
            Value part = uses.get(i).value();
            if (part != null && part.register() == base + i) {
                matches++;
            } else if (words[base + i] != 0) {
                return 0;
            }
        }
        return matches;
    }

    private void place(Value value, int register) {
        value.assign(register);
        occupy(value);
        note(value);
    }

    private void note(Value value) {
        if (value.isWord()) {
            highest = Math.max(highest, value.register() + value.words() - 1);
        }
    }

    private void occupy(Value value) {
        count(value, 1);
    }

    private void release(Value value) {
        count(value, -1);
    }

    private void count(Value value, int change) {
        switch (value.kind()) {
            case WORD -> {
                for (int i = 0; i < value.words(); i++) {
                    if (value.register() + i < ZERO) {
                        words[value.register() + i] += change;
                    }
                }
            }
            case PREDICATE -> predicates[value.register()] += change;
            case CARRY -> {}
        }
    }

    private int choose(Value value) throws OutOfRegisters {
        int found =
                switch (value.kind()) {
                    case WORD -> chooseWord(value);
                    case PREDICATE -> choosePredicate(value);
                    case CARRY -> 0;
                };
        if (found < 0) {
            throw new OutOfRegisters();
        }
        return found;
    }

    private int choosePredicate(Value value) {
        int hint = related(value);
        if (hint >= 0 && hint < TRUE && predicates[hint] == 0) {
            return hint;
        }
        for (int p = 0; p < TRUE; p++) {
            if (predicates[p] == 0) {
                return p;
            }
        }
        return -1;
    }

    private int chooseWord(Value value) {
        IrInstruction phi = phis[value.id()];
        if (phi != null && isFree(phi.result().register(), value.words())) {
            return phi.result().register();
        }
        int shared = related(value);
        boolean isShared = isFree(shared, value.words());
        if (isShared && suitsCombination(value, shared)) {
            return shared;
        }
        int hint = value.words() == 1 ? besideParts(value) : likeExtract(value);
        if (hint >= 0) {
            return hint;
        }
        return isShared ? shared : lowest(value.words());
    }

    /// Returns a register of another value of the same phi, or [Value#NONE].
    private int related(Value value) {
        IrInstruction phi =
                value.definition().is(Pseudo.PHI) ? value.definition() : phis[value.id()];
        if (phi == null) {
            return Value.NONE;
        }
        if (phi.result() != value && phi.result().register() != Value.NONE) {
            return phi.result().register();
        }
        for (Use use : phi.uses()) {
            Value other = use.value();
            if (other != null && other != value && other.register() != Value.NONE) {
                return other.register();
            }
        }
        return Value.NONE;
    }

    /// Returns whether a value in a register can be part of its combination without a move, if it
    /// has one.
    private boolean suitsCombination(Value value, int register) {
        IrInstruction combination = combinations[value.id()];
        return combination == null
                || (register - parts[value.id()]) % combination.uses().size() == 0;
    }

    /// Returns a register that makes the word adjacent to the other parts of its combination, or
    /// -1.
    private int besideParts(Value value) {
        IrInstruction combination = combinations[value.id()];
        if (combination == null) {
            return -1;
        }
        int part = parts[value.id()];
        int count = combination.uses().size();
        for (int i = 0; i < count; i++) {
            Value other = combination.uses().get(i).value();
            if (other != null && other != value && other.register() != Value.NONE) {
                int base = other.register() - i;
                if (base >= 0 && base % count == 0 && isFree(base + part, 1)) {
                    return base + part;
                }
            }
        }
        for (int base = 0; base + count <= limit; base += count) {
            if (intended[base + part] == combination && isFree(base + part, 1)) {
                return base + part;
            }
        }
        int base = lowest(count);
        if (base < 0) {
            return -1;
        }
        for (int i = 0; i < count; i++) {
            intended[base + i] = combination;
        }
        return base + part;
    }

    /// Returns the registers at which a word of the value needs no move to its phi, or -1.
    private int likeExtract(Value value) {
        Value word = extracts[value.id()];
        IrInstruction phi = word == null ? null : phis[word.id()];
        if (phi == null || phi.result().register() == Value.NONE) {
            return -1;
        }
        int base = phi.result().register() - word.definition().index();
        return base >= 0 && isFree(base, value.words()) ? base : -1;
    }

    private boolean isFree(int register, int count) {
        if (register < 0 || register % count != 0 || register + count > limit) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (words[register + i] != 0) {
                return false;
            }
        }
        return true;
    }

    /// Returns the lowest free registers, or -1. A single word prefers a register whose neighbour
    /// is in use, and that no combination is intended for.
    private int lowest(int count) {
        int second = -1;
        int third = -1;
        for (int r = 0; r + count <= limit; r += count) {
            if (!isFree(r, count)) {
                continue;
            }
            boolean isIntended = false;
            for (int i = 0; i < count; i++) {
                isIntended |= intended[r + i] != null;
            }
            if (isIntended) {
                third = third < 0 ? r : third;
            } else if (count > 1 || words[r ^ 1] != 0) {
                return r;
            } else {
                second = second < 0 ? r : second;
            }
        }
        return second >= 0 ? second : third;
    }

    private void resolvePhis(Block block) {
        List<IrInstruction> phis = block.phis();
        if (phis.isEmpty()) {
            return;
        }
        for (int i = 0; i < block.predecessors().size(); i++) {
            for (Value.Kind kind : List.of(Value.Kind.WORD, Value.Kind.PREDICATE)) {
                ParallelCopy copies = null;
                for (IrInstruction phi : phis) {
                    if (phi.result().kind() == kind) {
                        copies = copies == null ? new ParallelCopy(kind, WORDS) : copies;
                        copy(phi, i, copies);
                    }
                }
                if (copies != null) {
                    copies.sequence().forEach(block.predecessors().get(i)::add);
                }
            }
        }
        phis.clear();
    }

    private static void copy(IrInstruction phi, int index, ParallelCopy copies) {
        switch (phi.uses().get(index).operand()) {
            case Value value -> copies.add(phi.result().register(), value.register());
            case IrOperand.Literal literal -> copies.add(phi.result().register(), literal);
            default -> throw new IllegalStateException("operand of " + phi);
        }
    }
}
