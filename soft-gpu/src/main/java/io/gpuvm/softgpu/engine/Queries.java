package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.classes.QueryMethods;
import io.gpuvm.gf100.fifo.EngineId;

/// Query methods of 3D and compute ([QueryMethods]). Every operation ends before the next method,
/// so a record is written immediately. Queries that wait for memory ([QueryMethods#MODE_SYNC]) are
/// refused. Confined to the engine thread.
final class Queries {
    private final ClassState state;
    private final QueryWriter writer;
    private final ClassObjectParts parts;

    /// @param state data of the class's methods, including address and sequence
    Queries(ClassObjectParts parts, ClassState state) {
        this.state = state;
        this.parts = parts;
        writer = new QueryWriter(parts);
    }

    /// Returns whether an address method's data is misaligned, and must be refused with
    /// [GraphError#CODE_INVALID_VALUE].
    static boolean isMisaligned(int method, int data) {
        return method == QueryMethods.ADDRESS_LOW && !QueryWriter.isAligned(data);
    }

    /// Executes [QueryMethods#GET].
    ///
    /// @param result count to report; ignored if [QueryMethods#GET_SELECT] selects only the
    ///   sequence
    /// @return 0, or an error code of [GraphError]
    int get(int data, long result) {
        int mode = QueryMethods.GET_MODE.get(data);
        if (mode == QueryMethods.MODE_SYNC) {
            return GraphError.CODE_INVALID_OPERATION;
        }
        long gpuVa = state.address(QueryMethods.ADDRESS_HIGH, QueryMethods.ADDRESS_LOW);
        int sequence = state.get(QueryMethods.SEQUENCE);
        boolean shortForm = QueryMethods.GET_SHORT.isSet(data);
        switch (QueryMethods.GET_SELECT.get(data)) {
            case QueryMethods.SELECT_ZERO -> writer.write(gpuVa, sequence, shortForm);
            case QueryMethods.SELECT_SAMPLES ->
                    writer.writeCount(gpuVa, sequence, (int) result, shortForm);
            default -> writer.writeLong(gpuVa, result, shortForm);
        }
        if (mode == QueryMethods.MODE_WRITE_AND_INTERRUPT
                || QueryMethods.GET_INTERRUPT.isSet(data)) {
            parts.counters().increment(WorkCounter.NON_STALL_INTERRUPTS);
            parts.nonStall().raise(EngineId.GRAPH.number());
        }
        return 0;
    }
}
