package io.gpuvm.counters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EntitlementTest {
    private static final double TINY = 1e-9;

    @Test
    void givenWeights_whenComputed_thenPartsAreInProportion() {
        assertArrayEquals(new double[] {0.25, 0.75}, of(1, 100, 3, 100), TINY);
        assertArrayEquals(new double[] {1}, of(5, 100), TINY);
        assertArrayEquals(new double[] {}, of(), TINY);
    }

    @Test
    void givenCap_whenComputed_thenOthersDivideRest() {
        assertArrayEquals(new double[] {0.2, 0.4, 0.4}, of(2, 20, 1, 100, 1, 100), TINY);
    }

    @Test
    void givenCapThatMattersOnlyAfterOther_whenComputed_thenBothAreObeyed() {
        assertArrayEquals(new double[] {0.1, 0.4, 0.5}, of(1, 10, 1, 40, 1, 100), TINY);
    }

    @Test
    void givenCapsOfAll_whenComputed_thenRestIsUnused() {
        assertArrayEquals(new double[] {0.1, 0.2}, of(1, 10, 1, 20), TINY);
    }

    /// @param values weight and cap of each virtual machine
    private static double[] of(int... values) {
        List<VmSnapshot> vms = new ArrayList<>();
        for (int i = 0; i < values.length; i += 2) {
            VmSnapshot vm = new VmSnapshot("vm" + i, i, "pv", i + 1L, new CounterValues());
            vm.values().put(CounterType.WEIGHT, 0, values[i]);
            vm.values().put(CounterType.CAP_PERCENT, 0, values[i + 1]);
            vms.add(vm);
        }
        return Entitlement.of(vms);
    }
}
