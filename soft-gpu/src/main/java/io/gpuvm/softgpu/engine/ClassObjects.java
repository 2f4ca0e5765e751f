package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.EngineId;

/// Factory of class objects, by class number.
public final class ClassObjects {
    private ClassObjects() {}

    /// Creates a class object with the state of a new channel.
    ///
    /// @param engine [EngineId#GRAPH] or a copy engine
    /// @param classNumber any 16-bit number; the object for an unknown number refuses to be bound
    public static ClassObject create(EngineId engine, int classNumber, ClassObjectParts parts) {
        ClassId id = ClassId.of(engine, classNumber);
        return switch (engine) {
            case GRAPH -> createGraph(id, classNumber, parts);
            case COPY0, COPY1 ->
                    id == null
                            ? new UnknownCopyClass(engine, classNumber, parts)
                            : new CopyEngine(id, parts);
            case MSPDEC, MSPPP, MSVLD, SOFTWARE ->
                    throw new IllegalArgumentException(
                            "engine=%s, expected one of GRAPH, COPY0, COPY1".formatted(engine));
        };
    }

    private static ClassObject createGraph(ClassId id, int classNumber, ClassObjectParts parts) {
        return switch (id) {
            case M2MF -> new M2mf(parts);
            case THREED -> new MacroFront(new ThreeD(parts), parts);
            case COMPUTE -> new MacroFront(new Compute(parts), parts);
            case TWOD -> new MacroFront(new TwoD(parts), parts);
            case null, default -> new UnknownGraphClass(classNumber, parts);
        };
    }
}
