package io.gpuvm.ptx.check;

import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.ptx.syntax.InstructionTree;
import java.util.List;

/// Checks conditions that the table of instructions does not express.
final class InstructionLimits {
    /// Maximum number of bytes of a memory access by a thread.
    private static final int MAX_ACCESS_BYTES = 16;

    private static final int WARP_SIZE = 32;

    private static final String[] UNSIGNED_WORDS = {".lo.", ".ls.", ".hi.", ".hs."};

    private InstructionLimits() {}

    /// @throws CheckException if a condition is not met
    static void check(InstructionTree tree, PtxOperation operation, List<PtxOperand> sources) {
        switch (operation.opcode()) {
            case LD, LDU, ST -> checkAccess(tree, operation, sources);
            case SETP, SET -> checkComparison(tree, operation);
            case BAR, BARRIER -> checkBarrier(tree, operation, sources);
            default -> {}
        }
    }

    private static void checkAccess(
            InstructionTree tree, PtxOperation operation, List<PtxOperand> sources) {
        int bytes = operation.type().bytes() * operation.vectorLength();
        if (bytes > MAX_ACCESS_BYTES) {
            throw new CheckException(
                    tree.position(),
                    "%s: bytes=%d, limit=%d".formatted(operation.text(), bytes, MAX_ACCESS_BYTES));
        }
        PtxVariable variable = ((PtxOperand.Memory) sources.getFirst()).variable();
        boolean writes = operation.opcode() == PtxOpcode.ST;
        if (variable != null && writes && isReadOnly(variable)) {
            throw new CheckException(
                    tree.position(),
                    "'%s' is read-only in this function".formatted(variable.sourceName()));
        }
    }

    private static boolean isReadOnly(PtxVariable variable) {
        return variable.space() == PtxSpace.CONST
                || variable.role() == PtxVariable.Role.KERNEL_PARAMETER;
    }

    private static void checkComparison(InstructionTree tree, PtxOperation operation) {
        PtxType type = operation.sourceType();
        PtxModifier comparison = operation.comparison();
        boolean equality = comparison == PtxModifier.EQ || comparison == PtxModifier.NE;
        if (type.kind() == PtxType.Kind.BITS && !equality) {
            throw new CheckException(
                    tree.position(),
                    "%s: expected .eq or .ne for .%s".formatted(operation.text(), type.word()));
        }
        if (type.kind() != PtxType.Kind.UNSIGNED && hasUnsignedWord(operation.text())) {
            throw new CheckException(
                    tree.position(),
                    "%s: expected an unsigned type for this comparison"
                            .formatted(operation.text()));
        }
    }

    private static boolean hasUnsignedWord(String text) {
        for (String word : UNSIGNED_WORDS) {
            if (text.contains(word)) {
                return true;
            }
        }
        return false;
    }

    private static void checkBarrier(
            InstructionTree tree, PtxOperation operation, List<PtxOperand> sources) {
        if (operation.has(PtxModifier.WARP)) {
            return;
        }
        if (sources.getFirst() instanceof PtxOperand.Immediate barrier
                && barrier.bits() >= CubinFunction.MAX_BARRIERS) {
            throw new CheckException(
                    tree.position(),
                    "barrier=%d, limit=%d"
                            .formatted(barrier.bits(), CubinFunction.MAX_BARRIERS - 1));
        }
        if (sources.size() > 1
                && sources.get(1) instanceof PtxOperand.Immediate threads
                && threads.type() == PtxType.U32
                && (threads.bits() == 0 || threads.bits() % WARP_SIZE != 0)) {
            throw new CheckException(
                    tree.position(),
                    "threads=%d, expected a positive multiple of %d"
                            .formatted(threads.bits(), WARP_SIZE));
        }
    }
}
