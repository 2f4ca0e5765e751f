package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxFunctionHeader;
import io.gpuvm.ptx.check.PtxModule;
import io.gpuvm.ptx.check.PtxReference;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxSymbol;
import io.gpuvm.ptx.check.PtxVariable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Machine that interprets the kernels of a checked module. Not thread-safe.
public final class PtxMachine {
    private static final long FUNCTIONS = 0x7000_0000L;
    private static final int FUNCTION_BYTES = 16;
    private static final int ALLOCATION_ALIGNMENT = 256;

    /// Sizes of a grid or block.
    public record Size(int x, int y, int z) {
        /// Returns the size in one dimension.
        public static Size of(int x) {
            return new Size(x, 1, 1);
        }

        /// Returns the number of elements.
        public int count() {
            return x * y * z;
        }
    }

    private final PtxModule module;
    private final MachineMemory memory;
    private final Map<Integer, Long> addresses = new HashMap<>();
    private final Map<String, PtxSymbol> symbols = new HashMap<>();
    private final Map<String, FunctionLayout> layouts = new HashMap<>();
    private final Map<Long, MachineTexture> textures = new HashMap<>();
    private int globalEnd;
    private int sharedBytes;
    private long instructions;
    private long limit = 200_000_000;

    /// @param globalBytes size of global memory
    public PtxMachine(PtxModule module, int globalBytes) {
        this.module = module;
        memory = new MachineMemory(globalBytes);
        int constantEnd = 0;
        for (PtxVariable variable : module.variables()) {
            symbols.put(variable.name(), variable);
            switch (variable.space()) {
                case GLOBAL ->
                        addresses.put(
                                variable.index(),
                                allocate((int) variable.bytes(), variable.alignment()));
                case CONST -> {
                    constantEnd = FunctionLayout.align(constantEnd, variable.alignment());
                    addresses.put(variable.index(), (long) constantEnd);
                    constantEnd += (int) variable.bytes();
                }
                default -> {
                    if (!variable.isDynamicShared()) {
                        sharedBytes = FunctionLayout.align(sharedBytes, variable.alignment());
                        addresses.put(variable.index(), (long) sharedBytes);
                        sharedBytes += (int) variable.bytes();
                    }
                }
            }
        }
        sharedBytes = FunctionLayout.align(sharedBytes, ALLOCATION_ALIGNMENT);
        for (PtxVariable variable : module.variables()) {
            if (variable.isDynamicShared()) {
                addresses.put(variable.index(), (long) sharedBytes);
            }
        }
        module.headers().forEach(header -> symbols.put(header.name(), header));
        module.functions()
                .forEach(function -> layouts.put(function.name(), FunctionLayout.of(function)));
        module.variables().forEach(this::initialize);
    }

    private void initialize(PtxVariable variable) {
        if (variable.space() == PtxSpace.SHARED) {
            return;
        }
        boolean constant = variable.space() == PtxSpace.CONST;
        byte[] bytes = constant ? memory.constant : memory.global;
        int at = (int) (addresses.get(variable.index()) - (constant ? 0 : MachineMemory.GLOBAL));
        MemorySegment.copy(
                variable.initial(),
                ValueLayout.JAVA_BYTE,
                0,
                bytes,
                at,
                (int) variable.initial().byteSize());
        for (PtxReference reference : variable.references()) {
            PtxSymbol symbol = symbols.get(reference.symbol());
            long address = address(symbol) + reference.addend();
            if (reference.generic() && symbol instanceof PtxVariable target) {
                address += MachineMemory.window(target.space());
            }
            MachineMemory.write(
                    bytes,
                    at + reference.offset(),
                    reference.bytes(),
                    address >>> reference.shift());
        }
    }

    /// Allocates global memory, and returns its address.
    public long allocate(int bytes) {
        return allocate(bytes, ALLOCATION_ALIGNMENT);
    }

    private long allocate(int bytes, int alignment) {
        int start = FunctionLayout.align(globalEnd, alignment);
        if (bytes > memory.global.length - start) {
            throw new MachineFault("global memory: bytes=" + (start + bytes));
        }
        globalEnd = start + bytes;
        return MachineMemory.GLOBAL + start;
    }

    /// Sets the maximum number of warp instructions of the machine.
    public void limitInstructions(long most) {
        limit = most;
    }

    /// Returns the number of warp instructions that the machine has executed.
    public long instructions() {
        return instructions;
    }

    /// Copies bytes to global memory.
    public void write(long address, byte[] bytes) {
        System.arraycopy(
                bytes, 0, memory.global, (int) (address - MachineMemory.GLOBAL), bytes.length);
    }

    /// Returns a copy of global memory.
    public byte[] read(long address, int bytes) {
        int start = (int) (address - MachineMemory.GLOBAL);
        return Arrays.copyOfRange(memory.global, start, start + bytes);
    }

    /// Binds memory to a texture of the module.
    public void bind(String texture, MachineTexture memory) {
        textures.put(addressOf(texture), memory);
    }

    /// Returns the texture with a handle.
    MachineTexture texture(long handle) {
        MachineTexture found = textures.get(handle);
        if (found == null) {
            throw new MachineFault("handle=0x%x, expected that of a texture".formatted(handle));
        }
        return found;
    }

    /// Returns the address of a variable of the module in its space.
    public long addressOf(String variable) {
        return address(symbols.get(variable));
    }

    /// Executes a kernel, block by block.
    ///
    /// @param parameters bytes of the parameters
    /// @param dynamicBytes bytes of dynamic shared memory
    /// @throws MachineFault if the program has an error, or exceeds the limit of instructions
    public void launch(String kernel, Size grid, Size block, int dynamicBytes, byte[] parameters) {
        FunctionLayout layout = layouts.get(kernel);
        Launch launch = new Launch(this, layout, grid, block, dynamicBytes, parameters);
        for (int z = 0; z < grid.z(); z++) {
            for (int y = 0; y < grid.y(); y++) {
                for (int x = 0; x < grid.x(); x++) {
                    new BlockExecution(launch, x, y, z).run();
                }
            }
        }
    }

    /// Launch of a kernel.
    record Launch(
            PtxMachine machine,
            FunctionLayout kernel,
            Size grid,
            Size block,
            int dynamicBytes,
            byte[] parameters) {
        int sharedBytes() {
            return machine.sharedBytes + dynamicBytes;
        }
    }

    MachineMemory memory() {
        return memory;
    }

    FunctionLayout layout(PtxFunctionHeader header) {
        FunctionLayout layout = layouts.get(header.name());
        if (layout == null) {
            throw new MachineFault("function " + header.name() + " has no body");
        }
        return layout;
    }

    FunctionLayout layoutAt(long address) {
        long index = (address - FUNCTIONS) / FUNCTION_BYTES;
        if (index < 0 || index >= module.headers().size()) {
            throw new MachineFault("call of 0x%x".formatted(address));
        }
        return layout(module.headers().get((int) index));
    }

    /// Returns the address of a symbol in its space.
    long address(PtxSymbol symbol) {
        return switch (symbol) {
            case PtxVariable variable -> addresses.get(variable.index());
            case PtxFunctionHeader header -> FUNCTIONS + (long) header.index() * FUNCTION_BYTES;
        };
    }

    void count() {
        if (++instructions > limit) {
            throw new MachineFault("instructions=" + instructions + ", limit=" + limit);
        }
    }
}
