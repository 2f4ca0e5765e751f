package io.gpuvm.ptx.check;

import java.util.HashMap;
import java.util.Map;

/// Names of special registers.
final class SpecialRegisters {
    private static final int ENVIRONMENT_REGISTERS = 32;
    private static final Map<String, PtxOperand.Special> OPERANDS = operands();

    /// Special registers that Fermi does not have, with the least number of a target.
    private static final Map<String, Integer> NEWER =
            Map.ofEntries(
                    Map.entry("%globaltimer", 30),
                    Map.entry("%globaltimer_lo", 30),
                    Map.entry("%globaltimer_hi", 30),
                    Map.entry("%current_graph_exec", 50),
                    Map.entry("%clusterid", 90),
                    Map.entry("%nclusterid", 90),
                    Map.entry("%cluster_ctaid", 90),
                    Map.entry("%cluster_nctaid", 90),
                    Map.entry("%cluster_ctarank", 90),
                    Map.entry("%cluster_nctarank", 90),
                    Map.entry("%is_explicit_cluster", 90),
                    Map.entry("%aggr_smem_size", 90),
                    Map.entry("%reserved_smem_offset_begin", 80),
                    Map.entry("%reserved_smem_offset_end", 80),
                    Map.entry("%reserved_smem_offset_cap", 80));

    private SpecialRegisters() {}

    /// Returns the operand with a name, or null.
    static PtxOperand.Special operand(String name) {
        return OPERANDS.get(name);
    }

    /// Returns the least number of a target with a special register that Fermi does not have, or 0
    /// if the name is no such register.
    static int newerTarget(String name) {
        int dot = name.indexOf('.');
        return NEWER.getOrDefault(dot < 0 ? name : name.substring(0, dot), 0);
    }

    private static Map<String, PtxOperand.Special> operands() {
        Map<String, PtxOperand.Special> operands = new HashMap<>();
        for (PtxSpecialRegister register : PtxSpecialRegister.values()) {
            operands.put(register.word(), new PtxOperand.Special(register));
        }
        PtxOperand.Special zero = operands.remove(PtxSpecialRegister.ZERO.word());
        for (String vector : new String[] {"%tid", "%ntid", "%ctaid", "%nctaid"}) {
            operands.put(vector + ".w", zero);
        }
        for (int i = 0; i < ENVIRONMENT_REGISTERS; i++) {
            operands.put("%envreg" + i, zero);
        }
        return operands;
    }
}
