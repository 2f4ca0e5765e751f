package io.gpuvm.trap.vgpu;

/// Which parts of a guest's BARs its VMM may map, so that the guest's accesses there are plain
/// memory accesses that nobody traps.
///
/// Without KVM every trap costs tens of microseconds, and nine of ten that a driver's start causes
/// are writes to BAR3. The GPUvm paper (USENIX ATC 2014, section 5.1) calls mapping that one "BAR
/// remap"; the others go further.
public enum DirectMapping {
    /// Nothing: each access is a message.
    NONE("none"),
    /// BAR3.
    BAR3("bar3"),
    /// BAR3, and of BAR0 the PRAMIN window.
    BAR3_PRAMIN("bar3+pramin"),
    /// BAR3, of BAR0 PRAMIN and PROM, and BAR1 behind its first mebibyte, where doorbells are.
    ALL("all");

    private final String option;

    DirectMapping(String option) {
        this.option = option;
    }

    /// What the command line calls it.
    public String option() {
        return option;
    }

    boolean hasBar3() {
        return this != NONE;
    }

    boolean hasPramin() {
        return this == BAR3_PRAMIN || this == ALL;
    }

    boolean hasProm() {
        return this == ALL;
    }

    boolean hasBar1() {
        return this == ALL;
    }
}
