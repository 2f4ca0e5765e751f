package io.gpuvm.ptx.check;

import java.util.List;

/// Operand of an instruction, resolved.
public sealed interface PtxOperand {
    /// Value of a register.
    record Register(PtxRegister register) implements PtxOperand {}

    /// Negated predicate.
    record Not(PtxRegister register) implements PtxOperand {}

    /// Constant. A floating-point constant is rounded to the type of the operand.
    ///
    /// @param bits bits, in the low bits for types of less than 64 bits; the others are zero. A
    ///   predicate is 0 or 1
    /// @param type type of the operand
    record Immediate(long bits, PtxType type) implements PtxOperand {}

    /// Value of a special register.
    record Special(PtxSpecialRegister register) implements PtxOperand {}

    /// Address of a symbol, in the symbol's own space.
    ///
    /// @param offset bytes added to the address
    record Address(PtxSymbol symbol, long offset) implements PtxOperand {}

    /// Memory operand. The address is the sum of the register, of the address of the variable, and
    /// of the offset; register and variable may be null, but not both are set.
    record Memory(PtxRegister register, PtxVariable variable, long offset) implements PtxOperand {}

    /// Result that is not wanted.
    record Discard() implements PtxOperand {}

    /// Operand of a video instruction: a part of a register or of a constant.
    ///
    /// @param value register or immediate
    /// @param negated whether the operand is negated, as `vmad` permits
    record Part(PtxOperand value, PtxVideoPart part, boolean negated) implements PtxOperand {}

    /// Texture, sampler or surface: a [Address], or a register with its handle.
    record Image(PtxOperand handle) implements PtxOperand {}

    /// Target of a branch.
    ///
    /// @param index index of the instruction in [PtxFunction#code()]; equal to its size for a label
    ///   at the end
    record Label(String name, int index) implements PtxOperand {}

    /// Targets of an indirect branch, in order of their indices.
    record Labels(List<Label> targets) implements PtxOperand {
        public Labels {
            targets = List.copyOf(targets);
        }
    }

    /// Call. It is the only operand of its instruction.
    ///
    /// @param target function, or register with its address
    /// @param signature signature of the function, or prototype of an indirect call
    /// @param results for each result a register (if the signature says `.reg`), or a [Memory] that
    ///   refers to a `.param` variable, or [Discard]
    /// @param arguments for each parameter a register or constant, or a [Memory] that refers to a
    ///   `.param` variable
    /// @param candidates functions that an indirect call may reach; empty if unknown
    record Call(
            PtxOperand target,
            PtxSignature signature,
            List<PtxOperand> results,
            List<PtxOperand> arguments,
            List<PtxFunctionHeader> candidates)
            implements PtxOperand {
        public Call {
            results = List.copyOf(results);
            arguments = List.copyOf(arguments);
            candidates = List.copyOf(candidates);
        }
    }
}
