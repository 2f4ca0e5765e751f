package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.remote.link.Link;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Data area with its twin, sender and receiver.
final class MirrorEnd implements AutoCloseable {
    final MemorySegment data;
    final AreaTwin twin;
    final DeclaredFences fences = new DeclaredFences();
    final TrackedPages pages;
    final WordsSender sender;
    final WordsReceiver receiver;

    MirrorEnd(Link link, long bytes) {
        data = Arena.ofAuto().allocate(bytes, TrackedPages.PAGE);
        twin = new AreaTwin(data);
        MemorySegment entry = Arena.ofAuto().allocate(RingEntry.BYTES, Long.BYTES);
        pages = new TrackedPages(data, fences, entry, bytes / TrackedPages.PAGE);
        sender = new WordsSender(link, twin, pages, fences);
        receiver = new WordsReceiver(link, twin);
    }

    int word(long offset) {
        return data.get(WireType.U32, offset);
    }

    void write(long offset, int word) {
        data.set(WireType.U32, offset, word);
    }

    @Override
    public void close() {
        twin.close();
    }
}
