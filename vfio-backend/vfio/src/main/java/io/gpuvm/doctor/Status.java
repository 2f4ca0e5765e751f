package io.gpuvm.doctor;

/// What a [Finding] means for `gpuvm serve --gpu vfio:BDF`.
public enum Status {
    /// As it must be.
    OK,

    /// It cannot work before this is changed.
    MISSING,

    /// This user cannot see it.
    UNKNOWN,

    /// It works without, but some guests, or some speed, will miss it.
    NOTE
}
