package io.gpuvm.trap.vgpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/// What direct mapping has cost, per VM. Written by the VM's thread only and read by any; a reader
/// may miss the latest counts.
public final class MappingCounters {
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong pagesShown = new AtomicLong();
    private final AtomicLong doubleMappings = new AtomicLong();

    /// Every counter by its name, in a stable order.
    public Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("updates", updates.get());
        all.put("pagesShown", pagesShown.get());
        all.put("doubleMappings", doubleMappings.get());
        return all;
    }

    /// The GPU's owner had to move pages.
    void onUpdate() {
        add(updates, 1);
    }

    /// A page of VRAM is shown by a page of a window from now on.
    void onPageShown() {
        add(pagesShown, 1);
    }

    /// The guest names a page of VRAM in two places of which only one can show it.
    void onDoubleMapping() {
        add(doubleMappings, 1);
    }

    private static void add(AtomicLong cell, long amount) {
        cell.lazySet(cell.getPlain() + amount);
    }
}
