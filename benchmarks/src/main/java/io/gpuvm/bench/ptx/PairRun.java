package io.gpuvm.bench.ptx;

import io.gpuvm.daemon.NativeGpu;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Launches of the kernels of pairs on a software GPU, which counts their instructions. One thread.
final class PairRun {
    private final NativeGpu gpu;
    private final Map<Path, Cubin> compiled = new HashMap<>();

    /// Result of one compilation's launch.
    ///
    /// @param instructions executed instructions of warps
    /// @param registers registers of a thread
    /// @param memory final contents of the arguments' memory
    record Launched(long instructions, int registers, List<byte[]> memory) {}

    PairRun(NativeGpu gpu) {
        this.gpu = gpu;
    }

    /// Launches the reference.
    ///
    /// @throws io.gpuvm.pv.runtime.GpuException if the launch fails
    Launched reference(CodePair pair) {
        return launch(pair, Cubin.read(bytes(pair.reference())));
    }

    /// Compiles the source, and launches the result.
    ///
    /// @throws io.gpuvm.pv.runtime.GpuException if the launch fails
    /// @throws IllegalStateException if the source has errors
    Launched own(CodePair pair) {
        return launch(pair, compiled.computeIfAbsent(pair.ptx(), PairRun::compile));
    }

    private static Cubin compile(Path source) {
        PtxResult result =
                PtxCompiler.compile(
                        new String(bytes(source), StandardCharsets.UTF_8), PtxOptions.DEFAULT);
        if (!result.isCompiled()) {
            throw new IllegalStateException(source + ": " + result.diagnostics().getFirst());
        }
        return result.cubin();
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Launched launch(CodePair pair, Cubin cubin) {
        GpuContext context = gpu.context();
        GpuStream stream = context.defaultStream();
        List<DeviceMemory> memories = new ArrayList<>();
        try (GpuModule module = context.load(cubin)) {
            GpuKernel kernel = module.kernel(pair.kernel());
            Arguments arguments = new Arguments();
            for (PairArgument argument : pair.arguments()) {
                add(arguments, argument, memories);
            }
            long before = instructions();
            stream.launch(kernel, pair.shape(), arguments);
            stream.synchronize();
            long executed = instructions() - before;
            List<byte[]> results = new ArrayList<>();
            for (DeviceMemory memory : memories) {
                byte[] content = new byte[(int) memory.bytes()];
                stream.copyToHost(MemorySegment.ofArray(content), memory, 0);
                results.add(content);
            }
            return new Launched(executed, cubin.function(pair.kernel()).registers(), results);
        } finally {
            memories.forEach(DeviceMemory::close);
        }
    }

    private void add(Arguments arguments, PairArgument argument, List<DeviceMemory> memories) {
        switch (argument.kind()) {
            case U8 -> arguments.bytes(new byte[] {(byte) Integer.parseInt(argument.text())});
            case I32 -> arguments.i32(Integer.parseInt(argument.text()));
            case U32 -> arguments.i32(Integer.parseUnsignedInt(argument.text()));
            case U64 -> arguments.i64(Long.parseUnsignedLong(argument.text()));
            case F32 -> arguments.f32(Float.parseFloat(argument.text()));
            case F64 -> arguments.f64(Double.parseDouble(argument.text()));
            default -> {
                byte[] contents = argument.contents();
                DeviceMemory memory = gpu.context().allocate(contents.length);
                memories.add(memory);
                gpu.context()
                        .defaultStream()
                        .copyToDevice(memory, 0, MemorySegment.ofArray(contents));
                arguments.pointer(memory);
            }
        }
    }

    private long instructions() {
        Map<String, Long> counters = gpu.counters();
        return counters.get("COMPILED_INSTRUCTIONS") + counters.get("INTERPRETED_INSTRUCTIONS");
    }
}
