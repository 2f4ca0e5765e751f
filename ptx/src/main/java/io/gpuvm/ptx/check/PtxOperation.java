package io.gpuvm.ptx.check;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Opcode with its modifiers and types. Instructions with the same text share one object, so that a
/// compiler may cache by identity. Immutable.
public final class PtxOperation {
    private final PtxOpcode opcode;
    private final String text;
    private final List<PtxType> types;
    private final Set<PtxModifier> modifiers;
    private final PtxModifier[] words;
    private final boolean[] present = new boolean[PtxModifier.values().length];
    private final PtxType first;
    private final PtxType last;

    /// @param text text in the source, for instance `cvt.rn.f32.u32`
    /// @param types types, in the order of the text
    /// @param modifiers other words
    PtxOperation(PtxOpcode opcode, String text, List<PtxType> types, Set<PtxModifier> modifiers) {
        this.opcode = opcode;
        this.text = text;
        this.types = List.copyOf(types);
        EnumSet<PtxModifier> copy = EnumSet.noneOf(PtxModifier.class);
        copy.addAll(modifiers);
        this.modifiers = Collections.unmodifiableSet(copy);
        words = copy.toArray(new PtxModifier[0]);
        for (PtxModifier word : words) {
            present[word.ordinal()] = true;
        }
        first = types.isEmpty() ? null : types.getFirst();
        last = types.isEmpty() ? null : types.getLast();
    }

    /// Returns the opcode.
    public PtxOpcode opcode() {
        return opcode;
    }

    /// Returns the text in the source, for instance `cvt.rn.f32.u32`.
    public String text() {
        return text;
    }

    /// Returns the types, in the order of the text; for `cvt`, the type of the result comes first.
    public List<PtxType> types() {
        return types;
    }

    /// Returns the words that are not types.
    public Set<PtxModifier> modifiers() {
        return modifiers;
    }

    /// Returns the first type, or null if the operation has no type.
    public PtxType type() {
        return first;
    }

    /// Returns the last type, or null: the type of the sources of `cvt`, `set`, `slct` and others,
    /// equal to [#type()] if there is only one.
    public PtxType sourceType() {
        return last;
    }

    /// Returns whether the operation has a modifier.
    public boolean has(PtxModifier modifier) {
        return present[modifier.ordinal()];
    }

    /// Returns the modifier that is in a group such as [PtxModifier#ROUNDING], or null.
    public PtxModifier in(Set<PtxModifier> group) {
        for (PtxModifier word : words) {
            if (group.contains(word)) {
                return word;
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

    @Override
    public String toString() {
        return text;
    }
}
