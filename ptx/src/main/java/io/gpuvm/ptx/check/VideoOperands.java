package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ExpressionTree;
import io.gpuvm.ptx.syntax.OperandTree;
import java.util.Locale;

/// Resolves operands of video instructions, which select parts of registers.
final class VideoOperands {
    private final OperandReader reader;

    VideoOperands(OperandReader reader) {
        this.reader = reader;
    }

    /// Returns whether a result has a selector, so that the instruction has a third source.
    boolean selects(OperandTree tree) {
        return tree instanceof ExpressionTree.Name name && part(name) != PtxVideoPart.WORD;
    }

    PtxOperand result(OperandTree tree, PtxType type) {
        if (tree instanceof ExpressionTree.Name name && selects(tree)) {
            return new PtxOperand.Part(
                    reader.register(whole(name), type, false), part(name), false);
        }
        return reader.result(tree, type, false);
    }

    /// Returns the operand a or b.
    ///
    /// @param negatable whether the instruction permits a minus sign
    PtxOperand source(OperandTree tree, PtxType type, boolean negatable) {
        if (negatable
                && tree instanceof ExpressionTree.Unary unary
                && unary.operator().equals("-")
                && unary.operand() instanceof ExpressionTree.Name name
                && reader.find(whole(name).name()) instanceof Named.Scalar) {
            return new PtxOperand.Part(reader.register(whole(name), type, false), part(name), true);
        }
        if (tree instanceof ExpressionTree.Name name && selects(tree)) {
            return new PtxOperand.Part(
                    reader.register(whole(name), type, false), part(name), false);
        }
        return new PtxOperand.Part(reader.source(tree, type, false), PtxVideoPart.WORD, false);
    }

    /// Returns the operand c.
    PtxOperand third(OperandTree tree, PtxType type, boolean negatable) {
        PtxOperand.Part part = (PtxOperand.Part) source(tree, type, negatable);
        if (part.part() != PtxVideoPart.WORD) {
            throw new CheckException(tree.position(), "expected a register without selector");
        }
        return part.negated() ? part : part.value();
    }

    private static ExpressionTree.Name whole(ExpressionTree.Name name) {
        return part(name) == PtxVideoPart.WORD
                ? name
                : new ExpressionTree.Name(
                        name.position(), name.name().substring(0, name.name().lastIndexOf('.')));
    }

    private static PtxVideoPart part(ExpressionTree.Name name) {
        String text = name.name();
        return switch (text.substring(text.lastIndexOf('.') + 1)) {
            case "b0", "b1", "b2", "b3", "h0", "h1" ->
                    text.indexOf('.') < 0
                            ? PtxVideoPart.WORD
                            : PtxVideoPart.valueOf(
                                    text.substring(text.lastIndexOf('.') + 1)
                                            .toUpperCase(Locale.ROOT));
            default -> PtxVideoPart.WORD;
        };
    }
}
