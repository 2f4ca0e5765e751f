package io.gpuvm.softgpu.bus;

import io.gpuvm.gf100.unit.PgraphUnit;
import io.gpuvm.softgpu.engine.GraphTrap;

/// The registers' view of what the graphics engine refused.
record GraphErrors(GraphTrap trap) implements PgraphUnit.Errors {
    @Override
    public int interrupts() {
        return trap.interrupts();
    }

    @Override
    public void acknowledge(int bits) {
        trap.acknowledge(bits);
    }

    @Override
    public void enable(int bits) {
        trap.enable(bits);
    }

    @Override
    public int address() {
        return trap.address();
    }

    @Override
    public int data() {
        return trap.data();
    }

    @Override
    public int code() {
        return trap.code();
    }

    @Override
    public int classOn(int subchannel) {
        return trap.classOn(subchannel);
    }

    /// Instance block of the channel that was refused, in 4 KiB pages; zero while nothing is
    /// reported.
    int trappedInstance() {
        return trap.interrupts() == 0 ? 0 : trap.instance();
    }
}
