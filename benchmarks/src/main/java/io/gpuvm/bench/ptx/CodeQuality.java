package io.gpuvm.bench.ptx;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.daemon.GpuSpec;
import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.pv.runtime.GpuException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// Comparison of the numbers of instructions that two compilers' code executes.
final class CodeQuality {
    /// Name of the file with the pairs.
    static final String FILE = "pairs";

    /// Maximum of the geometric mean of all ratios.
    private static final double GOAL = 1.25;

    /// Ratio above which a pair needs an explanation.
    private static final double NOTABLE = 2;

    /// Relative differences of floats and of doubles.
    private static final double DIGITS = 1e-4;

    private static final double WIDE_DIGITS = 1e-11;
    private static final String GPU = "soft,vram=256M";

    private final PrintWriter out;
    private final List<Ratio> ratios = new ArrayList<>();
    private int failures;
    private int skipped;

    private record Ratio(String name, double value) {}

    CodeQuality(PrintWriter out) {
        this.out = out;
    }

    /// Runs all pairs of a folder and prints their ratios, the geometric mean and one line of JSON.
    ///
    /// @return whether all pairs ran with equal results, and the geometric mean meets the goal
    boolean compare(Path folder) {
        out.printf("%-40s %12s %12s %7s %10s%n", "pair", "reference", "own", "ratio", "registers");
        for (CodePair pair : pairs(folder)) {
            compare(pair);
            out.flush();
        }
        double mean = mean();
        List<Ratio> notable =
                ratios.stream()
                        .filter(ratio -> ratio.value() > NOTABLE)
                        .sorted(Comparator.comparingDouble(Ratio::value).reversed())
                        .toList();
        out.printf("pairs %d, geometric mean %.3f, goal %.2f%n", ratios.size(), mean, GOAL);
        notable.forEach(
                ratio -> out.printf("above %.0f: %s %.2f%n", NOTABLE, ratio.name(), ratio.value()));
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        boolean met = failures == 0 && mean <= GOAL;
        json.put("result", met ? "pass" : "fail").put("pairs", ratios.size());
        json.put("skipped", skipped).put("failures", failures).put("geometricMean", mean);
        ArrayNode list = json.putArray("notable");
        notable.forEach(
                ratio -> list.addObject().put("name", ratio.name()).put("ratio", ratio.value()));
        out.println(json);
        return met;
    }

    private double mean() {
        return Math.exp(
                ratios.stream().mapToDouble(ratio -> Math.log(ratio.value())).average().orElse(0));
    }

    private void compare(CodePair pair) {
        // A GPU of its own, because a fault makes a context unusable.
        try (NativeGpu gpu = NativeGpu.open(GpuSpec.parse(GPU))) {
            PairRun run = new PairRun(gpu);
            PairRun.Launched reference = reference(run, pair);
            if (reference == null) {
                return;
            }
            PairRun.Launched own = run.own(pair);
            double ratio = (double) own.instructions() / reference.instructions();
            boolean equal = true;
            for (int i = 0; i < own.memory().size(); i++) {
                boolean isWide = pair.arguments().stream().anyMatch(PairArgument::isWide);
                equal &= agree(own.memory().get(i), reference.memory().get(i), isWide);
            }
            failures += equal ? 0 : 1;
            ratios.add(new Ratio(pair.name(), ratio));
            out.printf(
                    "%-40s %12d %12d %7.3f %4d %4d %s%n",
                    pair.name(),
                    reference.instructions(),
                    own.instructions(),
                    ratio,
                    reference.registers(),
                    own.registers(),
                    equal ? "" : "RESULTS DIFFER");
        } catch (GpuException | IllegalStateException e) {
            failures++;
            out.printf("%-40s %s%n", pair.name(), e.getMessage());
        }
    }

    /// Launches the reference, or returns null if its launch fails.
    private PairRun.Launched reference(PairRun run, CodePair pair) {
        try {
            return run.reference(pair);
        } catch (GpuException e) {
            skipped++;
            out.printf("%-40s skipped: the reference fails: %s%n", pair.name(), e.getMessage());
            return null;
        }
    }

    /// Returns whether memory has equal words, or floats or doubles that differ only in their last
    /// digits: the compilers fuse different multiplications with additions.
    private static boolean agree(byte[] own, byte[] reference, boolean isWide) {
        ByteBuffer a = ByteBuffer.wrap(own).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer b = ByteBuffer.wrap(reference).order(ByteOrder.LITTLE_ENDIAN);
        int unit = isWide ? Double.BYTES : Float.BYTES;
        for (int at = Arrays.mismatch(own, reference); at >= 0 && at < own.length; at += unit) {
            at -= at % unit;
            double x = isWide ? a.getDouble(at) : a.getFloat(at);
            double y = isWide ? b.getDouble(at) : b.getFloat(at);
            double limit = Math.max(Math.abs(x), Math.abs(y)) * (isWide ? WIDE_DIGITS : DIGITS);
            boolean isEqual = a.getInt(at) == b.getInt(at) && (!isWide || x == y);
            if (!isEqual && !(Math.abs(x - y) <= limit) && !(x != x && y != y)) {
                return false;
            }
        }
        return true;
    }

    private static List<CodePair> pairs(Path folder) {
        try {
            return Files.readAllLines(folder.resolve(FILE)).stream()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> CodePair.parse(folder, line))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
