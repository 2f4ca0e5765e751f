package io.gpuvm.pv.host;

import io.gpuvm.linux.MappedMemory;
import java.lang.foreign.MemorySegment;

/// Memory of a session that is mapped in one of its address spaces. Confined to the poller's
/// thread.
public final class SessionMemory {
    private final SessionSpace space;
    private final long gpuVa;
    private final long bytes;
    private final Runnable release;

    /// View of the memory in this process; null if there is none.
    private final MappedMemory view;

    private boolean open = true;

    /// @param view view of the memory in this process; null if there is none
    /// @param release returns the memory; called once the GPU can no longer access it
    SessionMemory(SessionSpace space, long gpuVa, long bytes, MappedMemory view, Runnable release) {
        this.space = space;
        this.gpuVa = gpuVa;
        this.bytes = bytes;
        this.view = view;
        this.release = release;
    }

    /// Returns the GPU address.
    public long gpuVa() {
        return gpuVa;
    }

    /// Returns the length in bytes.
    public long bytes() {
        return bytes;
    }

    /// Returns the memory in this process, for the poller's thread. Accesses after [#close()] throw
    /// [IllegalStateException].
    ///
    /// @throws IllegalStateException if the memory is VRAM
    public MemorySegment segment() {
        if (view == null) {
            throw new IllegalStateException("VRAM at %#x has no segment".formatted(gpuVa));
        }
        return view.segment();
    }

    /// Unmaps and releases the memory. Its address is free at once, the memory itself when the GPU
    /// has flushed its TLBs. A second call has no effect.
    public void close() {
        if (open) {
            endView();
            space.unmap(this);
        }
    }

    /// Ends the access from this process.
    void endView() {
        if (open && view != null) {
            view.close();
        }
        open = false;
    }

    /// Returns the action that returns the memory.
    Runnable release() {
        return release;
    }
}
