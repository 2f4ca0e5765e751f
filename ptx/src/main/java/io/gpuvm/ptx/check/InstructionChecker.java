package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ExpressionTree;
import io.gpuvm.ptx.syntax.InstructionTree;
import io.gpuvm.ptx.syntax.OperandTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.ArrayList;
import java.util.List;

/// Resolves the instructions of one function.
final class InstructionChecker {
    private final ModuleContext module;
    private final OperandReader reader;
    private final VideoOperands video;
    private final ImageOperands images;
    private final CallOperands calls;

    /// Operands of the current instruction.
    private final List<PtxOperand> results = new ArrayList<>();

    private final List<PtxOperand> sources = new ArrayList<>();

    InstructionChecker(ModuleContext module, OperandReader reader) {
        this.module = module;
        this.reader = reader;
        video = new VideoOperands(reader);
        images = new ImageOperands(reader);
        calls = new CallOperands(reader);
    }

    /// Resolves an instruction.
    ///
    /// @throws CheckException if the instruction is wrong
    PtxInstruction check(InstructionTree tree, PtxSourceLine line) {
        InstructionRules.Found found = module.operation(tree.operation());
        ResolvedOperation rule = found.rule();
        if (rule == null) {
            throw new CheckException(tree.position(), found.problem());
        }
        PtxGuard guard = null;
        if (tree.guard() != null) {
            guard =
                    new PtxGuard(
                            reader.register(tree.guard(), PtxType.PRED, false).register(),
                            tree.guardNegated());
        }
        results.clear();
        sources.clear();
        PtxOperation operation = rule.operation();
        switch (operation.opcode()) {
            case CALL -> sources.add(calls.call(tree.position(), tree.operands()));
            case MOV -> operation = move(tree, rule);
            case VADD, VSUB, VABSDIFF, VMIN, VMAX, VSHL, VSHR, VSET -> videoOperands(tree, rule);
            default -> operands(tree, rule);
        }
        InstructionLimits.check(tree, operation, sources);
        return new PtxInstruction(tree.position(), line, guard, operation, results, sources);
    }

    private void operands(InstructionTree tree, ResolvedOperation rule) {
        List<OperandTree> operands = tree.operands();
        int rules = rule.rules().size();
        int skipped = -1;
        if (operands.size() == rules - 1 && rule.optional() >= 0) {
            skipped = rule.optional();
        } else if (operands.size() != rules) {
            throw count(tree, rules);
        }
        int next = 0;
        for (int i = 0; i < rules; i++) {
            if (i != skipped) {
                operand(operands.get(next++), rule, i);
            }
        }
    }

    private static CheckException count(InstructionTree tree, int expected) {
        return new CheckException(
                tree.position(),
                "%s: operands=%d, expected %d"
                        .formatted(
                                Quotation.of(tree.operation()), tree.operands().size(), expected));
    }

    private void operand(OperandTree tree, ResolvedOperation resolved, int index) {
        PtxOperation operation = resolved.operation();
        OperandRule rule = resolved.rules().get(index);
        PtxType type = resolved.types()[index];
        switch (rule.role()) {
            case RESULT -> results.add(reader.result(tree, type, false));
            case WIDE_RESULT -> addResults(tree, type, operation.vectorLength());
            case SOURCE -> sources.add(rule.isAddress() ? address(tree) : source(tree, type));
            case WIDE_SOURCE -> sources.add(reader.source(tree, type, true));
            case SOURCE_OR_ADDRESS -> sources.add(reader.sourceOrAddress(tree, type));
            case STORED -> addSources(tree, type, operation.vectorLength());
            case PREDICATES -> addPredicates(tree);
            case RESULT_AND_PREDICATE -> addResultAndPredicate(tree, type);
            case NEGATABLE -> sources.add(reader.predicate(tree));
            case MEMORY -> sources.add(reader.memory(tree, operation.space()));
            case CONSTANT -> sources.add(constant(tree, operation));
            case LABEL -> sources.add(label(tree));
            case TARGETS -> sources.add(targets(tree));
            case VIDEO_RESULT -> results.add(video.result(tree, type));
            case VIDEO_SOURCE ->
                    sources.add(video.source(tree, type, operation.opcode() == PtxOpcode.VMAD));
            case VIDEO_THIRD ->
                    sources.add(video.third(tree, type, operation.opcode() == PtxOpcode.VMAD));
            case IMAGE_AND_COORDINATES -> images.addWithCoordinates(tree, operation, type, sources);
            case IMAGE -> sources.add(images.imageAlone(tree));
            case GRADIENT -> images.addGradient(tree, operation, type, sources);
            case TEXTURE_RESULT -> addResults(tree, type, operation.vectorLength());
        }
    }

    private PtxOperand source(OperandTree tree, PtxType type) {
        return reader.source(tree, type, false);
    }

    /// Resolves a register with an address, of either width.
    private PtxOperand address(OperandTree tree) {
        if (tree instanceof ExpressionTree.Name name
                && reader.find(name.name()) instanceof Named.Scalar scalar) {
            PtxType type = scalar.register().type();
            return reader.register(
                    name, type.bits() == Long.SIZE ? PtxType.U64 : PtxType.U32, false);
        }
        return reader.sourceOrAddress(
                tree, module.addressBits() == Long.SIZE ? PtxType.U64 : PtxType.U32);
    }

    private void addResults(OperandTree tree, PtxType type, int count) {
        if (count == 1) {
            results.add(reader.result(tree, type, true));
            return;
        }
        for (OperandTree part : parts(tree, count)) {
            results.add(reader.result(part, type, true));
        }
    }

    private void addSources(OperandTree tree, PtxType type, int count) {
        if (count == 1) {
            sources.add(reader.source(tree, type, true));
            return;
        }
        for (OperandTree part : parts(tree, count)) {
            sources.add(reader.source(part, type, true));
        }
    }

    private List<? extends OperandTree> parts(OperandTree tree, int count) {
        List<? extends OperandTree> parts = reader.parts(tree);
        if (parts == null) {
            throw new CheckException(
                    tree.position(), "expected a vector of %d operands".formatted(count));
        }
        if (parts.size() != count) {
            throw new CheckException(
                    tree.position(),
                    "vector: operands=%d, expected %d".formatted(parts.size(), count));
        }
        return parts;
    }

    private void addPredicates(OperandTree tree) {
        if (tree instanceof OperandTree.Pair pair) {
            results.add(reader.result(pair.first(), PtxType.PRED, false));
            results.add(reader.result(pair.second(), PtxType.PRED, false));
        } else {
            results.add(reader.result(tree, PtxType.PRED, false));
        }
    }

    private void addResultAndPredicate(OperandTree tree, PtxType type) {
        if (tree instanceof OperandTree.Pair pair) {
            results.add(reader.result(pair.first(), type, false));
            results.add(reader.result(pair.second(), PtxType.PRED, false));
        } else {
            results.add(reader.result(tree, type, false));
        }
    }

    private PtxOperand constant(OperandTree tree, PtxOperation operation) {
        final int bytes = 0xFF;
        final int events = 15;
        boolean table = operation.opcode() == PtxOpcode.LOP3;
        long value = reader.whole(tree, table ? "table" : "event", 0, table ? bytes : events);
        return new PtxOperand.Immediate(value, PtxType.U32);
    }

    private PtxOperand label(OperandTree tree) {
        if (tree instanceof ExpressionTree.Name name) {
            PtxOperand.Label label = reader.scope().label(name.name());
            if (label != null) {
                return label;
            }
            throw new CheckException(
                    name.position(), "label " + Quotation.of(name.name()) + " is not declared");
        }
        throw new CheckException(tree.position(), "expected a label");
    }

    private PtxOperand targets(OperandTree tree) {
        if (tree instanceof ExpressionTree.Name name
                && reader.find(name.name()) instanceof Named.BranchTargets targets) {
            return new PtxOperand.Labels(targets.targets());
        }
        throw new CheckException(tree.position(), "expected the name of a .branchtargets list");
    }

    /// Resolves a video instruction, which has another source if its result has a selector.
    private void videoOperands(InstructionTree tree, ResolvedOperation rule) {
        List<OperandTree> operands = tree.operands();
        int rules = rule.rules().size();
        boolean merges = !operands.isEmpty() && video.selects(operands.getFirst());
        boolean simple = rule.rules().getFirst().role() == OperandRole.VIDEO_RESULT;
        if (!merges || !simple) {
            operands(tree, rule);
            return;
        }
        if (operands.size() != rules + 1) {
            throw count(tree, rules + 1);
        }
        for (int i = 0; i < rules; i++) {
            operand(operands.get(i), rule, i);
        }
        sources.add(video.third(operands.getLast(), rule.types()[0], false));
    }

    /// Resolves `mov`, which also packs registers into a wider one and unpacks them. The sum of a
    /// register and a constant is an addition.
    ///
    /// @return operation of the instruction
    private PtxOperation move(InstructionTree tree, ResolvedOperation rule) {
        List<OperandTree> operands = tree.operands();
        if (operands.size() != 2) {
            throw count(tree, 2);
        }
        PtxType type = rule.types()[0];
        OperandTree to = operands.getFirst();
        OperandTree from = operands.getLast();
        int count = rule.operation().vectorLength();
        if (count > 1) {
            addResults(to, type, count);
            addSources(from, type, count);
            return rule.operation();
        }
        List<? extends OperandTree> toParts = reader.parts(to);
        List<? extends OperandTree> fromParts = toParts != null ? null : reader.parts(from);
        if (toParts != null) {
            PtxType part = part(to.position(), toParts.size(), type);
            for (OperandTree operand : toParts) {
                results.add(reader.result(operand, part, false));
            }
            sources.add(reader.source(from, type, false));
        } else if (fromParts != null) {
            PtxType part = part(from.position(), fromParts.size(), type);
            results.add(reader.result(to, type, false));
            for (OperandTree operand : fromParts) {
                sources.add(reader.source(operand, part, false));
            }
        } else if (reader.isOffset(from) && type.bits() >= Integer.SIZE && !type.isFloat()) {
            ExpressionTree.Binary sum = (ExpressionTree.Binary) from;
            results.add(reader.result(to, type, false));
            sources.add(reader.register((ExpressionTree.Name) sum.left(), type, false));
            long mask = -1L >>> Long.SIZE - type.bits();
            sources.add(new PtxOperand.Immediate(reader.offset(sum) & mask, type));
            return module.operation("add.u" + type.bits()).rule().operation();
        } else {
            results.add(reader.result(to, type, false));
            sources.add(reader.sourceOrAddress(from, type));
        }
        return rule.operation();
    }

    private static PtxType part(SourcePosition at, int count, PtxType type) {
        PtxType part =
                !type.isFloat() && (count == 2 || count == 4)
                        ? PtxType.of("b" + type.bits() / count)
                        : null;
        if (part == null) {
            throw new CheckException(
                    at,
                    "vector: operands=%d of .%s, expected 2 or 4 parts of at least 8 bits"
                            .formatted(count, type.word()));
        }
        return part;
    }
}
