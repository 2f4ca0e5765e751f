package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MacroMethods;
import java.util.Arrays;

/// The macro processor's memory of one channel, which all its classes of PGRAPH load and use: code,
/// and where each macro starts. Confined to the engine thread.
public final class MacroMemory {
    private final int[] code = new int[MacroMethods.CODE_WORDS];
    private final int[] entries = new int[MacroMethods.MACROS];
    private int codePosition;
    private int entryPosition;

    /// Back to a new channel's, which has no macros.
    public void clear() {
        Arrays.fill(code, 0);
        Arrays.fill(entries, 0);
        codePosition = 0;
        entryPosition = 0;
    }

    /// Says where the next word of code goes.
    void moveCode(int position) {
        codePosition = position;
    }

    /// Says which macro's entry comes next.
    void moveEntry(int macro) {
        entryPosition = macro;
    }

    /// Appends a word of code.
    ///
    /// @return false if there is no room for it
    boolean append(int word) {
        if (Integer.compareUnsigned(codePosition, MacroMethods.CODE_WORDS) >= 0) {
            return false;
        }
        code[codePosition++] = word;
        return true;
    }

    /// Says where the next macro starts.
    ///
    /// @return false if there is no such macro, or no such code
    boolean enter(int position) {
        if (Integer.compareUnsigned(entryPosition, MacroMethods.MACROS) >= 0
                || Integer.compareUnsigned(position, MacroMethods.CODE_WORDS) >= 0) {
            return false;
        }
        entries[entryPosition++] = position;
        return true;
    }

    /// Where a macro starts.
    int entry(int macro) {
        return entries[macro];
    }

    /// A word of code.
    int word(int position) {
        return code[position];
    }
}
