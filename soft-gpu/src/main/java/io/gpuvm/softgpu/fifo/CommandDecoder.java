package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;

/// Takes the words of a channel's push buffer apart into methods. Keeps its place across segments:
/// a command may end in one and go on in the next. Confined to the engine thread.
final class CommandDecoder {
    /// What a header says.
    enum Command {
        /// Methods follow; see [#hasMethod()].
        METHODS,
        /// Nothing to do.
        NOTHING,
        /// The rest of the segment does not count.
        END_OF_SEGMENT,
        /// There is no such command.
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

    /// Forgets a command in progress.
    void forget() {
        header = 0;
        left = 0;
    }

    /// Takes the channel's options from RAMFC.
    void load(Ramfc ramfc) {
        forms = ramfc.commandForms();
        sliEnabled = ramfc.isSliEnabled();
        sliActive = ramfc.isSliActive();
        sliMask = ramfc.sliMask();
        sliStoredMask = 0;
    }

    /// Looks at the first word of a command. Only while not [#hasMethod()].
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

    /// Whether a method is due.
    boolean hasMethod() {
        return left > 0;
    }

    /// Whether the method's data is in the header rather than in the next word.
    boolean isImmediate() {
        return immediate;
    }

    /// Data of an immediate method.
    int immediateData() {
        return MethodHeader.count(header);
    }

    /// Whether methods count on this board.
    boolean isSelected() {
        return !sliEnabled || sliActive;
    }

    int subchannel() {
        return subchannel;
    }

    /// The method that is due, in bytes.
    int method() {
        return method;
    }

    /// The last header.
    int header() {
        return header;
    }

    /// Goes on to the next method of the command.
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
