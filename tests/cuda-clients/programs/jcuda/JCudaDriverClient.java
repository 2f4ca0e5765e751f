import static jcuda.driver.JCudaDriver.*;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jcuda.Pointer;
import jcuda.Sizeof;
import jcuda.driver.CUDA_MEMCPY2D;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUmemorytype;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.CUstream;
import jcuda.driver.JCudaDriver;

/// Program on JCuda's binding of the CUDA driver API. Each check computes or copies on the GPU, and compares the result with the
/// processor's. Exit status 1 if a check fails.
public final class JCudaDriverClient {
    private static final int THREADS = 256;

    /// Number of elements, no multiple of a block's threads.
    private static final int N = 100_003;

    private static final int FACTOR = 42;
    private static final int SHARED_BYTES_OF_SUM = THREADS * Sizeof.INT;
    private static final byte[] WRONG_PTX =
            ".version 3.0\n.target sm_20\n.address_size 64\n.entry none() { foo; ret; }\n\0"
                    .getBytes(StandardCharsets.US_ASCII);

    private final CUdevice device = new CUdevice();
    private final CUmodule module = new CUmodule();

    private JCudaDriverClient() {}

    public static void main(String[] arguments) throws Exception {
        JCudaDriver.setExceptionsEnabled(true);
        JCudaDriverClient client = new JCudaDriverClient();
        try {
            client.run();
        } catch (Exception | Error e) {
            System.err.println("FAILED: " + e);
            System.exit(1);
        }
    }

    private void run() throws Exception {
        cuInit(0);
        cuDeviceGet(device, 0);
        CUcontext context = new CUcontext();
        cuCtxCreate(context, 0, device);
        cuModuleLoadData(module, cubin());
        checkDevice();
        checkFunctionAttributes();
        checkLaunch();
        checkOldLaunch();
        checkSharedMemory();
        checkGlobal();
        checkFills();
        checkRectangles();
        checkStreams();
        checkEvents();
        checkCallback();
        checkMemory();
        checkErrors();
        cuModuleUnload(module);
        cuCtxDestroy(context);
        System.out.println("passed");
    }

    private static byte[] cubin() throws IOException {
        try (InputStream in = JCudaDriverClient.class.getResourceAsStream("clients.cubin")) {
            return in.readAllBytes();
        }
    }

    private void checkDevice() {
        int[] count = new int[1];
        int[] version = new int[1];
        int[] major = new int[1];
        int[] warp = new int[1];
        long[] bytes = new long[1];
        byte[] name = new byte[128];
        cuDeviceGetCount(count);
        cuDriverGetVersion(version);
        cuDeviceGetName(name, name.length, device);
        cuDeviceTotalMem(bytes, device);
        cuDeviceGetAttribute(major, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
        cuDeviceGetAttribute(warp, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
        require(count[0] == 1, "devices=%d", count[0]);
        require(major[0] == 2, "compute capability=%d", major[0]);
        require(warp[0] == 32, "warp size=%d", warp[0]);
        require(bytes[0] >= 1 << 20, "memory=%d", bytes[0]);
        require(name[0] != 0, "the device has no name");
        String text = new String(name, 0, lengthOf(name), StandardCharsets.UTF_8);
        ok("device %s, driver version %d".formatted(text, version[0]));
    }

    private static int lengthOf(byte[] text) {
        int length = 0;
        while (text[length] != 0) {
            length++;
        }
        return length;
    }

    private void checkFunctionAttributes() {
        int[] value = new int[1];
        CUfunction sum = function("sum");
        cuFuncGetAttribute(value, CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, sum);
        require(value[0] == SHARED_BYTES_OF_SUM, "shared bytes=%d", value[0]);
        cuFuncGetAttribute(value, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, sum);
        require(value[0] >= THREADS && value[0] <= 1024, "threads=%d", value[0]);
        cuFuncGetAttribute(value, CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS, sum);
        require(value[0] >= 9 && value[0] <= 63, "registers=%d", value[0]);
        cuFuncGetAttribute(value, CUfunction_attribute.CU_FUNC_ATTRIBUTE_BINARY_VERSION, sum);
        require(value[0] == 20, "binary version=%d", value[0]);
        ok("function attributes");
    }

    private void checkLaunch() {
        Vectors vectors = new Vectors();
        Pointer parameters =
                Pointer.to(
                        Pointer.to(vectors.a),
                        Pointer.to(vectors.b),
                        Pointer.to(vectors.c),
                        Pointer.to(new int[] {N}));
        cuLaunchKernel(
                function("vadd"), blocks(N), 1, 1, THREADS, 1, 1, 0, null, parameters, null);
        vectors.verify();
        ok("launch");
    }

    /// Launches with the API of CUDA 3.
    @SuppressWarnings("deprecation")
    private void checkOldLaunch() {
        CUfunction vadd = function("vadd");
        Vectors vectors = new Vectors();
        int offset = 0;
        for (CUdeviceptr each : Arrays.asList(vectors.a, vectors.b, vectors.c)) {
            cuParamSetv(vadd, offset, Pointer.to(each), Sizeof.POINTER);
            offset += Sizeof.POINTER;
        }
        cuParamSeti(vadd, offset, N);
        cuParamSetSize(vadd, offset + Sizeof.INT);
        cuFuncSetBlockShape(vadd, THREADS, 1, 1);
        cuLaunchGrid(vadd, blocks(N), 1);
        vectors.verify();
        ok("launch by the API of CUDA 3");
    }

    private void checkSharedMemory() {
        int blocks = 37;
        int[] input = new int[blocks * THREADS];
        Arrays.setAll(input, i -> i * 31 + 7);
        CUdeviceptr in = copyOf(input);
        CUdeviceptr out = allocate(Sizeof.INT);
        cuMemsetD32(out, 0, 1);
        Pointer parameters = Pointer.to(Pointer.to(in), Pointer.to(out));
        cuLaunchKernel(function("sum"), blocks, 1, 1, THREADS, 1, 1, 0, null, parameters, null);
        int[] result = new int[1];
        cuMemcpyDtoH(Pointer.to(result), out, Sizeof.INT);
        int expected = Arrays.stream(input).sum();
        require(result[0] == expected, "sum=%d, expected %d", result[0], expected);
        cuMemFree(in);
        cuMemFree(out);
        ok("shared memory, barriers and atomic operations");
    }

    private void checkGlobal() {
        CUdeviceptr factor = new CUdeviceptr();
        long[] bytes = new long[1];
        cuModuleGetGlobal(factor, bytes, module, "factor");
        require(bytes[0] == Sizeof.INT, "bytes of factor=%d", bytes[0]);
        int[] value = new int[1];
        cuMemcpyDtoH(Pointer.to(value), factor, Sizeof.INT);
        require(value[0] == FACTOR, "factor=%d", value[0]);
        for (int next : new int[] {FACTOR, -3}) {
            cuMemcpyHtoD(factor, Pointer.to(new int[] {next}), Sizeof.INT);
            int[] x = new int[N];
            Arrays.setAll(x, i -> i - 17);
            CUdeviceptr memory = copyOf(x);
            scale(memory, N, 5, null);
            int[] found = new int[N];
            cuMemcpyDtoH(Pointer.to(found), memory, bytesOf(found));
            for (int i = 0; i < N; i++) {
                require(found[i] == x[i] * next + 5, "x[%d]=%d, factor=%d", i, found[i], next);
            }
            cuMemFree(memory);
        }
        cuMemcpyHtoD(factor, Pointer.to(new int[] {FACTOR}), Sizeof.INT);
        ok("variable of a module");
    }

    private void checkFills() {
        byte[] found = new byte[1000];
        byte[] expected = new byte[1000];
        CUdeviceptr memory = copyOf(expected);
        cuMemsetD8(memory.withByteOffset(3), (byte) 0xa5, 101);
        Arrays.fill(expected, 3, 104, (byte) 0xa5);
        cuMemsetD16(memory.withByteOffset(200), (short) 0x1234, 50);
        cuMemsetD32(memory.withByteOffset(400), 0xdeadbeef, 25);
        ByteBuffer view = ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 50; i++) {
            view.putShort(200 + 2 * i, (short) 0x1234);
        }
        for (int i = 0; i < 25; i++) {
            view.putInt(400 + 4 * i, 0xdeadbeef);
        }
        cuMemsetD2D8(memory.withByteOffset(600), 40, (byte) 9, 17, 6);
        for (int row = 0; row < 6; row++) {
            Arrays.fill(expected, 600 + 40 * row, 600 + 40 * row + 17, (byte) 9);
        }
        cuMemcpyDtoH(Pointer.to(found), memory, found.length);
        require(Arrays.equals(found, expected), "fills: byte %d", Arrays.mismatch(found, expected));
        cuMemFree(memory);
        ok("fills");
    }

    /// Copies a rectangle to pitched memory, a part of it within the GPU, and that part back.
    private void checkRectangles() {
        int width = 301;
        int height = 57;
        byte[] image = new byte[width * height];
        for (int i = 0; i < image.length; i++) {
            image[i] = (byte) (i * 7 + i / width);
        }
        CUdeviceptr from = new CUdeviceptr();
        CUdeviceptr to = new CUdeviceptr();
        long[] pitch = new long[1];
        cuMemAllocPitch(from, pitch, width, height, 4);
        cuMemAllocPitch(to, pitch, width, height, 4);
        require(pitch[0] >= width && pitch[0] % 32 == 0, "pitch=%d", pitch[0]);

        CUDA_MEMCPY2D in = rectangle(width, height);
        in.srcMemoryType = CUmemorytype.CU_MEMORYTYPE_HOST;
        in.srcHost = Pointer.to(image);
        in.srcPitch = width;
        in.dstMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
        in.dstDevice = from;
        in.dstPitch = pitch[0];
        cuMemcpy2D(in);

        int left = 13;
        int top = 5;
        CUDA_MEMCPY2D within = rectangle(width - left, height - top);
        within.srcMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
        within.srcDevice = from;
        within.srcPitch = pitch[0];
        within.srcXInBytes = left;
        within.srcY = top;
        within.dstMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
        within.dstDevice = to;
        within.dstPitch = pitch[0];
        cuMemcpy2D(within);

        byte[] found = new byte[(width - left) * (height - top)];
        CUDA_MEMCPY2D out = rectangle(width - left, height - top);
        out.srcMemoryType = CUmemorytype.CU_MEMORYTYPE_DEVICE;
        out.srcDevice = to;
        out.srcPitch = pitch[0];
        out.dstMemoryType = CUmemorytype.CU_MEMORYTYPE_HOST;
        out.dstHost = Pointer.to(found);
        out.dstPitch = width - left;
        cuMemcpy2D(out);
        for (int y = 0; y < height - top; y++) {
            for (int x = 0; x < width - left; x++) {
                byte expected = image[(y + top) * width + x + left];
                byte value = found[y * (width - left) + x];
                require(value == expected, "pixel (%d, %d)=%d, expected %d", x, y, value, expected);
            }
        }
        cuMemFree(from);
        cuMemFree(to);
        ok("rectangles");
    }

    private static CUDA_MEMCPY2D rectangle(int width, int height) {
        CUDA_MEMCPY2D rectangle = new CUDA_MEMCPY2D();
        rectangle.WidthInBytes = width;
        rectangle.Height = height;
        return rectangle;
    }

    /// Scales the same memory on two streams in turn. Only the events between the streams order the launches.
    private void checkStreams() {
        int rounds = 20;
        int bytes = N * Sizeof.INT;
        Pointer pinned = new Pointer();
        cuMemHostAlloc(pinned, bytes, 0);
        ByteBuffer host = pinned.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
        int[] expected = new int[N];
        for (int i = 0; i < N; i++) {
            expected[i] = i;
            host.putInt(i * Sizeof.INT, i);
        }
        CUdeviceptr memory = allocate(bytes);
        CUstream[] streams = {new CUstream(), new CUstream()};
        CUevent[] events = {new CUevent(), new CUevent()};
        for (int i = 0; i < streams.length; i++) {
            cuStreamCreate(streams[i], 1);
            cuEventCreate(events[i], 2);
        }
        cuMemcpyHtoDAsync(memory, pinned, bytes, streams[0]);
        for (int round = 0; round < rounds; round++) {
            int turn = round % 2;
            scale(memory, N, round, streams[turn]);
            cuEventRecord(events[turn], streams[turn]);
            cuStreamWaitEvent(streams[1 - turn], events[turn], 0);
            for (int i = 0; i < N; i++) {
                expected[i] = expected[i] * FACTOR + round;
            }
        }
        cuMemcpyDtoHAsync(pinned, memory, bytes, streams[rounds % 2]);
        cuStreamSynchronize(streams[rounds % 2]);
        for (int i = 0; i < N; i++) {
            int found = host.getInt(i * Sizeof.INT);
            require(found == expected[i], "x[%d]=%d, expected %d", i, found, expected[i]);
        }
        for (int i = 0; i < streams.length; i++) {
            cuStreamSynchronize(streams[i]);
            require(cuStreamQuery(streams[i]) == CUresult.CUDA_SUCCESS, "stream %d is busy", i);
            cuEventDestroy(events[i]);
            cuStreamDestroy(streams[i]);
        }
        cuMemFree(memory);
        cuMemFreeHost(pinned);
        ok("streams, and page-locked memory");
    }

    private void checkEvents() {
        CUevent start = new CUevent();
        CUevent end = new CUevent();
        cuEventCreate(start, 0);
        cuEventCreate(end, 0);
        CUdeviceptr memory = allocate(N * Sizeof.INT);
        cuEventRecord(start, null);
        for (int i = 0; i < 10; i++) {
            scale(memory, N, i, null);
        }
        cuEventRecord(end, null);
        cuEventSynchronize(end);
        float[] milliseconds = new float[1];
        cuEventElapsedTime(milliseconds, start, end);
        require(milliseconds[0] > 0, "elapsed=%f ms", milliseconds[0]);
        require(cuEventQuery(end) == CUresult.CUDA_SUCCESS, "the event is pending");
        cuEventDestroy(start);
        cuEventDestroy(end);
        cuMemFree(memory);
        ok("events");
    }

    private void checkCallback() throws InterruptedException {
        CUstream stream = new CUstream();
        cuStreamCreate(stream, 0);
        CUdeviceptr memory = allocate(N * Sizeof.INT);
        scale(memory, N, 1, stream);
        CountDownLatch called = new CountDownLatch(1);
        Object[] seen = new Object[2];
        try {
            cuStreamAddCallback(
                    stream,
                    (_stream, status, data) -> {
                        seen[0] = status;
                        seen[1] = data;
                        called.countDown();
                    },
                    "data",
                    0);
        } catch (UnsupportedOperationException e) {
            // JCuda 0.8.0 has no callbacks.
            System.out.println("skipped: " + e.getMessage());
            return;
        }
        require(called.await(60, TimeUnit.SECONDS), "the callback was not called");
        require(seen[0].equals(CUresult.CUDA_SUCCESS), "status=%s", seen[0]);
        require("data".equals(seen[1]), "data=%s", seen[1]);
        cuStreamSynchronize(stream);
        cuStreamDestroy(stream);
        cuMemFree(memory);
        ok("callback");
    }

    private void checkMemory() {
        int bytes = 8 << 20;
        long[] before = new long[1];
        long[] after = new long[1];
        long[] total = new long[1];
        cuMemGetInfo(before, total);
        CUdeviceptr memory = allocate(bytes);
        cuMemGetInfo(after, total);
        require(total[0] >= before[0], "free=%d, total=%d", before[0], total[0]);
        require(before[0] - after[0] >= bytes, "free: %d, then %d", before[0], after[0]);
        CUdeviceptr base = new CUdeviceptr();
        long[] length = new long[1];
        cuMemGetAddressRange(base, length, memory.withByteOffset(bytes / 2));
        require(length[0] == bytes && base.equals(memory), "range=%s, bytes=%d", base, length[0]);

        byte[] data = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            data[i] = (byte) (i * 13 + (i >> 8));
        }
        CUdeviceptr other = allocate(bytes);
        cuMemcpyHtoD(memory, Pointer.to(data), bytes);
        cuMemcpyDtoD(other, memory, bytes);
        byte[] found = new byte[bytes];
        cuMemcpyDtoH(Pointer.to(found), other, bytes);
        require(Arrays.equals(found, data), "copy: byte %d", Arrays.mismatch(found, data));
        cuMemFree(memory);
        cuMemFree(other);
        ok("memory");
    }

    private void checkErrors() {
        JCudaDriver.setExceptionsEnabled(false);
        CUfunction missing = new CUfunction();
        int result = cuModuleGetFunction(missing, module, "missing");
        require(result == CUresult.CUDA_ERROR_NOT_FOUND, "a missing function: %d", result);
        result = cuLaunchKernel(function("nop"), 1, 1, 1, 2048, 1, 1, 0, null, null, null);
        require(result == CUresult.CUDA_ERROR_INVALID_VALUE, "2048 threads: %d", result);
        result = cuModuleLoadData(new CUmodule(), WRONG_PTX);
        require(result == CUresult.CUDA_ERROR_INVALID_PTX, "PTX with an error: %d", result);
        result = cuMemAlloc(new CUdeviceptr(), 1L << 45);
        require(result == CUresult.CUDA_ERROR_OUT_OF_MEMORY, "32 TiB: %d", result);
        JCudaDriver.setExceptionsEnabled(true);
        ok("errors");
    }

    /// Two vectors and their sum.
    private static final class Vectors {
        final float[] left = new float[N];
        final float[] right = new float[N];
        final CUdeviceptr a;
        final CUdeviceptr b;
        final CUdeviceptr c;

        Vectors() {
            for (int i = 0; i < N; i++) {
                left[i] = i;
                right[i] = i * 0.25f - 7;
            }
            a = allocate(N * Sizeof.FLOAT);
            b = allocate(N * Sizeof.FLOAT);
            c = allocate(N * Sizeof.FLOAT);
            cuMemcpyHtoD(a, Pointer.to(left), N * Sizeof.FLOAT);
            cuMemcpyHtoD(b, Pointer.to(right), N * Sizeof.FLOAT);
            cuMemsetD8(c, (byte) 0xff, N * Sizeof.FLOAT);
        }

        void verify() {
            float[] sum = new float[N];
            cuMemcpyDtoH(Pointer.to(sum), c, N * Sizeof.FLOAT);
            for (int i = 0; i < N; i++) {
                float expected = left[i] + right[i];
                require(sum[i] == expected, "c[%d]=%f, expected %f", i, sum[i], expected);
            }
            cuMemFree(a);
            cuMemFree(b);
            cuMemFree(c);
        }
    }

    private void scale(CUdeviceptr memory, int n, int added, CUstream stream) {
        Pointer parameters =
                Pointer.to(
                        Pointer.to(memory),
                        Pointer.to(new int[] {n}),
                        Pointer.to(new int[] {added}));
        cuLaunchKernel(
                function("scale"), blocks(n), 1, 1, THREADS, 1, 1, 0, stream, parameters, null);
    }

    private CUfunction function(String name) {
        CUfunction function = new CUfunction();
        cuModuleGetFunction(function, module, name);
        return function;
    }

    private static int blocks(int n) {
        return (n + THREADS - 1) / THREADS;
    }

    private static long bytesOf(int[] words) {
        return (long) words.length * Sizeof.INT;
    }

    private static CUdeviceptr allocate(long bytes) {
        CUdeviceptr memory = new CUdeviceptr();
        cuMemAlloc(memory, bytes);
        return memory;
    }

    private static CUdeviceptr copyOf(int[] words) {
        CUdeviceptr memory = allocate(bytesOf(words));
        cuMemcpyHtoD(memory, Pointer.to(words), bytesOf(words));
        return memory;
    }

    private static CUdeviceptr copyOf(byte[] bytes) {
        CUdeviceptr memory = allocate(bytes.length);
        cuMemcpyHtoD(memory, Pointer.to(bytes), bytes.length);
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
