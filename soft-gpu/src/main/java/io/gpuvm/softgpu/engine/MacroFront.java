package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.MacroMethods;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.softgpu.mmu.MmuFault;

/// Class of PGRAPH behind a macro processor, which passes all methods except its own to the class.
final class MacroFront extends GraphObject implements MacroTarget {
    private final GraphObject behind;
    private final MacroProcessor macros;

    /// True if the object behind the macro processor has an operation in progress.
    private boolean unfinished;

    /// Error of a macro that could not be reported yet.
    private MacroError unreported = MacroError.NONE;

    /// Subchannel of the last method, for reports.
    private int subchannel;

    /// Last method, for reports.
    private int method;

    /// Data of the last method, for reports.
    private int data;

    MacroFront(GraphObject behind, ClassObjectParts parts) {
        super(behind.classNumber(), parts);
        this.behind = behind;
        macros = new MacroProcessor(parts.macros(), this, parts.slice(), parts.counters());
    }

    @Override
    public MethodProgress bind(int onSubchannel) {
        return behind.bind(onSubchannel);
    }

    @Override
    public MethodProgress method(int onSubchannel, int number, int word) {
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
    public MethodProgress resume() {
        if (unfinished) {
            MethodProgress progress = behind.resume();
            unfinished =
                    progress == MethodProgress.UNFINISHED || progress == MethodProgress.OCCUPIED;
            if (progress == MethodProgress.REFUSED) {
                macros.endRefused();
            }
            if (progress != MethodProgress.DONE) {
                return progress;
            }
        }
        if (unreported != MacroError.NONE) {
            return report();
        }
        return macros.isRunning() ? afterMacro(macros.run()) : MethodProgress.DONE;
    }

    @Override
    public void abandon() {
        macros.abandon();
        behind.abandon();
        unfinished = false;
        unreported = MacroError.NONE;
    }

    @Override
    public KernelPosition kernelPosition() {
        return behind.kernelPosition();
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
    public MethodProgress send(int onSubchannel, int number, int word) {
        MethodProgress progress = behind.method(onSubchannel, number, word);
        unfinished = progress == MethodProgress.UNFINISHED;
        return progress;
    }

    private static boolean isParameter(int number) {
        return number >= MacroMethods.START
                && number <= MacroMethods.LAST
                && number % MacroMethods.STRIDE != MacroMethods.START % MacroMethods.STRIDE;
    }

    private MethodProgress afterMacro(MethodProgress progress) {
        if (progress == MethodProgress.REFUSED) {
            unreported = macros.takeError();
            return unreported == MacroError.NONE ? progress : report();
        }
        return progress;
    }

    private MethodProgress report() {
        int code =
                unreported == MacroError.OUT_OF_SPACE
                        ? GraphError.CODE_INVALID_VALUE
                        : GraphError.CODE_INVALID_OPERATION;
        MethodProgress progress = dataError(code, subchannel, method, data);
        if (progress != MethodProgress.OCCUPIED) {
            unreported = MacroError.NONE;
        }
        return progress;
    }
}
