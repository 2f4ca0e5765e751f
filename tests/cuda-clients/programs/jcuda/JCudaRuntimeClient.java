import static jcuda.driver.JCudaDriver.*;
import static jcuda.runtime.JCuda.*;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jcuda.Pointer;
import jcuda.Sizeof;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;
import jcuda.runtime.JCuda;
import jcuda.runtime.cudaDeviceProp;
import jcuda.runtime.cudaError;
import jcuda.runtime.cudaEvent_t;
import jcuda.runtime.cudaMemcpyKind;
import jcuda.runtime.cudaStream_t;

/// Program on JCuda's binding of the CUDA runtime API, whose native library contains NVIDIA's runtime. Kernels are launched by the driver
/// API in the runtime's context. Each check compares its result with the processor's. Exit status 1 if a check fails.
public final class JCudaRuntimeClient {
    private static final int N = 100_003;
    private static final int THREADS = 256;
    private static final int BYTES = N * Sizeof.INT;
    private static final int FACTOR = 42;
    private static final int TO_DEVICE = cudaMemcpyKind.cudaMemcpyHostToDevice;
    private static final int TO_HOST = cudaMemcpyKind.cudaMemcpyDeviceToHost;
    private static final int WITHIN = cudaMemcpyKind.cudaMemcpyDeviceToDevice;

    private JCudaRuntimeClient() {}

    public static void main(String[] arguments) {
        JCuda.setExceptionsEnabled(true);
        JCudaDriver.setExceptionsEnabled(true);
        try {
            run();
        } catch (Exception | Error e) {
            System.err.println("FAILED: " + e);
            System.exit(1);
        }
    }

    private static void run() throws Exception {
        checkDevice();
        checkCopies();
        checkFills();
        checkRectangles();
        checkPinnedMemoryAndStreams();
        checkEvents();
        checkCallback();
        checkMemory();
        checkErrors();
        checkLaunch();
        cudaDeviceSynchronize();
        cudaDeviceReset();
        System.out.println("passed");
    }

    private static void checkDevice() {
        int[] count = new int[1];
        int[] driver = new int[1];
        int[] runtime = new int[1];
        cudaGetDeviceCount(count);
        cudaDriverGetVersion(driver);
        cudaRuntimeGetVersion(runtime);
        require(count[0] == 1, "devices=%d", count[0]);
        require(driver[0] >= runtime[0], "driver version=%d, runtime=%d", driver[0], runtime[0]);
        cudaSetDevice(0);
        cudaDeviceProp properties = new cudaDeviceProp();
        cudaGetDeviceProperties(properties, 0);
        require(properties.major == 2, "compute capability=%d", properties.major);
        require(properties.warpSize == 32, "warp size=%d", properties.warpSize);
        require(properties.multiProcessorCount > 0, "no multiprocessors");
        require(properties.totalGlobalMem >= 1 << 20, "memory=%d", properties.totalGlobalMem);
        require(!properties.getName().isEmpty(), "the device has no name");
        ok("device %s, runtime version %d".formatted(properties.getName(), runtime[0]));
    }

    private static void checkCopies() {
        int[] input = numbers();
        int[] output = new int[N];
        Pointer first = allocate(BYTES);
        Pointer second = allocate(BYTES);
        cudaMemcpy(first, Pointer.to(input), BYTES, TO_DEVICE);
        cudaMemcpy(second, first, BYTES, WITHIN);
        cudaMemcpy(Pointer.to(output), second, BYTES, TO_HOST);
        require(Arrays.equals(input, output), "copy: word %d", Arrays.mismatch(input, output));
        cudaFree(first);
        cudaFree(second);
        ok("copies");
    }

    private static void checkFills() {
        byte[] expected = new byte[4096];
        byte[] found = new byte[expected.length];
        Pointer memory = allocate(expected.length);
        cudaMemcpy(memory, Pointer.to(expected), expected.length, TO_DEVICE);
        cudaMemset(memory.withByteOffset(100), 0x5a, 1001);
        Arrays.fill(expected, 100, 1101, (byte) 0x5a);
        cudaMemset2D(memory.withByteOffset(2048), 128, 7, 33, 9);
        for (int row = 0; row < 9; row++) {
            Arrays.fill(expected, 2048 + 128 * row, 2048 + 128 * row + 33, (byte) 7);
        }
        cudaMemcpy(Pointer.to(found), memory, found.length, TO_HOST);
        require(Arrays.equals(found, expected), "fills: byte %d", Arrays.mismatch(found, expected));
        cudaFree(memory);
        ok("fills");
    }

    private static void checkRectangles() {
        int width = 333;
        int height = 41;
        byte[] image = new byte[width * height];
        for (int i = 0; i < image.length; i++) {
            image[i] = (byte) (i * 11 + i / width);
        }
        byte[] found = new byte[image.length];
        Pointer memory = new Pointer();
        long[] pitch = new long[1];
        cudaMallocPitch(memory, pitch, width, height);
        require(pitch[0] >= width, "pitch=%d", pitch[0]);
        cudaMemcpy2D(memory, pitch[0], Pointer.to(image), width, width, height, TO_DEVICE);
        cudaMemcpy2D(Pointer.to(found), width, memory, pitch[0], width, height, TO_HOST);
        require(Arrays.equals(found, image), "image: byte %d", Arrays.mismatch(found, image));
        cudaFree(memory);
        ok("rectangles");
    }

    private static void checkPinnedMemoryAndStreams() {
        Pointer pinned = new Pointer();
        cudaHostAlloc(pinned, 2L * BYTES, cudaHostAllocMapped);
        ByteBuffer host = pinned.getByteBuffer(0, 2L * BYTES).order(ByteOrder.nativeOrder());
        int[] input = numbers();
        for (int i = 0; i < N; i++) {
            host.putInt(i * Sizeof.INT, input[i]);
        }
        Pointer onDevice = new Pointer();
        cudaHostGetDevicePointer(onDevice, pinned, 0);
        Pointer memory = allocate(BYTES);
        cudaStream_t stream = new cudaStream_t();
        cudaStream_t other = new cudaStream_t();
        cudaEvent_t copied = new cudaEvent_t();
        cudaStreamCreate(stream);
        cudaStreamCreateWithFlags(other, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(copied, cudaEventDisableTiming);
        cudaMemcpyAsync(memory, pinned, BYTES, TO_DEVICE, stream);
        cudaEventRecord(copied, stream);
        cudaStreamWaitEvent(other, copied, 0);
        cudaMemcpyAsync(pinned.withByteOffset(BYTES), memory, BYTES, TO_HOST, other);
        cudaStreamSynchronize(other);
        for (int i = 0; i < N; i++) {
            int found = host.getInt(BYTES + i * Sizeof.INT);
            require(found == input[i], "word %d=%d, expected %d", i, found, input[i]);
        }
        require(cudaStreamQuery(stream) == cudaError.cudaSuccess, "the stream is busy");
        cudaEventDestroy(copied);
        cudaStreamDestroy(other);
        cudaStreamDestroy(stream);
        cudaFree(memory);
        cudaFreeHost(pinned);
        ok("page-locked memory and streams");
    }

    private static void checkEvents() {
        cudaEvent_t start = new cudaEvent_t();
        cudaEvent_t end = new cudaEvent_t();
        cudaEventCreate(start);
        cudaEventCreate(end);
        Pointer memory = allocate(16 << 20);
        cudaEventRecord(start, null);
        cudaMemset(memory, 1, 16 << 20);
        cudaEventRecord(end, null);
        cudaEventSynchronize(end);
        float[] milliseconds = new float[1];
        cudaEventElapsedTime(milliseconds, start, end);
        require(milliseconds[0] > 0, "elapsed=%f ms", milliseconds[0]);
        require(cudaEventQuery(end) == cudaError.cudaSuccess, "the event is pending");
        cudaEventDestroy(start);
        cudaEventDestroy(end);
        cudaFree(memory);
        ok("events");
    }

    private static void checkCallback() throws InterruptedException {
        cudaStream_t stream = new cudaStream_t();
        cudaStreamCreate(stream);
        CountDownLatch called = new CountDownLatch(1);
        try {
            cudaStreamAddCallback(stream, (_stream, _status, _data) -> called.countDown(), null, 0);
        } catch (UnsupportedOperationException e) {
            // JCuda 0.8.0 has no callbacks.
            System.out.println("skipped: " + e.getMessage());
            return;
        }
        require(called.await(60, TimeUnit.SECONDS), "the callback was not called");
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
        ok("callback");
    }

    private static void checkMemory() {
        long[] before = new long[1];
        long[] after = new long[1];
        long[] total = new long[1];
        cudaMemGetInfo(before, total);
        Pointer memory = allocate(8 << 20);
        cudaMemGetInfo(after, total);
        require(total[0] >= before[0], "free=%d, total=%d", before[0], total[0]);
        require(before[0] - after[0] >= 8 << 20, "free: %d, then %d", before[0], after[0]);
        cudaFree(memory);
        ok("memory");
    }

    private static void checkErrors() {
        JCuda.setExceptionsEnabled(false);
        int result = cudaMalloc(new Pointer(), 1L << 45);
        require(result == cudaError.cudaErrorMemoryAllocation, "32 TiB: %d", result);
        require(cudaGetLastError() == result, "cudaGetLastError");
        require(cudaGetLastError() == cudaError.cudaSuccess, "the error remains");
        JCuda.setExceptionsEnabled(true);
        ok("errors");
    }

    /// Launches a kernel of a module of the driver API on memory of the runtime API.
    private static void checkLaunch() throws IOException {
        CUmodule module = new CUmodule();
        CUfunction scale = new CUfunction();
        try (InputStream in = JCudaRuntimeClient.class.getResourceAsStream("clients.cubin")) {
            cuModuleLoadData(module, in.readAllBytes());
        }
        cuModuleGetFunction(scale, module, "scale");
        int[] input = numbers();
        int[] output = new int[N];
        Pointer memory = allocate(BYTES);
        cudaStream_t stream = new cudaStream_t();
        cudaStreamCreate(stream);
        cudaMemcpy(memory, Pointer.to(input), BYTES, TO_DEVICE);
        Pointer parameters =
                Pointer.to(
                        Pointer.to(memory),
                        Pointer.to(new int[] {N}),
                        Pointer.to(new int[] {-5}));
        int blocks = (N + THREADS - 1) / THREADS;
        cuLaunchKernel(
                scale, blocks, 1, 1, THREADS, 1, 1, 0, new CUstream(stream), parameters, null);
        cudaStreamSynchronize(stream);
        cudaMemcpy(Pointer.to(output), memory, BYTES, TO_HOST);
        for (int i = 0; i < N; i++) {
            int expected = input[i] * FACTOR - 5;
            require(output[i] == expected, "x[%d]=%d, expected %d", i, output[i], expected);
        }
        cudaStreamDestroy(stream);
        cuModuleUnload(module);
        cudaFree(memory);
        ok("launch by the driver API");
    }

    private static int[] numbers() {
        int[] numbers = new int[N];
        Arrays.setAll(numbers, i -> i * 0x9e3779b9 + 3);
        return numbers;
    }

    private static Pointer allocate(long bytes) {
        Pointer memory = new Pointer();
        cudaMalloc(memory, bytes);
        return memory;
    }

    private static void ok(String what) {
        System.out.println("ok: " + what);
    }

    private static void require(boolean condition, String format, Object... values) {
        if (!condition) {
            throw new IllegalStateException(format.formatted(values));
        }
    }
}
