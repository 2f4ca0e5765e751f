package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.WarpError;

/// Error of an instruction. Thrown from deep inside an instruction to the loop that executes
/// instructions. The exception has no stack trace and is reused, so it costs no more than a jump.
final class WarpTrap extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private WarpError error;

    WarpTrap() {
        super(null, null, false, false);
    }

    WarpTrap of(WarpError what) {
        error = what;
        return this;
    }

    WarpError error() {
        return error;
    }
}
