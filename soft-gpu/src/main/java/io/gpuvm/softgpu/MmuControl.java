package io.gpuvm.softgpu;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.PffbUnit;
import io.gpuvm.softgpu.fifo.Fifo;

/// Receiver of PFFB's requests: forwards the size of big pages to the MMU, and flushes to PFIFO.
record MmuControl(Mmu mmu, Fifo fifo) implements PffbUnit.Translations {
    @Override
    public void bigPagesOf64KiB(boolean chosen) {
        mmu.bigPagesOf64KiB(chosen);
    }

    @Override
    public boolean flush(int vspace, int trigger) {
        fifo.invalidateTlb(vspace, trigger);
        return true;
    }
}
