package io.gpuvm.ptx.check;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.ptx.syntax.DeclaratorTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.VariableTree;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/// Creates the variables of a module, which it numbers.
final class VariableFactory {
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    /// Maximum alignment in bytes: the size of a small page of the GPU.
    private static final int MAX_ALIGNMENT = 4096;

    /// Maximum size of a variable by space. Memory of the space `.global` is limited by the GPU.
    private static final Map<PtxSpace, Integer> LIMITS =
            Map.of(
                    PtxSpace.SHARED, CubinFunction.MAX_SHARED_BYTES,
                    PtxSpace.LOCAL, CubinFunction.MAX_LOCAL_BYTES,
                    PtxSpace.CONST, ConstantSection.BYTES,
                    PtxSpace.PARAM, CubinFunction.MAX_PARAMETER_BYTES);

    private final ConstantEvaluator constants;
    private final InitialValues values;
    private int count;

    VariableFactory(ConstantEvaluator constants, InitialValues values) {
        this.constants = constants;
        this.values = values;
    }

    int count() {
        return count;
    }

    /// Creates a variable.
    ///
    /// @param name name in the module
    /// @param function name of the function that declares the variable, or null
    /// @throws CheckException if the declaration is wrong
    PtxVariable create(
            VariableTree tree,
            DeclaredType declared,
            DeclaratorTree declarator,
            String name,
            PtxVariable.Role role,
            String function) {
        PtxSpace space = space(tree, declared);
        ArrayShape shape = ArrayShape.of(declarator, declared, constants);
        PtxLinkage linkage = linkage(tree.linkage());
        check(tree, declared, declarator, space, shape, linkage, role);
        ImageBuilder image = null;
        if (declarator.initializer() != null && declared.type().kind() != PtxType.Kind.OPAQUE) {
            if (space != PtxSpace.GLOBAL && space != PtxSpace.CONST) {
                throw new CheckException(
                        declarator.initializer().position(),
                        declared.space() + " variables have no initial values");
            }
            image = values.image(declarator.initializer(), declared, shape.strides());
        }
        return new PtxVariable(
                count++,
                name,
                space,
                declared.type(),
                shape.bytes(),
                alignment(tree, declared),
                linkage,
                role,
                image == null ? NOTHING : image.contents(),
                image == null ? List.of() : image.references(),
                function);
    }

    /// Returns the alignment of a declaration in bytes.
    ///
    /// @throws CheckException if the alignment is not a power of 2 within the limit
    int alignment(VariableTree tree, DeclaredType declared) {
        int natural = Math.max(1, declared.elementBytes());
        if (tree.alignment() == null) {
            return natural;
        }
        long value = constants.whole(tree.alignment(), "alignment", 1, MAX_ALIGNMENT);
        if (Long.bitCount(value) != 1) {
            throw new CheckException(
                    tree.alignment().position(),
                    "alignment=%d, expected a power of 2".formatted(value));
        }
        return (int) Math.max(value, natural);
    }

    private static void check(
            VariableTree tree,
            DeclaredType declared,
            DeclaratorTree declarator,
            PtxSpace space,
            ArrayShape shape,
            PtxLinkage linkage,
            PtxVariable.Role role) {
        if (declared.type() == PtxType.PRED) {
            throw new CheckException(
                    tree.position(), ".pred: expected a type of memory for " + declared.space());
        }
        if (declarator.count() != null) {
            throw new CheckException(
                    declarator.position(), "'<': only registers have numbered names");
        }
        boolean mayBeEmpty =
                role == PtxVariable.Role.FUNCTION_PARAMETER
                        || role == PtxVariable.Role.FUNCTION_RESULT;
        if (shape.open() && linkage != PtxLinkage.EXTERN && !mayBeEmpty) {
            throw new CheckException(
                    declarator.position(),
                    "length of %s: expected a positive number"
                            .formatted(Quotation.of(declarator.name())));
        }
        if (declarator.initializer() != null && linkage == PtxLinkage.EXTERN) {
            throw new CheckException(
                    declarator.initializer().position(),
                    ".extern variables have no initial values");
        }
        boolean isStatic = role == PtxVariable.Role.STATIC;
        if (!isStatic && linkage != PtxLinkage.INTERNAL) {
            throw new CheckException(
                    tree.position(),
                    tree.linkage() + " does not apply to " + declared.space() + " variables");
        }
        Integer limit = LIMITS.get(space);
        if (limit != null && shape.bytes() > limit) {
            throw new CheckException(
                    declarator.position(),
                    "%s: bytes=%d, limit=%d of %s"
                            .formatted(
                                    Quotation.of(declarator.name()),
                                    shape.bytes(),
                                    limit,
                                    declared.space()));
        }
    }

    static PtxLinkage linkage(String word) {
        return switch (word) {
            case ".visible" -> PtxLinkage.VISIBLE;
            case ".extern" -> PtxLinkage.EXTERN;
            case ".weak" -> PtxLinkage.WEAK;
            case ".common" -> PtxLinkage.COMMON;
            default -> PtxLinkage.INTERNAL;
        };
    }

    private static PtxSpace space(VariableTree tree, DeclaredType declared) {
        return switch (declared.space()) {
            case ".global" -> PtxSpace.GLOBAL;
            case ".const" -> PtxSpace.CONST;
            case ".shared" -> PtxSpace.SHARED;
            case ".local" -> PtxSpace.LOCAL;
            case ".param" -> PtxSpace.PARAM;
            default ->
                    throw new CheckException(
                            tree.position(),
                            Quotation.of(declared.space())
                                    + ": expected one of .const, .global, .local, .param,"
                                    + " .shared");
        };
    }
}
