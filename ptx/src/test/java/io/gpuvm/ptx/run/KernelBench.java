package io.gpuvm.ptx.run;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.TextureHeader;
import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.DriverBank;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.softgpu.memory.SystemMemory;
import io.gpuvm.softgpu.memory.Vram;
import io.gpuvm.softgpu.sm.CodeLocation;
import io.gpuvm.softgpu.sm.ConstantBank;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.ExecutionMode;
import io.gpuvm.softgpu.sm.Kernels;
import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.MemoryWindows;
import io.gpuvm.softgpu.sm.Outcome;
import io.gpuvm.softgpu.sm.Sm;
import io.gpuvm.softgpu.sm.TextureBindings;
import io.gpuvm.softgpu.sm.ThreadStorage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Multiprocessor of the software GPU with a module and memory, for tests: launches kernels.
///
/// The module's code, variables and allocations lie in one range of GPU addresses that starts at
/// [#BASE].
public final class KernelBench implements AutoCloseable {
    /// First GPU address of the memory.
    public static final long BASE = 0x12_3000_0000L;

    private static final long VRAM_BYTES = 64L << 20;
    private static final int RANGE_BYTES = 32 << 20;
    private static final int SHARED_WINDOW = 0xfe00_0000;
    private static final int LOCAL_WINDOW = 0xff00_0000;
    private static final int TEMP_BYTES = 8 << 20;
    private static final int BANK_UNIT = 256;

    /// Stack for recursion, beside the frames that a kernel needs at least.
    private static final int STACK_BYTES = 4 << 10;

    private static final int CALL_STACK_BYTES = 2 << 10;
    private static final int BARRIERS = 16;

    /// Time of a launch after which the test fails.
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(20);

    private final Vram vram = new Vram(VRAM_BYTES);
    private final SystemMemory host = new SystemMemory();
    private final PhysicalMemory memory = new PhysicalMemory(vram.pages(), host);
    private final Mmu mmu = new Mmu(memory);
    private final Kernels kernels;
    private final Sm sm;
    private final Cubin cubin;
    private final Map<String, Integer> codeOffsets = new HashMap<>();
    private final Map<Integer, Long> constants = new HashMap<>();
    private long next = 0x10_0000;
    private final long rangeVram;
    private final long instance;
    private final long directory;
    private int used;
    private final long codeSegment;
    private final long globalInit;
    private final long global;
    private final Map<String, LinearTexture> textures = new HashMap<>();
    private long instructions;
    private long limit = Long.MAX_VALUE;

    public KernelBench(Cubin cubin) {
        this(cubin, ExecutionMode.INTERPRETER);
    }

    public KernelBench(Cubin cubin, ExecutionMode mode) {
        this.cubin = cubin;
        kernels = new Kernels(mode);
        sm = new Sm(0, mmu, () -> 0, kernels);
        TableGeometry geometry = mmu.geometry();
        instance = vram(InstanceBlock.BYTES);
        directory = vram(geometry.directoryBytes());
        new InstanceBlock()
                .wrap(vram.memory(), instance)
                .directory(MemoryTarget.VRAM, directory)
                .limit(TableGeometry.VA_MASK);
        rangeVram = vram(RANGE_BYTES);
        for (int at = 0; at < RANGE_BYTES; at += (int) PageSize.SMALL_4K.bytes()) {
            map(BASE + at, PageTableEntry.of(MemoryTarget.VRAM, rangeVram + at));
        }
        globalInit = allocate((int) cubin.globalInit().byteSize());
        put(globalInit, cubin.globalInit());
        global = allocate((int) cubin.globalBytes());
        for (ConstantSection bank : cubin.constants()) {
            long at = allocate((int) bank.contents().byteSize());
            put(at, bank.contents());
            constants.put(bank.index(), at);
        }
        codeSegment = allocate(BANK_UNIT);
        for (CubinFunction function : cubin.functions()) {
            long at = allocate((int) function.code().byteSize());
            codeOffsets.put(function.name(), (int) (at - codeSegment));
            put(at, function.code());
        }
        cubin.relocations().forEach(this::relocate);
    }

    private long vram(long bytes) {
        long at = next;
        next += bytes + 0xfff & -0x1000L;
        return at;
    }

    private void map(long gpuVa, long entry) {
        TableGeometry geometry = mmu.geometry();
        long slot = directory + (long) geometry.directoryIndex(gpuVa) * PageDirectoryEntry.BYTES;
        long found = memory.read(MemoryTarget.VRAM, slot, Long.BYTES);
        if (PageDirectoryEntry.smallTarget(found) == null) {
            long table = vram(geometry.tableBytes(PageSize.SMALL_4K));
            found = PageDirectoryEntry.withSmallTable(found, MemoryTarget.VRAM, table);
            memory.write(MemoryTarget.VRAM, slot, Long.BYTES, found);
        }
        memory.write(
                MemoryTarget.VRAM,
                PageDirectoryEntry.smallTable(found)
                        + (long) geometry.tableIndex(PageSize.SMALL_4K, gpuVa)
                                * PageTableEntry.BYTES,
                Long.BYTES,
                entry);
    }

    private void relocate(CubinRelocation relocation) {
        long place = address(relocation.place());
        long target = address(relocation.target());
        boolean isCode = relocation.target().part() == Location.Part.CODE;
        long value = (isCode ? target - codeSegment : target) + relocation.addend();
        long number =
                switch (relocation.type().value()) {
                    case LOW -> value & 0xffff_ffffL;
                    case HIGH -> value >>> Integer.SIZE;
                    case RELATIVE -> target - place - Long.BYTES;
                    case ADDRESS, FUNCTION, CONSTANT ->
                            relocation.target().part() == Location.Part.CONSTANT
                                    ? relocation.target().offset() + relocation.addend()
                                    : value;
                    default -> value;
                };
        MemorySegment at = segment(place);
        if (relocation.type().placeBytes() == Long.BYTES) {
            long word = at.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
            at.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, relocation.type().put(word, number));
        } else {
            at.set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) number);
        }
    }

    private long address(Location location) {
        return switch (location.part()) {
            case CODE -> codeSegment + codeOffsets.get(location.function()) + location.offset();
            case GLOBAL -> global + location.offset();
            case GLOBAL_INIT -> globalInit + location.offset();
            case CONSTANT -> constants.get(location.bank()) + location.offset();
            default -> location.offset();
        };
    }

    /// Returns the address of a variable of global memory.
    public long variable(String name) {
        for (DataSymbol symbol : cubin.symbols()) {
            if (symbol.name().equals(name)) {
                return address(symbol.location());
            }
        }
        throw new IllegalArgumentException("variable=" + name);
    }

    /// Allocates zeroed global memory, aligned to 256 bytes.
    public long allocate(int bytes) {
        long at = BASE + used;
        used += bytes + BANK_UNIT - 1 & -BANK_UNIT;
        if (used > RANGE_BYTES) {
            throw new IllegalStateException("bytes=" + used + ", limit=" + RANGE_BYTES);
        }
        return at;
    }

    /// Returns the global memory from an address on.
    public MemorySegment segment(long gpuVa) {
        return vram.memory().asSlice(rangeVram + gpuVa - BASE, BASE + RANGE_BYTES - gpuVa);
    }

    private void put(long gpuVa, MemorySegment contents) {
        segment(gpuVa).copyFrom(contents);
    }

    /// Allocates global memory with words.
    public long words(int... words) {
        long at = allocate(words.length * Integer.BYTES);
        segment(at).copyFrom(MemorySegment.ofArray(words));
        return at;
    }

    /// Returns words of global memory.
    public int[] read(long gpuVa, int count) {
        return segment(gpuVa)
                .asSlice(0, (long) count * Integer.BYTES)
                .toArray(ValueLayout.JAVA_INT_UNALIGNED);
    }

    /// Binds memory to a texture of the module.
    public void bind(String name, LinearTexture texture) {
        textures.put(name, texture);
    }

    /// Returns the bindings of a kernel's textures, whose headers are in global memory.
    private TextureBindings bindings(CubinFunction kernel) {
        List<TextureSlot> slots = kernel.textures();
        if (slots.isEmpty()) {
            return TextureBindings.NONE;
        }
        long pool = allocate(slots.size() * TextureHeader.BYTES);
        Map<Integer, Integer> headers = new HashMap<>();
        for (TextureSlot slot : slots) {
            int number = headers.size();
            int[] words = textures.get(slot.name()).words();
            put(pool + (long) number * TextureHeader.BYTES, MemorySegment.ofArray(words));
            headers.put(slot.slot(), number);
        }
        return new TextureBindings(pool, slots.size() - 1, headers);
    }

    /// Returns the number of warp instructions that all launches have executed, to within a turn.
    public long instructions() {
        return instructions;
    }

    /// Limits the number of warp instructions of all launches: beyond it, a kernel hangs.
    public void limit(long warpInstructions) {
        limit = warpInstructions;
    }

    /// Runs a kernel to its end.
    ///
    /// @param dynamicBytes bytes of shared memory besides the kernel's own
    /// @param parameters values of the parameters: `Integer`, `Long`, `Float` or `Double`
    /// @throws AssertionError if the kernel traps or hangs
    public void launch(
            String name,
            Dimensions grid,
            Dimensions block,
            int dynamicBytes,
            Object... parameters) {
        CubinFunction kernel = cubin.function(name);
        int saved = used;
        List<ConstantBank> banks =
                new ArrayList<>(Collections.nCopies(ConstantBank.COUNT, ConstantBank.UNBOUND));
        int local = kernel.localBytes() + kernel.stack().minBytes() + STACK_BYTES;
        bind(banks, ConstantSection.DRIVER, bank0(grid, block, kernel, parameters));
        ByteBuffer stack = buffer(ConstantSection.STACK_POINTER + Integer.BYTES);
        bind(banks, 1, stack.putInt(ConstantSection.STACK_POINTER, local).array());
        for (ConstantSection bank : cubin.constants()) {
            int bytes = Math.max((int) bank.contents().byteSize(), 1) + BANK_UNIT - 1 & -BANK_UNIT;
            banks.set(bank.index(), new ConstantBank(true, constants.get(bank.index()), bytes));
        }
        for (ConstantSection bank : kernel.constants()) {
            if (bank.index() != ConstantSection.DRIVER) {
                bind(banks, bank.index(), bank.contents().toArray(ValueLayout.JAVA_BYTE));
            }
        }
        long temp = allocate(TEMP_BYTES);
        int registers =
                cubin.functions().stream().mapToInt(CubinFunction::registers).max().orElseThrow();
        sm.load(
                new Launch(
                        new CodeLocation(codeSegment, codeOffsets.get(name), 1),
                        grid,
                        block,
                        1,
                        0,
                        new ThreadStorage(
                                registers,
                                BARRIERS,
                                kernel.sharedBytes() + dynamicBytes,
                                local,
                                0,
                                CALL_STACK_BYTES),
                        new MemoryWindows(SHARED_WINDOW, LOCAL_WINDOW, temp, TEMP_BYTES),
                        banks,
                        bindings(kernel),
                        MemoryTarget.VRAM,
                        instance));
        for (long index = 0; index < grid.count(); index++) {
            sm.begin(index);
            long start = System.nanoTime();
            Outcome outcome =
                    sm.run(executed -> {
                        instructions += executed;
                        return instructions > limit || System.nanoTime() - start > LIMIT_NS;
                    });
            if (outcome != Outcome.BLOCK_DONE) {
                throw new AssertionError(outcome + " " + sm.trap() + " at " + sm.position());
            }
        }
        used = saved;
    }

    private void bind(List<ConstantBank> banks, int index, byte[] contents) {
        int bytes = Math.max(contents.length, 1) + BANK_UNIT - 1 & -BANK_UNIT;
        long at = allocate(bytes);
        put(at, MemorySegment.ofArray(contents));
        banks.set(index, new ConstantBank(true, at, bytes));
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] bank0(
            Dimensions grid, Dimensions block, CubinFunction kernel, Object[] parameters) {
        ByteBuffer bank = buffer(kernel.parameterOffset() + kernel.parameterBytes());
        bank.putInt(DriverBank.SHARED_WINDOW, SHARED_WINDOW);
        bank.putInt(DriverBank.LOCAL_WINDOW, LOCAL_WINDOW);
        Dimensions[] sizes = {block, grid};
        int[] places = {DriverBank.BLOCK, DriverBank.GRID};
        for (int i = 0; i < 2; i++) {
            bank.putInt(places[i], sizes[i].x());
            bank.putInt(places[i] + 4, sizes[i].y());
            bank.putInt(places[i] + 8, sizes[i].z());
        }
        for (int i = 0; i < parameters.length; i++) {
            int at = kernel.parameterOffset() + kernel.parameters().get(i).offset();
            switch (parameters[i]) {
                case Integer number -> bank.putInt(at, number);
                case Long number -> bank.putLong(at, number);
                case Float number -> bank.putFloat(at, number);
                case Double number -> bank.putDouble(at, number);
                case byte[] bytes -> bank.put(at, bytes);
                default -> throw new IllegalArgumentException("parameter=" + parameters[i]);
            }
        }
        return bank.array();
    }

    @Override
    public void close() {
        kernels.close();
        host.close();
        vram.close();
    }
}
