package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.classes.CopyClass;
import io.gpuvm.gf100.classes.GraphError;
import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.reg.Pmc;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.CopyTrap;
import io.gpuvm.gf100.unit.GraphTrap;
import io.gpuvm.gf100.unit.InterruptTree;
import io.gpuvm.port.GpuRequests;

/// Reports of engine errors to a guest, and the guest's responses. Confined to the virtual
/// machine's thread.
final class EngineTraps {
    private final Board board;
    private final GraphTrap graph;
    private final CopyTrap copy0;
    private final CopyTrap copy1;

    EngineTraps(Board board, InterruptTree tree, GpuRequests requests) {
        this.board = board;
        graph = new GraphTrap(tree.line(Pmc.INTR_PGRAPH));
        copy0 = new CopyTrap(tree.line(Pmc.INTR_PCOPY0));
        copy1 = new CopyTrap(tree.line(Pmc.INTR_PCOPY1));
        graph.onRelease(bits -> requests.releaseTrap(EngineId.GRAPH.number(), bits));
        copy0.onRelease(bits -> requests.releaseTrap(EngineId.COPY0.number(), bits));
        copy1.onRelease(bits -> requests.releaseTrap(EngineId.COPY1.number(), bits));
    }

    GraphTrap graph() {
        return graph;
    }

    CopyTrap copy0() {
        return copy0;
    }

    CopyTrap copy1() {
        return copy1;
    }

    /// Reports that a multiprocessor has stopped: [io.gpuvm.port.CompletionInbox#mpTrap]. A
    /// multiprocessor that the guest's chip lacks is reported as the first multiprocessor.
    void onMp(int gpc, int tpc, int warpError, int globalError) {
        boolean exists = gpc < board.gpcs() && tpc < board.tpcsPerGpc().get(gpc);
        graph.describeMp(exists ? gpc : 0, exists ? tpc : 0, warpError, globalError);
    }

    /// Reports that PGRAPH has stopped at a method: [io.gpuvm.port.CompletionInbox#graphTrap].
    ///
    /// @param instance address of the channel's instance block in the driver's view
    void onGraph(long instance, int interruptBits, int address, int data, int code, int classId) {
        graph.describe(
                GraphError.TRAPPED_SUBCHANNEL.get(address),
                classId,
                (int) GraphError.TRAPPED_METHOD.bytes(Integer.toUnsignedLong(address)),
                data);
        graph.raise(interruptBits, code, instance);
    }

    /// Reports that a copy engine has stopped at a method:
    /// [io.gpuvm.port.CompletionInbox#copyTrap].
    ///
    /// @param instance address of the channel's instance block in the driver's view
    void onCopy(int engine, long instance, int error, int data) {
        CopyTrap trap = engine == EngineId.COPY0.number() ? copy0 : copy1;
        trap.describe(
                CopyClass.ERROR_SUBCHANNEL.get(error),
                (int) CopyClass.ERROR_METHOD.bytes(Integer.toUnsignedLong(error)),
                data);
        trap.raise(CopyClass.ERROR_CODE.get(error), instance);
    }
}
