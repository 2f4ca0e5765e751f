package io.gpuvm.shadow;

/// When a guest's page tables are read again, and how much of them.
///
/// The first two are those of the GPUvm paper (USENIX ATC 2014, section 5).
public enum ShadowStrategy {
    /// Each flush of the guest reads everything that the page directory leads to.
    NAIVE,
    /// A flush only marks the directory; everything is read when a channel that uses it is to run.
    LAZY,
    /// Only what the guest has written since is read. Relies on [ShadowSpaces#onVramWrite] being
    /// told of every write of the guest's processor, but to pages that are exposed
    /// ([ShadowSpaces#expose]): those are compared with what they held before. A table elsewhere
    /// that a guest lets its GPU write is noticed when its directory entry changes.
    INCREMENTAL
}
