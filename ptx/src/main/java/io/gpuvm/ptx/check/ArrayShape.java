package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.DeclaratorTree;
import io.gpuvm.ptx.syntax.ExpressionTree;
import java.util.ArrayList;
import java.util.List;

/// Size of a variable and of its parts.
///
/// @param strides sizes in bytes of the variable, of its rows, and so on, of an element, and of a
///   scalar if elements are vectors
/// @param open whether the length is unknown; the size is then 0
record ArrayShape(List<Long> strides, boolean open) {
    /// Maximum size of a variable in bytes: the size of the GPU's address space.
    private static final long MAX_BYTES = 1L << 40;

    /// Returns the shape of a declaration. Its initial value gives a length that is omitted.
    ///
    /// @throws CheckException if a dimension is not positive, or the size exceeds the limit
    static ArrayShape of(DeclaratorTree tree, DeclaredType declared, ConstantEvaluator constants) {
        List<Long> strides = new ArrayList<>();
        long bytes = declared.elementBytes();
        if (declared.vector() > 1) {
            strides.add((long) declared.type().bytes());
        }
        strides.add(bytes);
        boolean open = false;
        for (int i = tree.dimensions().size() - 1; i >= 0; i--) {
            ExpressionTree dimension = tree.dimensions().get(i);
            long length = 0;
            if (dimension != null) {
                length = constants.whole(dimension, "length", 0, MAX_BYTES);
            } else if (i > 0) {
                throw new CheckException(tree.position(), "expected a length between '[' and ']'");
            } else if (tree.initializer() != null) {
                length = InitialValues.count(tree.initializer());
            }
            open |= length == 0;
            if (length > 0 && bytes > MAX_BYTES / length) {
                throw new CheckException(
                        tree.position(),
                        "variable: elements=%d of %d bytes, limit=%d bytes"
                                .formatted(length, bytes, MAX_BYTES));
            }
            bytes *= length;
            strides.add(bytes);
        }
        return new ArrayShape(List.copyOf(strides.reversed()), open);
    }

    long bytes() {
        return strides.getFirst();
    }
}
