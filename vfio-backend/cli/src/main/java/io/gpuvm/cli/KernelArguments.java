package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/// Arguments and textures of a kernel in the GPU's memory, with their source and target files.
/// Confined to one thread.
final class KernelArguments implements AutoCloseable {
    /// Length of the buffer for copies: sufficient for fast copies, and small enough for a host
    /// with little memory.
    private static final long PIECE_BYTES = 16 << 20;

    private final List<ExecArgument> arguments;
    private final List<ExecTexture> textures;

    /// Buffers of the arguments, followed by those of the textures.
    private final List<DeviceBuffer> buffers = new ArrayList<>();

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment piece = arena.allocate(PIECE_BYTES);

    /// Opens the files.
    ///
    /// @throws ConfigException if a file cannot be read or written; the message names the file
    KernelArguments(List<ExecArgument> arguments, List<ExecTexture> textures) {
        this.arguments = arguments;
        this.textures = textures;
        List<ExecArgument.Buffer> wanted = buffersOf(arguments, textures);
        checkResults(wanted);
        try {
            wanted.forEach(buffer -> buffers.add(new DeviceBuffer(buffer)));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private static List<ExecArgument.Buffer> buffersOf(
            List<ExecArgument> arguments, List<ExecTexture> textures) {
        List<ExecArgument.Buffer> buffers = new ArrayList<>();
        addBuffers(arguments, buffers);
        textures.forEach(texture -> buffers.add(texture.memory()));
        return buffers;
    }

    private static void addBuffers(
            List<ExecArgument> arguments, List<ExecArgument.Buffer> buffers) {
        for (ExecArgument argument : arguments) {
            if (argument instanceof ExecArgument.Buffer buffer) {
                buffers.add(buffer);
            } else if (argument instanceof ExecArgument.Structure(var members)) {
                addBuffers(members, buffers);
            }
        }
    }

    /// Allocates the buffers, and binds those of textures.
    ///
    /// @return arguments of the launch
    Arguments allocate(GpuContext context, GpuModule module) {
        Iterator<DeviceBuffer> next = buffers.iterator();
        Arguments bound = bind(arguments, next, context);
        for (ExecTexture texture : textures) {
            module.texture(texture.name())
                    .bind(next.next().allocate(context), texture.format(), texture.channels());
        }
        return bound;
    }

    private static Arguments bind(
            List<ExecArgument> arguments, Iterator<DeviceBuffer> next, GpuContext context) {
        Arguments bound = new Arguments();
        for (ExecArgument argument : arguments) {
            switch (argument) {
                case ExecArgument.Word(int value) -> bound.i32(value);
                case ExecArgument.LongWord(long value) -> bound.i64(value);
                case ExecArgument.Single(float value) -> bound.f32(value);
                case ExecArgument.Wide(double value) -> bound.f64(value);
                case ExecArgument.Buffer _ -> bound.pointer(next.next().allocate(context));
                case ExecArgument.Structure(var members) ->
                        bound.structure(bind(members, next, context));
            }
        }
        return bound;
    }

    /// Copies the contents into the buffers.
    void copyIn(GpuStream stream, PhaseClock clock) {
        buffers.forEach(buffer -> buffer.copyIn(stream, piece, clock));
        clock.time(ExecPhase.COPY_IN, stream::synchronize);
    }

    /// Writes the results, and publishes them after all of them have been written.
    void copyOut(GpuStream stream, PhaseClock clock) {
        buffers.forEach(buffer -> buffer.copyOut(stream, piece, clock));
        buffers.forEach(DeviceBuffer::publish);
    }

    /// Closes the files; the context releases the memory.
    @Override
    public void close() {
        arena.close();
        buffers.forEach(DeviceBuffer::close);
    }

    private static void checkResults(List<ExecArgument.Buffer> wanted) {
        Set<Path> names = new HashSet<>();
        for (ExecArgument.Buffer buffer : wanted) {
            Path result = buffer.result();
            if (result != null && !names.add(result.toAbsolutePath().normalize())) {
                throw new ConfigException(result + ": results=2, limit=1 for each file");
            }
        }
    }
}
