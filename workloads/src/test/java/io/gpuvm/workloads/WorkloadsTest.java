package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkloadsTest {
    @Test
    void givenName_whenLookedUp_thenWorkloadMatches() {
        for (Workload workload : Workloads.all()) {
            assertSame(workload, Workloads.named(workload.name()));
        }
    }

    @Test
    void givenWorkloads_whenListed_thenNamesAreLowerCaseAndDistinct() {
        Set<String> names = new HashSet<>();
        for (Workload workload : Workloads.all()) {
            assertEquals(workload.name().toLowerCase(Locale.ROOT), workload.name());
            assertTrue(names.add(workload.name()), workload.name());
        }
    }

    @Test
    void givenUnknownName_whenLookedUp_thenErrorListsAllNames() {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> Workloads.named("MMUL"));

        assertTrue(
                e.getMessage().startsWith("workload=MMUL, expected one of loop, madd, mmul"),
                e::getMessage);
        assertTrue(e.getMessage().contains(" nop"), e::getMessage);
    }

    @Test
    void givenSizeOutOfRange_whenChecked_thenErrorNamesLimits() {
        WorkloadSize size = new WorkloadSize("rows", 16, 64, 256);

        assertEquals(256, size.check(256));
        for (int bad : new int[] {-16, 0, 15, 257}) {
            IllegalArgumentException e =
                    assertThrows(IllegalArgumentException.class, () -> size.check(bad));
            assertEquals("size=" + bad + ", expected 16 to 256", e.getMessage());
        }
    }
}
