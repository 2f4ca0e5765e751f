package io.gpuvm.shadow;

/// Time at which a guest's page tables are read again, and extent of each read.
///
/// The first two strategies are those of the GPUvm paper (USENIX ATC 2014, section 5).
public enum ShadowStrategy {
    /// Strategy that, at each flush by the guest, reads all tables to which the page directory
    /// points.
    NAIVE,
    /// Strategy that only marks the directory at a flush, and reads all tables before a channel
    /// that uses the directory runs.
    LAZY,
    /// Strategy that reads only the entries that the guest has written since the previous read.
    /// Requires a call to [ShadowSpaces#onVramWrite] for every write of the guest's processor,
    /// except to exposed pages ([ShadowSpaces#expose]), which are compared with their previous
    /// content. Writes by the guest's GPU to tables in other pages are detected only when the
    /// directory entry of the table changes.
    INCREMENTAL
}
