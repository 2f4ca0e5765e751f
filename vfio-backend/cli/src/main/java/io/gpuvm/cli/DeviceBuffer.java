package io.gpuvm.cli;

import io.gpuvm.cli.ExecArgument.Contents;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/// GPU memory with the file of the initial contents and the file for the result. Confined to one
/// thread.
///
/// Files are read and written in blocks, so a buffer may be as large as the GPU's memory.
final class DeviceBuffer implements AutoCloseable {
    private final long bytes;

    /// Initial value of all bytes, if the contents come from no file.
    private final int fill;

    /// Source of the contents; null if they come from no file.
    private final InputFile input;

    /// Target of the result; null if the result is not needed.
    private final ResultFile output;

    private DeviceMemory memory;

    /// Opens the files.
    ///
    /// @throws io.gpuvm.daemon.ConfigException if a file cannot be read or written; the message
    ///   names the file
    DeviceBuffer(ExecArgument.Buffer argument) {
        switch (argument.contents()) {
            case Contents.OfFile(Path file) -> {
                input = InputFile.open(file);
                bytes = input.bytes();
                fill = 0;
            }
            case Contents.Filled(long size, int value) -> {
                input = null;
                bytes = size;
                fill = value;
            }
        }
        try {
            output = argument.result() == null ? null : ResultFile.create(argument.result());
        } catch (RuntimeException e) {
            if (input != null) {
                input.close();
            }
            throw e;
        }
    }

    /// @return the memory, without contents yet
    DeviceMemory allocate(GpuContext context) {
        memory = context.allocate(bytes);
        return memory;
    }

    /// @param piece buffer for copying
    void copyIn(GpuStream stream, MemorySegment piece, PhaseClock clock) {
        if (input == null) {
            clock.time(ExecPhase.COPY_IN, () -> stream.fill(memory, 0, bytes, fill));
            return;
        }
        for (long at = 0; at < bytes; at += piece.byteSize()) {
            MemorySegment part = part(piece, at);
            input.read(part.asByteBuffer());
            long offset = at;
            clock.time(ExecPhase.COPY_IN, () -> stream.copyToDevice(memory, offset, part));
        }
    }

    /// @param piece buffer for copying
    void copyOut(GpuStream stream, MemorySegment piece, PhaseClock clock) {
        if (output == null) {
            return;
        }
        for (long at = 0; at < bytes; at += piece.byteSize()) {
            MemorySegment part = part(piece, at);
            long offset = at;
            clock.time(ExecPhase.COPY_OUT, () -> stream.copyToHost(part, memory, offset));
            output.write(part.asByteBuffer());
        }
    }

    /// Publishes the result, if it is needed.
    void publish() {
        if (output != null) {
            output.publish();
        }
    }

    /// Closes the files; the context releases the memory.
    @Override
    public void close() {
        try (InputFile _ = input;
                ResultFile _ = output) {
            // Closes both, even if the first fails.
        }
    }

    private MemorySegment part(MemorySegment piece, long at) {
        return piece.asSlice(0, Math.min(piece.byteSize(), bytes - at));
    }
}
