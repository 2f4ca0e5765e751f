package io.gpuvm.ptx.check;

import java.util.List;
import java.util.Set;

/// Opcode with its modifiers and types. Instructions with the same text share one object, so that a
/// compiler may cache by identity.
///
/// @param text text in the source, for instance `cvt.rn.f32.u32`
/// @param types types, in the order of the text; for `cvt`, the type of the result comes first
/// @param modifiers other words
public record PtxOperation(
        PtxOpcode opcode, String text, List<PtxType> types, Set<PtxModifier> modifiers) {
    public PtxOperation {
        types = List.copyOf(types);
        modifiers = Set.copyOf(modifiers);
    }

    /// Returns the first type.
    ///
    /// @throws IndexOutOfBoundsException if the operation has no type
    public PtxType type() {
        return types.getFirst();
    }

    /// Returns the last type: the type of the sources of `cvt`, `set`, `slct` and others, equal to
    /// [#type()] if there is only one.
    public PtxType sourceType() {
        return types.getLast();
    }

    /// Returns whether the operation has a modifier.
    public boolean has(PtxModifier modifier) {
        return modifiers.contains(modifier);
    }

    /// Returns the modifier that is in a group such as [PtxModifier#ROUNDING], or null.
    public PtxModifier in(Set<PtxModifier> group) {
        for (PtxModifier modifier : modifiers) {
            if (group.contains(modifier)) {
                return modifier;
            }
        }
        return null;
    }

    /// Returns the mode of rounding, or null if the text has none.
    public PtxModifier rounding() {
        return in(PtxModifier.ROUNDING);
    }

    /// Returns the comparison, or null.
    public PtxModifier comparison() {
        return in(PtxModifier.COMPARISONS);
    }

    /// Returns the space of a memory access or conversion of addresses.
    public PtxSpace space() {
        PtxModifier space = in(PtxModifier.SPACES);
        return space == null ? PtxSpace.GENERIC : PtxSpace.valueOf(space.name());
    }

    /// Returns the number of elements of a vector access: 1, 2 or 4.
    public int vectorLength() {
        return has(PtxModifier.V4) ? 4 : has(PtxModifier.V2) ? 2 : 1;
    }
}
