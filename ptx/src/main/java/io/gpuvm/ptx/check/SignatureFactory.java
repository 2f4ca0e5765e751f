package io.gpuvm.ptx.check;

import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.ptx.syntax.DeclaratorTree;
import io.gpuvm.ptx.syntax.SignatureTree;
import io.gpuvm.ptx.syntax.SourcePosition;
import io.gpuvm.ptx.syntax.VariableTree;
import java.util.ArrayList;
import java.util.List;

/// Creates signatures of functions and prototypes.
final class SignatureFactory {
    private final VariableFactory variables;
    private final ConstantEvaluator constants;

    SignatureFactory(VariableFactory variables, ConstantEvaluator constants) {
        this.variables = variables;
        this.constants = constants;
    }

    /// Creates the signature of a prototype or of a declaration without body.
    PtxSignature prototype(SignatureTree tree) {
        return new PtxSignature(
                parameters(tree.results(), null, null, null),
                parameters(tree.parameters(), null, null, null));
    }

    /// Creates the signature of a function with a body.
    ///
    /// @param registers list to which registers of parameters are added
    PtxSignature definition(
            SignatureTree tree, boolean kernel, String function, RegisterList registers) {
        return new PtxSignature(
                parameters(tree.results(), PtxVariable.Role.FUNCTION_RESULT, function, registers),
                parameters(
                        tree.parameters(),
                        kernel
                                ? PtxVariable.Role.KERNEL_PARAMETER
                                : PtxVariable.Role.FUNCTION_PARAMETER,
                        function,
                        registers));
    }

    /// @param role role of variables, or null if the function has no body
    private List<PtxParameter> parameters(
            List<VariableTree> trees,
            PtxVariable.Role role,
            String function,
            RegisterList registers) {
        List<PtxParameter> parameters = new ArrayList<>();
        long end = 0;
        for (VariableTree tree : trees) {
            DeclaredType declared = DeclaredType.of(tree);
            if (declared.isRegister() && declared.vector() > 1) {
                addComponents(tree, declared, role, registers, parameters);
            } else {
                parameters.add(parameter(tree, end, role, function, registers));
            }
            PtxParameter last = parameters.getLast();
            end = last.offset() + last.bytes();
            checkEnd(tree.position(), end);
        }
        return parameters;
    }

    /// Adds a parameter for each component of a vector register.
    private static void addComponents(
            VariableTree tree,
            DeclaredType declared,
            PtxVariable.Role role,
            RegisterList registers,
            List<PtxParameter> parameters) {
        DeclaratorTree declarator = tree.declarators().getFirst();
        checkRegister(tree, declared, declarator, role);
        Named.Components vector =
                role == null
                        ? null
                        : (Named.Components)
                                registers.create(
                                        declarator.name(), declared.type(), declared.vector());
        int bytes = registerBytes(declared);
        for (int i = 0; i < declared.vector(); i++) {
            long end =
                    parameters.isEmpty()
                            ? 0
                            : parameters.getLast().offset() + parameters.getLast().bytes();
            long offset = (end + bytes - 1) / bytes * bytes;
            parameters.add(
                    new PtxParameter(
                            declarator.name() + Named.Components.suffix(i),
                            declared.type(),
                            bytes,
                            bytes,
                            (int) offset,
                            true,
                            vector == null ? null : vector.parts().get(i).register(),
                            null));
        }
    }

    private static void checkRegister(
            VariableTree tree,
            DeclaredType declared,
            DeclaratorTree declarator,
            PtxVariable.Role role) {
        if (role == PtxVariable.Role.KERNEL_PARAMETER) {
            throw new CheckException(tree.position(), declared.space() + ": expected .param");
        }
        if (!declarator.dimensions().isEmpty()) {
            throw new CheckException(tree.position(), "a parameter in a register is no array");
        }
    }

    private PtxParameter parameter(
            VariableTree tree,
            long end,
            PtxVariable.Role role,
            String function,
            RegisterList registers) {
        DeclaredType declared = DeclaredType.of(tree);
        DeclaratorTree declarator = tree.declarators().getFirst();
        boolean inRegister = declared.isRegister();
        boolean kernel = role == PtxVariable.Role.KERNEL_PARAMETER;
        if (!declared.space().equals(".param") && !inRegister) {
            throw new CheckException(
                    tree.position(),
                    declared.space() + ": expected .param" + (kernel ? "" : " or .reg"));
        }
        if (inRegister) {
            checkRegister(tree, declared, declarator, role);
        }
        if (declarator.count() != null || declarator.initializer() != null) {
            throw new CheckException(tree.position(), "parameter: expected ',' or ')'");
        }
        int alignment = inRegister ? registerBytes(declared) : variables.alignment(tree, declared);
        ArrayShape shape = ArrayShape.of(declarator, declared, constants);
        long bytes = inRegister ? registerBytes(declared) : shape.bytes();
        if (shape.open() && kernel) {
            throw new CheckException(
                    declarator.position(), "length of the parameter: expected a positive number");
        }
        checkEnd(tree.position(), bytes);
        long offset = (end + alignment - 1) / alignment * alignment;
        PtxRegister register = null;
        PtxVariable variable = null;
        if (role != null && inRegister) {
            register =
                    ((Named.Scalar) registers.create(declarator.name(), declared.type(), 1))
                            .register();
        } else if (role != null) {
            variable =
                    variables.create(tree, declared, declarator, declarator.name(), role, function);
        }
        return new PtxParameter(
                declarator.name(),
                declared.type(),
                bytes,
                alignment,
                (int) offset,
                inRegister,
                register,
                variable);
    }

    /// Returns the size of a register as a parameter, at least a word.
    private static int registerBytes(DeclaredType declared) {
        return Math.max(Integer.BYTES, declared.type().bytes());
    }

    private static void checkEnd(SourcePosition at, long end) {
        if (end > CubinFunction.MAX_PARAMETER_BYTES) {
            throw new CheckException(
                    at,
                    "parameters: bytes=%d, limit=%d"
                            .formatted(end, CubinFunction.MAX_PARAMETER_BYTES));
        }
    }
}
