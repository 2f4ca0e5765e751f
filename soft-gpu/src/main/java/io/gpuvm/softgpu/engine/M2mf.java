package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.M2mfClass;

/// M2MF (9039): copies rectangles between linear and block-linear memory, or from the push buffer.
///
/// Conditions (`CONDITION_*`) are stored and ignored: every transfer is executed.
final class M2mf extends GraphObject {
    private static final MethodTable METHODS =
            MethodTable.builder()
                    .ignores(M2mfClass.UNKNOWN_FIRST, M2mfClass.UNKNOWN_LAST)
                    .ignores(M2mfClass.UNKNOWN_308, M2mfClass.UNKNOWN_308)
                    .stores(M2mfClass.NOP, M2mfClass.NOTIFY)
                    .stores(M2mfClass.SERIALIZE, M2mfClass.SERIALIZE)
                    .stores(M2mfClass.PM_TRIGGER, M2mfClass.PM_TRIGGER)
                    .stores(M2mfClass.TILE_MODE_IN, M2mfClass.TILE_POSITION_IN_Z)
                    .stores(M2mfClass.TILE_MODE_OUT, M2mfClass.TILE_POSITION_OUT_Z)
                    .stores(M2mfClass.OFFSET_OUT_HIGH, M2mfClass.OFFSET_OUT_LOW)
                    .stores(M2mfClass.OFFSET_IN_HIGH, M2mfClass.LINE_COUNT)
                    .stores(M2mfClass.QUERY_ADDRESS_HIGH, M2mfClass.POSITION_OUT_Y)
                    .acts(M2mfClass.EXEC, M2mfClass.DATA)
                    .build();

    private static final SurfaceMethods SOURCE =
            new SurfaceMethods(
                    M2mfClass.OFFSET_IN_HIGH,
                    M2mfClass.OFFSET_IN_LOW,
                    M2mfClass.PITCH_IN,
                    M2mfClass.TILE_MODE_IN,
                    M2mfClass.TILE_WIDTH_IN,
                    M2mfClass.TILE_HEIGHT_IN,
                    M2mfClass.POSITION_IN_X,
                    M2mfClass.POSITION_IN_Y,
                    M2mfClass.TILE_POSITION_IN_Z);

    private static final SurfaceMethods TARGET =
            new SurfaceMethods(
                    M2mfClass.OFFSET_OUT_HIGH,
                    M2mfClass.OFFSET_OUT_LOW,
                    M2mfClass.PITCH_OUT,
                    M2mfClass.TILE_MODE_OUT,
                    M2mfClass.TILE_WIDTH_OUT,
                    M2mfClass.TILE_HEIGHT_OUT,
                    M2mfClass.POSITION_OUT_X,
                    M2mfClass.POSITION_OUT_Y,
                    M2mfClass.TILE_POSITION_OUT_Z);

    private final ClassState state = new ClassState(METHODS);
    private final RectangleCopy copy;
    private final InlineWrite inline;
    private final QueryWriter queries;

    /// Data of the last [M2mfClass#EXEC], while its transfer is in progress.
    private int exec;

    M2mf(ClassObjectParts parts) {
        super(ClassId.M2MF.number(), parts);
        copy = new RectangleCopy(parts.memory(), parts.slice());
        inline = new InlineWrite(parts.memory());
        queries = new QueryWriter(parts);
    }

    @Override
    public MethodProgress method(int subchannel, int method, int data) {
        MethodTable.Kind kind = METHODS.kind(method);
        if (kind == MethodTable.Kind.UNKNOWN) {
            return illegalMethod(subchannel, method, data);
        }
        state.set(method, data);
        return switch (method) {
            case M2mfClass.DATA -> data(data);
            case M2mfClass.EXEC -> exec(subchannel, data);
            default -> kept(kind);
        };
    }

    @Override
    public MethodProgress resume() {
        MethodProgress progress = copy.run();
        countBytes(copy.takeCopiedBytes());
        if (progress == MethodProgress.DONE) {
            writeQuery();
        }
        return progress;
    }

    @Override
    public void abandon() {
        copy.abandon();
        inline.abandon();
    }

    private MethodProgress kept(MethodTable.Kind kind) {
        if (kind == MethodTable.Kind.WITHOUT_EFFECT) {
            parts().counters().increment(WorkCounter.UNKNOWN_METHODS);
        }
        return MethodProgress.DONE;
    }

    private MethodProgress exec(int subchannel, int data) {
        int error = check(data);
        if (error != 0) {
            return dataError(error, subchannel, M2mfClass.EXEC, data);
        }
        parts().counters().increment(WorkCounter.M2MF_LAUNCHES);
        exec = data;
        inline.abandon();
        long lineBytes = state.unsigned(M2mfClass.LINE_LENGTH);
        long lines = state.unsigned(M2mfClass.LINE_COUNT);
        if (M2mfClass.EXEC_PUSH.isSet(data)) {
            describeTarget(inline.target());
            inline.start(lineBytes, lines);
            return MethodProgress.DONE;
        }
        describeSource(copy.source());
        describeTarget(copy.target());
        copy.start(lineBytes, lines);
        return resume();
    }

    private MethodProgress data(int data) {
        if (inline.isOpen()) {
            countBytes(inline.write(data));
            if (!inline.isOpen()) {
                writeQuery();
            }
        }
        return MethodProgress.DONE;
    }

    /// @return error code of [GraphError], 0 if the transfer is valid
    private int check(int data) {
        boolean tiledIn = !M2mfClass.EXEC_LINEAR_IN.isSet(data) && !M2mfClass.EXEC_PUSH.isSet(data);
        boolean tiledOut = !M2mfClass.EXEC_LINEAR_OUT.isSet(data);
        if ((tiledIn && !BlockLinear.isValid(state.get(M2mfClass.TILE_MODE_IN)))
                || (tiledOut && !BlockLinear.isValid(state.get(M2mfClass.TILE_MODE_OUT)))) {
            return GraphError.CODE_INVALID_BITFIELD;
        }
        boolean query = M2mfClass.EXEC_QUERY.isSet(data);
        if (query && !QueryWriter.isAligned(state.get(M2mfClass.QUERY_ADDRESS_LOW))) {
            return GraphError.CODE_INVALID_ADDRESS_ALIGNMENT;
        }
        return 0;
    }

    private void describeSource(Surface surface) {
        SOURCE.describe(state, M2mfClass.EXEC_LINEAR_IN.isSet(exec), 1, surface);
    }

    private void describeTarget(Surface surface) {
        TARGET.describe(state, M2mfClass.EXEC_LINEAR_OUT.isSet(exec), 1, surface);
    }

    private void writeQuery() {
        if (M2mfClass.EXEC_QUERY.isSet(exec)) {
            queries.write(
                    state.address(M2mfClass.QUERY_ADDRESS_HIGH, M2mfClass.QUERY_ADDRESS_LOW),
                    state.get(M2mfClass.QUERY_SEQUENCE),
                    M2mfClass.EXEC_QUERY_SHORT.isSet(exec));
        }
    }

    private void countBytes(long bytes) {
        parts().counters().add(WorkCounter.M2MF_BYTES, bytes);
    }
}
