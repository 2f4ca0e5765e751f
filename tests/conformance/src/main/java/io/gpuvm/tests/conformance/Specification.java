package io.gpuvm.tests.conformance;

import java.util.List;

/// The tests, in the order in which one would want to see them fail.
///
/// Listed rather than searched for: searching loads every class, and in a small virtual machine
/// that takes longer than the tests.
final class Specification {
    static final List<Class<?>> TESTS =
            List.of(
                    IdentityTest.class,
                    RegionAccessTest.class,
                    AccessOrderTest.class,
                    VramWindowTest.class,
                    SharedWindowTest.class,
                    SharedWindowAccessTest.class,
                    CoherenceTest.class,
                    ComputeTest.class,
                    GuestCoherenceTest.class,
                    BarSliceTest.class,
                    ExportTest.class,
                    DmaMappingTest.class,
                    DmaIsolationTest.class,
                    PageTableTest.class,
                    ChannelTest.class,
                    CopyTest.class,
                    SemaphoreTest.class,
                    InterruptTest.class,
                    MmuFaultTest.class,
                    PreemptionTest.class,
                    ResetTest.class,
                    ReopenTest.class);

    private Specification() {}
}
