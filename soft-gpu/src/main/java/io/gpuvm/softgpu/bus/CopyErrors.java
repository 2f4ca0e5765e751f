package io.gpuvm.softgpu.bus;

import io.gpuvm.gf100.unit.FalconProgram;
import io.gpuvm.softgpu.engine.CopyTrap;

/// The registers' view of what a copy engine refused.
record CopyErrors(CopyTrap trap) implements FalconProgram {
    @Override
    public int interrupts() {
        return trap.interrupts();
    }

    @Override
    public void acknowledge(int bits) {
        trap.acknowledge(bits);
    }

    @Override
    public int error() {
        return trap.error();
    }

    @Override
    public int data() {
        return trap.data();
    }

    @Override
    public int instance() {
        return trap.instance();
    }
}
