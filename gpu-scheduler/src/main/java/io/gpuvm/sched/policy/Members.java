package io.gpuvm.sched.policy;

import java.util.Arrays;

/// Set of attached virtual machines, for iteration.
final class Members {
    private int[] vms = {};
    private int size;

    /// Returns the number of members.
    int size() {
        return size;
    }

    /// Returns the member at an index below [#size()], in no particular order.
    int get(int index) {
        return vms[index];
    }

    /// Adds a virtual machine if it is not a member.
    void add(int vm) {
        if (indexOf(vm) >= 0) {
            return;
        }
        if (size == vms.length) {
            vms = Arrays.copyOf(vms, 2 * size + 1);
        }
        vms[size++] = vm;
    }

    void remove(int vm) {
        int index = indexOf(vm);
        if (index >= 0) {
            vms[index] = vms[--size];
        }
    }

    private int indexOf(int vm) {
        for (int i = 0; i < size; i++) {
            if (vms[i] == vm) {
                return i;
            }
        }
        return -1;
    }
}
