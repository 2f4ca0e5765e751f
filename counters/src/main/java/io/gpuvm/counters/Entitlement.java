package io.gpuvm.counters;

import java.util.List;

/// Parts of the GPU to which virtual machines are entitled while all of them want it: in proportion
/// to their weights; what exceeds a cap is divided among the others.
///
/// Pure function.
public final class Entitlement {
    private static final double WHOLE_PERCENT = 100;

    private Entitlement() {}

    /// Returns the entitlements, 0 to 1, in the order of the virtual machines.
    public static double[] of(List<VmSnapshot> vms) {
        double[] parts = new double[vms.size()];
        boolean[] isCapped = new boolean[vms.size()];
        boolean changed = true;
        while (changed) {
            changed = false;
            double left = 1;
            double weights = 0;
            for (int vm = 0; vm < parts.length; vm++) {
                left -= isCapped[vm] ? parts[vm] : 0;
                weights += isCapped[vm] ? 0 : weight(vms.get(vm));
            }
            for (int vm = 0; vm < parts.length; vm++) {
                if (!isCapped[vm]) {
                    parts[vm] = Math.max(0, left) * weight(vms.get(vm)) / weights;
                }
            }
            for (int vm = 0; vm < parts.length; vm++) {
                if (!isCapped[vm] && parts[vm] > cap(vms.get(vm))) {
                    parts[vm] = cap(vms.get(vm));
                    isCapped[vm] = true;
                    changed = true;
                }
            }
        }
        return parts;
    }

    private static double weight(VmSnapshot vm) {
        return Math.max(1, vm.values().get(CounterType.WEIGHT));
    }

    /// Returns the cap, 0 to 1; a virtual machine with the whole GPU shows none.
    private static double cap(VmSnapshot vm) {
        long percent = vm.values().get(CounterType.CAP_PERCENT);
        return percent == 0 ? 1 : percent / WHOLE_PERCENT;
    }
}
