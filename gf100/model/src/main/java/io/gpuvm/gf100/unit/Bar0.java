package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.memory.MemoryPort;
import io.gpuvm.gf100.reg.Pcopy;
import io.gpuvm.gf100.reg.Pmc;
import java.util.List;

/// The register space: every unit of the GPU in one table. An undeclared register reads as zero,
/// ignores writes, and is counted.
///
/// Confined to the register thread.
public final class Bar0 {
    private final PpciUnit ppci;
    private final PromUnit prom;
    private final PmuUnit pmu = new PmuUnit();
    private final CtxctlUnit ctxctl;
    private final PffbUnit pffb;
    private final Bar0Parts parts;
    private final List<Unit> units;
    private final RegisterTable table;

    public Bar0(Bar0Parts parts, UndeclaredAccesses undeclared) {
        this.parts = parts;
        MemoryPort memory = parts.memory();
        ppci = new PpciUnit(parts.interrupts()::rearm);
        prom = new PromUnit(parts.vbios(), ppci::romVisible);
        pffb = new PffbUnit(parts.board(), parts.translations());
        ctxctl = new CtxctlUnit(parts.board(), parts.graphTrap()::trappedInstance);
        units =
                List.of(
                        new PmcUnit(this::switchOff),
                        parts.interrupts().tree(),
                        new PbusUnit(parts.bar1Control(), parts.bar3Control()),
                        new PraminUnit(memory, parts.onPraminMove()),
                        parts.fifo(),
                        parts.ptimer(),
                        new SensorUnit(),
                        new BoardUnit(parts.board()),
                        new VideoDecoderUnit(),
                        ppci,
                        pffb,
                        FalconUnit.copyEngine(Pcopy.FALCON_0, parts.copyTrap0()),
                        FalconUnit.copyEngine(Pcopy.FALCON_1, parts.copyTrap1()),
                        pmu,
                        new PibusUnit(parts.board()),
                        new PmfbUnit(parts.board()),
                        prom,
                        new PgraphUnit(parts.board(), parts.graphTrap()),
                        ctxctl,
                        new PdisplayUnit(parts.board(), memory));
        RegisterTable.Builder builder = RegisterTable.builder(undeclared);
        units.forEach(builder::unit);
        table = builder.build();
    }

    /// Returns the unit that flushes translations.
    public PffbUnit pffb() {
        return pffb;
    }

    /// Reads 1, 2, 4 or 8 bytes at an aligned offset.
    public long read(long offset, int width) {
        return table.read((int) offset, width);
    }

    /// Writes 1, 2, 4 or 8 bytes at an aligned offset.
    public void write(long offset, int width, long value) {
        table.write((int) offset, width, value);
    }

    /// Reads 1, 2, 4 or 8 bytes of the expansion ROM at an aligned offset.
    public long readRom(long offset, int width) {
        return prom.readImage(offset, width);
    }

    /// Resets every unit to its power-on state. PFIFO stops all channels.
    public void reset() {
        table.reset();
        units.forEach(Unit::reset);
    }

    /// Resets the units whose bits of `PMC.ENABLE` changed from 1 to 0.
    private void switchOff(int bits) {
        parts.onSwitchedOff().accept(bits);
        if (Pmc.ENABLE_PGRAPH.isSet(bits)) {
            ctxctl.stop();
        }
        if (Pmc.ENABLE_PMU.isSet(bits)) {
            pmu.stop();
        }
    }
}
