package io.gpuvm.doctor;

/// Severity of a [Finding] for `gpuvm serve --gpu vfio:BDF`.
public enum Status {
    /// Requirement that is met.
    OK,

    /// Unmet requirement: sharing cannot work until it is met.
    MISSING,

    /// State that this user cannot read.
    UNKNOWN,

    /// Unmet recommendation: sharing works without it, but with fewer kinds of guests or lower
    /// performance.
    NOTE
}
