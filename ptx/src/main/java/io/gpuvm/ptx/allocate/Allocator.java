package io.gpuvm.ptx.allocate;

import io.gpuvm.ptx.ir.Dominators;
import io.gpuvm.ptx.ir.Function;
import io.gpuvm.ptx.ir.Graph;
import io.gpuvm.ptx.ir.Loops;

/// Allocates registers for a function in SSA form without critical edges into blocks with phis.
public final class Allocator {
    private static final int PREDICATES = 7;

    /// Number of registers by which the limit is lowered if registers are too fragmented for a
    /// pair.
    private static final int STEP = 3;

    private Allocator() {}

    /// Assigns registers, and replaces all phis and combinations.
    ///
    /// @param frame local memory for spilled values
    /// @param limit number of registers, at most 63
    /// @param reserved register that is not allocated, or -1
    /// @return number of registers that the function uses; -1 if the limit is too low
    public static int allocate(Function function, Frame frame, int limit, int reserved) {
        Graph graph = Graph.of(function);
        Loops loops = Loops.of(graph, Dominators.of(graph));
        Spiller spiller = new Spiller(function, frame, loops);
        for (int words = limit; words > 0; words -= STEP) {
            Liveness live = spiller.reduce(words - (reserved < 0 ? 0 : 1), PREDICATES);
            try {
                return new RegisterScan(function, live, limit, reserved).run();
            } catch (RegisterScan.OutOfRegisters _) {
                // Fewer live values leave more pairs free.
            }
        }
        return -1;
    }
}
