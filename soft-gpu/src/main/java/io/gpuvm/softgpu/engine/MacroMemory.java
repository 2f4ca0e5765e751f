package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MacroMethods;
import java.util.Arrays;

/// Macro memory of one channel, shared by its classes of PGRAPH: code, and the start of each macro.
/// Confined to the engine thread.
public final class MacroMemory {
    private final int[] code = new int[MacroMethods.CODE_WORDS];
    private final int[] entries = new int[MacroMethods.MACROS];
    private int codePosition;
    private int entryPosition;

    /// Clears the memory to the state of a new channel, which has no macros.
    public void clear() {
        Arrays.fill(code, 0);
        Arrays.fill(entries, 0);
        codePosition = 0;
        entryPosition = 0;
    }

    /// Sets the position of the next word of code.
    void moveCode(int position) {
        codePosition = position;
    }

    /// Sets the number of the macro whose start [#enter] sets next.
    void moveEntry(int macro) {
        entryPosition = macro;
    }

    /// Appends a word of code.
    ///
    /// @return false if the code memory is full
    boolean append(int word) {
        if (Integer.compareUnsigned(codePosition, MacroMethods.CODE_WORDS) >= 0) {
            return false;
        }
        code[codePosition++] = word;
        return true;
    }

    /// Sets the start of the next macro.
    ///
    /// @return false if the macro or the code position does not exist
    boolean enter(int position) {
        if (Integer.compareUnsigned(entryPosition, MacroMethods.MACROS) >= 0
                || Integer.compareUnsigned(position, MacroMethods.CODE_WORDS) >= 0) {
            return false;
        }
        entries[entryPosition++] = position;
        return true;
    }

    /// Returns the start of a macro.
    int entry(int macro) {
        return entries[macro];
    }

    /// Returns a word of code.
    int word(int position) {
        return code[position];
    }
}
