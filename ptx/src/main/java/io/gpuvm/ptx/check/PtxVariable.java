package io.gpuvm.ptx.check;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Variable in memory.
///
/// @param index number in its module, from 0, without gaps; functions' variables are included
/// @param name name in the source; a variable of a function that is in the list of the module has
///   the name `$function$name`, and a number if that name is in use
/// @param space [PtxSpace#GENERIC] never
/// @param type type of an element
/// @param bytes size in bytes; 0 for an array without length, which is `.extern`
/// @param alignment alignment in bytes, a power of 2
/// @param initial initial contents, read-only; memory beyond them is zero. Empty if the variable
///   has no initial value
/// @param references addresses that are stored over the initial contents
/// @param function name of the function that declares the variable, or null for a variable of the
///   module
public record PtxVariable(
        int index,
        String name,
        PtxSpace space,
        PtxType type,
        long bytes,
        int alignment,
        PtxLinkage linkage,
        Role role,
        MemorySegment initial,
        List<PtxReference> references,
        String function)
        implements PtxSymbol {
    public PtxVariable {
        initial = initial.asReadOnly();
        references = List.copyOf(references);
    }

    /// Returns whether the size is the launch's: `.extern .shared x[]`.
    public boolean isDynamicShared() {
        return space == PtxSpace.SHARED && bytes == 0;
    }

    /// Returns the name in the source.
    String sourceName() {
        String prefix = "$" + function + "$";
        return role == Role.STATIC && name.startsWith(prefix)
                ? name.substring(prefix.length())
                : name;
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return index;
    }

    /// Kind of declaration.
    public enum Role {
        /// `.global`, `.const` or `.shared`, in a module or a function.
        STATIC,
        /// `.local`, one for each call of the function and thread.
        LOCAL,
        KERNEL_PARAMETER,
        FUNCTION_PARAMETER,
        FUNCTION_RESULT,
        /// `.param` variable of a body: argument or result of calls.
        CALL_ARGUMENT
    }
}
