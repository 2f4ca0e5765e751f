package io.gpuvm.bench.ptx;

import io.gpuvm.pv.runtime.LaunchShape;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// Two compilations of one kernel, and a launch of it.
///
/// @param reference cubin or fatbin of another compiler
/// @param ptx source for gpuvm's compiler
/// @param kernel name of the kernel in both
record CodePair(
        String name,
        Path reference,
        Path ptx,
        String kernel,
        LaunchShape shape,
        List<PairArgument> arguments) {
    private static final int FIXED_WORDS = 6;
    private static final int DIRECTIONS = 3;

    CodePair {
        arguments = List.copyOf(arguments);
    }

    /// Parses a line: `NAME REFERENCE PTX KERNEL GRID BLOCK ARGUMENT...`, where GRID and BLOCK are
    /// `X[,Y[,Z]]`.
    ///
    /// @param folder folder of the files
    /// @throws IllegalArgumentException if the line is malformed
    static CodePair parse(Path folder, String line) {
        String[] words = line.strip().split("\\s+");
        if (words.length < FIXED_WORDS) {
            throw new IllegalArgumentException(
                    "pair '%s': words=%d, expected at least %d"
                            .formatted(line, words.length, FIXED_WORDS));
        }
        int[] grid = sizes(line, words[4]);
        int[] block = sizes(line, words[5]);
        return new CodePair(
                words[0],
                folder.resolve(words[1]),
                folder.resolve(words[2]),
                words[3],
                new LaunchShape(grid[0], grid[1], grid[2], block[0], block[1], block[2], 0),
                Arrays.stream(words).skip(FIXED_WORDS).map(PairArgument::parse).toList());
    }

    private static int[] sizes(String line, String text) {
        int[] sizes = {1, 1, 1};
        String[] words = text.split(",");
        if (words.length > DIRECTIONS) {
            throw new IllegalArgumentException(
                    "pair '%s': size=%s, expected X[,Y[,Z]]".formatted(line, text));
        }
        for (int i = 0; i < words.length; i++) {
            sizes[i] = Integer.parseInt(words[i]);
        }
        return sizes;
    }
}
