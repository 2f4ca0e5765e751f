package io.gpuvm.tests.conformance;

import java.util.List;

/// List of the tests, basic tests first.
///
/// The list is explicit because a search loads every class, which in a small virtual machine takes
/// longer than the tests themselves.
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
