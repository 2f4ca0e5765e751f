package io.gpuvm.softgpu.engine;

/// Methods of a class that describe one side of a copy.
///
/// @param pitch pitch of a linear surface
/// @param tileMode tile mode of a block-linear surface; the methods after it also apply to such
///   surfaces only
/// @param width width in elements, like x
/// @param height height in lines, like y
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
    /// Sets up a surface from the methods' data.
    ///
    /// @param state data of the class's methods
    /// @param isLinear whether the surface has lines at a fixed distance
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
