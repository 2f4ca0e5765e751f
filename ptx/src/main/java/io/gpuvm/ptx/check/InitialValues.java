package io.gpuvm.ptx.check;

import io.gpuvm.ptx.ir.Checkpoint;
import io.gpuvm.ptx.syntax.InitializerTree;
import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.List;

/// Converts initial values of variables. The bytes of all variables of a module are bounded, since
/// few characters can describe many: `{{}, {}, {1}}` with long rows.
final class InitialValues {
    private static final int MAX_BYTES = 64 << 20;

    private final ConstantEvaluator constants;
    private final int addressBytes;
    private long remaining = MAX_BYTES;

    InitialValues(ConstantEvaluator constants, int addressBytes) {
        this.constants = constants;
        this.addressBytes = addressBytes;
    }

    /// Converts the initial value of a variable.
    ///
    /// @param strides sizes in bytes of the variable, its rows, and so on; the last is the size of
    ///   a scalar
    /// @throws CheckException if the value does not fit
    ImageBuilder image(InitializerTree tree, DeclaredType declared, List<Long> strides) {
        ImageBuilder image = new ImageBuilder();
        new Filling(image, declared.type(), strides).fill(tree, 0, 0);
        remaining -= image.size();
        Checkpoint.current().addData(image.size());
        return image;
    }

    /// Returns the number of values that braces contain at their first level.
    static long count(InitializerTree tree) {
        return tree instanceof InitializerTree.Braces braces ? braces.parts().size() : 1;
    }

    private final class Filling {
        private final ImageBuilder image;
        private final PtxType type;
        private final List<Long> strides;

        Filling(ImageBuilder image, PtxType type, List<Long> strides) {
            this.image = image;
            this.type = type;
            this.strides = strides;
        }

        /// Fills a part with values.
        ///
        /// @param level index of the part's size in the strides
        void fill(InitializerTree tree, int level, long offset) {
            switch (tree) {
                case InitializerTree.Value value -> {
                    if (level < strides.size() - 1 && strides.get(level) > strides.getLast()) {
                        throw new CheckException(
                                tree.position(), "expected '{' before the values of an array");
                    }
                    store(value, offset);
                }
                case InitializerTree.Braces braces -> fillBraces(braces, level, offset);
            }
        }

        private void fillBraces(InitializerTree.Braces braces, int level, long start) {
            long end = start + strides.get(level);
            long scalar = strides.getLast();
            long row = level + 1 < strides.size() ? strides.get(level + 1) : scalar;
            long at = start;
            for (InitializerTree part : braces.parts()) {
                long bytes = scalar;
                if (part instanceof InitializerTree.Braces) {
                    if (level + 1 >= strides.size()) {
                        throw new CheckException(part.position(), "expected a value, not '{'");
                    }
                    at = start + (at - start + row - 1) / row * row;
                    bytes = row;
                }
                if (at + bytes > end) {
                    throw new CheckException(
                            part.position(),
                            "initial value: bytes=%d, limit=%d"
                                    .formatted(at + bytes - start, end - start));
                }
                if (part instanceof InitializerTree.Braces nested) {
                    fillBraces(nested, level + 1, at);
                } else {
                    store((InitializerTree.Value) part, at);
                }
                at += bytes;
            }
        }

        private void store(InitializerTree.Value tree, long offset) {
            int bytes = type.bytes();
            if (offset + bytes > remaining) {
                throw new CheckException(
                        tree.position(),
                        "initial values of the module: bytes=%d, limit=%d"
                                .formatted(MAX_BYTES - remaining + offset + bytes, MAX_BYTES));
            }
            Constant value = constants.evaluate(tree.value());
            if (value instanceof Constant.Address address) {
                refer(tree.position(), address, offset);
            } else {
                Checkpoint.current().checkData(offset + bytes);
                image.put(offset, bytes, Immediates.bits(tree.position(), value, type));
            }
        }

        private void refer(SourcePosition at, Constant.Address address, long offset) {
            int bytes = type.bytes();
            boolean wholeAddress = address.mask() == -1;
            if (wholeAddress ? bytes < Integer.BYTES : bytes != 1) {
                throw new CheckException(
                        at, "." + type.word() + " does not contain the address of a symbol");
            }
            if (address.symbol() instanceof PtxVariable variable && isOnStack(variable)) {
                throw new CheckException(at, "the address of a parameter is not constant");
            }
            int shift = wholeAddress ? 0 : Long.numberOfTrailingZeros(address.mask());
            image.refer(
                    new PtxReference(
                            offset,
                            wholeAddress ? Math.min(bytes, addressBytes) : 1,
                            address.symbol().name(),
                            address.offset(),
                            address.generic(),
                            shift));
        }

        private static boolean isOnStack(PtxVariable variable) {
            return variable.role() != PtxVariable.Role.STATIC;
        }
    }
}
