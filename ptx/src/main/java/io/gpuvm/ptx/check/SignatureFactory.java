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
            PtxParameter parameter = parameter(tree, end, role, function, registers);
            end = parameter.offset() + parameter.bytes();
            checkEnd(tree.position(), end);
            parameters.add(parameter);
        }
        return parameters;
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
        if (!declared.space().equals(".param") && (!inRegister || kernel)) {
            throw new CheckException(
                    tree.position(),
                    declared.space() + ": expected .param" + (kernel ? "" : " or .reg"));
        }
        if (inRegister && (declared.vector() > 1 || !declarator.dimensions().isEmpty())) {
            throw new CheckException(tree.position(), "a parameter in a register is a scalar");
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

    /// Returns the size of a register as a parameter; a predicate has the size of a word.
    private static int registerBytes(DeclaredType declared) {
        return Math.max(
                1, declared.type() == PtxType.PRED ? Integer.BYTES : declared.elementBytes());
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
