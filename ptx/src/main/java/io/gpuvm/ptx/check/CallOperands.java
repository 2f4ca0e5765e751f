package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ExpressionTree;
import io.gpuvm.ptx.syntax.OperandTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.ArrayList;
import java.util.List;

/// Resolves calls.
final class CallOperands {
    private final OperandReader reader;

    CallOperands(OperandReader reader) {
        this.reader = reader;
    }

    /// Resolves the operands of a call: `(results), target, (arguments), prototype`, of which only
    /// the target is mandatory.
    PtxOperand.Call call(SourcePosition at, List<OperandTree> operands) {
        int next = 0;
        List<OperandTree> results = List.of();
        List<OperandTree> arguments = List.of();
        if (next < operands.size() && operands.get(next) instanceof OperandTree.Group group) {
            results = group.parts();
            next++;
        }
        if (next >= operands.size()
                || !(operands.get(next) instanceof ExpressionTree.Name target)) {
            throw new CheckException(at, "call: expected a function");
        }
        next++;
        if (next < operands.size() && operands.get(next) instanceof OperandTree.Group group) {
            arguments = group.parts();
            next++;
        }
        ExpressionTree.Name prototype = null;
        if (next < operands.size() && operands.get(next) instanceof ExpressionTree.Name name) {
            prototype = name;
            next++;
        }
        if (next < operands.size()) {
            throw new CheckException(
                    operands.get(next).position(), "call: expected ';' before this operand");
        }
        return switch (reader.find(target.name())) {
            case Named.Function function -> direct(target, function.header(), results, arguments);
            case Named.Scalar pointer -> {
                PtxOperand register = pointerOf(target, pointer);
                yield indirect(target, register, prototype, results, arguments);
            }
            case null, default ->
                    throw new CheckException(
                            target.position(), Quotation.of(target.name()) + " is not a function");
        };
    }

    private static PtxOperand pointerOf(ExpressionTree.Name name, Named.Scalar pointer) {
        PtxType type = pointer.register().type();
        if (type.bits() < Integer.SIZE || type.isFloat()) {
            throw new CheckException(
                    name.position(),
                    "%s has the type .%s: the address of a function has 32 or 64 bits"
                            .formatted(Quotation.of(name.name()), type.word()));
        }
        return pointer.operand();
    }

    private PtxOperand.Call direct(
            ExpressionTree.Name target,
            PtxFunctionHeader header,
            List<OperandTree> results,
            List<OperandTree> arguments) {
        if (header.kernel()) {
            throw new CheckException(
                    target.position(), Quotation.of(target.name()) + " is a kernel");
        }
        PtxSignature signature = header.signature();
        return new PtxOperand.Call(
                new PtxOperand.Address(header, 0),
                signature,
                results(target.position(), signature, results),
                arguments(target.position(), signature, arguments),
                List.of());
    }

    private PtxOperand.Call indirect(
            ExpressionTree.Name target,
            PtxOperand register,
            ExpressionTree.Name prototype,
            List<OperandTree> results,
            List<OperandTree> arguments) {
        if (prototype == null) {
            throw new CheckException(
                    target.position(), "indirect call: expected a prototype after the arguments");
        }
        PtxSignature signature;
        List<PtxFunctionHeader> candidates = List.of();
        switch (reader.find(prototype.name())) {
            case Named.Prototype found -> signature = found.signature();
            case Named.CallTargets found -> {
                candidates = found.targets();
                signature = candidates.getFirst().signature();
            }
            case null, default ->
                    throw new CheckException(
                            prototype.position(),
                            Quotation.of(prototype.name())
                                    + " is neither a prototype nor a list of functions");
        }
        return new PtxOperand.Call(
                register,
                signature,
                results(target.position(), signature, results),
                arguments(target.position(), signature, arguments),
                candidates);
    }

    private List<PtxOperand> results(
            SourcePosition at, PtxSignature signature, List<OperandTree> actual) {
        List<PtxParameter> formal = signature.results();
        List<OperandTree> trees = flat(actual, formal);
        checkCount(at, "results", trees.size(), formal.size());
        List<PtxOperand> results = new ArrayList<>();
        for (int i = 0; i < trees.size(); i++) {
            OperandTree tree = trees.get(i);
            PtxOperand memory = memory(tree, formal.get(i));
            results.add(
                    memory != null ? memory : reader.result(tree, scalar(tree, formal, i), false));
        }
        return results;
    }

    private List<PtxOperand> arguments(
            SourcePosition at, PtxSignature signature, List<OperandTree> actual) {
        List<PtxParameter> formal = signature.parameters();
        List<OperandTree> trees = flat(actual, formal);
        checkCount(at, "arguments", trees.size(), formal.size());
        List<PtxOperand> arguments = new ArrayList<>();
        for (int i = 0; i < trees.size(); i++) {
            OperandTree tree = trees.get(i);
            PtxOperand memory = memory(tree, formal.get(i));
            arguments.add(
                    memory != null ? memory : reader.source(tree, scalar(tree, formal, i), false));
        }
        return arguments;
    }

    /// Returns the operands with the components of vectors in their places.
    private List<OperandTree> flat(List<OperandTree> trees, List<PtxParameter> formal) {
        List<OperandTree> flat = new ArrayList<>();
        for (OperandTree tree : trees) {
            int next = flat.size();
            boolean isVector =
                    next < formal.size()
                            && formal.get(next).inRegister()
                            && formal.get(next).name().endsWith(Named.Components.suffix(0));
            List<? extends OperandTree> parts = isVector ? reader.parts(tree) : null;
            if (parts == null) {
                flat.add(tree);
            } else {
                flat.addAll(parts);
            }
        }
        return flat;
    }

    private static void checkCount(SourcePosition at, String what, int count, int expected) {
        if (count != expected) {
            throw new CheckException(
                    at, "call: %s=%d, expected %d".formatted(what, count, expected));
        }
    }

    /// Returns the type of a parameter that a register may hold.
    private static PtxType scalar(OperandTree tree, List<PtxParameter> formal, int index) {
        PtxParameter parameter = formal.get(index);
        if (!parameter.inRegister() && parameter.bytes() != parameter.type().bytes()) {
            throw new CheckException(
                    tree.position(),
                    "expected a .param variable of %d bytes".formatted(parameter.bytes()));
        }
        return parameter.type();
    }

    /// Returns the operand for a variable `.param`, or null if the operand is another.
    private PtxOperand memory(OperandTree tree, PtxParameter formal) {
        if (!(tree instanceof ExpressionTree.Name name)
                || !(reader.find(name.name()) instanceof Named.Variable named)) {
            return null;
        }
        PtxVariable variable = named.variable();
        if (variable.space() != PtxSpace.PARAM) {
            throw new CheckException(
                    tree.position(),
                    Quotation.of(name.name()) + ": expected a register or a .param variable");
        }
        boolean open = formal.bytes() == 0;
        if (formal.inRegister() || !open && variable.bytes() != formal.bytes()) {
            throw new CheckException(
                    tree.position(),
                    formal.inRegister()
                            ? "expected a register of type ." + formal.type().word()
                            : "%s: bytes=%d, expected %d"
                                    .formatted(
                                            Quotation.of(name.name()),
                                            variable.bytes(),
                                            formal.bytes()));
        }
        return new PtxOperand.Memory(null, variable, 0);
    }
}
