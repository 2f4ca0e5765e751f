package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.MacroMethods;
import io.gpuvm.softgpu.mmu.MmuFault;

/// A class of PGRAPH with the macro processor in front of it, which passes on every method that is
/// not its own.
final class MacroFront extends GraphObject implements MacroTarget {
    private final GraphObject behind;
    private final MacroProcessor macros;

    /// Whether the object behind has something to go on with.
    private boolean unfinished;

    /// What is wrong with a macro and could not be reported yet.
    private MacroError unreported = MacroError.NONE;

    /// The method that came last, for reports.
    private int subchannel;

    private int method;
    private int data;

    MacroFront(GraphObject behind, EngineParts parts) {
        super(behind.classNumber(), parts);
        this.behind = behind;
        macros = new MacroProcessor(parts.macros(), this, parts.slice(), parts.counters());
    }

    @Override
    public Progress bind(int onSubchannel) {
        return behind.bind(onSubchannel);
    }

    @Override
    public Progress method(int onSubchannel, int number, int word) {
        subchannel = onSubchannel;
        method = number;
        data = word;
        if (unreported != MacroError.NONE) {
            return report();
        }
        if (macros.isStuck()) {
            return afterMacro(macros.run());
        }
        if (macros.waitsForParameter() && !isParameter(number)) {
            return afterMacro(macros.interrupt());
        }
        return MacroProcessor.has(number)
                ? afterMacro(macros.method(onSubchannel, number, word))
                : send(onSubchannel, number, word);
    }

    @Override
    public Progress resume() {
        if (unfinished) {
            Progress progress = behind.resume();
            unfinished = progress == Progress.UNFINISHED || progress == Progress.OCCUPIED;
            if (progress == Progress.REFUSED) {
                macros.endRefused();
            }
            if (progress != Progress.DONE) {
                return progress;
            }
        }
        if (unreported != MacroError.NONE) {
            return report();
        }
        return macros.isRunning() ? afterMacro(macros.run()) : Progress.DONE;
    }

    @Override
    public void abandon() {
        macros.abandon();
        behind.abandon();
        unfinished = false;
        unreported = MacroError.NONE;
    }

    @Override
    public int faultStatus(MmuFault fault) {
        return behind.faultStatus(fault);
    }

    @Override
    public int read(int number) {
        return behind.readMethod(number);
    }

    @Override
    public Progress send(int onSubchannel, int number, int word) {
        Progress progress = behind.method(onSubchannel, number, word);
        unfinished = progress == Progress.UNFINISHED;
        return progress;
    }

    private static boolean isParameter(int number) {
        return number >= MacroMethods.START
                && number <= MacroMethods.LAST
                && number % MacroMethods.STRIDE != MacroMethods.START % MacroMethods.STRIDE;
    }

    private Progress afterMacro(Progress progress) {
        if (progress == Progress.REFUSED) {
            unreported = macros.takeError();
            return unreported == MacroError.NONE ? progress : report();
        }
        return progress;
    }

    private Progress report() {
        int code =
                unreported == MacroError.OUT_OF_SPACE
                        ? GraphError.CODE_INVALID_VALUE
                        : GraphError.CODE_INVALID_OPERATION;
        Progress progress = dataError(code, subchannel, method, data);
        if (progress != Progress.OCCUPIED) {
            unreported = MacroError.NONE;
        }
        return progress;
    }
}
