package io.gpuvm.trap.vgpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// Costs of direct mapping, per virtual machine. Written by the virtual machine's thread only and
/// read by any thread; a reader may miss the latest counts.
public final class MappingCounters {
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong pagesShown = new AtomicLong();
    private final AtomicLong doubleMappings = new AtomicLong();

    /// Returns every counter by its name, in a stable order.
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("updates", updates.get());
        all.put("pagesShown", pagesShown.get());
        all.put("doubleMappings", doubleMappings.get());
        return all;
    }

    /// Counts an update in which the GPU's owner had to move pages.
    void onUpdate() {
        add(updates, 1);
    }

    /// Counts a page of VRAM that a page of a window now shows.
    void onPageShown() {
        add(pagesShown, 1);
    }

    /// Counts a page of VRAM that the guest maps at two places, only one of which can show it.
    void onDoubleMapping() {
        add(doubleMappings, 1);
    }

    private static void add(AtomicLong cell, long amount) {
        cell.lazySet(cell.getPlain() + amount);
    }
}
