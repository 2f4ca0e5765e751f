package io.gpuvm.pv.module;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.InfoAttribute;

/// Block sizes for which a kernel was compiled (`__launch_bounds__`, `.maxntid`, `.reqntid`).
///
/// @param maxThreads maximum number of threads of a block: 1024, unless the file specifies a lower
///   number
/// @param required the only permitted size; null if the file does not require one
public record BlockRule(int maxThreads, Size required) {
    /// Number of threads in each direction.
    public record Size(int x, int y, int z) {
        @Override
        public String toString() {
            return x + "x" + y + "x" + z;
        }
    }

    static BlockRule of(CubinFunction function) {
        int[] most = function.words(InfoAttribute.MAX_THREADS, CubinFunction.DIMENSIONS);
        int[] only = function.words(InfoAttribute.REQNTID, CubinFunction.DIMENSIONS);
        int threads = ComputeClass.BLOCK_LIMIT_THREADS;
        if (most != null) {
            threads = (int) Math.min(threads, product(function, "thread limit", most));
        }
        if (only == null) {
            return new BlockRule(threads, null);
        }
        long required = product(function, "required threads", only);
        if (required > threads) {
            throw ModuleException.at(
                    "kernel " + function.name(), "required threads", required, threads);
        }
        return new BlockRule(threads, new Size(only[0], only[1], only[2]));
    }

    /// Returns the product of the numbers of all directions; 0 stands for a direction that the file
    /// does not limit.
    private static long product(CubinFunction function, String name, int[] words) {
        long product = 1;
        for (int i = 0; i < CubinFunction.DIMENSIONS; i++) {
            if (words[i] < 0) {
                throw ModuleException.at(
                        "kernel " + function.name(),
                        name + " in direction " + i,
                        Integer.toUnsignedLong(words[i]),
                        Integer.MAX_VALUE);
            }
            product = Math.min(product * Math.max(1, words[i]), Integer.MAX_VALUE);
        }
        return product;
    }
}
