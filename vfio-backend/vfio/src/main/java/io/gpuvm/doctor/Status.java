package io.gpuvm.doctor;

/// Severity of a [Finding] for `gpuvm serve --gpu vfio:BDF`.
public enum Status {
    /// The requirement is met.
    OK,

    /// Required: sharing cannot work before this is changed.
    MISSING,

    /// Not visible to this user.
    UNKNOWN,

    /// Optional: sharing works without it, but some guests, or some performance, will be missing.
    NOTE
}
