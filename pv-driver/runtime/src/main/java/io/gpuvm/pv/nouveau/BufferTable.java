package io.gpuvm.pv.nouveau;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.TreeMap;

/// All buffers that the GPU may access, in the order in which submissions list them. Immutable.
final class BufferTable {
    /// Maximum number of buffers: a submission lists at most 1,024 buffers
    /// (`NOUVEAU_GEM_MAX_BUFFERS`), one of which is the channel's marker.
    static final int MAX_BUFFERS = 1024 - 1;

    static final BufferTable EMPTY = new BufferTable(List.of());

    private final List<GemBuffer> buffers;
    private final TreeMap<Long, GemBuffer> byAddress = new TreeMap<>();
    private final Map<Integer, Integer> indices = new HashMap<>();

    private BufferTable(List<GemBuffer> buffers) {
        this.buffers = buffers;
        for (int i = 0; i < buffers.size(); i++) {
            byAddress.put(buffers.get(i).gpuVa(), buffers.get(i));
            indices.put(buffers.get(i).handle(), i);
        }
    }

    List<GemBuffer> buffers() {
        return buffers;
    }

    boolean isFull() {
        return buffers.size() == MAX_BUFFERS;
    }

    /// Returns a table that also contains the given buffer.
    BufferTable with(GemBuffer buffer) {
        List<GemBuffer> more = new ArrayList<>(buffers);
        more.add(buffer);
        return new BufferTable(List.copyOf(more));
    }

    /// Returns a table without the given buffer.
    BufferTable without(GemBuffer buffer) {
        return new BufferTable(
                buffers.stream().filter(each -> each.handle() != buffer.handle()).toList());
    }

    /// Returns the position of a buffer in the table, -1 if absent.
    int indexOf(GemBuffer buffer) {
        return indices.getOrDefault(buffer.handle(), -1);
    }

    /// Returns the segment at the given address; null if no buffer contains the whole segment.
    Push find(long gpuVa, long bytes) {
        Entry<Long, GemBuffer> below = byAddress.floorEntry(gpuVa);
        if (below == null || gpuVa + bytes > below.getValue().end()) {
            return null;
        }
        return new Push(below.getValue(), gpuVa - below.getValue().gpuVa(), bytes);
    }
}
