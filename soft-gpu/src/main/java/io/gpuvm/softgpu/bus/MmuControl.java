package io.gpuvm.softgpu.bus;

import io.gpuvm.gf100.unit.PffbUnit;

/// Carries PFFB's wishes to everything that caches translations.
record MmuControl(Bar0Parts parts) implements PffbUnit.Translations {
    @Override
    public void bigPagesOf64KiB(boolean chosen) {
        parts.mmu().bigPagesOf64KiB(chosen);
    }

    @Override
    public boolean flush(int vspace, int trigger) {
        parts.fifo().invalidateTlb(vspace, trigger);
        return true;
    }
}
