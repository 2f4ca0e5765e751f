package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.gf100.unit.ByteSize;
import io.gpuvm.pv.runtime.LaunchShape;
import java.util.List;
import picocli.CommandLine.Option;

/// Options of `gpuvm exec` for the launch.
final class LaunchOptions {
    @Option(
            names = "--kernel",
            paramLabel = "NAME",
            description = "Which kernel to run. Needed, like --grid and --block, but for --list.")
    private String kernel;

    @Option(names = "--grid", paramLabel = "X[,Y[,Z]]", description = "How many blocks.")
    private String grid;

    @Option(
            names = "--block",
            paramLabel = "X[,Y[,Z]]",
            description = "How many threads each block has.")
    private String block;

    @Option(
            names = "--shared",
            paramLabel = "BYTES",
            description = "Shared memory of each block, behind what the kernel itself declares.")
    private String shared;

    @Option(
            names = "--arg",
            paramLabel = "ARG",
            description = {
                "An argument; repeat it in the order of the kernel's parameters.",
                "A value: i32:N, u32:N, i64:N, u64:N, f32:X, f64:X; N also as 0xff.",
                "Memory of the GPU, by its address:",
                "in:FILE         holds what the file does",
                "inout:FILE      the same, and the result replaces the file",
                "out:FILE:SIZE   zeros, and the result becomes the file",
                "zero:SIZE       zeros",
                "fill:SIZE:BYTE  this byte everywhere",
                "A structure of such arguments: {ARG;ARG...}.",
                "Sizes take the suffixes K, M and G."
            })
    private List<String> arguments = List.of();

    @Option(
            names = "--texture",
            paramLabel = "NAME=FORMAT:ARG",
            description = {
                "Memory that the kernel reads as a texture; ARG as for --arg. FORMAT is that of a",
                "channel, with the number of them if there are more: f32, u32x2, unorm8x4."
            })
    private List<String> textures = List.of();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Launch so many times, each on what the one before has left."
                            + " Default: ${DEFAULT-VALUE}.")
    private int repeat;

    /// @throws ConfigException if the option is missing
    String kernel() {
        return given("--kernel", kernel);
    }

    /// @throws ConfigException if a part is missing or invalid
    LaunchShape shape() {
        LaunchSize blocks = LaunchSize.parse("--grid", given("--grid", grid));
        LaunchSize threads = LaunchSize.parse("--block", given("--block", block));
        return new LaunchShape(
                blocks.x(),
                blocks.y(),
                blocks.z(),
                threads.x(),
                threads.y(),
                threads.z(),
                sharedBytes());
    }

    /// @throws ConfigException if an argument is invalid
    List<ExecArgument> arguments() {
        return arguments.stream().map(ExecArgument::parse).toList();
    }

    /// @throws ConfigException if a texture is invalid
    List<ExecTexture> textures() {
        return textures.stream().map(ExecTexture::parse).toList();
    }

    /// @throws ConfigException if the number is less than 1
    int repeat() {
        if (repeat < 1) {
            throw new ConfigException("--repeat %d: limit=at least 1".formatted(repeat));
        }
        return repeat;
    }

    private static String given(String option, String value) {
        if (value == null) {
            throw new ConfigException(option + " is missing");
        }
        return value;
    }

    private int sharedBytes() {
        if (shared == null) {
            return 0;
        }
        try {
            long bytes = ByteSize.parse("--shared", shared);
            if (bytes < 0 || bytes > Integer.MAX_VALUE) {
                throw new IllegalArgumentException(
                        "--shared %s: limit=0 to %d".formatted(shared, Integer.MAX_VALUE));
            }
            return (int) bytes;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }
}
