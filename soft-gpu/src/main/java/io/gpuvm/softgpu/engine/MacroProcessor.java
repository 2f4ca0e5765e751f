package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.MacroMethods;

/// The macro processor as one object of a channel uses it: programs that the channel has loaded,
/// started by a method each, turn parameters into methods of the class.
///
/// A program runs as far as it has parameters, and waits for the next one otherwise. Whatever it
/// sends is executed before it goes on; if that takes long, or the program does, it stops and is
/// resumed. Confined to the engine thread.
final class MacroProcessor {
    private final MacroProgram program;
    private final WorkCounters counters;
    private final MacroMemory memory;
    private MacroError error = MacroError.NONE;

    /// What comes for a program that was refused is dropped until the next one starts.
    private boolean dropping;

    MacroProcessor(MacroMemory memory, MacroTarget target, TimeSlice slice, WorkCounters counters) {
        this.memory = memory;
        this.counters = counters;
        program = new MacroProgram(memory, target, slice);
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

    /// Whether a program was left in the midst of a method that could not be reported, or whose
    /// fault could not; the next method is the same as before.
    boolean isStuck() {
        return program.isStuck();
    }

    /// Whether a program waits for a parameter, so that no other method may come.
    boolean waitsForParameter() {
        return program.waitsForParameter();
    }

    /// What [MethodProgress#REFUSED] was about. Nothing has been reported, unless it was about
    /// nothing.
    MacroError takeError() {
        MacroError last = error;
        error = MacroError.NONE;
        return last;
    }

    /// Executes a method that it [#has(int)].
    ///
    /// @return also what became of the last method that a program sent
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

    /// Goes on with the program until it ends, waits for a parameter, or has to stop.
    MethodProgress run() {
        MethodProgress progress = program.run();
        if (progress == MethodProgress.REFUSED) {
            error = program.error();
            abandon();
            dropping = true;
        }
        return progress;
    }

    /// Ends the program that waits for a parameter, since something else came instead.
    MethodProgress interrupt() {
        return refuse(MacroError.TOO_FEW_PARAMETERS);
    }

    /// A method was refused that could not be finished at once: the program that sent it ends, if
    /// it was one.
    void endRefused() {
        if (isRunning() || waitsForParameter()) {
            abandon();
            dropping = true;
        }
    }

    /// Forgets the program that runs.
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
