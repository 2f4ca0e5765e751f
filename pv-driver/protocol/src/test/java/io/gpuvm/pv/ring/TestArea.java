package io.gpuvm.pv.ring;

import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.protocol.PvLimits;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Small shared area, as seen by the host and by the guest.
final class TestArea {
    static final PvLimits LIMITS =
            new PvLimits(new GpuLimits("GF100", 1L << 30, 8, 14, 2), 100, 4, 1 << 20, 512, 64);

    static final int ENTRIES = AreaLayout.MIN_ENTRIES;

    static final AreaLayout LAYOUT = AreaLayout.of(8, ENTRIES, ENTRIES, 1 << 12);

    final MemorySegment memory = Arena.ofAuto().allocate(LAYOUT.bytes(), 1 << 12);
    final SharedArea host = SharedArea.create(memory, LAYOUT, LIMITS);
    final SharedArea guest = SharedArea.attach(memory);
}
