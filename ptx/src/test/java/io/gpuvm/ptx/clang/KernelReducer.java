package io.gpuvm.ptx.clang;

import io.gpuvm.ptx.PtxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Reduction of a random kernel that is compiled wrongly, by hand: removes statements as long as
/// the results still differ.
final class KernelReducer {
    private final Predicate<RandomKernels> isWrong;

    private KernelReducer(Predicate<RandomKernels> isWrong) {
        this.isWrong = isWrong;
    }

    private RandomKernels reduce(RandomKernels start) {
        RandomKernels current = start;
        for (Optional<RandomKernels> next = Optional.of(start); next.isPresent(); ) {
            current = next.get();
            next = smaller(current).stream().filter(isWrong).findFirst();
        }
        return current;
    }

    /// Returns the sources with one phase or statement less.
    private static List<RandomKernels> smaller(RandomKernels kernels) {
        RandomKernels.Kernel kernel = kernels.kernels().getFirst();
        List<RandomKernels> all = new ArrayList<>();
        for (int phase = kernel.phases().size() - 1; phase >= 0; phase--) {
            for (List<CStatement> body : smaller(kernel.phases().get(phase))) {
                List<List<CStatement>> phases = new ArrayList<>(kernel.phases());
                phases.set(phase, body);
                if (body.isEmpty() && phase == phases.size() - 1 && phase > 0) {
                    phases.remove(phase);
                }
                all.add(
                        with(
                                kernels,
                                new RandomKernels.Kernel(kernel.name(), kernel.threads(), phases)));
            }
        }
        return all;
    }

    private static List<List<CStatement>> smallerBodies(CStatement statement, int body) {
        return smaller(statement.bodies().get(body));
    }

    private static List<List<CStatement>> smaller(List<CStatement> statements) {
        List<List<CStatement>> all = new ArrayList<>();
        if (statements.size() > 1) {
            int half = statements.size() / 2;
            all.add(statements.subList(0, half));
            all.add(statements.subList(half, statements.size()));
        }
        for (int i = 0; i < statements.size(); i++) {
            CStatement statement = statements.get(i);
            all.add(replaced(statements, i, List.of()));
            for (List<CStatement> body : statement.bodies()) {
                all.add(replaced(statements, i, body));
            }
            for (int body = 0; body < statement.bodies().size(); body++) {
                for (List<CStatement> inner : smallerBodies(statement, body)) {
                    List<List<CStatement>> bodies = new ArrayList<>(statement.bodies());
                    bodies.set(body, inner);
                    CStatement changed =
                            new CStatement(statement.head(), bodies, statement.separators());
                    all.add(replaced(statements, i, List.of(changed)));
                }
            }
        }
        return all;
    }

    private static List<CStatement> replaced(
            List<CStatement> statements, int place, List<CStatement> by) {
        List<CStatement> result = new ArrayList<>(statements);
        result.remove(place);
        result.addAll(place, by);
        return result;
    }

    private static RandomKernels with(RandomKernels kernels, RandomKernels.Kernel only) {
        return new RandomKernels(kernels.seed(), kernels.functions(), List.of(only));
    }

    /// Prints the reduced source, its PTX and the first differing byte.
    ///
    /// @param arguments seed, number of kernels in the file, number of the kernel, version of
    ///   clang, level of optimization, number of registers, and `noopt` to disable the compiler's
    ///   optimizations
    public static void main(String[] arguments) throws IOException {
        long seed = Long.parseLong(arguments[0]);
        RandomKernels all = RandomKernels.write(seed, Integer.parseInt(arguments[1]));
        Clang clang = Clang.version(Integer.parseInt(arguments[3])).orElseThrow();
        String level = arguments[4];
        PtxOptions options = PtxOptions.DEFAULT.withRegisters(Integer.parseInt(arguments[5]));
        PtxOptions used = arguments.length > 6 ? options.withoutOptimization() : options;
        Path folder = Files.createTempDirectory("reducer");
        KernelReducer reducer =
                new KernelReducer(kernels -> mismatch(kernels, clang, folder, level, used) >= 0);
        RandomKernels reduced =
                reducer.reduce(with(all, all.kernels().get(Integer.parseInt(arguments[2]))));
        System.out.println(reduced.source());
        System.out.println(clang.ptx(folder, reduced.source(), level));
        System.out.println("first difference: " + mismatch(reduced, clang, folder, level, used));
    }

    /// Returns the first byte that differs, or -1 if the results are equal or the source is
    /// invalid.
    private static int mismatch(
            RandomKernels kernels, Clang clang, Path folder, String level, PtxOptions options) {
        byte[] expected;
        String ptx;
        try {
            expected = clang.output(folder, kernels.source());
            ptx = clang.ptx(folder, kernels.source(), level);
        } catch (AssertionError e) {
            return -1;
        }
        try {
            return Arrays.mismatch(expected, CompiledKernels.run(kernels, ptx, options));
        } catch (AssertionError e) {
            return Integer.MAX_VALUE;
        }
    }
}
