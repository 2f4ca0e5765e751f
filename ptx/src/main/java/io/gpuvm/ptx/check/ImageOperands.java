package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.ExpressionTree;
import io.gpuvm.ptx.syntax.OperandTree;
import io.gpuvm.ptx.syntax.Quotation;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.List;

/// Resolves operands of texture and surface instructions.
final class ImageOperands {
    private static final int MAX_COORDINATES = 4;

    private final OperandReader reader;

    ImageOperands(OperandReader reader) {
        this.reader = reader;
    }

    /// Adds the texture or surface, its sampler if there is one, and as many coordinates as the
    /// geometry of the operation has. A first coordinate that selects a layer is an integer.
    void addWithCoordinates(
            OperandTree tree, PtxOperation operation, PtxType type, List<PtxOperand> sources) {
        List<OperandTree> parts = parts(tree);
        if (parts.size() < 2 || parts.size() > 3) {
            throw new CheckException(
                    tree.position(), "expected [IMAGE, COORDINATES] or [TEXTURE, SAMPLER, ...]");
        }
        for (OperandTree part : parts.subList(0, parts.size() - 1)) {
            sources.add(image(part));
        }
        addCoordinates(parts.getLast(), operation, type, isLayered(operation), sources);
    }

    /// Adds a vector with the gradients of the coordinates.
    void addGradient(
            OperandTree tree, PtxOperation operation, PtxType type, List<PtxOperand> sources) {
        addCoordinates(tree, operation, type, false, sources);
    }

    PtxOperand imageAlone(OperandTree tree) {
        List<OperandTree> parts = parts(tree);
        if (parts.size() != 1) {
            throw new CheckException(tree.position(), "expected [IMAGE]");
        }
        return image(parts.getFirst());
    }

    private static List<OperandTree> parts(OperandTree tree) {
        if (tree instanceof OperandTree.Address address) {
            return address.parts();
        }
        throw new CheckException(tree.position(), "expected '['");
    }

    private PtxOperand.Image image(OperandTree tree) {
        if (!(tree instanceof ExpressionTree.Name name)) {
            throw new CheckException(tree.position(), "expected the name of a texture or surface");
        }
        return switch (reader.find(name.name())) {
            case Named.Variable variable
                    when variable.variable().type().kind() == PtxType.Kind.OPAQUE ->
                    new PtxOperand.Image(new PtxOperand.Address(variable.variable(), 0));
            case Named.Scalar scalar ->
                    new PtxOperand.Image(reader.register(name, PtxType.B64, false));
            case null, default ->
                    throw new CheckException(
                            name.position(),
                            Quotation.of(name.name()) + " is not a texture or surface");
        };
    }

    private void addCoordinates(
            OperandTree tree,
            PtxOperation operation,
            PtxType type,
            boolean layered,
            List<PtxOperand> sources) {
        int wanted = coordinates(operation, tree.position()) - (isLayered(operation) ? 1 : 0);
        wanted += layered ? 1 : 0;
        List<? extends OperandTree> vector = reader.parts(tree);
        List<? extends OperandTree> parts = vector == null ? List.of(tree) : vector;
        if (parts.size() < wanted || parts.size() > MAX_COORDINATES) {
            throw count(tree.position(), parts.size(), wanted);
        }
        for (int i = 0; i < wanted; i++) {
            PtxType wantedType = i == 0 && layered ? PtxType.U32 : type;
            sources.add(reader.source(parts.get(i), wantedType, false));
        }
    }

    private static CheckException count(SourcePosition at, int count, int wanted) {
        return new CheckException(at, "coordinates=%d, expected %d".formatted(count, wanted));
    }

    private static boolean isLayered(PtxOperation operation) {
        return operation.has(PtxModifier.DIM_A1D)
                || operation.has(PtxModifier.DIM_A2D)
                || operation.has(PtxModifier.DIM_ACUBE);
    }

    private static int coordinates(PtxOperation operation, SourcePosition at) {
        for (PtxModifier modifier : operation.modifiers()) {
            switch (modifier) {
                case DIM_1D -> {
                    return 1;
                }
                case DIM_2D, DIM_A1D -> {
                    return 2;
                }
                case DIM_3D, DIM_A2D, DIM_CUBE -> {
                    return 3;
                }
                case DIM_ACUBE -> {
                    return 4;
                }
                default -> {}
            }
        }
        throw new CheckException(at, "geometry: expected one of 1d, 2d, 3d");
    }
}
