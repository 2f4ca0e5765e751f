package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.QueryMethods;
import io.gpuvm.gf100.classes.ThreedClass;
import io.gpuvm.gf100.classes.ThreedMethods;

/// 3D (9097), limited to the functions that drivers need for compute: constant buffers, queries and
/// clears.
///
/// **Nothing is drawn.** Draws are accepted and counted ([WorkCounter#DRAWS_LEFT_OUT]), but queries
/// report 0 for them. The data of all other methods is stored, and macros can read the data.
final class ThreeD extends GraphObject {
    private static final MethodTable METHODS =
            MethodTable.builder()
                    .stores(ThreedMethods.ALL)
                    .acts(ThreedClass.CLEAR_BUFFERS, ThreedClass.VERTEX_END, QueryMethods.GET)
                    .acts(ThreedClass.CONDITION_ADDRESS_LOW, ThreedClass.CONDITION_MODE)
                    .acts(ThreedClass.MULTISAMPLE_MODE, QueryMethods.ADDRESS_LOW)
                    .build();

    private final ClassState state = new ClassState(METHODS);
    private final ConstantBuffers constants;
    private final Queries queries;
    private final Condition condition;
    private final Clear clear;

    /// True while a clear is in progress.
    private boolean clearing;

    ThreeD(ClassObjectParts parts) {
        super(ClassId.THREED.number(), parts);
        constants = new ConstantBuffers(parts.memory(), ThreedClass.STAGES);
        queries = new Queries(parts, state);
        condition = new Condition(parts.memory(), state, ThreedClass.CONDITION_ADDRESS_HIGH);
        clear = new Clear(state, parts);
    }

    @Override
    public MethodProgress method(int subchannel, int method, int data) {
        if (METHODS.kind(method) == MethodTable.Kind.UNKNOWN) {
            return illegalMethod(subchannel, method, data);
        }
        int error =
                ConstantBuffers.has(method) ? constants.method(method, data) : act(method, data);
        if (error != 0) {
            return dataError(error, subchannel, method, data);
        }
        state.set(method, data);
        return clearing ? resume() : MethodProgress.DONE;
    }

    @Override
    public MethodProgress resume() {
        MethodProgress progress = clear.run();
        clearing = progress != MethodProgress.DONE;
        return progress;
    }

    @Override
    public void abandon() {
        clear.abandon();
        clearing = false;
    }

    @Override
    int readMethod(int method) {
        return state.get(method);
    }

    /// @return error code of [GraphError], 0 if the data is valid
    private int act(int method, int data) {
        return switch (method) {
            case ThreedClass.CLEAR_BUFFERS -> startClear(data);
            case ThreedClass.VERTEX_END -> {
                parts().counters().increment(WorkCounter.DRAWS_LEFT_OUT);
                yield 0;
            }
            case ThreedClass.MULTISAMPLE_MODE ->
                    ThreedClass.isMultisampleMode(data) ? 0 : GraphError.CODE_INVALID_ENUM;
            case ThreedClass.CONDITION_MODE ->
                    Condition.isMode(data) ? 0 : GraphError.CODE_INVALID_ENUM;
            case ThreedClass.CONDITION_ADDRESS_LOW ->
                    Condition.isMisaligned(data) ? GraphError.CODE_INVALID_VALUE : 0;
            case QueryMethods.ADDRESS_LOW ->
                    Queries.isMisaligned(method, data) ? GraphError.CODE_INVALID_VALUE : 0;
            case QueryMethods.GET -> queries.get(data, 0);
            default -> bindConstants(method, data);
        };
    }

    private int bindConstants(int method, int data) {
        int offset = method - ThreedClass.CONSTANT_BIND;
        int stage = offset / ThreedClass.CONSTANT_BIND_STRIDE;
        if (offset < 0
                || offset % ThreedClass.CONSTANT_BIND_STRIDE != 0
                || stage >= ThreedClass.STAGES) {
            return 0;
        }
        return constants.bind(
                stage,
                ConstantMethods.THREED_BIND_INDEX.get(data),
                ConstantMethods.THREED_BIND_VALID.isSet(data));
    }

    private int startClear(int data) {
        if (ThreedClass.CLEAR_BUFFERS_RT.get(data) >= ThreedClass.RENDER_TARGETS) {
            return GraphError.CODE_INVALID_VALUE;
        }
        if (condition.holds()) {
            clear.start(data);
            clearing = true;
        }
        return 0;
    }
}
