package io.gpuvm.ptx.check;

import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.ptx.syntax.ErrorList;
import io.gpuvm.ptx.syntax.FunctionTree;
import io.gpuvm.ptx.syntax.Quotation;
import java.util.ArrayList;
import java.util.List;

/// Reads the directives between the parameters and the body of a function.
final class BoundsReader {
    private static final int DIMENSIONS = 3;

    /// Maximum number of threads of a block, and maximum of its third dimension, on sm_20: CUDA C
    /// Programming Guide, "Compute Capabilities".
    private static final int MAX_THREADS = 1024;

    private static final int MAX_DEPTH = 64;

    private final ErrorList errors;
    private final ConstantEvaluator constants;
    private List<Integer> maxThreads = List.of();
    private List<Integer> requiredThreads = List.of();
    private int minBlocks;
    private int maxRegisters;

    BoundsReader(ErrorList errors, ConstantEvaluator constants) {
        this.errors = errors;
        this.constants = constants;
    }

    PtxLaunchBounds bounds() {
        return new PtxLaunchBounds(maxThreads, requiredThreads, minBlocks, maxRegisters);
    }

    /// Reads a directive.
    ///
    /// @throws CheckException if the directive is wrong or not supported
    void read(FunctionTree.Attribute attribute) {
        switch (attribute.name()) {
            case ".maxntid" -> maxThreads = sizes(attribute);
            case ".reqntid" -> requiredThreads = sizes(attribute);
            case ".minnctapersm", ".maxnctapersm" -> minBlocks = number(attribute, Short.MAX_VALUE);
            // A limit beyond the number of registers has no effect.
            case ".maxnreg" ->
                    maxRegisters =
                            Math.min(
                                    number(attribute, Short.MAX_VALUE),
                                    CubinFunction.MAX_REGISTERS);
            case ".noreturn", ".language" -> {}
            case ".abi_preserve", ".abi_preserve_control" ->
                    errors.warning(
                            attribute.position(), attribute.name() + " has no effect on sm_20");
            case ".explicitcluster",
                    ".reqnctapercluster",
                    ".maxclusterrank",
                    ".blocksareclusters" ->
                    throw new CheckException(
                            attribute.position(),
                            attribute.name() + " needs sm_90; this GPU is sm_20");
            case ".unified" ->
                    throw new CheckException(
                            attribute.position(),
                            ".attribute(.unified) needs sm_90; this GPU is sm_20");
            default ->
                    throw new CheckException(
                            attribute.position(),
                            Quotation.of(attribute.name()) + ": not a directive of a function");
        }
    }

    private List<Integer> sizes(FunctionTree.Attribute attribute) {
        int count = attribute.values().size();
        if (count < 1 || count > DIMENSIONS) {
            throw new CheckException(
                    attribute.position(),
                    "%s: values=%d, expected 1 to %d"
                            .formatted(attribute.name(), count, DIMENSIONS));
        }
        List<Integer> sizes = new ArrayList<>();
        long threads = 1;
        for (int i = 0; i < count; i++) {
            int limit = i == 2 ? MAX_DEPTH : MAX_THREADS;
            long size = constants.whole(attribute.values().get(i), attribute.name(), 1, limit);
            threads *= size;
            sizes.add((int) size);
        }
        if (threads > MAX_THREADS) {
            throw new CheckException(
                    attribute.position(),
                    "%s: threads=%d, limit=%d".formatted(attribute.name(), threads, MAX_THREADS));
        }
        return sizes;
    }

    private int number(FunctionTree.Attribute attribute, int limit) {
        if (attribute.values().size() != 1) {
            throw new CheckException(
                    attribute.position(),
                    "%s: values=%d, expected 1"
                            .formatted(attribute.name(), attribute.values().size()));
        }
        return (int) constants.whole(attribute.values().getFirst(), attribute.name(), 1, limit);
    }
}
