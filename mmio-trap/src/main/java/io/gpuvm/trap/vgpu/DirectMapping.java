package io.gpuvm.trap.vgpu;

/// Parts of a guest's BARs that its VMM may map, so that the guest's accesses to these parts are
/// plain memory accesses without traps.
///
/// Without KVM, every trap costs tens of microseconds, and nine out of ten traps during a driver's
/// start are writes to BAR3. The GPUvm paper (USENIX ATC 2014, section 5.1) calls the mapping of
/// BAR3 "BAR remap"; [#BAR3_PRAMIN] and [#ALL] map more than the paper does.
public enum DirectMapping {
    /// No part: each access is a message.
    NONE("none"),
    /// BAR3.
    BAR3("bar3"),
    /// BAR3, and the PRAMIN window of BAR0.
    BAR3_PRAMIN("bar3+pramin"),
    /// BAR3, PRAMIN and PROM of BAR0, and BAR1 beyond its first mebibyte, which contains the
    /// doorbells.
    ALL("all");

    private final String option;

    DirectMapping(String option) {
        this.option = option;
    }

    /// Returns the name of the value on the command line.
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
