package io.gpuvm.gf100.cubin;

/// A texture that a function reads.
///
/// @param name of the texture reference in the program
/// @param slot that the code reads it in, up to [#MAX_SLOT]; the same texture may have another slot
///   in another function
public record TextureSlot(String name, int slot) {
    /// The last slot that instructions can name.
    public static final int MAX_SLOT = 255;

    public TextureSlot {
        CubinFunction.check("texture " + name, "slot", slot, MAX_SLOT);
    }
}
