package io.gpuvm.bench.pocl;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// PoCL's device for all of the host's processors, with an in-order command queue.
///
/// Confined to one thread.
final class PoclDevice implements AutoCloseable {
    /// Name of PoCL's platform.
    private static final String PLATFORM = "Portable Computing Language";

    // Constants of CL/cl.h.
    private static final int PLATFORM_NAME = 0x0902;
    private static final int DEVICE_NAME = 0x102b;
    private static final int DRIVER_VERSION = 0x102d;
    private static final int DEVICE_MAX_COMPUTE_UNITS = 0x1002;
    private static final int PROGRAM_BUILD_LOG = 0x1183;
    private static final long DEVICE_TYPE_CPU = 1 << 1;
    private static final long MEM_READ_WRITE = 1 << 0;
    private static final int TRUE = 1;

    private static final int MOST_PLATFORMS = 64;
    private static final int MOST_TEXT_BYTES = 64 << 10;

    private final OpenCl cl;
    private final MemorySegment device;
    private final MemorySegment context;
    private final MemorySegment queue;

    private PoclDevice(OpenCl cl, MemorySegment device) {
        this.cl = cl;
        this.device = device;
        try (Arena arena = Arena.ofConfined()) {
            context =
                    cl.create(
                            ClFunction.CREATE_CONTEXT,
                            MemorySegment.NULL,
                            1,
                            pointerTo(arena, device),
                            MemorySegment.NULL,
                            MemorySegment.NULL);
        }
        queue = cl.create(ClFunction.CREATE_COMMAND_QUEUE, context, device, 0L);
    }

    /// @throws NoPoclException if the host has no PoCL
    static PoclDevice open() {
        OpenCl cl = OpenCl.load();
        return new PoclDevice(cl, find(cl));
    }

    private static MemorySegment find(OpenCl cl) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment platforms = arena.allocate(ValueLayout.ADDRESS, MOST_PLATFORMS);
            MemorySegment found = arena.allocate(ValueLayout.JAVA_INT);
            // The loader fails if it finds no platform, so its status adds no information.
            int _ = cl.status(ClFunction.GET_PLATFORM_IDS, MOST_PLATFORMS, platforms, found);
            int count = Math.min(found.get(ValueLayout.JAVA_INT, 0), MOST_PLATFORMS);
            for (int i = 0; i < count; i++) {
                MemorySegment platform = platforms.getAtIndex(ValueLayout.ADDRESS, i);
                String name = text(cl, ClFunction.GET_PLATFORM_INFO, platform, PLATFORM_NAME);
                if (name.equals(PLATFORM)) {
                    return processors(cl, platform);
                }
            }
        }
        throw new NoPoclException("OpenCL lacks the platform '" + PLATFORM + "'");
    }

    private static MemorySegment processors(OpenCl cl, MemorySegment platform) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment device = arena.allocate(ValueLayout.ADDRESS);
            cl.call(
                    ClFunction.GET_DEVICE_IDS,
                    platform,
                    DEVICE_TYPE_CPU,
                    1,
                    device,
                    MemorySegment.NULL);
            return device.get(ValueLayout.ADDRESS, 0);
        }
    }

    PoclDescription description() {
        return new PoclDescription(
                text(cl, ClFunction.GET_DEVICE_INFO, device, DRIVER_VERSION),
                text(cl, ClFunction.GET_DEVICE_INFO, device, DEVICE_NAME),
                computeUnits());
    }

    private int computeUnits() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment units = arena.allocate(ValueLayout.JAVA_INT);
            cl.call(
                    ClFunction.GET_DEVICE_INFO,
                    device,
                    DEVICE_MAX_COMPUTE_UNITS,
                    units.byteSize(),
                    units,
                    MemorySegment.NULL);
            return units.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /// Compiles `NAME.cl` from the package of this class, and returns the kernel of that name.
    ///
    /// @param columns number of block columns
    /// @param rows number of block rows
    /// @throws PoclException if the source does not compile; the message contains the compiler's
    ///   log
    PoclKernel build(String name, int columns, int rows) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment program =
                    cl.create(
                            ClFunction.CREATE_PROGRAM_WITH_SOURCE,
                            context,
                            1,
                            pointerTo(arena, arena.allocateFrom(source(name))),
                            MemorySegment.NULL);
            try {
                compile(arena, program);
                return new PoclKernel(
                        cl,
                        cl.create(ClFunction.CREATE_KERNEL, program, arena.allocateFrom(name)),
                        columns,
                        rows);
            } finally {
                // A kernel retains its program.
                cl.call(ClFunction.RELEASE_PROGRAM, program);
            }
        }
    }

    private static String source(String name) {
        String file = name + ".cl";
        try (InputStream source = PoclDevice.class.getResourceAsStream(file)) {
            if (source == null) {
                throw new IllegalStateException(
                        "source=" + file + ", expected a resource of the package");
            }
            return new String(source.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void compile(Arena arena, MemorySegment program) {
        try {
            cl.call(
                    ClFunction.BUILD_PROGRAM,
                    program,
                    1,
                    pointerTo(arena, device),
                    MemorySegment.NULL,
                    MemorySegment.NULL,
                    MemorySegment.NULL);
        } catch (PoclException e) {
            MemorySegment log = arena.allocate(MOST_TEXT_BYTES);
            cl.call(
                    ClFunction.GET_PROGRAM_BUILD_INFO,
                    program,
                    device,
                    PROGRAM_BUILD_LOG,
                    log.byteSize(),
                    log,
                    MemorySegment.NULL);
            throw new PoclException(e.getMessage() + System.lineSeparator() + log.getString(0));
        }
    }

    /// Allocates device memory, which the caller frees with [#free].
    MemorySegment allocate(long bytes) {
        return cl.create(
                ClFunction.CREATE_BUFFER, context, MEM_READ_WRITE, bytes, MemorySegment.NULL);
    }

    void free(MemorySegment buffer) {
        cl.call(ClFunction.RELEASE_MEM_OBJECT, buffer);
    }

    /// Fills memory with a byte, and waits for completion.
    void fill(MemorySegment buffer, long bytes, byte value) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pattern = arena.allocateFrom(ValueLayout.JAVA_BYTE, value);
            cl.call(
                    ClFunction.ENQUEUE_FILL_BUFFER,
                    queue,
                    buffer,
                    pattern,
                    pattern.byteSize(),
                    0L,
                    bytes,
                    0,
                    MemorySegment.NULL,
                    MemorySegment.NULL);
            finish();
        }
    }

    /// Copies a whole array to the start of the memory, and waits for completion.
    void copyIn(MemorySegment buffer, MemorySegment source) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(source.byteSize()).copyFrom(source);
            transfer(ClFunction.ENQUEUE_WRITE_BUFFER, buffer, outside);
        }
    }

    /// Copies the start of the memory to a whole array, and waits for completion.
    void copyOut(MemorySegment target, MemorySegment buffer) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(target.byteSize());
            transfer(ClFunction.ENQUEUE_READ_BUFFER, buffer, outside);
            target.copyFrom(outside);
        }
    }

    private void transfer(ClFunction direction, MemorySegment buffer, MemorySegment outside) {
        cl.call(
                direction,
                queue,
                buffer,
                TRUE,
                0L,
                outside.byteSize(),
                outside,
                0,
                MemorySegment.NULL,
                MemorySegment.NULL);
    }

    /// Runs a kernel with its current arguments, after the commands in the queue.
    void launch(PoclKernel kernel) {
        cl.call(
                ClFunction.ENQUEUE_ND_RANGE_KERNEL,
                queue,
                kernel.handle(),
                PoclKernel.DIMENSIONS,
                MemorySegment.NULL,
                kernel.threads(),
                kernel.threadsOfBlock(),
                0,
                MemorySegment.NULL,
                MemorySegment.NULL);
    }

    /// Waits until all commands in the queue have completed.
    void finish() {
        cl.call(ClFunction.FINISH, queue);
    }

    @Override
    public void close() {
        cl.call(ClFunction.RELEASE_COMMAND_QUEUE, queue);
        cl.call(ClFunction.RELEASE_CONTEXT, context);
    }

    private static MemorySegment pointerTo(Arena arena, MemorySegment target) {
        return arena.allocateFrom(ValueLayout.ADDRESS, target);
    }

    private static String text(
            OpenCl cl, ClFunction function, MemorySegment object, int parameter) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(MOST_TEXT_BYTES);
            cl.call(function, object, parameter, text.byteSize(), text, MemorySegment.NULL);
            return text.getString(0);
        }
    }
}
