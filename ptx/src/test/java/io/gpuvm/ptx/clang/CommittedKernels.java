package io.gpuvm.ptx.clang;

import io.gpuvm.ptx.PtxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/// PTX of clang for random kernels, and digests of their results on the processor, as resources:
/// for hosts without clang.
final class CommittedKernels {
    private static final long SEED = 7;
    private static final int KERNELS = 4;
    private static final int VERSION = 19;

    /// Levels of optimization of the resources.
    static final List<String> LEVELS = List.of("-O0", "-O2");

    private static final String FOLDER = "/io/gpuvm/ptx/clang/";
    private static final String DIGESTS = "random-kernels.txt";

    private CommittedKernels() {}

    static RandomKernels kernels() {
        return RandomKernels.write(SEED, KERNELS);
    }

    /// Returns the PTX of all kernels.
    static String ptx(String level) {
        return resource("random-kernels" + level + ".ptx");
    }

    /// Returns the digest of the source, and then one of the results of each kernel.
    static List<String> digests() {
        return resource(DIGESTS).lines().toList();
    }

    private static String resource(String name) {
        try (InputStream in = CommittedKernels.class.getResourceAsStream(FOLDER + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the digests that belong to a source and its results.
    static List<String> digests(String source, byte[] results) {
        List<String> digests = new ArrayList<>();
        digests.add(digest(source.getBytes(StandardCharsets.UTF_8)));
        int bytes = RandomKernels.resultBytes();
        for (int at = 0; at < results.length; at += bytes) {
            digests.add(digest(Arrays.copyOfRange(results, at, at + bytes)));
        }
        return digests;
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Writes the resources with the clang of `tests/clang/setup`.
    ///
    /// @param arguments the folder of the resources
    public static void main(String[] arguments) throws IOException {
        Path target = Path.of(arguments[0]);
        Clang clang = Clang.version(VERSION).orElseThrow();
        Path work = Files.createTempDirectory("random-kernels");
        RandomKernels kernels = kernels();
        String source = kernels.source();
        byte[] results = clang.output(work, source);
        Files.write(target.resolve(DIGESTS), digests(source, results));
        for (String level : LEVELS) {
            String ptx = clang.ptx(work, source, level);
            byte[] found = CompiledKernels.run(kernels, ptx, PtxOptions.DEFAULT);
            if (!Arrays.equals(results, found)) {
                throw new IllegalStateException(level + ": results differ");
            }
            Files.writeString(target.resolve("random-kernels" + level + ".ptx"), ptx);
        }
    }
}
