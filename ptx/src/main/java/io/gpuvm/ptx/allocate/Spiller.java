package io.gpuvm.ptx.allocate;

import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.IrInstruction;
import io.gpuvm.ptx.ir.IrOperand;
import io.gpuvm.ptx.ir.Loops;
import io.gpuvm.ptx.ir.Modifiers;
import io.gpuvm.ptx.ir.Pseudo;
import io.gpuvm.ptx.ir.Slot;
import io.gpuvm.ptx.ir.Use;
import io.gpuvm.ptx.ir.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Reduces the number of values that are live at the same time: moves values to local memory, or
/// computes them again before each use. Predicates are moved to general registers.
final class Spiller {
    /// Depth of loops beyond which a use does not cost more.
    private static final int DEEPEST = 5;

    private static final int COST_OF_LOOP = 8;

    /// Ratio of the cost of a load to that of computing a constant again.
    private static final int COST_OF_LOAD = 4;

    private static final Set<Integer> FIXED_SPECIALS =
            Set.of(
                    SpecialRegister.TID_X.code(),
                    SpecialRegister.TID_Y.code(),
                    SpecialRegister.TID_Z.code(),
                    SpecialRegister.CTAID_X.code(),
                    SpecialRegister.CTAID_Y.code(),
                    SpecialRegister.CTAID_Z.code(),
                    SpecialRegister.LANEID.code());

    private final Function function;
    private final Frame frame;
    private final Loops loops;

    /// Values that exist only to be used at once.
    private final BitSet temporary = new BitSet();

    private final Map<Value, Integer> places = new HashMap<>();

    /// All values that have been chosen so far.
    private final Set<Value> spilled = new HashSet<>();

    /// Spilled values that were loaded for phis, by the values loaded.
    private final Map<Value, Value> loadedForPhis = new HashMap<>();

    private Set<Value> chosen = Set.of();
    private double[] costs = {};
    private int[] spans = {};

    Spiller(Function function, Frame frame, Loops loops) {
        this.function = function;
        this.frame = frame;
        this.loops = loops;
    }

    /// Spills values until the limits hold, except at single instructions that need more.
    ///
    /// @return liveness of the changed function
    Liveness reduce(int words, int predicates) {
        Liveness live = Liveness.of(function);
        while (choose(live, words, predicates)) {
            rewrite();
            live = Liveness.of(function);
        }
        return live;
    }

    /// Chooses the values to spill.
    private boolean choose(Liveness live, int words, int predicates) {
        chosen = new LinkedHashSet<>();
        boolean isWeighed = false;
        PressureCheck check = new PressureCheck(function.values(), words, predicates);
        for (Block block : function.blocks()) {
            if (check.holds(block, live)) {
                continue;
            }
            if (!isWeighed) {
                weigh(live);
                isWeighed = true;
            }
            Set<Value> now = new LinkedHashSet<>(live.out(block));
            now.removeAll(chosen);
            if (block.terminator().value() != null) {
                now.add(block.terminator().value());
            }
            Pressure pressure = new Pressure();
            now.forEach(value -> pressure.add(value, 1));
            limit(now, List.of(), pressure, words, predicates);
            List<IrInstruction> instructions = block.instructions();
            for (int i = instructions.size() - 1; i >= 0; i--) {
                IrInstruction instruction = instructions.get(i);
                for (Value result : instruction.results()) {
                    if (now.remove(result)) {
                        pressure.add(result, -1);
                    }
                }
                if (instruction.callee() != null) {
                    for (Value value : List.copyOf(now)) {
                        chosen.add(value);
                        now.remove(value);
                        pressure.add(value, -1);
                    }
                }
                for (Use use : instruction.uses()) {
                    Value value = use.value();
                    if (value != null
                            && !value.isFixed()
                            && !chosen.contains(value)
                            && now.add(value)) {
                        pressure.add(value, 1);
                    }
                }
                Pressure wanted = pressure.with(instruction.results());
                limit(now, instruction.uses(), pressure, words, predicates);
                if (wanted.exceeds(words, predicates) && instruction.results().size() > 0) {
                    limitResults(now, instruction, pressure, words, predicates);
                }
            }
            for (IrInstruction phi : block.phis()) {
                if (now.remove(phi.result())) {
                    pressure.add(phi.result(), -1);
                }
                now.add(phi.result());
                pressure.add(phi.result(), 1);
            }
            limit(now, List.of(), pressure, words, predicates);
        }
        return !chosen.isEmpty();
    }

    /// Numbers of registers in use.
    private static final class Pressure {
        private int words;
        private int predicates;

        void add(Value value, int sign) {
            switch (value.kind()) {
                case WORD -> words += sign * value.words();
                case PREDICATE -> predicates += sign;
                case CARRY -> {}
            }
        }

        Pressure with(List<Value> more) {
            Pressure sum = new Pressure();
            sum.words = words;
            sum.predicates = predicates;
            more.forEach(value -> sum.add(value, 1));
            return sum;
        }

        int of(Value.Kind kind) {
            return kind == Value.Kind.WORD ? words : predicates;
        }

        boolean exceeds(int mostWords, int mostPredicates) {
            return words > mostWords || predicates > mostPredicates;
        }
    }

    /// Makes room for the results of an instruction besides the values that live across it.
    private void limitResults(
            Set<Value> now,
            IrInstruction instruction,
            Pressure pressure,
            int words,
            int predicates) {
        int moreWords = 0;
        int morePredicates = 0;
        for (Value result : instruction.results()) {
            moreWords += result.isWord() ? result.words() : 0;
            morePredicates += result.isPredicate() ? 1 : 0;
        }
        limit(now, instruction.uses(), pressure, words - moreWords, predicates - morePredicates);
    }

    private void limit(
            Set<Value> now, List<Use> uses, Pressure pressure, int words, int predicates) {
        if (pressure.words > words) {
            spill(now, uses, pressure, Value.Kind.WORD, words);
        }
        if (pressure.predicates > predicates) {
            spill(now, uses, pressure, Value.Kind.PREDICATE, predicates);
        }
    }

    /// Chooses the cheapest values until the limit holds, or only values remain that are used.
    private void spill(
            Set<Value> now, List<Use> uses, Pressure pressure, Value.Kind kind, int most) {
        List<Value> candidates = new ArrayList<>();
        for (Value value : now) {
            if (value.kind() == kind && !temporary.get(value.id()) && !isUsed(value, uses)) {
                candidates.add(value);
            }
        }
        if (pressure.of(kind) > most + 1) {
            candidates.sort(Comparator.comparingDouble(this::cost));
        } else if (!candidates.isEmpty()) {
            candidates =
                    List.of(Collections.min(candidates, Comparator.comparingDouble(this::cost)));
        }
        for (Value value : candidates) {
            if (pressure.of(kind) <= most) {
                return;
            }
            chosen.add(value);
            now.remove(value);
            pressure.add(value, -1);
        }
    }

    private static boolean isUsed(Value value, List<Use> uses) {
        for (Use use : uses) {
            if (use.operand() == value) {
                return true;
            }
        }
        return false;
    }

    private double cost(Value value) {
        double cost = costs[value.id()];
        return (isConstant(value) ? cost / COST_OF_LOAD : cost)
                / (value.words() * (1.0 + spans[value.id()]));
    }

    private void weigh(Liveness live) {
        costs = new double[function.values()];
        spans = new int[function.values()];
        for (Block block : function.blocks()) {
            double weight = Math.pow(COST_OF_LOOP, Math.min(DEEPEST, depth(block)));
            for (Value value : live.in(block)) {
                spans[value.id()] += 4;
            }
            for (IrInstruction phi : block.phis()) {
                costs[phi.result().id()] += weight;
                addUses(phi, weight);
            }
            List<IrInstruction> instructions = block.instructions();
            for (int i = 0; i < instructions.size(); i++) {
                for (Value result : instructions.get(i).results()) {
                    if (result.isFixed()) {
                        continue;
                    }
                    costs[result.id()] += weight;
                    spans[result.id()] -= i;
                }
                addUses(instructions.get(i), weight);
            }
            for (int i = instructions.size() - 1; i >= 0; i--) {
                for (Use use : instructions.get(i).uses()) {
                    Value value = use.value();
                    if (value != null
                            && !value.isFixed()
                            && value.definition().block() == block
                            && spans[value.id()] <= 0) {
                        spans[value.id()] += i;
                    }
                }
            }
        }
        for (int i = 0; i < spans.length; i++) {
            spans[i] = Math.max(0, spans[i]);
        }
    }

    private int depth(Block block) {
        return loops.depth(block.index());
    }

    private void addUses(IrInstruction instruction, double weight) {
        for (Use use : instruction.uses()) {
            if (use.value() != null && !use.value().isFixed()) {
                costs[use.value().id()] += weight;
            }
        }
    }

    /// Returns whether a value can be computed anywhere.
    private static boolean isConstant(Value value) {
        IrInstruction by = value.definition();
        if (by.find(Slot.GUARD) != null) {
            return false;
        }
        return by.is(Opcode.MOV) && by.find(Slot.B).value() == null
                || by.is(Opcode.S2R)
                        && FIXED_SPECIALS.contains(by.modifiers().get(Field.SPECIAL_REGISTER));
    }

    private void rewrite() {
        spilled.addAll(chosen);
        for (Value value : chosen) {
            if (value.isWord() && !isConstant(value)) {
                places.put(value, frame.spill(value.words() * Integer.BYTES));
            } else if (value.isPredicate()) {
                places.put(value, 0);
            }
        }
        Map<Value, Value> stored = new HashMap<>();
        for (Value value : chosen) {
            if (value.isPredicate()) {
                stored.put(value, function.word());
            }
        }
        for (Block block : function.blocks()) {
            rewritePhis(block, stored);
        }
        for (Block block : function.blocks()) {
            rewrite(block, stored);
        }
    }

    /// Copy to the memory of a spilled phi, from a register, number, or other memory.
    private record MemoryCopy(Value target, IrOperand source) {}

    /// Replaces spilled operands of phis by loads at the end of predecessors, and spilled results
    /// by stores there.
    private void rewritePhis(Block block, Map<Value, Value> stored) {
        List<IrInstruction> kept = new ArrayList<>();
        List<List<MemoryCopy>> copies = new ArrayList<>();
        block.predecessors().forEach(_ -> copies.add(new ArrayList<>()));
        for (IrInstruction phi : block.phis()) {
            Value result = phi.result();
            boolean spilled = chosen.contains(result);
            if (spilled && result.isWord()) {
                for (int i = 0; i < phi.uses().size(); i++) {
                    IrOperand source = phi.uses().get(i).operand();
                    Value former = source instanceof Value ? loadedForPhis.get(source) : null;
                    // Loads of many phis would occupy registers until the stores. A phi of the same
                    // block is stored there before, if it was chosen earlier.
                    boolean isPhi =
                            former != null
                                    && former.definition().is(Pseudo.PHI)
                                    && former.definition().block() == block;
                    if (former != null && !isPhi) {
                        block.predecessors()
                                .get(i)
                                .instructions()
                                .remove(((Value) source).definition());
                        source = former;
                    }
                    copies.get(i).add(new MemoryCopy(result, source));
                }
                continue;
            }
            IrInstruction word =
                    spilled ? IrInstruction.of(Pseudo.PHI).define(stored.get(result)) : null;
            for (int i = 0; i < phi.uses().size(); i++) {
                Block from = block.predecessors().get(i);
                IrOperand operand = phi.uses().get(i).operand();
                if (word != null) {
                    word.use(Slot.PART, asWord(operand, from, stored));
                } else if (operand instanceof Value value && chosen.contains(value)) {
                    Value fresh = reloadForPhi(value, stored, from);
                    phi.uses().set(i, phi.uses().get(i).with(fresh));
                }
            }
            kept.add(word == null ? phi : word);
        }
        for (int i = 0; i < copies.size(); i++) {
            sequence(copies.get(i), block.predecessors().get(i), stored);
        }
        block.phis().clear();
        kept.forEach(block::addPhi);
    }

    /// Adds copies that take effect at the same time: memory is written after the copies from it.
    private void sequence(List<MemoryCopy> copies, Block from, Map<Value, Value> stored) {
        Map<Value, Integer> readers = new HashMap<>();
        for (MemoryCopy copy : copies) {
            if (copy.source instanceof Value source && source != copy.target) {
                readers.merge(source, 1, Integer::sum);
            }
        }
        List<MemoryCopy> waiting = new ArrayList<>(copies);
        waiting.removeIf(copy -> copy.source == copy.target);
        while (!waiting.isEmpty()) {
            int at = 0;
            while (at < waiting.size() && readers.getOrDefault(waiting.get(at).target, 0) > 0) {
                at++;
            }
            if (at == waiting.size()) {
                // A cycle: one of its members is read first.
                MemoryCopy first = waiting.getFirst();
                Value saved = reload((Value) first.source, stored, from.instructions(), from);
                readers.merge((Value) first.source, -1, Integer::sum);
                waiting.set(0, new MemoryCopy(first.target, saved));
                continue;
            }
            MemoryCopy copy = waiting.remove(at);
            IrOperand data = copy.source;
            if (copy.source instanceof Value source) {
                readers.merge(source, -1, Integer::sum);
                if (spilled.contains(source)) {
                    data = reload(source, stored, from.instructions(), from);
                }
            }
            from.add(store(copy.target, data, from));
        }
    }

    private Value reloadForPhi(Value value, Map<Value, Value> stored, Block from) {
        Value fresh = reload(value, stored, from.instructions(), from);
        loadedForPhis.put(fresh, value);
        return fresh;
    }

    /// Returns the word of a predicate at the end of a block, for a spilled phi. The word needs no
    /// predicate there: those that were loaded for other phis may occupy all predicates.
    private IrOperand asWord(IrOperand operand, Block from, Map<Value, Value> stored) {
        if (!(operand instanceof Value value)) {
            return operand;
        }
        if (chosen.contains(value)) {
            return stored.get(value);
        }
        IrInstruction by = value.definition();
        List<IrInstruction> instructions = from.instructions();
        if (loadedForPhis.containsKey(value)) {
            instructions.remove(by);
            Value word = (Value) by.operand(Slot.A);
            return chosen.contains(word) ? reloadForPhi(word, stored, from) : word;
        }
        Value word = function.word();
        int defined = by.block() == from ? instructions.indexOf(by) : -1;
        instructions.add(defined + 1, select(word, value));
        return word;
    }

    private IrInstruction store(Value target, IrOperand operand, Block from) {
        IrOperand data = operand;
        if (operand instanceof IrOperand.Literal) {
            Value word = function.word();
            temporary.set(word.id());
            from.add(
                    IrInstruction.of(Opcode.MOV, Modifiers.NONE).define(word).use(Slot.B, operand));
            data = word;
        }
        return access(Opcode.STL, target).use(Slot.DATA, data);
    }

    private void rewrite(Block block, Map<Value, Value> stored) {
        List<IrInstruction> code = new ArrayList<>(block.instructions().size());
        for (IrInstruction instruction : block.instructions()) {
            List<Use> uses = instruction.uses();
            Map<Value, Value> loaded = new HashMap<>();
            for (int i = 0; i < uses.size(); i++) {
                Value value = uses.get(i).value();
                if (value != null && chosen.contains(value)) {
                    Value fresh =
                            loaded.computeIfAbsent(
                                    value, wanted -> reload(wanted, stored, code, block));
                    uses.set(i, uses.get(i).with(fresh));
                }
            }
            if (isReplaced(instruction)) {
                continue;
            }
            code.add(instruction);
            for (Value result : instruction.results()) {
                if (chosen.contains(result)) {
                    if (result.isPredicate()) {
                        code.add(select(stored.get(result), result));
                    } else {
                        code.add(access(Opcode.STL, result).use(Slot.DATA, result));
                    }
                    temporary.set(result.id());
                }
            }
        }
        Value last = block.terminator().value();
        if (last != null && chosen.contains(last)) {
            block.terminator(block.terminator().withValue(reload(last, stored, code, block)));
        }
        block.instructions(code);
    }

    /// Returns whether an instruction is repeated before each use of its result.
    private boolean isReplaced(IrInstruction instruction) {
        return !instruction.results().isEmpty()
                && chosen.contains(instruction.result())
                && instruction.result().isWord()
                && isConstant(instruction.result());
    }

    /// Adds an instruction that makes a spilled value available.
    private Value reload(
            Value value, Map<Value, Value> stored, List<IrInstruction> code, Block block) {
        Value fresh = function.like(value);
        temporary.set(fresh.id());
        IrInstruction load;
        if (value.isPredicate()) {
            load =
                    IrInstruction.of(
                                    Opcode.ISETP,
                                    Modifiers.of(Field.COMPARISON, Comparison.NE.ordinal()))
                            .use(Slot.A, stored.get(value))
                            .use(Slot.B, IrOperand.Literal.ZERO);
        } else if (isConstant(value)) {
            IrInstruction by = value.definition();
            load = IrInstruction.of(by.opcode(), by.modifiers());
            by.uses().forEach(use -> load.uses().add(use));
        } else {
            load = access(Opcode.LDL, value);
        }
        load.define(fresh);
        if (code == block.instructions()) {
            block.add(load);
        } else {
            code.add(load);
        }
        return fresh;
    }

    private IrInstruction access(Opcode opcode, Value value) {
        MemorySize size =
                switch (value.words()) {
                    case 1 -> MemorySize.B32;
                    case 2 -> MemorySize.B64;
                    default -> MemorySize.B128;
                };
        return IrInstruction.of(
                        opcode,
                        Modifiers.NONE.with(Field.SIZE, size).with(Field.OFFSET, places.get(value)))
                .use(Slot.A, frame.base());
    }

    private static IrInstruction select(Value word, Value predicate) {
        return IrInstruction.of(Opcode.SEL, Modifiers.NONE)
                .define(word)
                .use(Slot.A, IrOperand.Literal.ZERO)
                .use(Slot.B, new IrOperand.Literal(1))
                .use(Slot.P, predicate, true);
    }
}
