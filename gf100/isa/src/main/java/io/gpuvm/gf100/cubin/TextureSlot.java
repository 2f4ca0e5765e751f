package io.gpuvm.gf100.cubin;

/// Texture that a function reads.
///
/// @param name name of the texture reference in the program
/// @param slot slot from which the code reads the texture, up to [#MAX_SLOT]; the same texture may
///   have different slots in different functions
public record TextureSlot(String name, int slot) {
    /// Last slot that instructions can address.
    public static final int MAX_SLOT = 255;

    public TextureSlot {
        CubinFunction.check("texture " + name, "slot", slot, MAX_SLOT);
    }
}
