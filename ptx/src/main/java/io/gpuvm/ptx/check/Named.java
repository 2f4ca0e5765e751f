package io.gpuvm.ptx.check;

import io.gpuvm.ptx.syntax.SourcePosition;
import java.util.List;

/// Meaning of a name in a scope.
sealed interface Named {
    /// Register.
    ///
    /// @param operand operand that all uses of the register share
    record Scalar(PtxRegister register, PtxOperand.Register operand) implements Named {
        Scalar(PtxRegister register) {
            this(register, new PtxOperand.Register(register));
        }
    }

    /// Vector register: its components.
    record Components(List<Scalar> parts) implements Named {
        private static final List<String> POSITIONS = List.of(".x", ".y", ".z", ".w");
        private static final List<String> COLOURS = List.of(".r", ".g", ".b", ".a");

        /// Returns the suffix of a component.
        static String suffix(int index) {
            return POSITIONS.get(index);
        }

        /// Returns the component with a suffix, or null.
        Scalar part(String suffix) {
            int index = Math.max(POSITIONS.indexOf(suffix), COLOURS.indexOf(suffix));
            return index >= 0 && index < parts.size() ? parts.get(index) : null;
        }
    }

    /// Variable.
    ///
    /// @param elementBytes size of an element, which is a vector if the declaration has `.v2` or
    ///   `.v4`
    record Variable(PtxVariable variable, int elementBytes) implements Named {}

    /// Function.
    record Function(PtxFunctionHeader header) implements Named {}

    /// Prototype of indirect calls.
    record Prototype(PtxSignature signature) implements Named {}

    /// Targets of indirect calls.
    record CallTargets(List<PtxFunctionHeader> targets) implements Named {}

    /// Targets of indirect branches.
    record BranchTargets(List<PtxOperand.Label> targets) implements Named {}

    /// Registers of a declaration such as `%r<5>`, which get numbers when they are used.
    record Range(SourcePosition position, PtxType type, int vector, long count) implements Named {}
}
