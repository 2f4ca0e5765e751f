package io.gpuvm.softgpu.engine;

/// Where a class keeps what describes one side of a copy: methods of the class.
///
/// @param pitch of a linear surface
/// @param tileMode of a block-linear surface, as are those after it
/// @param width in elements, as is x
/// @param height in lines, as is y
record SurfaceMethods(
        int addressHigh,
        int addressLow,
        int pitch,
        int tileMode,
        int width,
        int height,
        int x,
        int y,
        int z) {
    /// Sets a surface up as the methods say.
    ///
    /// @param state what was written to the class
    /// @param isLinear whether it has lines at a fixed distance
    void describe(ClassState state, boolean isLinear, int elementBytes, Surface surface) {
        long gpuVa = state.address(addressHigh, addressLow);
        if (isLinear) {
            surface.linear(gpuVa, state.get(pitch));
            return;
        }
        surface.tiled(
                        gpuVa,
                        state.get(tileMode),
                        state.unsigned(width) * elementBytes,
                        state.unsigned(height))
                .at(state.unsigned(x) * elementBytes, state.unsigned(y), state.unsigned(z));
    }
}
