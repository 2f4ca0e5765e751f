package io.gpuvm.pv.host;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Address space of a session, with the memory that is mapped in it and the channels that use it.
/// Page tables change at once, and before the GPU starts on submissions of the same turn. Confined
/// to the poller's thread.
public final class SessionSpace {
    private final SessionGpu gpu;
    private final int handle;
    private final GuestSpace space;
    private final Set<SessionMemory> memories = new HashSet<>();

    /// Channels that have not ended.
    private final List<SessionChannel> channels = new ArrayList<>();

    private boolean closed;

    SessionSpace(SessionGpu gpu, int handle, GuestSpace space) {
        this.gpu = gpu;
        this.handle = handle;
        this.space = space;
    }

    /// Allocates VRAM. Its contents are undefined, but never data of another virtual machine.
    ///
    /// @param gpuVa address, a multiple of 4 KiB, of a range that is not mapped
    /// @param bytes length, a multiple of 4 KiB, at least one page
    /// @throws SessionGpuException if a quota is used up, or memory is lacking
    public SessionMemory mapVram(long gpuVa, long bytes) {
        int piece = gpu.allocateVram(bytes);
        try {
            gpu.map(space, gpuVa, gpu.memory().backing(piece), 0, bytes);
        } catch (SessionGpuException e) {
            gpu.afterFlush(() -> gpu.freeVram(piece));
            throw e;
        }
        return add(new SessionMemory(this, gpuVa, bytes, null, () -> gpu.freeVram(piece)));
    }

    /// Allocates host memory that is not shared with the client, and reads as zeros.
    ///
    /// @param gpuVa address, a multiple of 4 KiB, of a range that is not mapped
    /// @param bytes length, a multiple of 4 KiB, at least one page
    /// @throws SessionGpuException if a quota is used up, or memory is lacking
    public SessionMemory mapPrivate(long gpuVa, long bytes) {
        long offset = gpu.allocatePrivate(bytes);
        try {
            gpu.map(space, gpuVa, gpu.privateMemory(), offset, bytes);
        } catch (SessionGpuException e) {
            gpu.afterFlush(() -> gpu.pages().giveBack(offset, bytes));
            throw e;
        }
        return add(
                new SessionMemory(
                        this,
                        gpuVa,
                        bytes,
                        gpu.pages().map(offset, bytes),
                        () -> gpu.pages().giveBack(offset, bytes)));
    }

    /// Maps the whole data area, until the address space is closed.
    ///
    /// @param gpuVa address, a multiple of 4 KiB, of a range that is not mapped
    /// @throws SessionGpuException if a quota is used up, or memory is lacking
    public void mapData(long gpuVa) {
        Backing data = gpu.data();
        gpu.map(space, gpuVa, data, 0, data.bytes());
    }

    /// Opens a channel. The channel accepts submissions at once.
    ///
    /// @param ringGpuVa address of the channel's ring, a multiple of 8
    /// @param ringOrder binary logarithm of the ring's number of entries, 1 to 16
    /// @throws SessionGpuException if no channel, or no memory for a channel, is left
    public SessionChannel openChannel(long ringGpuVa, int ringOrder) {
        SessionChannel channel = gpu.openChannel(this, space, ringGpuVa, ringOrder);
        channels.add(channel);
        return channel;
    }

    /// Ends all channels, even if they are busy, and releases all memory as soon as the GPU no
    /// longer uses it. A second call has no effect.
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        endViews();
        if (gpu.isStopped()) {
            return;
        }
        gpu.beginClose(memories.size());
        for (SessionChannel channel : List.copyOf(channels)) {
            channel.close(() -> {});
        }
        destroyIfUnused();
    }

    /// Ends the access to all memory from this process.
    void endViews() {
        memories.forEach(SessionMemory::endView);
    }

    /// Unmaps memory, which is not closed yet.
    void unmap(SessionMemory memory) {
        memories.remove(memory);
        if (gpu.isStopped()) {
            return;
        }
        gpu.unmap(space, memory.gpuVa(), memory.bytes());
        gpu.afterFlush(memory.release());
    }

    /// Called when a channel has ended.
    void onEnded(SessionChannel channel) {
        channels.remove(channel);
        destroyIfUnused();
    }

    private void destroyIfUnused() {
        if (closed && channels.isEmpty()) {
            gpu.endClose(this, handle, space, List.copyOf(memories));
        }
    }

    private SessionMemory add(SessionMemory memory) {
        memories.add(memory);
        return memory;
    }
}
