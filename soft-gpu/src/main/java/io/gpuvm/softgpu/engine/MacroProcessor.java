package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MacroMethods;

/// Macro processor of one object of a channel: runs programs that the channel has loaded; a method
/// starts each, and it turns parameters into methods of the class.
///
/// A program runs until it needs a further parameter, and then waits for it. Each method that it
/// sends is executed before it continues; if the method or the program takes long, the program
/// stops and is resumed. Confined to the engine thread.
final class MacroProcessor {
    private final MacroProgram program;
    private final WorkCounters counters;
    private final MacroMemory memory;
    private MacroError error = MacroError.NONE;

    /// True after a refused program: its parameters are dropped until the next one starts.
    private boolean dropping;

    MacroProcessor(MacroMemory memory, MacroTarget target, TimeSlice slice, WorkCounters counters) {
        this.memory = memory;
        this.counters = counters;
        program = new MacroProgram(memory, target, slice);
    }

    /// Returns whether a method is the processor's own.
    static boolean has(int method) {
        return method >= MacroMethods.CODE_POSITION && method <= MacroMethods.ENTRY_DATA
                || method >= MacroMethods.START && method <= MacroMethods.LAST;
    }

    /// Returns whether a program can run now: it has neither ended nor waits for a parameter.
    boolean isRunning() {
        return program.isRunning();
    }

    /// Returns whether a program was interrupted in a method whose refusal or fault could not be
    /// reported; the next method is the same as before.
    boolean isStuck() {
        return program.isStuck();
    }

    /// Returns whether a program waits for a parameter, so that no other method may arrive.
    boolean waitsForParameter() {
        return program.waitsForParameter();
    }

    /// Returns and clears the error of the last [MethodProgress#REFUSED]. The error has not been
    /// reported; for [MacroError#NONE], the refusal has.
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

    /// Runs the program until it ends, waits for a parameter, or has to stop.
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

    /// Ends the program, if any, whose method was refused when the program was resumed.
    void endRefused() {
        if (isRunning() || waitsForParameter()) {
            abandon();
            dropping = true;
        }
    }

    /// Abandons the program that runs.
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
