package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.TwodClass;

/// 2D (902d), limited to copies between surfaces: the blits with which a driver converts pixels.
/// Methods for shapes and for images from the push buffer are stored and counted, but draw nothing.
final class TwoD extends GraphObject {
    private static final MethodTable METHODS =
            MethodTable.builder()
                    .stores(TwodClass.ALL)
                    .ignores(TwodClass.SHAPE_POINT, TwodClass.SHAPE_POINT)
                    .ignores(TwodClass.SHAPE_FIRST, TwodClass.SHAPE_LAST)
                    .ignores(TwodClass.IMAGE_FIRST, TwodClass.IMAGE_LAST)
                    .acts(TwodClass.BLIT_SOURCE_Y)
                    .acts(TwodClass.SOURCE + TwodClass.WIDTH, TwodClass.SOURCE + TwodClass.HEIGHT)
                    .acts(TwodClass.TARGET + TwodClass.WIDTH, TwodClass.TARGET + TwodClass.HEIGHT)
                    .acts(TwodClass.CONDITION_ADDRESS_LOW, TwodClass.CONDITION_MODE)
                    .build();

    private final ClassState state = new ClassState(METHODS);
    private final Condition condition;
    private final Blit blit;

    TwoD(ClassObjectParts parts) {
        super(ClassId.TWOD.number(), parts);
        condition = new Condition(parts.memory(), state, TwodClass.CONDITION_ADDRESS_HIGH);
        blit = new Blit(state, parts);
    }

    @Override
    public MethodProgress method(int subchannel, int method, int data) {
        MethodTable.Kind kind = METHODS.kind(method);
        int error = 0;
        switch (kind) {
            case UNKNOWN -> {
                return illegalMethod(subchannel, method, data);
            }
            case WITHOUT_EFFECT -> parts().counters().increment(WorkCounter.UNKNOWN_METHODS);
            case ACTING -> error = check(method, data);
            case STORED -> {}
        }
        if (error != 0) {
            return dataError(error, subchannel, method, data);
        }
        state.set(method, data);
        if (method == TwodClass.BLIT_SOURCE_Y && condition.holds()) {
            blit.start();
            return resume();
        }
        return MethodProgress.DONE;
    }

    @Override
    public MethodProgress resume() {
        return blit.run();
    }

    @Override
    public void abandon() {
        blit.abandon();
    }

    @Override
    int readMethod(int method) {
        return state.get(method);
    }

    /// @return error code of [GraphError], 0 if the data is valid
    private static int check(int method, int data) {
        return switch (method) {
            case TwodClass.CONDITION_ADDRESS_LOW ->
                    Condition.isMisaligned(data) ? GraphError.CODE_INVALID_VALUE : 0;
            case TwodClass.CONDITION_MODE ->
                    Condition.isMode(data) ? 0 : GraphError.CODE_INVALID_ENUM;
            case TwodClass.BLIT_SOURCE_Y -> 0;
            default ->
                    Integer.compareUnsigned(data, TwodClass.MAX_SIZE) > 0
                            ? GraphError.CODE_INVALID_VALUE
                            : 0;
        };
    }
}
