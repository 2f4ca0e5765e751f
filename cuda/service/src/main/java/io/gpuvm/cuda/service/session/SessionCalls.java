package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.CudaCallHandler;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.KernelReport;
import io.gpuvm.cuda.service.CopyBox;
import io.gpuvm.cuda.service.CudaExecutor;
import io.gpuvm.cuda.service.CudaResult;
import io.gpuvm.cuda.service.ModuleRequest;
import io.gpuvm.pv.runtime.LaunchShape;
import io.gpuvm.pv.transport.AddressRange;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// Decoded calls of a session, each of which this class passes to the executor. A call that waits
/// completes by the [PendingCall] of [#begin]. Confined to the poller.
final class SessionCalls implements CudaCallHandler {
    /// Flag of a cooperative launch.
    private static final int COOPERATIVE = 1;

    /// Flags of a copy of a box: sides in the data area.
    private static final int SOURCE_IN_AREA = 1;

    private static final int DESTINATION_IN_AREA = 1 << 1;

    private final Connection connection;
    private final DataArea area;
    private final CallArguments copies;
    private final SessionErrors errors;
    private final LaunchShapes shapes = new LaunchShapes();

    /// Completion of the current call; null if it has none.
    private PendingCall current;

    /// @param copies copies of the arguments of spilled calls
    SessionCalls(Connection connection, DataArea area, CallArguments copies, SessionErrors errors) {
        this.connection = connection;
        this.area = area;
        this.copies = copies;
        this.errors = errors;
    }

    /// Begins a call.
    ///
    /// @param answered completion of the call; null if it has none
    void begin(PendingCall answered) {
        current = answered;
    }

    private CudaExecutor executor() {
        return connection.executor();
    }

    @Override
    public int refused(
            long sequence, int opcode, String operand, long value, String expected, int status) {
        errors.refused(status, "%s=%#x, expected %s".formatted(operand, value, expected));
        return status;
    }

    @Override
    public int ctxCreate(long sequence, long context, int flags, int device, long stream) {
        return createContext(context, stream, device, false);
    }

    @Override
    public int ctxDestroy(long sequence, long context) {
        return executor().destroyContext(context).code();
    }

    @Override
    public int devicePrimaryCtxRetain(
            long sequence, long context, int device, int flags, long stream) {
        return createContext(context, stream, device, true);
    }

    @Override
    public int devicePrimaryCtxRelease(long sequence, long context) {
        return executor().destroyContext(context).code();
    }

    @Override
    public int devicePrimaryCtxReset(long sequence, long context) {
        return executor().destroyContext(context).code();
    }

    @Override
    public int ctxSynchronize(long sequence, long context) {
        executor().synchronizeContext(context, current);
        return PENDING;
    }

    @Override
    public int ctxSetLimit(long sequence, long context, int limit, long value) {
        return executor().setLimit(context, limit, value).code();
    }

    @Override
    public int moduleLoadData(
            long sequence,
            MemorySegment reply,
            MemorySegment arguments,
            long context,
            long module,
            long imageOffset,
            long imageBytes,
            long description,
            long descriptionCapacity,
            long hashAt,
            int hashBytes) {
        if (!area.contains(description, descriptionCapacity)) {
            return outside("description", description, descriptionCapacity);
        }
        MemorySegment image = area.none();
        if (imageBytes != 0) {
            if (!area.contains(imageOffset, imageBytes)) {
                return outside("image", imageOffset, imageBytes);
            }
            image = area.range(imageOffset, imageBytes);
        }
        byte[] hash = arguments.asSlice(hashAt, hashBytes).toArray(ValueLayout.JAVA_BYTE);
        MemorySegment target = area.range(description, descriptionCapacity);
        executor()
                .loadModule(
                        sequence, context, module, new ModuleRequest(hash, image, target), current);
        return PENDING;
    }

    @Override
    public int ptxLink(
            long sequence,
            MemorySegment reply,
            long context,
            long request,
            long requestBytes,
            long response,
            long responseCapacity) {
        if (!area.contains(request, requestBytes)) {
            return outside("request", request, requestBytes);
        }
        if (!area.contains(response, responseCapacity)) {
            return outside("response", response, responseCapacity);
        }
        executor()
                .link(
                        sequence,
                        context,
                        area.range(request, requestBytes),
                        area.range(response, responseCapacity),
                        current);
        return PENDING;
    }

    @Override
    public int takeReports(long sequence, MemorySegment reply, long target, long capacity) {
        if (!area.contains(target, capacity) || capacity < KernelReport.MAX_BYTES) {
            errors.refused(
                    CudaStatus.INVALID_VALUE,
                    "target=%#x, capacity=%#x, expected a range of the data area of at least %d bytes"
                            .formatted(target, capacity, KernelReport.MAX_BYTES));
            return CudaStatus.INVALID_VALUE;
        }
        long bytes = errors.reports().take(area.range(target, capacity));
        current.complete(CudaStatus.SUCCESS, bytes, 0);
        return PENDING;
    }

    @Override
    public int moduleUnload(long sequence, long module) {
        return executor().unloadModule(module).code();
    }

    @Override
    public int moduleGetGlobal(
            long sequence,
            MemorySegment reply,
            MemorySegment arguments,
            long module,
            long nameAt,
            int nameBytes) {
        executor().findVariable(module, text(nameAt, nameBytes), current);
        return PENDING;
    }

    @Override
    public int moduleGetTexRef(
            long sequence,
            MemorySegment arguments,
            long reference,
            long module,
            long nameAt,
            int nameBytes) {
        executor().findTexture(module, reference, text(nameAt, nameBytes), current);
        return PENDING;
    }

    @Override
    public int funcSetAttribute(
            long sequence, long module, int kernelIndex, int attribute, int value) {
        return executor().setKernelAttribute(module, kernelIndex, attribute, value).code();
    }

    @Override
    public int funcSetCacheConfig(long sequence, long module, int kernelIndex, int config) {
        return executor().setCacheConfig(module, kernelIndex, config).code();
    }

    @Override
    public int memAlloc(long sequence, MemorySegment reply, long context, long bytes) {
        executor().allocate(context, bytes, current);
        return PENDING;
    }

    @Override
    public int memFree(long sequence, long address) {
        return executor().free(address).code();
    }

    @Override
    public int memFreeAsync(long sequence, long address, long stream) {
        CudaResult result = executor().queryStream(stream);
        if (result != CudaResult.SUCCESS && result != CudaResult.NOT_READY) {
            return result.code();
        }
        return executor().free(address).code();
    }

    @Override
    public int memGetInfo(long sequence, MemorySegment reply, long context) {
        executor().readMemoryInfo(context, current);
        return PENDING;
    }

    @Override
    public int memcpyHtoDAsync(
            long sequence, long destination, long source, long bytes, long stream) {
        return executor().copyToDevice(sequence, stream, destination, source, bytes).code();
    }

    @Override
    public int memcpyDtoH(long sequence, long target, long source, long bytes, long stream) {
        return whenDone(stream, executor().copyToArea(sequence, stream, target, source, bytes));
    }

    @Override
    public int memcpyDtoHAsync(long sequence, long target, long source, long bytes, long stream) {
        return executor().copyToArea(sequence, stream, target, source, bytes).code();
    }

    @Override
    public int memcpyDtoDAsync(
            long sequence, long destination, long source, long bytes, long stream) {
        return executor().copy(sequence, stream, destination, source, bytes).code();
    }

    @Override
    public int memcpy3D(
            long sequence,
            long stream,
            int places,
            long source,
            long destination,
            long sourcePitch,
            long sourceHeight,
            long destinationPitch,
            long destinationHeight,
            long width,
            long height,
            long depth) {
        return whenDone(
                stream,
                executor()
                        .copyBox(
                                sequence,
                                stream,
                                box(
                                        places,
                                        source,
                                        destination,
                                        sourcePitch,
                                        sourceHeight,
                                        destinationPitch,
                                        destinationHeight,
                                        width,
                                        height,
                                        depth)));
    }

    @Override
    public int memcpy3DAsync(
            long sequence,
            long stream,
            int places,
            long source,
            long destination,
            long sourcePitch,
            long sourceHeight,
            long destinationPitch,
            long destinationHeight,
            long width,
            long height,
            long depth) {
        return executor()
                .copyBox(
                        sequence,
                        stream,
                        box(
                                places,
                                source,
                                destination,
                                sourcePitch,
                                sourceHeight,
                                destinationPitch,
                                destinationHeight,
                                width,
                                height,
                                depth))
                .code();
    }

    @Override
    public int memsetD8Async(long sequence, long destination, int value, long count, long stream) {
        return executor().fill(sequence, stream, destination, Byte.BYTES, value, count).code();
    }

    @Override
    public int memsetD16Async(long sequence, long destination, int value, long count, long stream) {
        return executor().fill(sequence, stream, destination, Short.BYTES, value, count).code();
    }

    @Override
    public int memsetD32Async(long sequence, long destination, int value, long count, long stream) {
        return executor().fill(sequence, stream, destination, Integer.BYTES, value, count).code();
    }

    @Override
    public int memsetD2D8Async(
            long sequence,
            long destination,
            long pitch,
            int value,
            long width,
            long height,
            long stream) {
        return executor()
                .fillRectangle(
                        sequence, stream, destination, pitch, Byte.BYTES, value, width, height)
                .code();
    }

    @Override
    public int memsetD2D16Async(
            long sequence,
            long destination,
            long pitch,
            int value,
            long width,
            long height,
            long stream) {
        return executor()
                .fillRectangle(
                        sequence, stream, destination, pitch, Short.BYTES, value, width, height)
                .code();
    }

    @Override
    public int memsetD2D32Async(
            long sequence,
            long destination,
            long pitch,
            int value,
            long width,
            long height,
            long stream) {
        return executor()
                .fillRectangle(
                        sequence, stream, destination, pitch, Integer.BYTES, value, width, height)
                .code();
    }

    @Override
    public int streamCreateWithPriority(
            long sequence, long context, long stream, int flags, int priority) {
        return executor().createStream(context, stream, flags).code();
    }

    @Override
    public int streamDestroy(long sequence, long stream) {
        return executor().destroyStream(stream).code();
    }

    @Override
    public int streamSynchronize(long sequence, long stream) {
        executor().synchronizeStream(stream, current);
        return PENDING;
    }

    @Override
    public int streamQuery(long sequence, long stream) {
        return executor().queryStream(stream).code();
    }

    @Override
    public int streamWaitEvent(long sequence, long stream, long event) {
        return executor().waitEvent(sequence, stream, event).code();
    }

    @Override
    public int launchHostFunc(long sequence, long stream) {
        executor().launchHostFunction(sequence, stream, current);
        return PENDING;
    }

    @Override
    public int eventCreate(long sequence, long context, long event, int flags) {
        return executor().createEvent(context, event, flags).code();
    }

    @Override
    public int eventDestroy(long sequence, long event) {
        return executor().destroyEvent(event).code();
    }

    @Override
    public int eventRecordWithFlags(long sequence, long event, long stream, int flags) {
        return executor().recordEvent(sequence, event, stream).code();
    }

    @Override
    public int eventSynchronize(long sequence, long event) {
        executor().synchronizeEvent(event, current);
        return PENDING;
    }

    @Override
    public int eventQuery(long sequence, long event) {
        return executor().queryEvent(event).code();
    }

    @Override
    public int eventElapsedTime(long sequence, MemorySegment reply, long start, long end) {
        executor().readElapsedTime(start, end, current);
        return PENDING;
    }

    @Override
    public int launchKernel(
            long sequence,
            MemorySegment arguments,
            long module,
            int kernelIndex,
            int flags,
            int gridX,
            int gridY,
            int gridZ,
            int blockX,
            int blockY,
            int blockZ,
            int dynamicSharedBytes,
            long stream,
            long parametersAt,
            int parametersBytes) {
        LaunchShape shape =
                shapes.of(gridX, gridY, gridZ, blockX, blockY, blockZ, dynamicSharedBytes);
        return executor()
                .launch(
                        sequence,
                        stream,
                        module,
                        kernelIndex,
                        shape,
                        (flags & COOPERATIVE) != 0,
                        copies.part(parametersAt, parametersBytes))
                .code();
    }

    @Override
    public int texRefSetAddress(long sequence, long reference, long address, long bytes) {
        return executor().setTextureAddress(reference, address, bytes).code();
    }

    @Override
    public int texRefSetFormat(long sequence, long reference, int format, int components) {
        return executor().setTextureFormat(reference, format, components).code();
    }

    @Override
    public int texRefSetFlags(long sequence, long reference, int flags) {
        return executor().setTextureFlags(reference, flags).code();
    }

    @Override
    public int texRefSetAddressMode(long sequence, long reference, int dimension, int mode) {
        return executor().setTextureAddressMode(reference, dimension, mode).code();
    }

    @Override
    public int texRefSetFilterMode(long sequence, long reference, int mode) {
        return executor().setTextureFilterMode(reference, mode).code();
    }

    @Override
    public int nop(long sequence) {
        return CudaStatus.SUCCESS;
    }

    @Override
    public int connect(
            long sequence,
            MemorySegment reply,
            long target,
            long capacity,
            long wireHash,
            long addressStart,
            long addressBytes,
            long dataAddress) {
        connection.connect(
                current,
                target,
                capacity,
                wireHash,
                new AddressRange(addressStart, addressBytes),
                dataAddress);
        return PENDING;
    }

    @Override
    public int hostFunctionDone(long sequence, long call) {
        return executor().endHostFunction(call).code();
    }

    private int createContext(long context, long stream, int device, boolean isPrimary) {
        if (device != 0) {
            errors.refused(CudaStatus.INVALID_DEVICE, "device=%d, limit=0".formatted(device));
            return CudaStatus.INVALID_DEVICE;
        }
        executor().createContext(context, stream, isPrimary, current);
        return PENDING;
    }

    /// Completes a call when the operations of a stream are done.
    ///
    /// @param result result of the enqueued operation
    private int whenDone(long stream, CudaResult result) {
        if (result != CudaResult.SUCCESS) {
            return result.code();
        }
        executor().synchronizeStream(stream, current);
        return PENDING;
    }

    private static CopyBox box(
            int places,
            long source,
            long destination,
            long sourcePitch,
            long sourceHeight,
            long destinationPitch,
            long destinationHeight,
            long width,
            long height,
            long depth) {
        boolean isSourceInArea = (places & SOURCE_IN_AREA) != 0;
        boolean isDestinationInArea = (places & DESTINATION_IN_AREA) != 0;
        return new CopyBox(
                new CopyBox.Side(
                        isDestinationInArea, destination, destinationPitch, destinationHeight),
                new CopyBox.Side(isSourceInArea, source, sourcePitch, sourceHeight),
                width,
                height,
                depth);
    }

    /// Refuses a range that is not in the data area.
    private int outside(String operand, long offset, long bytes) {
        errors.refused(
                CudaStatus.INVALID_VALUE,
                "%s offset=%#x, bytes=%#x, limit=%#x"
                        .formatted(operand, offset, bytes, area.bytes()));
        return CudaStatus.INVALID_VALUE;
    }

    /// Returns text in the arguments.
    private String text(long at, int bytes) {
        byte[] utf8 = copies.memory().asSlice(at, bytes).toArray(ValueLayout.JAVA_BYTE);
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
