package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.TextureHeader;
import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.push.ComputeCommands;
import io.gpuvm.gf100.push.GridShape;
import io.gpuvm.gf100.push.KernelSetup;
import io.gpuvm.gf100.push.PushBuffer;
import io.gpuvm.gf100.push.TextureCommands;
import io.gpuvm.pv.module.BankImage;
import io.gpuvm.pv.module.KernelImage;
import io.gpuvm.pv.module.KernelResources;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/// Submission of launches to queues. Any thread.
final class Launches {
    private static final int WORDS =
            ComputeCommands.TEMPORARY_WORDS
                    + ComputeCommands.CODE_WORDS
                    + ConstantSection.BANKS * ComputeCommands.BIND_WORDS
                    + ComputeCommands.KERNEL_WORDS
                    + ComputeCommands.UPDATE_WORDS
                    + ComputeCommands.LAUNCH_WORDS;

    /// Length of a pool with a header for every slot, in bytes.
    private static final int POOL_BYTES = (TextureSlot.MAX_SLOT + 1) * TextureHeader.BYTES;

    private final GpuContext context;
    private final Memories memories;
    private final int multiprocessors;
    private final ParameterWriter parameters;
    private final AtomicLong codeVersion = new AtomicLong();

    Launches(GpuContext context, Memories memories) {
        this.context = context;
        this.memories = memories;
        multiprocessors = context.limits().multiprocessors();
        parameters = new ParameterWriter(context);
    }

    /// Records that a multiprocessor may have outdated code in its cache.
    void codeChanged() {
        codeVersion.incrementAndGet();
    }

    /// @return number of the submission
    /// @throws GpuException if the kernel cannot be launched with these arguments
    long launch(CommandQueue queue, GpuKernel kernel, LaunchShape shape, Arguments arguments) {
        prepare(queue, kernel, shape);
        queue.lock();
        try {
            kernel.module().checkUsableIn(context);
            ComputeState state = queue.compute();
            LaunchConstants.write(state.constants, shape);
            parameters.write(
                    kernel.image(), kernel.module().arguments(), arguments, state.constants);
            return submit(queue, kernel, shape, false);
        } finally {
            queue.unlock();
        }
    }

    /// Launches a kernel as [#launch] does if the queue has room, and leaves the submission open.
    ///
    /// @param parameters values of the parameters, in the layout of the kernel
    /// @return number of the submission, 0 if the queue has no room
    long tryLaunch(
            CommandQueue queue, GpuKernel kernel, LaunchShape shape, MemorySegment parameters) {
        KernelImage image = kernel.image();
        if (parameters.byteSize() < image.parameterBytes()) {
            throw new GpuException(
                    GpuError.INVALID_VALUE,
                    "kernel %s: bytes of arguments=%d, expected at least %d"
                            .formatted(
                                    image.name(), parameters.byteSize(), image.parameterBytes()));
        }
        prepare(queue, kernel, shape);
        queue.lock();
        try {
            kernel.module().checkUsableIn(context);
            if (!queue.hasRoom()) {
                return 0;
            }
            ComputeState state = queue.compute();
            LaunchConstants.write(state.constants, shape);
            MemorySegment.copy(
                    parameters,
                    ValueLayout.JAVA_BYTE,
                    0,
                    state.constants,
                    image.parameterOffset(),
                    image.parameterBytes());
            return submit(queue, kernel, shape, true);
        } finally {
            queue.unlock();
        }
    }

    private void prepare(CommandQueue queue, GpuKernel kernel, LaunchShape shape) {
        kernel.module().checkUsableIn(context);
        LaunchLimits.check(kernel.image(), shape);
        prepare(queue, kernel.image().resources());
        prepareTextures(queue, kernel.textures());
    }

    /// Submits a launch whose constants are set. State that the channel already has is not sent
    /// again.
    ///
    /// @param staysOpen whether the launch joins an open submission, and leaves it open
    private long submit(
            CommandQueue queue, GpuKernel kernel, LaunchShape shape, boolean staysOpen) {
        ComputeState state = queue.compute();
        KernelTextures.Table textures = kernel.textures().table();
        int bytes = kernel.image().parameterOffset() + kernel.image().parameterBytes();
        int most = WORDS + kernel.textures().words() + words(bytes);
        PushBuffer push = staysOpen ? queue.beginBehind(most) : queue.begin(most);
        if (state.kernel != kernel) {
            select(push, kernel, state);
        }
        boolean otherTextures = !kernel.textures().isEmpty() && state.textures != textures;
        if (otherTextures) {
            long pool = state.texturePool.gpuVa();
            TextureCommands.textures(push, pool, kernel.textures().slots(), textures.headers);
        }
        ComputeCommands.update(push, 0, words(bytes));
        push.bytes(state.constants, 0, bytes);
        long version = codeVersion.get();
        GridShape grid = grid(shape, kernel.image().resources().sharedBytes());
        ComputeCommands.launch(push, grid, state.codeVersion != version);
        long number = staysOpen ? queue.leaveOpen() : queue.submit();
        state.kernel = kernel;
        state.codeVersion = version;
        if (otherTextures) {
            state.textures = textures;
        }
        return number;
    }

    /// Allocates the memory that launches of a queue need. Called without the queue's lock, since
    /// the allocation may have to wait.
    private void prepare(CommandQueue queue, KernelResources resources) {
        ComputeState state = queue.compute();
        if (state.temporary.suffices(resources, multiprocessors)) {
            return;
        }
        VramHeap.Taken bank = memories.takeVram(LaunchConstants.BYTES);
        TemporaryMemory larger;
        try {
            larger = TemporaryMemory.allocate(memories, resources, multiprocessors);
        } catch (GpuException e) {
            bank.release().run();
            throw e;
        }
        TemporaryMemory unused;
        queue.lock();
        try {
            unused = state.temporary.bytes() < larger.bytes() ? state.temporary : larger;
            if (unused != larger) {
                state.temporary = larger;
                state.kernel = null;
            }
            if (state.bank == null) {
                state.bank = bank;
                bank = null;
            }
        } finally {
            queue.unlock();
        }
        if (unused.memory() != null) {
            memories.freeLater(unused.memory().release());
        }
        if (bank != null) {
            bank.release().run();
        }
    }

    /// Allocates the memory of a queue's texture headers. Called without the queue's lock, like
    /// [#prepare].
    private void prepareTextures(CommandQueue queue, KernelTextures textures) {
        if (textures.isEmpty() || queue.compute().texturePool != null) {
            return;
        }
        VramHeap.Taken pool = memories.takeVram(POOL_BYTES);
        queue.lock();
        try {
            if (queue.compute().texturePool == null) {
                queue.compute().texturePool = pool;
                pool = null;
            }
        } finally {
            queue.unlock();
        }
        if (pool != null) {
            pool.release().run();
        }
    }

    /// Sets up the channel for a kernel. Bank 0 is bound last, because updates of constants write
    /// to the bank that was bound last.
    private void select(PushBuffer push, GpuKernel kernel, ComputeState state) {
        KernelImage image = kernel.image();
        KernelResources resources = image.resources();
        TemporaryMemory temporary = state.temporary;
        ComputeCommands.temporary(
                push,
                temporary.memory().gpuVa(),
                temporary.bytes(),
                Math.min(multiprocessors, temporary.multiprocessors(resources)));
        long base = kernel.module().gpuVa();
        ComputeCommands.code(push, base);
        for (BankImage bank : image.banks()) {
            ComputeCommands.bind(push, bank.index(), base + bank.offset(), bank.bytes());
        }
        ComputeCommands.kernel(
                push,
                new KernelSetup(
                        image.entry(),
                        resources.registers(),
                        resources.barriers(),
                        resources.localBytes(),
                        0,
                        resources.callStackBytes()));
        ComputeCommands.bind(
                push, ConstantSection.DRIVER, state.bank.gpuVa(), LaunchConstants.BYTES);
    }

    private static GridShape grid(LaunchShape shape, int staticShared) {
        return new GridShape(
                shape.gridX(),
                shape.gridY(),
                shape.gridZ(),
                shape.blockX(),
                shape.blockY(),
                shape.blockZ(),
                staticShared + shape.dynamicSharedBytes());
    }

    private static int words(int bytes) {
        return (bytes + Integer.BYTES - 1) / Integer.BYTES;
    }
}
