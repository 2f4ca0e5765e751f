package io.gpuvm.ptx.lower;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxModifier;
import io.gpuvm.ptx.check.PtxOpcode;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxRegister;
import io.gpuvm.ptx.ir.Block;
import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Finds the blocks at which a variable has different definitions on different paths, and is used
/// later.
///
/// Source: R. Cytron and others, "Efficiently Computing Static Single Assignment Form and the
/// Control Dependence Graph".
final class PhiPlacement {
    private final PtxFunction source;
    private final Shape shape;
    private final Registers registers;
    private final Dominators dominators;
    private final List<Block> blocks;

    /// Number of elements of all lists of frontiers, and of variables that need phis.
    private long entries;

    /// Blocks with a definition, by variable.
    private final List<List<Block>> definitions = new ArrayList<>();

    /// Blocks that use the value at their start, by variable.
    private final List<List<Block>> exposed = new ArrayList<>();

    private final List<List<Integer>> frontiers = new ArrayList<>();
    private final int[] counts;

    /// Variables that need phis, by block.
    private final List<List<Integer>> variables = new ArrayList<>();

    private PhiPlacement(
            PtxFunction source, Shape shape, Registers registers, Dominators dominators) {
        this.source = source;
        this.shape = shape;
        this.registers = registers;
        this.dominators = dominators;
        blocks = shape.function().blocks();
        counts = new int[registers.count()];
        for (int i = 0; i < registers.count(); i++) {
            definitions.add(new ArrayList<>(1));
            exposed.add(new ArrayList<>(1));
        }
        blocks.forEach(_ -> {
            frontiers.add(new ArrayList<>());
            variables.add(new ArrayList<>());
        });
    }

    /// Returns the variables that need phis, by block.
    static List<List<Integer>> of(
            PtxFunction source, Shape shape, Registers registers, Dominators dominators) {
        PhiPlacement placement = new PhiPlacement(source, shape, registers, dominators);
        placement.scan();
        placement.findFrontiers();
        placement.place();
        return placement.variables;
    }

    private void scan() {
        int[] defined = new int[registers.count()];
        for (Block block : blocks) {
            int stamp = block.index() + 1;
            Consumer<PtxRegister> use =
                    register -> {
                        int variable = registers.variable(register);
                        if (defined[variable] != stamp) {
                            expose(variable, block);
                        }
                    };
            Shape.Range range = shape.range(block);
            for (int i = range.from(); i < range.to(); i++) {
                PtxInstruction instruction = source.code().get(i);
                if (instruction.guard() != null) {
                    use.accept(instruction.guard().register());
                    instruction.results().forEach(result -> visit(result, use));
                }
                // Threads that a guard excludes keep the carry.
                boolean usesCarry =
                        readsCarry(instruction)
                                || instruction.guard() != null && writesCarry(instruction);
                if (usesCarry && defined[registers.carry()] != stamp) {
                    expose(registers.carry(), block);
                }
                instruction.sources().forEach(operand -> visit(operand, use));
                Consumer<PtxRegister> define =
                        register -> define(registers.variable(register), block, defined);
                instruction.results().forEach(result -> visit(result, define));
                for (PtxOperand operand : instruction.sources()) {
                    if (operand instanceof PtxOperand.Call call) {
                        call.results().forEach(result -> visit(result, define));
                    }
                }
                if (writesCarry(instruction)) {
                    define(registers.carry(), block, defined);
                }
            }
            switch (range.condition()) {
                case Shape.Condition.Flag(PtxRegister register, boolean _) -> use.accept(register);
                case Shape.Condition.Below(PtxOperand index, int _) -> visit(index, use);
                case Shape.Condition.Unlocked _ -> {}
                case null -> {}
            }
        }
    }

    static boolean readsCarry(PtxInstruction instruction) {
        return switch (instruction.opcode()) {
            case ADDC, SUBC, MADC -> true;
            default -> false;
        };
    }

    static boolean writesCarry(PtxInstruction instruction) {
        return instruction.operation().has(PtxModifier.CC) && instruction.opcode() != PtxOpcode.CVT;
    }

    private void expose(int variable, Block block) {
        List<Block> list = exposed.get(variable);
        if (list.isEmpty() || list.getLast() != block) {
            list.add(block);
        }
    }

    private void define(int variable, Block block, int[] defined) {
        counts[variable]++;
        defined[variable] = block.index() + 1;
        List<Block> list = definitions.get(variable);
        if (list.isEmpty() || list.getLast() != block) {
            list.add(block);
        }
    }

    /// Passes the registers of an operand to a consumer.
    private static void visit(PtxOperand operand, Consumer<PtxRegister> each) {
        switch (operand) {
            case PtxOperand.Register(PtxRegister register) -> each.accept(register);
            case PtxOperand.Not(PtxRegister register) -> each.accept(register);
            case PtxOperand.Memory memory -> {
                if (memory.register() != null) {
                    each.accept(memory.register());
                }
            }
            case PtxOperand.Part part -> visit(part.value(), each);
            case PtxOperand.Image image -> visit(image.handle(), each);
            case PtxOperand.Call call -> {
                visit(call.target(), each);
                call.arguments().forEach(argument -> visit(argument, each));
            }
            case PtxOperand.Immediate _,
                    PtxOperand.Special _,
                    PtxOperand.Address _,
                    PtxOperand.Discard _,
                    PtxOperand.Label _,
                    PtxOperand.Labels _ -> {}
        }
    }

    private void findFrontiers() {
        for (Block block : blocks) {
            if (block.predecessors().size() < 2) {
                continue;
            }
            for (Block from : block.predecessors()) {
                int at = from.index();
                // The dominators of a block that another predecessor has reached are known.
                while (at != dominators.parent(block.index()) && addFrontier(at, block.index())) {
                    at = dominators.parent(at);
                }
                check();
            }
        }
    }

    /// Adds a block to the frontier of another, unless it was added last; returns whether it is
    /// new.
    private boolean addFrontier(int node, int block) {
        List<Integer> frontier = frontiers.get(node);
        if (!frontier.isEmpty() && frontier.getLast() == block) {
            return false;
        }
        entries++;
        return frontier.add(block);
    }

    private void place() {
        int[] live = new int[blocks.size()];
        int[] placed = new int[blocks.size()];
        for (int variable = 0; variable < counts.length; variable++) {
            if (!definitions.get(variable).isEmpty()
                    && !exposed.get(variable).isEmpty()
                    && !isDominated(variable)) {
                findLive(variable, live);
                place(variable, live, placed);
                check();
            }
        }
    }

    private void check() {
        shape.function().reserve(entries * Function.BYTES_OF_ENTRY);
    }

    private boolean isDominated(int variable) {
        if (definitions.get(variable).size() > 1) {
            return false;
        }
        Block only = definitions.get(variable).getFirst();
        for (Block use : exposed.get(variable)) {
            if (use == only || !dominators.dominates(only.index(), use.index())) {
                return false;
            }
        }
        return true;
    }

    /// Marks the blocks at whose start the variable is live.
    private void findLive(int variable, int[] live) {
        int stamp = variable + 1;
        ArrayDeque<Block> work = new ArrayDeque<>();
        for (Block block : exposed.get(variable)) {
            live[block.index()] = stamp;
            work.add(block);
        }
        List<Block> defining = definitions.get(variable);
        while (!work.isEmpty()) {
            for (Block from : work.poll().predecessors()) {
                if (live[from.index()] != stamp && !isIn(defining, from)) {
                    live[from.index()] = stamp;
                    work.add(from);
                }
            }
        }
    }

    /// Returns whether a list, ascending by index, contains a block.
    private static boolean isIn(List<Block> sorted, Block block) {
        int low = 0;
        int high = sorted.size() - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int index = sorted.get(middle).index();
            if (index == block.index()) {
                return true;
            }
            if (index < block.index()) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return false;
    }

    private void place(int variable, int[] live, int[] placed) {
        int stamp = variable + 1;
        ArrayDeque<Integer> work = new ArrayDeque<>();
        definitions.get(variable).forEach(block -> work.add(block.index()));
        while (!work.isEmpty()) {
            for (int at : frontiers.get(work.poll())) {
                if (placed[at] != stamp && live[at] == stamp) {
                    placed[at] = stamp;
                    variables.get(at).add(variable);
                    entries++;
                    work.add(at);
                }
            }
        }
    }
}
