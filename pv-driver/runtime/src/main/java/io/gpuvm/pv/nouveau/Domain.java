package io.gpuvm.pv.nouveau;

/// Locations of a buffer (`NOUVEAU_GEM_DOMAIN_*`).
enum Domain {
    /// VRAM. While other buffers need the VRAM, nouveau may move the buffer to host memory; nouveau
    /// moves the buffer back before a submission that lists the buffer.
    VRAM(1 << 1, 0),

    /// Host memory that the GPU accesses, and that this process maps.
    HOST(1 << 2, Domain.MAPPABLE | Domain.COHERENT);

    private static final int MAPPABLE = 1 << 3;

    /// Flag for a buffer that is coherent between the processor and the GPU, without
    /// `GEM_CPU_PREP`.
    private static final int COHERENT = 1 << 4;

    private final int bits;
    private final int modifiers;

    Domain(int bits, int modifiers) {
        this.bits = bits;
        this.modifiers = modifiers;
    }

    /// Returns the domain's bit.
    int bits() {
        return bits;
    }

    /// Returns the bits with which a buffer of this domain is created.
    int creationBits() {
        return bits | modifiers;
    }
}
