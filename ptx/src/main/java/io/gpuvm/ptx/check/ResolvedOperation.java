package io.gpuvm.ptx.check;

import java.util.List;

/// Operation with the rules for its operands.
///
/// @param rules rules for all operands
/// @param types types of the operands in order; null for an operand without type
/// @param optional index of the optional operand, or -1
record ResolvedOperation(
        PtxOperation operation,
        InstructionForm form,
        List<OperandRule> rules,
        PtxType[] types,
        int optional) {
    static ResolvedOperation of(PtxOperation operation, InstructionForm form) {
        List<OperandRule> rules = form.operands();
        PtxType[] types = new PtxType[rules.size()];
        int optional = -1;
        for (int i = 0; i < types.length; i++) {
            types[i] = rules.get(i).in(operation.types());
            if (rules.get(i).optional()) {
                optional = i;
            }
        }
        return new ResolvedOperation(operation, form, rules, types, optional);
    }
}
