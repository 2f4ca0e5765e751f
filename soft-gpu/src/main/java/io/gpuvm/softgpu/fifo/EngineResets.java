package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.BitField;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.unit.fifo.EngineStatus;

/// Resets engines whose bits in PMC's enable register are cleared.
final class EngineResets {
    /// Enable bits by engine number.
    private static final BitField[] ENABLES = {
        Pmc.ENABLE_PGRAPH,
        Pmc.ENABLE_MSPDEC,
        Pmc.ENABLE_MSPPP,
        Pmc.ENABLE_MSVLD,
        Pmc.ENABLE_PCOPY0,
        Pmc.ENABLE_PCOPY1
    };

    private final FifoParts parts;
    private final EngineStatus status;

    EngineResets(FifoParts parts, EngineStatus status) {
        this.parts = parts;
        this.status = status;
    }

    /// Resets the engines whose bits in register 0x000200 were cleared, and discards the engines'
    /// work in progress.
    void reset(int pmcBits, Channel[] channels) {
        for (int engine = 0; engine < EngineId.COUNT; engine++) {
            if (ENABLES[engine].isSet(pmcBits)) {
                reset(EngineId.of(engine), channels);
            }
        }
    }

    private void reset(EngineId engine, Channel[] channels) {
        for (Channel channel : channels) {
            if (channel.engine() == engine && channel.unfinished() != null) {
                channel.unfinished().abandon();
                channel.unfinished(null);
            }
        }
        switch (engine) {
            case GRAPH -> parts.graphTrap().acknowledge(-1);
            case COPY0 -> parts.copyTrap0().acknowledge(-1);
            case COPY1 -> parts.copyTrap1().acknowledge(-1);
            case MSPDEC, MSPPP, MSVLD, SOFTWARE -> {}
        }
        status.idle(engine.number());
    }
}
