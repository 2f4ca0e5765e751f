package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MacroMethods;

/// Macro processor of one object of a channel: runs programs that the channel has loaded. A method
/// starts a program, which converts parameters to methods of the class.
///
/// A program runs until it needs another parameter, and then waits for the parameter. Each method
/// that a program sends is executed before the program continues. If the method or the program
/// exceeds the time slice, the program stops and is resumed later. Confined to the engine thread.
final class MacroProcessor {
    private final MacroProgram program;
    private final WorkCounters counters;
    private final MacroMemory memory;
    private MacroError error = MacroError.NONE;

    /// True after a refused program: its parameters are dropped until the next program starts.
    private boolean dropping;

    MacroProcessor(MacroMemory memory, MacroTarget target, TimeSlice slice, WorkCounters counters) {
        this.memory = memory;
        this.counters = counters;
        program = new MacroProgram(memory, target, slice);
    }

    /// Returns whether a method belongs to the macro processor.
    static boolean has(int method) {
        return method >= MacroMethods.CODE_POSITION && method <= MacroMethods.ENTRY_DATA
                || method >= MacroMethods.START && method <= MacroMethods.LAST;
    }

    /// Returns whether a program can run now: neither ended nor waiting for a parameter.
    boolean isRunning() {
        return program.isRunning();
    }

    /// Returns whether a program was interrupted in a method whose refusal or fault could not be
    /// reported; the channel then repeats its last method.
    boolean isStuck() {
        return program.isStuck();
    }

    /// Returns whether a program waits for a parameter; if so, no other method may arrive.
    boolean waitsForParameter() {
        return program.waitsForParameter();
    }

    /// Returns and clears the error of the last [MethodProgress#REFUSED]. The caller must report
    /// the error, except for [MacroError#NONE]: that refusal has already been reported.
    MacroError takeError() {
        MacroError last = error;
        error = MacroError.NONE;
        return last;
    }

    /// Executes a method for which [#has(int)] is true.
    ///
    /// @return progress, including that of the last method that a program sent
    MethodProgress method(int subchannel, int method, int data) {
        return switch (method) {
            case MacroMethods.CODE_POSITION -> {
                memory.moveCode(data);
                yield MethodProgress.DONE;
            }
            case MacroMethods.CODE_DATA -> done(memory.append(data));
            case MacroMethods.ENTRY_POSITION -> {
                memory.moveEntry(data);
                yield MethodProgress.DONE;
            }
            case MacroMethods.ENTRY_DATA -> done(memory.enter(data));
            default -> {
                int offset = method - MacroMethods.START;
                yield offset % MacroMethods.STRIDE == 0
                        ? start(subchannel, offset / MacroMethods.STRIDE, data)
                        : parameter(data);
            }
        };
    }

    /// Runs the program until it ends, waits for a parameter, or must stop.
    MethodProgress run() {
        MethodProgress progress = program.run();
        if (progress == MethodProgress.REFUSED) {
            error = program.error();
            abandon();
            dropping = true;
        }
        return progress;
    }

    /// Ends the program that waits for a parameter, because another method arrived.
    MethodProgress interrupt() {
        return refuse(MacroError.TOO_FEW_PARAMETERS);
    }

    /// Ends the program, if any, whose method was refused on resumption.
    void endRefused() {
        if (isRunning() || waitsForParameter()) {
            abandon();
            dropping = true;
        }
    }

    /// Abandons the running program.
    void abandon() {
        program.abandon();
    }

    private MethodProgress done(boolean fits) {
        return fits ? MethodProgress.DONE : refuse(MacroError.OUT_OF_SPACE);
    }

    private MethodProgress start(int subchannel, int macro, int data) {
        dropping = false;
        counters.increment(WorkCounter.MACROS);
        program.start(subchannel, memory.entry(macro), data);
        return run();
    }

    private MethodProgress parameter(int data) {
        if (dropping) {
            return MethodProgress.DONE;
        }
        if (!waitsForParameter()) {
            return refuse(MacroError.TOO_MANY_PARAMETERS);
        }
        program.take(data);
        return run();
    }

    private MethodProgress refuse(MacroError what) {
        abandon();
        error = what;
        return MethodProgress.REFUSED;
    }
}
