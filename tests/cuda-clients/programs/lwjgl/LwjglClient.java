import static org.lwjgl.cuda.CU.*;
import static org.lwjgl.system.MemoryStack.stackPush;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.lwjgl.BufferUtils;
import org.lwjgl.PointerBuffer;
import org.lwjgl.cuda.CUDA_MEMCPY2D;
import org.lwjgl.cuda.CUstreamCallback;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;

/// Program on LWJGL's binding of the CUDA driver API, which loads `libcuda.so`. Each check compares its result with the processor's. Exit
/// status 1 if a check fails.
public final class LwjglClient {
    private static final int N = 100_003;
    private static final int THREADS = 256;
    private static final int FACTOR = 42;
    private static final int WORD = Integer.BYTES;

    private final long module;

    private LwjglClient(long module) {
        this.module = module;
    }

    public static void main(String[] arguments) {
        try {
            run();
        } catch (Exception | Error e) {
            System.err.println("FAILED: " + e);
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void run() throws Exception {
        require(cuInit(0), "cuInit");
        long context;
        long module;
        try (MemoryStack stack = stackPush()) {
            IntBuffer device = stack.mallocInt(1);
            IntBuffer value = stack.mallocInt(1);
            require(cuDeviceGet(device, 0), "cuDeviceGet");
            ByteBuffer name = stack.malloc(128);
            require(cuDeviceGetName(name, device.get(0)), "cuDeviceGetName");
            require(
                    cuDeviceGetAttribute(
                            value,
                            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                            device.get(0)),
                    "cuDeviceGetAttribute");
            require(value.get(0) == 2, "compute capability=%d", value.get(0));
            System.out.println("ok: device " + MemoryUtil.memUTF8(MemoryUtil.memAddress(name)));
            PointerBuffer pointer = stack.mallocPointer(1);
            require(cuCtxCreate(pointer, 0, device.get(0)), "cuCtxCreate");
            context = pointer.get(0);
            require(cuModuleLoadData(pointer, cubin()), "cuModuleLoadData");
            module = pointer.get(0);
        }
        LwjglClient client = new LwjglClient(module);
        client.checkLaunch();
        client.checkGlobal();
        client.checkStreamsAndEvents();
        client.checkCallback();
        checkFills();
        checkRectangle();
        require(cuModuleUnload(module), "cuModuleUnload");
        require(cuCtxDestroy(context), "cuCtxDestroy");
        System.out.println("passed");
    }

    private static ByteBuffer cubin() throws IOException {
        try (InputStream in = LwjglClient.class.getResourceAsStream("clients.cubin")) {
            byte[] bytes = in.readAllBytes();
            ByteBuffer buffer = BufferUtils.createByteBuffer(bytes.length);
            buffer.put(bytes).flip();
            return buffer;
        }
    }

    private void checkLaunch() {
        FloatBuffer a = BufferUtils.createFloatBuffer(N);
        FloatBuffer b = BufferUtils.createFloatBuffer(N);
        FloatBuffer c = BufferUtils.createFloatBuffer(N);
        for (int i = 0; i < N; i++) {
            a.put(i, i);
            b.put(i, i * 0.25f - 7);
        }
        long memoryA = allocate((long) N * WORD);
        long memoryB = allocate((long) N * WORD);
        long memoryC = allocate((long) N * WORD);
        require(cuMemcpyHtoD(memoryA, a), "cuMemcpyHtoD");
        require(cuMemcpyHtoD(memoryB, b), "cuMemcpyHtoD");
        try (MemoryStack stack = stackPush()) {
            launch("vadd", 0, parameters(stack, memoryA, memoryB, memoryC, N));
        }
        require(cuMemcpyDtoH(c, memoryC), "cuMemcpyDtoH");
        for (int i = 0; i < N; i++) {
            float expected = a.get(i) + b.get(i);
            require(c.get(i) == expected, "c[%d]=%f, expected %f", i, c.get(i), expected);
        }
        free(memoryA, memoryB, memoryC);
        System.out.println("ok: launch");
    }

    private void checkGlobal() {
        try (MemoryStack stack = stackPush()) {
            PointerBuffer address = stack.mallocPointer(1);
            PointerBuffer bytes = stack.mallocPointer(1);
            IntBuffer value = stack.mallocInt(1);
            require(cuModuleGetGlobal(address, bytes, module, "factor"), "cuModuleGetGlobal");
            require(bytes.get(0) == WORD, "bytes of factor=%d", bytes.get(0));
            require(cuMemcpyDtoH(value, address.get(0)), "cuMemcpyDtoH");
            require(value.get(0) == FACTOR, "factor=%d", value.get(0));
        }
        System.out.println("ok: variable of a module");
    }

    private void checkStreamsAndEvents() {
        int rounds = 10;
        long bytes = (long) N * WORD;
        long memory = allocate(bytes);
        long first = newStream();
        long second = newStream();
        try (MemoryStack stack = stackPush()) {
            PointerBuffer pointer = stack.mallocPointer(1);
            require(cuMemHostAlloc(pointer, bytes, 0), "cuMemHostAlloc");
            ByteBuffer pinnedBytes = MemoryUtil.memByteBuffer(pointer.get(0), N * WORD);
            IntBuffer pinned = pinnedBytes.asIntBuffer();
            int[] expected = new int[N];
            for (int i = 0; i < N; i++) {
                expected[i] = i;
                pinned.put(i, i);
            }
            require(cuEventCreate(pointer, 0), "cuEventCreate");
            long start = pointer.get(0);
            require(cuEventCreate(pointer, 0), "cuEventCreate");
            long end = pointer.get(0);
            require(cuEventRecord(start, first), "cuEventRecord");
            require(cuMemcpyHtoDAsync(memory, pinned, first), "cuMemcpyHtoDAsync");
            for (int round = 0; round < rounds; round++) {
                launch("scale", first, parameters(stack, memory, N, round));
                for (int i = 0; i < N; i++) {
                    expected[i] = expected[i] * FACTOR + round;
                }
            }
            require(cuEventRecord(end, first), "cuEventRecord");
            require(cuStreamWaitEvent(second, end, 0), "cuStreamWaitEvent");
            require(cuMemcpyDtoHAsync(pinned, memory, second), "cuMemcpyDtoHAsync");
            require(cuStreamSynchronize(second), "cuStreamSynchronize");
            for (int i = 0; i < N; i++) {
                require(
                        pinned.get(i) == expected[i],
                        "x[%d]=%d, expected %d",
                        i,
                        pinned.get(i),
                        expected[i]);
            }
            FloatBuffer milliseconds = stack.mallocFloat(1);
            require(cuEventElapsedTime(milliseconds, start, end), "cuEventElapsedTime");
            require(milliseconds.get(0) > 0, "elapsed=%f ms", milliseconds.get(0));
            require(cuEventDestroy(start), "cuEventDestroy");
            require(cuEventDestroy(end), "cuEventDestroy");
            require(cuMemFreeHost(pinnedBytes), "cuMemFreeHost");
        }
        require(cuStreamDestroy(first), "cuStreamDestroy");
        require(cuStreamDestroy(second), "cuStreamDestroy");
        free(memory);
        System.out.println("ok: streams, events and page-locked memory");
    }

    private void checkCallback() throws InterruptedException {
        long stream = newStream();
        CountDownLatch called = new CountDownLatch(1);
        try (CUstreamCallback callback =
                CUstreamCallback.create((_stream, _status, _data) -> called.countDown())) {
            require(cuStreamAddCallback(stream, callback, stream, 0), "cuStreamAddCallback");
            require(called.await(60, TimeUnit.SECONDS), "the callback was not called");
            require(cuStreamSynchronize(stream), "cuStreamSynchronize");
        }
        require(cuStreamDestroy(stream), "cuStreamDestroy");
        System.out.println("ok: callback");
    }

    private static void checkFills() {
        int bytes = 4096;
        ByteBuffer found = BufferUtils.createByteBuffer(bytes);
        long memory = allocate(bytes);
        require(cuMemsetD8(memory, (byte) 0x11, bytes), "cuMemsetD8");
        require(cuMemsetD32(memory + 1024, 0x22222222, 256), "cuMemsetD32");
        require(cuMemcpyDtoH(found, memory), "cuMemcpyDtoH");
        for (int i = 0; i < bytes; i++) {
            int expected = i >= 1024 && i < 2048 ? 0x22 : 0x11;
            require(found.get(i) == expected, "byte %d=%d", i, found.get(i));
        }
        free(memory);
        System.out.println("ok: fills");
    }

    /// Copies a rectangle into the middle of zeros.
    private static void checkRectangle() {
        int pitch = 128;
        int height = 32;
        long memory = allocate((long) pitch * height);
        require(cuMemsetD8(memory, (byte) 0, (long) pitch * height), "cuMemsetD8");
        ByteBuffer source = BufferUtils.createByteBuffer(50 * 10);
        for (int i = 0; i < source.capacity(); i++) {
            source.put(i, (byte) (i % 100 + 1));
        }
        try (MemoryStack stack = stackPush()) {
            CUDA_MEMCPY2D copy =
                    CUDA_MEMCPY2D.calloc(stack)
                            .srcMemoryType(CU_MEMORYTYPE_HOST)
                            .srcHost(source)
                            .srcPitch(50)
                            .dstMemoryType(CU_MEMORYTYPE_DEVICE)
                            .dstDevice(memory)
                            .dstPitch(pitch)
                            .dstXInBytes(7)
                            .dstY(3)
                            .WidthInBytes(50)
                            .Height(10);
            require(cuMemcpy2D(copy), "cuMemcpy2D");
        }
        ByteBuffer found = BufferUtils.createByteBuffer(pitch * height);
        require(cuMemcpyDtoH(found, memory), "cuMemcpyDtoH");
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < pitch; x++) {
                boolean inside = x >= 7 && x < 57 && y >= 3 && y < 13;
                int expected = inside ? source.get((y - 3) * 50 + x - 7) : 0;
                int value = found.get(y * pitch + x);
                require(value == expected, "byte (%d, %d)=%d, expected %d", x, y, value, expected);
            }
        }
        free(memory);
        System.out.println("ok: rectangle");
    }

    /// Returns the addresses of parameters: longs are pointers, integers are integers.
    private static PointerBuffer parameters(MemoryStack stack, Number... values) {
        PointerBuffer addresses = stack.mallocPointer(values.length);
        for (Number value : values) {
            ByteBuffer place = stack.malloc(Long.BYTES, Long.BYTES);
            if (value instanceof Long) {
                place.putLong(0, value.longValue());
            } else {
                place.putInt(0, value.intValue());
            }
            addresses.put(place);
        }
        return addresses.flip();
    }

    private void launch(String kernel, long stream, PointerBuffer parameters) {
        try (MemoryStack stack = stackPush()) {
            PointerBuffer function = stack.mallocPointer(1);
            require(cuModuleGetFunction(function, module, kernel), "cuModuleGetFunction");
            int blocks = (N + THREADS - 1) / THREADS;
            require(
                    cuLaunchKernel(
                            function.get(0),
                            blocks,
                            1,
                            1,
                            THREADS,
                            1,
                            1,
                            0,
                            stream,
                            parameters,
                            null),
                    "cuLaunchKernel");
        }
    }

    private static long newStream() {
        try (MemoryStack stack = stackPush()) {
            PointerBuffer stream = stack.mallocPointer(1);
            require(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
            return stream.get(0);
        }
    }

    private static long allocate(long bytes) {
        try (MemoryStack stack = stackPush()) {
            PointerBuffer address = stack.mallocPointer(1);
            require(cuMemAlloc(address, bytes), "cuMemAlloc");
            return address.get(0);
        }
    }

    private static void free(long... addresses) {
        for (long address : addresses) {
            require(cuMemFree(address), "cuMemFree");
        }
    }

    private static void require(int result, String call) {
        require(result == CUDA_SUCCESS, "%s: error %d", call, result);
    }

    private static void require(boolean condition, String format, Object... values) {
        if (!condition) {
            throw new IllegalStateException(format.formatted(values));
        }
    }
}
