package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;

/// Decodes the words of a channel's push buffer into methods. The decoder retains its position
/// across segments: a command may start in one segment and continue in the next. Confined to the
/// engine thread.
final class CommandDecoder {
    /// Meaning of a header.
    enum Command {
        /// Methods; see [#hasMethod()].
        METHODS,
        /// No operation.
        NOTHING,
        /// End of the segment: the following words are skipped.
        END_OF_SEGMENT,
        /// Unknown command.
        ILLEGAL
    }

    private static final int METHOD_BYTES = 4;

    private Ramfc.CommandForms forms = Ramfc.CommandForms.NEW;
    private boolean sliEnabled;
    private boolean sliActive;
    private int sliMask;
    private int sliStoredMask;

    private int header;
    private int subchannel;
    private int method;
    private int left;
    private int step;
    private boolean once;
    private boolean immediate;

    /// Discards a command in progress.
    void forget() {
        header = 0;
        left = 0;
    }

    /// Loads the channel's options from RAMFC.
    void load(Ramfc ramfc) {
        forms = ramfc.commandForms();
        sliEnabled = ramfc.isSliEnabled();
        sliActive = ramfc.isSliActive();
        sliMask = ramfc.sliMask();
        sliStoredMask = 0;
    }

    /// Decodes the first word of a command. [#hasMethod()] must be false.
    Command decode(int word) {
        header = word;
        return switch (MethodHeader.form(word)) {
            case MethodHeader.INCREASING -> methods(word, METHOD_BYTES, false);
            case MethodHeader.NON_INCREASING -> methods(word, 0, false);
            case MethodHeader.INCREASE_ONCE -> methods(word, METHOD_BYTES, true);
            case MethodHeader.IMMEDIATE -> immediate(word);
            case MethodHeader.OLD_INCREASING -> oldIncreasing(word);
            case MethodHeader.OLD_NON_INCREASING -> oldMethods(word, 0);
            case MethodHeader.END_OF_SEGMENT -> Command.END_OF_SEGMENT;
            default -> Command.ILLEGAL;
        };
    }

    /// Returns whether a method of the command is pending.
    boolean hasMethod() {
        return left > 0;
    }

    /// Returns whether the method's data is in the header rather than in the next word.
    boolean isImmediate() {
        return immediate;
    }

    /// Returns the data of an immediate method.
    int immediateData() {
        return MethodHeader.count(header);
    }

    /// Returns whether this board executes methods under the current SLI condition.
    boolean isSelected() {
        return !sliEnabled || sliActive;
    }

    int subchannel() {
        return subchannel;
    }

    /// Returns the byte offset of the pending method.
    int method() {
        return method;
    }

    /// Returns the last header.
    int header() {
        return header;
    }

    /// Advances to the next method of the command.
    void advance() {
        left--;
        method = method + step & MethodHeader.METHOD_MASK;
        if (once) {
            step = 0;
        }
    }

    private Command methods(int word, int stepBytes, boolean stepOnce) {
        if (forms == Ramfc.CommandForms.OLD) {
            return Command.ILLEGAL;
        }
        begin(MethodHeader.method(word), MethodHeader.count(word), stepBytes, stepOnce);
        subchannel = MethodHeader.subchannel(word);
        return Command.METHODS;
    }

    private Command immediate(int word) {
        Command command = methods(word, 0, false);
        if (command == Command.METHODS) {
            left = 1;
            immediate = true;
        }
        return command;
    }

    private Command oldIncreasing(int word) {
        int sli = MethodHeader.sliOperation(word);
        if (sli != MethodHeader.SLI_NONE) {
            return sli(sli, MethodHeader.sliMask(word));
        }
        return MethodHeader.oldCount(word) == 0 ? Command.NOTHING : oldMethods(word, METHOD_BYTES);
    }

    private Command oldMethods(int word, int stepBytes) {
        if (forms == Ramfc.CommandForms.NEW
                || MethodHeader.sliOperation(word) != MethodHeader.SLI_NONE) {
            return Command.ILLEGAL;
        }
        begin(MethodHeader.oldMethod(word), MethodHeader.oldCount(word), stepBytes, false);
        subchannel = MethodHeader.subchannel(word);
        return Command.METHODS;
    }

    private void begin(int first, int count, int stepBytes, boolean stepOnce) {
        method = first;
        left = count;
        step = stepBytes;
        once = stepOnce;
        immediate = false;
    }

    private Command sli(int operation, int mask) {
        if (!sliEnabled) {
            return Command.ILLEGAL;
        }
        switch (operation) {
            case MethodHeader.SLI_CONDITION -> sliActive = (mask & sliMask) != 0;
            case MethodHeader.SLI_STORE_MASK -> sliStoredMask = mask;
            default -> sliActive = (sliStoredMask & sliMask) != 0;
        }
        return Command.NOTHING;
    }
}
