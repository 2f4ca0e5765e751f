package io.gpuvm.shadow;

/// Time at which a guest's page tables are read again, and extent of each read.
///
/// The first two strategies are those of the GPUvm paper (USENIX ATC 2014, section 5).
public enum ShadowStrategy {
    /// Each flush of the guest reads all tables that the page directory leads to.
    NAIVE,
    /// A flush only marks the directory; all tables are read before a channel that uses the
    /// directory runs.
    LAZY,
    /// Only entries that the guest has written since are read. Requires a call of
    /// [ShadowSpaces#onVramWrite] for every write of the guest's processor, except to exposed pages
    /// ([ShadowSpaces#expose]), which are compared with their previous content. A table elsewhere
    /// that the guest's GPU writes is noticed when its directory entry changes.
    INCREMENTAL
}
