package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.MethodHeader;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.softgpu.engine.ClassObject;
import io.gpuvm.softgpu.engine.ClassObjectParts;
import io.gpuvm.softgpu.engine.ClassObjects;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Objects on a channel's subchannels, and all objects that the channel has bound: an engine keeps
/// one state per class and channel, independent of the subchannel. Confined to the engine thread.
final class Subchannels {
    private final EngineId[] engines = new EngineId[MethodHeader.SUBCHANNELS];
    private final ClassObject[] bound = new ClassObject[MethodHeader.SUBCHANNELS];
    private final List<ClassObject> objects = new ArrayList<>();
    private final List<EngineId> objectEngines = new ArrayList<>();

    Subchannels() {
        clear();
    }

    /// Returns the engine on a subchannel.
    EngineId engine(int subchannel) {
        return engines[subchannel];
    }

    /// Returns the object on a subchannel; null if its engine is [EngineId#SOFTWARE].
    ClassObject object(int subchannel) {
        return bound[subchannel];
    }

    /// Assigns the methods of a subchannel to the driver.
    void bindSoftware(int subchannel) {
        engines[subchannel] = EngineId.SOFTWARE;
        bound[subchannel] = null;
    }

    /// Binds an object to a subchannel.
    void bind(int subchannel, EngineId engine, ClassObject object) {
        engines[subchannel] = engine;
        bound[subchannel] = object;
    }

    /// Returns the channel's object of a class, created at the first request. For an unknown class
    /// number, each request creates a new object, which is not retained.
    ClassObject objectOf(EngineId engine, int classNumber, ClassObjectParts parts) {
        for (int i = 0; i < objects.size(); i++) {
            ClassObject object = objects.get(i);
            if (object.classNumber() == classNumber && objectEngines.get(i) == engine) {
                return object;
            }
        }
        if (objects.isEmpty()) {
            parts.macros().clear();
        }
        ClassObject object = ClassObjects.create(engine, classNumber, parts);
        if (ClassId.of(engine, classNumber) != null) {
            objects.add(object);
            objectEngines.add(engine);
        }
        return object;
    }

    /// Writes the bound engines to RAMFC.
    void save(Ramfc ramfc) {
        for (int subchannel = 0; subchannel < engines.length; subchannel++) {
            ramfc.engine(subchannel, engines[subchannel].number());
        }
    }

    /// Retains the bindings that RAMFC confirms, and clears the other subchannels. RAMFC records
    /// engines, not classes: a binding that exists only in RAMFC cannot be restored. If no binding
    /// remains, the channel is new, and its objects are also discarded.
    void load(Ramfc ramfc) {
        boolean kept = false;
        for (int subchannel = 0; subchannel < engines.length; subchannel++) {
            if (ramfc.engine(subchannel) != engines[subchannel].number()) {
                bindSoftware(subchannel);
            }
            kept |= bound[subchannel] != null;
        }
        if (!kept) {
            clear();
        }
    }

    /// Abandons the operations in progress.
    void abandon() {
        for (ClassObject object : objects) {
            object.abandon();
        }
    }

    /// Discards all state, which is then that of a new channel.
    void clear() {
        Arrays.fill(engines, EngineId.SOFTWARE);
        Arrays.fill(bound, null);
        objects.clear();
        objectEngines.clear();
    }
}
