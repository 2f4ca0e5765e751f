package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.MacroMethods;
import io.gpuvm.gf100.classes.QueryMethods;
import io.gpuvm.gf100.classes.ThreedClass;
import io.gpuvm.gf100.classes.ThreedMethods;

/// 3D (9097), as far as a driver needs it that computes: macros, constant buffers, queries and
/// clears.
///
/// **Nothing is drawn.** Draws are taken and counted ([WorkCounter#DRAWS_LEFT_OUT]); what is
/// counted of them for queries is 0. Everything else that the class has is kept, and can be read by
/// macros.
final class ThreeD extends GraphObject implements MacroTarget {
    private static final MethodTable METHODS =
            MethodTable.builder()
                    .stores(ThreedMethods.ALL)
                    .acts(ThreedClass.CLEAR_BUFFERS, ThreedClass.VERTEX_END, QueryMethods.GET)
                    .acts(ThreedClass.CONDITION_ADDRESS_LOW, ThreedClass.CONDITION_MODE)
                    .acts(ThreedClass.MULTISAMPLE_MODE, QueryMethods.ADDRESS_LOW)
                    .build();

    private final ClassState state = new ClassState(METHODS);
    private final MacroProcessor macros;
    private final ConstantBuffers constants;
    private final Queries queries;
    private final Condition condition;
    private final Clear clear;

    /// Whether a clear goes on, which [#resume()] then does before anything else.
    private boolean clearing;

    /// What is wrong with a macro and could not be reported yet.
    private MacroError unreported = MacroError.NONE;

    /// The method that started or fed the macro that runs, for reports.
    private int subchannel;

    private int method;
    private int data;

    ThreeD(EngineParts parts) {
        super(ClassId.THREED.number(), parts);
        macros = new MacroProcessor(this, parts.slice(), parts.counters());
        constants = new ConstantBuffers(parts.memory(), ThreedClass.STAGES);
        queries = new Queries(parts, state);
        condition = new Condition(parts.memory(), state);
        clear = new Clear(state, parts);
        // Drivers expect to draw on a channel on which nobody has set a condition.
        state.set(ThreedClass.CONDITION_MODE, ThreedClass.CONDITION_ALWAYS);
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
        if (MacroProcessor.has(number)) {
            return macroMethod();
        }
        return macros.waitsForParameter()
                ? afterMacro(macros.interrupt())
                : send(onSubchannel, number, word);
    }

    @Override
    public Progress resume() {
        Progress progress = clearing ? continueClear() : Progress.DONE;
        if (progress == Progress.DONE && unreported != MacroError.NONE) {
            progress = report();
        } else if (progress == Progress.DONE && macros.isRunning()) {
            progress = afterMacro(macros.run());
        }
        if (progress == Progress.OCCUPIED) {
            // The method is not there any more to be tried again.
            parts().slice().end();
            return Progress.UNFINISHED;
        }
        return progress;
    }

    @Override
    public void abandon() {
        macros.abandon();
        clear.abandon();
        clearing = false;
        unreported = MacroError.NONE;
    }

    @Override
    public int read(int number) {
        return state.get(number);
    }

    @Override
    public Progress send(int onSubchannel, int number, int word) {
        if (METHODS.kind(number) == MethodTable.Kind.UNKNOWN || MacroProcessor.has(number)) {
            return illegalMethod(onSubchannel, number, word);
        }
        int error =
                ConstantBuffers.has(number) ? constants.method(number, word) : act(number, word);
        if (error != 0) {
            return dataError(error, onSubchannel, number, word);
        }
        state.set(number, word);
        return clearing ? continueClear() : Progress.DONE;
    }

    /// @return a code of [GraphError], 0 if the data is right
    private int act(int number, int word) {
        return switch (number) {
            case ThreedClass.CLEAR_BUFFERS -> startClear(word);
            case ThreedClass.VERTEX_END -> {
                parts().counters().increment(WorkCounter.DRAWS_LEFT_OUT);
                yield 0;
            }
            case ThreedClass.MULTISAMPLE_MODE ->
                    ThreedClass.isMultisampleMode(word) ? 0 : GraphError.CODE_INVALID_ENUM;
            case ThreedClass.CONDITION_MODE ->
                    Condition.isMode(word) ? 0 : GraphError.CODE_INVALID_ENUM;
            case ThreedClass.CONDITION_ADDRESS_LOW ->
                    Condition.isMisaligned(word) ? GraphError.CODE_INVALID_VALUE : 0;
            case QueryMethods.ADDRESS_LOW ->
                    Queries.isMisaligned(number, word) ? GraphError.CODE_INVALID_VALUE : 0;
            case QueryMethods.GET -> queries.get(word, 0);
            default -> bindConstants(number, word);
        };
    }

    private int bindConstants(int number, int word) {
        int offset = number - ThreedClass.CONSTANT_BIND;
        int stage = offset / ThreedClass.CONSTANT_BIND_STRIDE;
        if (offset < 0
                || offset % ThreedClass.CONSTANT_BIND_STRIDE != 0
                || stage >= ThreedClass.STAGES) {
            return 0;
        }
        return constants.bind(
                stage,
                ConstantMethods.THREED_BIND_INDEX.get(word),
                ConstantMethods.THREED_BIND_VALID.isSet(word));
    }

    private int startClear(int word) {
        if (ThreedClass.CLEAR_BUFFERS_RT.get(word) >= ThreedClass.RENDER_TARGETS) {
            return GraphError.CODE_INVALID_VALUE;
        }
        if (condition.holds()) {
            clear.start(word);
            clearing = true;
        }
        return 0;
    }

    private Progress continueClear() {
        Progress progress = clear.run();
        clearing = progress != Progress.DONE;
        return progress;
    }

    private Progress macroMethod() {
        state.set(method, data);
        boolean parameter =
                method % MacroMethods.STRIDE == MacroMethods.PARAMETER % MacroMethods.STRIDE;
        boolean expected = method >= MacroMethods.START && parameter;
        return macros.waitsForParameter() && !expected
                ? afterMacro(macros.interrupt())
                : afterMacro(macros.method(subchannel, method, data));
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
