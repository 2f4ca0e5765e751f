package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.device.KernelPosition;
import io.gpuvm.ptx.printf.PrintfBuffer;
import io.gpuvm.pv.module.CodeLines;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.ModuleImage;
import io.gpuvm.pv.module.ModuleVariable;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Module of machine code in the GPU's memory. Any thread.
public final class GpuModule implements AutoCloseable {
    /// Maximum number of names in a message.
    private static final int SHOWN_NAMES = 16;

    private final Allocation memory;
    private final GpuContext context;
    private final long gpuVa;
    private final CodeLines lines;
    private final ArgumentLayout arguments;
    private final Map<String, GpuKernel> kernels = new LinkedHashMap<>();
    private final Map<String, DeviceMemory> variables = new LinkedHashMap<>();
    private final Map<String, GpuTexture> textures = new LinkedHashMap<>();

    GpuModule(GpuContext context, Allocation memory, ModuleImage image) {
        this.context = context;
        this.memory = memory;
        gpuVa = memory.gpuVa();
        lines = image.lines();
        arguments =
                new ArgumentLayout(image.width() == ElfClass.ELF32 ? Integer.BYTES : Long.BYTES);
        for (KernelImage kernel : image.kernels()) {
            for (TextureSlot slot : kernel.textures()) {
                textures.computeIfAbsent(slot.name(), name -> new GpuTexture(context, name));
            }
            KernelTextures own = new KernelTextures(kernel.textures(), textures);
            kernels.put(kernel.name(), new GpuKernel(this, kernel, own));
        }
        for (ModuleVariable variable : image.variables()) {
            Allocation part =
                    new Allocation(context, gpuVa + variable.offset(), variable.bytes(), () -> {});
            variables.put(variable.name(), new DeviceMemory(part, true));
        }
    }

    /// Returns the kernels of the module, in the order of the file.
    public List<GpuKernel> kernels() {
        return List.copyOf(kernels.values());
    }

    /// @throws GpuException [GpuError#NOT_FOUND] if the module has no such kernel; the message
    ///   lists the known names
    public GpuKernel kernel(String name) {
        return find(kernels, "kernel", name);
    }

    /// Returns the given variable of the module; the variable is freed with the module.
    ///
    /// @throws GpuException [GpuError#NOT_FOUND] if the module has no such variable; the message
    ///   lists the known names
    public DeviceMemory variable(String name) {
        return find(variables, "variable", name);
    }

    /// Returns the memory of the module, code included, for copies to and from variables by their
    /// addresses; the memory is freed with the module.
    public DeviceMemory memory() {
        return new DeviceMemory(memory, true);
    }

    /// Passes the texts that the module's kernels have printed since the last call, one for each
    /// call of `printf`, and removes them. Waits until the stream's work is done; no other stream
    /// may execute the module's kernels meanwhile.
    ///
    /// @param output receives the texts
    /// @return number of calls of `printf` whose texts did not fit into the buffer
    public long takeOutput(GpuStream stream, Consumer<String> output) {
        DeviceMemory buffer = variables.get(PrintfBuffer.SYMBOL);
        if (buffer == null || buffer.bytes() != PrintfBuffer.BYTES) {
            return 0;
        }
        byte[] header = new byte[PrintfBuffer.HEADER_BYTES];
        stream.copyToHost(MemorySegment.ofArray(header), buffer, 0);
        int used = PrintfBuffer.usedBytes(MemorySegment.ofArray(header));
        if (used == PrintfBuffer.HEADER_BYTES) {
            return 0;
        }
        MemorySegment copy = MemorySegment.ofArray(new byte[used]);
        stream.copyToHost(copy, buffer, 0);
        stream.fill(buffer, 0, used, 0);
        stream.synchronize();
        return new PrintfBuffer(copy).drain(output);
    }

    /// Returns the names of the variables, in the order of the file.
    public List<String> variableNames() {
        return List.copyOf(variables.keySet());
    }

    /// Returns the names of the textures of the module's kernels.
    public List<String> textureNames() {
        return List.copyOf(textures.keySet());
    }

    /// Returns the given texture of the module's kernels; the texture is initially unbound.
    ///
    /// @throws GpuException [GpuError#NOT_FOUND] if the module has no such texture; the message
    ///   lists the known names
    public GpuTexture texture(String name) {
        return find(textures, "texture", name);
    }

    /// Unloads the module once all previously submitted work is done. A second call has no effect.
    @Override
    public void close() {
        // While the release of the whole waits for submitted work, no thread may start a copy to a
        // part.
        variables.values().forEach(variable -> variable.allocation().closeAsPart());
        memory.close();
    }

    /// Returns the address of the image.
    long gpuVa() {
        return gpuVa;
    }

    /// Returns the kernel and the line of a position in this module.
    KernelFault locate(KernelPosition position) {
        String name = null;
        for (GpuKernel kernel : kernels.values()) {
            if (kernel.image().entry() == position.entry()) {
                name = kernel.name();
            }
        }
        return new KernelFault(position, name, lines.find(position.offset()));
    }

    /// Returns the layout of the arguments of the module's kernels.
    ArgumentLayout arguments() {
        return arguments;
    }

    /// @throws GpuException if the module is closed, or belongs to another context
    void checkUsableIn(GpuContext user) {
        if (user != context) {
            throw new GpuException(
                    GpuError.INVALID_HANDLE, "module belongs to another context: " + this);
        }
        if (!memory.isOpen()) {
            throw new GpuException(GpuError.INVALID_HANDLE, "module is closed: " + this);
        }
    }

    @Override
    public String toString() {
        return "module with kernels, " + names(kernels);
    }

    private static <T> T find(Map<String, T> things, String what, String name) {
        T found = things.get(name);
        if (found == null) {
            throw new GpuException(
                    GpuError.NOT_FOUND, "%s=%s, expected %s".formatted(what, name, names(things)));
        }
        return found;
    }

    /// Returns some of the names, for a message: a module can have any number of them.
    private static String names(Map<String, ?> things) {
        List<String> first = things.keySet().stream().limit(SHOWN_NAMES).toList();
        return things.size() <= SHOWN_NAMES
                ? "one of " + first
                : "one of %d names: %s, ...".formatted(things.size(), first);
    }
}
