package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MacroMethods;

/// The macro processor in front of one object: programs that its channel has loaded, started by a
/// method each, turn parameters into methods of the class.
///
/// A program runs as far as it has parameters, and waits for the next one otherwise. Whatever it
/// sends is executed before it goes on; if that takes long, or the program does, it stops and is
/// resumed. Confined to the engine thread.
final class MacroProcessor {
    private final MacroProgram program;
    private final WorkCounters counters;
    private final int[] code = new int[MacroMethods.CODE_WORDS];
    private final int[] entries = new int[MacroMethods.MACROS];
    private int codePosition;
    private int entryPosition;
    private MacroError error = MacroError.NONE;

    /// What comes for a program that was refused is dropped until the next one starts.
    private boolean dropping;

    MacroProcessor(MacroTarget target, Slice slice, WorkCounters counters) {
        this.counters = counters;
        program = new MacroProgram(code, target, slice);
    }

    /// Whether a method is the processor's own.
    static boolean has(int method) {
        return method >= MacroMethods.CODE_POSITION && method <= MacroMethods.ENTRY_DATA
                || method >= MacroMethods.START && method <= MacroMethods.LAST;
    }

    /// Whether a program has something to do now: it has neither ended nor waits for a parameter.
    boolean isRunning() {
        return program.isRunning();
    }

    /// Whether a program was left in the midst of a method that could not be reported; the next
    /// method is the same as before.
    boolean isStuck() {
        return program.isStuck();
    }

    /// Whether a program waits for a parameter, so that no other method may come.
    boolean waitsForParameter() {
        return program.waitsForParameter();
    }

    /// What [Progress#REFUSED] was about. Nothing has been reported, unless it was about nothing.
    MacroError takeError() {
        MacroError last = error;
        error = MacroError.NONE;
        return last;
    }

    /// Where the program is, in words.
    int position() {
        return program.position();
    }

    /// Executes a method that it [#has(int)].
    ///
    /// @return also what became of the last method that a program sent
    Progress method(int subchannel, int method, int data) {
        return switch (method) {
            case MacroMethods.CODE_POSITION -> {
                codePosition = data;
                yield Progress.DONE;
            }
            case MacroMethods.CODE_DATA -> upload(data);
            case MacroMethods.ENTRY_POSITION -> {
                entryPosition = data;
                yield Progress.DONE;
            }
            case MacroMethods.ENTRY_DATA -> enter(data);
            default -> {
                int offset = method - MacroMethods.START;
                yield offset % MacroMethods.STRIDE == 0
                        ? start(subchannel, offset / MacroMethods.STRIDE, data)
                        : parameter(data);
            }
        };
    }

    /// Goes on with the program until it ends, waits for a parameter, or has to stop.
    Progress run() {
        Progress progress = program.run();
        if (progress == Progress.REFUSED) {
            error = program.error();
            abandon();
            dropping = true;
        }
        return progress;
    }

    /// Ends the program that waits for a parameter, since something else came instead.
    Progress interrupt() {
        return refuse(MacroError.TOO_FEW_PARAMETERS);
    }

    /// Forgets the program that runs.
    void abandon() {
        program.abandon();
    }

    private Progress upload(int word) {
        if (Integer.compareUnsigned(codePosition, MacroMethods.CODE_WORDS) >= 0) {
            return refuse(MacroError.OUT_OF_SPACE);
        }
        code[codePosition++] = word;
        return Progress.DONE;
    }

    private Progress enter(int start) {
        if (Integer.compareUnsigned(entryPosition, MacroMethods.MACROS) >= 0
                || Integer.compareUnsigned(start, MacroMethods.CODE_WORDS) >= 0) {
            return refuse(MacroError.OUT_OF_SPACE);
        }
        entries[entryPosition++] = start;
        return Progress.DONE;
    }

    private Progress start(int subchannel, int macro, int data) {
        dropping = false;
        counters.increment(WorkCounter.MACROS);
        program.start(subchannel, entries[macro], data);
        return run();
    }

    private Progress parameter(int data) {
        if (dropping) {
            return Progress.DONE;
        }
        if (!waitsForParameter()) {
            return refuse(MacroError.TOO_MANY_PARAMETERS);
        }
        program.take(data);
        return run();
    }

    private Progress refuse(MacroError what) {
        abandon();
        error = what;
        return Progress.REFUSED;
    }
}
