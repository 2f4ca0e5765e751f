package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.BlockLinear;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.CopyClass;

/// Copy engine (90b5, 90b8) with the behaviour of the falcon program that nouveau loads: methods,
/// their valid bits and their effects.
///
/// Block heights and depths beyond 32, which the program would pass to the hardware unchecked, are
/// refused as invalid values.
///
/// The engine works whether or not a driver has started the falcon; on hardware, methods for a
/// stopped falcon end in a channel switch timeout.
final class CopyEngine extends CopyObject {
    private static final MethodTable METHODS =
            MethodTable.builder()
                    .stores(CopyClass.NOP, CopyClass.NOP)
                    .stores(CopyClass.PM_TRIGGER, CopyClass.PM_TRIGGER)
                    .stores(CopyClass.WRITE_CACHE_FLUSH, CopyClass.WRITE_CACHE_FLUSH)
                    .stores(CopyClass.SRC_ADDRESS_HIGH, CopyClass.QUERY_COUNTER)
                    .storesBits(
                            CopyClass.TILE_MODE_MASK,
                            CopyClass.SRC_TILE_MODE,
                            CopyClass.DST_TILE_MODE)
                    .storesBits(
                            CopyClass.WIDTH_MASK,
                            CopyClass.SRC_WIDTH,
                            CopyClass.SRC_X,
                            CopyClass.DST_WIDTH,
                            CopyClass.DST_X)
                    .storesBits(
                            CopyClass.HEIGHT_MASK,
                            CopyClass.SRC_HEIGHT,
                            CopyClass.SRC_Y,
                            CopyClass.DST_HEIGHT,
                            CopyClass.DST_Y)
                    .storesBits(CopyClass.DEPTH_MASK, CopyClass.SRC_DEPTH, CopyClass.DST_DEPTH)
                    .storesBits(CopyClass.Z_MASK, CopyClass.SRC_Z, CopyClass.DST_Z)
                    .storesBits(
                            CopyClass.ADDRESS_HIGH_MASK,
                            CopyClass.SRC_ADDRESS_HIGH,
                            CopyClass.DST_ADDRESS_HIGH,
                            CopyClass.QUERY_ADDRESS_HIGH)
                    .storesBits(CopyClass.PITCH_MASK, CopyClass.SRC_PITCH, CopyClass.DST_PITCH)
                    .storesBits(CopyClass.X_COUNT_MASK, CopyClass.X_COUNT)
                    .storesBits(CopyClass.Y_COUNT_MASK, CopyClass.Y_COUNT)
                    .storesBits(CopyClass.FORMAT_MASK, CopyClass.FORMAT)
                    .acts(CopyClass.EXEC)
                    .build();

    private static final SurfaceMethods SOURCE =
            new SurfaceMethods(
                    CopyClass.SRC_ADDRESS_HIGH,
                    CopyClass.SRC_ADDRESS_LOW,
                    CopyClass.SRC_PITCH,
                    CopyClass.SRC_TILE_MODE,
                    CopyClass.SRC_WIDTH,
                    CopyClass.SRC_HEIGHT,
                    CopyClass.SRC_X,
                    CopyClass.SRC_Y,
                    CopyClass.SRC_Z);

    private static final SurfaceMethods TARGET =
            new SurfaceMethods(
                    CopyClass.DST_ADDRESS_HIGH,
                    CopyClass.DST_ADDRESS_LOW,
                    CopyClass.DST_PITCH,
                    CopyClass.DST_TILE_MODE,
                    CopyClass.DST_WIDTH,
                    CopyClass.DST_HEIGHT,
                    CopyClass.DST_X,
                    CopyClass.DST_Y,
                    CopyClass.DST_Z);

    private final ClassState state = new ClassState(METHODS);
    private final RectangleCopy copy;
    private final ComponentCopy components;
    private final QueryWriter queries;

    /// Data of the last [CopyClass#EXEC], while its copy is in progress.
    private int exec;

    CopyEngine(ClassId id, ClassObjectParts parts) {
        super(id.engine(), id.number(), parts);
        copy = new RectangleCopy(parts.memory(), parts.slice());
        components = new ComponentCopy(parts.memory(), parts.slice());
        queries = new QueryWriter(parts);
    }

    @Override
    public MethodProgress method(int subchannel, int method, int data) {
        if (METHODS.kind(method) == MethodTable.Kind.UNKNOWN) {
            return refuse(CopyClass.ERROR_ILLEGAL_METHOD, subchannel, method, data);
        }
        if (!METHODS.allows(method, data)) {
            return refuse(CopyClass.ERROR_INVALID_BITFIELD, subchannel, method, data);
        }
        state.set(method, data);
        return method == CopyClass.EXEC ? exec(subchannel, data) : MethodProgress.DONE;
    }

    @Override
    public MethodProgress resume() {
        boolean format = CopyClass.EXEC_FORMAT.isSet(exec);
        MethodProgress progress = format ? components.run() : copy.run();
        long bytes = format ? components.takeCopiedBytes() : copy.takeCopiedBytes();
        parts().counters().add(bytesCopied(), bytes);
        if (progress == MethodProgress.DONE && CopyClass.EXEC_QUERY.isSet(exec)) {
            queries.write(
                    state.address(CopyClass.QUERY_ADDRESS_HIGH, CopyClass.QUERY_ADDRESS_LOW),
                    state.get(CopyClass.QUERY_COUNTER),
                    CopyClass.EXEC_QUERY_SHORT.isSet(exec));
        }
        return progress;
    }

    @Override
    public void abandon() {
        copy.abandon();
        components.abandon();
    }

    private MethodProgress exec(int subchannel, int data) {
        if (!makesSense(data)) {
            return refuse(CopyClass.ERROR_INVALID_ENUM, subchannel, CopyClass.EXEC, data);
        }
        parts().counters().increment(launches());
        exec = data;
        if (CopyClass.EXEC_FORMAT.isSet(data)) {
            components.format(
                    state.get(CopyClass.FORMAT),
                    state.get(CopyClass.CONST0),
                    state.get(CopyClass.CONST1));
            describeSource(components.source(), components.sourceElementBytes());
            describeTarget(components.target(), components.targetElementBytes());
            components.start(state.get(CopyClass.X_COUNT), state.get(CopyClass.Y_COUNT));
        } else {
            describeSource(copy.source(), 1);
            describeTarget(copy.target(), 1);
            copy.start(state.get(CopyClass.X_COUNT), state.get(CopyClass.Y_COUNT));
        }
        return resume();
    }

    private boolean makesSense(int data) {
        boolean source =
                CopyClass.EXEC_SRC_LINEAR.isSet(data)
                        || BlockLinear.isValid(state.get(CopyClass.SRC_TILE_MODE));
        boolean target =
                CopyClass.EXEC_DST_LINEAR.isSet(data)
                        || BlockLinear.isValid(state.get(CopyClass.DST_TILE_MODE));
        boolean query =
                !CopyClass.EXEC_QUERY.isSet(data)
                        || QueryWriter.isAligned(state.get(CopyClass.QUERY_ADDRESS_LOW));
        return source && target && query;
    }

    private void describeSource(Surface surface, int elementBytes) {
        boolean isLinear = CopyClass.EXEC_SRC_LINEAR.isSet(exec);
        SOURCE.describe(state, isLinear, elementBytes, surface);
    }

    private void describeTarget(Surface surface, int elementBytes) {
        boolean isLinear = CopyClass.EXEC_DST_LINEAR.isSet(exec);
        TARGET.describe(state, isLinear, elementBytes, surface);
    }
}
