package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.DeclaratorTree;
import io.gpuvm.ptx.syntax.ExpressionTree;
import io.gpuvm.ptx.syntax.FunctionTree;
import io.gpuvm.ptx.syntax.InstructionTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.StatementTree;
import io.gpuvm.ptx.syntax.VariableTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Resolves one function with a body.
final class FunctionChecker {
    private final ModuleContext module;
    private final FunctionTree tree;
    private final PtxFunctionHeader header;
    private final RegisterList registers;
    private final OperandReader reader;
    private final InstructionChecker instructions;
    private final LabelIndex labels;
    private final List<PtxVariable> variables = new ArrayList<>();
    private final List<PtxInstruction> code = new ArrayList<>();
    private final List<String> pragmas = new ArrayList<>();
    private PtxSourceLine line;

    /// @param registers registers of parameters
    FunctionChecker(
            ModuleContext module,
            FunctionTree tree,
            PtxFunctionHeader header,
            RegisterList registers) {
        this.module = module;
        this.tree = tree;
        this.header = header;
        this.registers = registers;
        reader = new OperandReader(module, registers, new NameScope(module.scope()));
        instructions = new InstructionChecker(module, reader);
        labels = new LabelIndex(tree.body());
    }

    /// Resolves the function, and adds errors to the list of the module.
    PtxFunction check() {
        if (header.kernel()) {
            module.privates().forEach(declaration -> attempt(() -> declaration(declaration)));
        }
        int privates = variables.size();
        reader.enter(new NameScope(reader.scope()));
        declare(header.signature().results());
        declare(header.signature().parameters());
        block(tree.body());
        variables.subList(0, privates).removeIf(variable -> !isUsed(variable));
        return new PtxFunction(
                header, tree.position(), bounds(), registers.list(), variables, code, pragmas);
    }

    private boolean isUsed(PtxVariable variable) {
        return code.stream()
                .flatMap(instruction -> instruction.sources().stream())
                .anyMatch(operand ->
                        operand instanceof PtxOperand.Memory memory && memory.variable() == variable
                                || operand instanceof PtxOperand.Address address
                                        && address.symbol() == variable);
    }

    /// Declares parameters. The names of components of a vector contain a dot.
    private void declare(List<PtxParameter> parameters) {
        Map<String, List<Named.Scalar>> vectors = new LinkedHashMap<>();
        for (PtxParameter parameter : parameters) {
            int dot = parameter.inRegister() ? parameter.name().indexOf('.') : -1;
            if (dot < 0) {
                declare(parameter);
            } else {
                vectors.computeIfAbsent(parameter.name().substring(0, dot), _ -> new ArrayList<>())
                        .add(new Named.Scalar(parameter.register()));
            }
        }
        vectors.forEach((name, parts) -> declare(name, new Named.Components(List.copyOf(parts))));
    }

    private void declare(PtxParameter parameter) {
        Named named =
                parameter.inRegister()
                        ? new Named.Scalar(parameter.register())
                        : new Named.Variable(parameter.variable(), parameter.type().bytes());
        declare(parameter.name(), named);
    }

    private void declare(String name, Named named) {
        attempt(() -> reader.scope().declare(tree.position(), name, named));
    }

    private void block(StatementTree.Block block) {
        NameScope outer = reader.scope();
        reader.enter(new NameScope(outer));
        for (LabelIndex.Place place : labels.of(block)) {
            attempt(() -> reader.scope().declareLabel(place.tree().position(), place.label()));
        }
        for (StatementTree statement : block.statements()) {
            if (module.errors().isFull()) {
                break;
            }
            try {
                statement(statement);
            } catch (CheckException e) {
                module.errors().error(e.position(), e.getMessage());
            }
        }
        reader.enter(outer);
    }

    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (CheckException e) {
            module.errors().error(e.position(), e.getMessage());
        }
    }

    private void statement(StatementTree statement) {
        switch (statement) {
            case InstructionTree instruction -> code.add(instructions.check(instruction, line));
            case StatementTree.Block block -> block(block);
            case VariableTree variable -> declaration(variable);
            case StatementTree.Label label -> {}
            case StatementTree.Line location ->
                    line =
                            location.line() == 0
                                    ? null
                                    : new PtxSourceLine(
                                            location.file(), location.line(), location.column());
            case StatementTree.Pragma pragma -> pragmas.addAll(pragma.texts());
            case StatementTree.Prototype prototype ->
                    reader.scope()
                            .declare(
                                    prototype.position(),
                                    prototype.name(),
                                    new Named.Prototype(
                                            module.signatures().prototype(prototype.signature())));
            case StatementTree.Targets targets -> targets(targets);
        }
    }

    private void targets(StatementTree.Targets tree) {
        Named named =
                tree.calls()
                        ? new Named.CallTargets(tree.targets().stream().map(this::callee).toList())
                        : new Named.BranchTargets(
                                tree.targets().stream().map(this::label).toList());
        reader.scope().declare(tree.position(), tree.name(), named);
    }

    private PtxFunctionHeader callee(ExpressionTree.Name name) {
        if (reader.find(name.name()) instanceof Named.Function function) {
            return function.header();
        }
        throw new CheckException(name.position(), Quotation.of(name.name()) + " is not a function");
    }

    private PtxOperand.Label label(ExpressionTree.Name name) {
        PtxOperand.Label label = reader.scope().label(name.name());
        if (label == null) {
            throw new CheckException(
                    name.position(), "label " + Quotation.of(name.name()) + " is not declared");
        }
        return label;
    }

    private void declaration(VariableTree variable) {
        DeclaredType declared = DeclaredType.of(variable);
        for (DeclaratorTree declarator : variable.declarators()) {
            if (declared.isRegister()) {
                register(variable, declared, declarator);
            } else {
                variable(variable, declared, declarator);
            }
        }
    }

    private void register(VariableTree tree, DeclaredType declared, DeclaratorTree declarator) {
        if (!declarator.dimensions().isEmpty() || declarator.initializer() != null) {
            throw new CheckException(
                    declarator.position(), ".reg: registers have neither length nor initial value");
        }
        if (declared.type().kind() == PtxType.Kind.OPAQUE || !tree.linkage().isEmpty()) {
            throw new CheckException(
                    tree.position(), ".reg: expected a type of registers, without linkage");
        }
        if (declarator.count() == null) {
            reader.scope()
                    .declare(
                            declarator.position(),
                            declarator.name(),
                            registers.create(
                                    declarator.name(), declared.type(), declared.vector()));
            return;
        }
        long count =
                reader.constants().whole(declarator.count(), "registers", 0, Integer.MAX_VALUE);
        reader.scope()
                .declareRange(
                        declarator.name(),
                        new Named.Range(
                                declarator.position(), declared.type(), declared.vector(), count));
    }

    private void variable(VariableTree tree, DeclaredType declared, DeclaratorTree declarator) {
        PtxVariable.Role role =
                switch (declared.space()) {
                    case ".local" -> PtxVariable.Role.LOCAL;
                    case ".param" -> PtxVariable.Role.CALL_ARGUMENT;
                    default -> PtxVariable.Role.STATIC;
                };
        boolean isStatic = role == PtxVariable.Role.STATIC;
        boolean external = tree.linkage().equals(".extern");
        String name =
                isStatic && !external
                        ? module.uniqueName(header.name(), declarator.name())
                        : declarator.name();
        PtxVariable variable =
                module.variables().create(tree, declared, declarator, name, role, header.name());
        if (isStatic) {
            module.addStatic(variable);
        } else {
            variables.add(variable);
        }
        reader.scope()
                .declare(
                        declarator.position(),
                        declarator.name(),
                        new Named.Variable(variable, declared.elementBytes()));
    }

    private PtxLaunchBounds bounds() {
        BoundsReader bounds = new BoundsReader(module.errors(), reader.constants());
        for (FunctionTree.Attribute attribute : tree.attributes()) {
            if (attribute.name().equals(".pragma")) {
                pragmas.add(((ExpressionTree.Name) attribute.values().getFirst()).name());
            } else {
                attempt(() -> bounds.read(attribute));
            }
        }
        return bounds.bounds();
    }
}
