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
            description = "Name of the kernel; required without --list, as are --grid and --block.")
    private String kernel;

    @Option(
            names = "--grid",
            paramLabel = "X[,Y[,Z]]",
            description = "Size of the grid in blocks. Default of Y and Z: 1.")
    private String grid;

    @Option(
            names = "--block",
            paramLabel = "X[,Y[,Z]]",
            description = "Size of a block in threads. Default of Y and Z: 1.")
    private String block;

    @Option(
            names = "--shared",
            paramLabel = "BYTES",
            description =
                    "Size of each block's additional shared memory in bytes, located after the"
                            + " kernel's own. Default: 0.")
    private String shared;

    @Option(
            names = "--arg",
            paramLabel = "ARG",
            description =
                    "Argument, in the order of the kernel's parameters; repeatable. The forms are"
                            + " below.")
    private List<String> arguments = List.of();

    @Option(
            names = "--texture",
            paramLabel = "NAME=FORMAT:ARG",
            description =
                    "Memory that the kernel reads as a texture; repeatable. ARG is as for --arg,"
                            + " FORMAT is the format of a component and the number of components:"
                            + " f32, u32x2, unorm8x4.")
    private List<String> textures = List.of();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Number of successive launches on the same memory, at least 1."
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
            throw new ConfigException("--repeat %d: expected at least 1".formatted(repeat));
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
                        "--shared %s: expected 0 to %d".formatted(shared, Integer.MAX_VALUE));
            }
            return (int) bytes;
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage(), e);
        }
    }
}
