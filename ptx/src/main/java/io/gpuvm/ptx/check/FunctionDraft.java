package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.FunctionTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.List;

/// Declarations of one function, before its body is checked.
final class FunctionDraft {
    private final RegisterList registers = new RegisterList();
    private FunctionTree tree;
    private PtxLinkage linkage;
    private PtxFunctionHeader header;

    FunctionDraft(FunctionTree tree) {
        this.tree = tree;
        linkage = VariableFactory.linkage(tree.linkage());
    }

    /// Adds another declaration of the function.
    ///
    /// @throws CheckException if the declarations contradict one another
    void add(FunctionTree other) {
        if (other.body() != null && tree.body() != null) {
            throw new CheckException(
                    other.position(),
                    "%s is defined in line %d"
                            .formatted(Quotation.of(tree.name()), tree.position().line()));
        }
        if (other.kernel() != tree.kernel() || !agree(other, tree)) {
            throw new CheckException(
                    other.position(),
                    "%s is declared with other parameters in line %d"
                            .formatted(Quotation.of(tree.name()), tree.position().line()));
        }
        PtxLinkage added = VariableFactory.linkage(other.linkage());
        if (other.body() != null) {
            tree = other;
        }
        if (linkage == PtxLinkage.EXTERN || linkage == PtxLinkage.INTERNAL) {
            linkage = added == PtxLinkage.INTERNAL && !isDefined() ? linkage : added;
        }
    }

    private static boolean agree(FunctionTree a, FunctionTree b) {
        return a.signature().parameters().size() == b.signature().parameters().size()
                && a.signature().results().size() == b.signature().results().size();
    }

    boolean isDefined() {
        return tree.body() != null;
    }

    SourcePosition position() {
        return tree.position();
    }

    PtxFunctionHeader header() {
        return header;
    }

    /// Creates the header.
    ///
    /// @throws CheckException if the signature is wrong
    PtxFunctionHeader declare(int index, ModuleContext module) {
        PtxSignature signature =
                isDefined()
                        ? module.signatures()
                                .definition(tree.signature(), tree.kernel(), tree.name(), registers)
                        : module.signatures().prototype(tree.signature());
        if (isDefined() && linkage == PtxLinkage.EXTERN) {
            linkage = PtxLinkage.VISIBLE;
        }
        List<String> attributes =
                tree.attributes().stream().map(FunctionTree.Attribute::name).toList();
        header =
                new PtxFunctionHeader(
                        index,
                        tree.name(),
                        linkage,
                        tree.kernel(),
                        isDefined(),
                        attributes.contains(".noreturn"),
                        signature);
        return header;
    }

    /// Checks the body.
    PtxFunction check(ModuleContext module) {
        return new FunctionChecker(module, tree, header, registers).check();
    }
}
