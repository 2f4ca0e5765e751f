package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.DeviceFacts;
import io.gpuvm.cuda.service.CudaExecutor;
import io.gpuvm.cuda.service.DeviceAttributes;
import io.gpuvm.cuda.service.ExecutorLimits;
import io.gpuvm.cuda.service.GpuContextExecutor;
import io.gpuvm.cuda.service.HeapBudget;
import io.gpuvm.cuda.service.LinkQueue;
import io.gpuvm.cuda.service.ModuleReader;
import io.gpuvm.cuda.service.Turn;
import io.gpuvm.cuda.service.gpu.ContextTransport;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.pv.transport.GenericWindows;
import io.gpuvm.pv.transport.GpuAddresses;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.LongFunction;

/// Connection of a session: its first call checks the client's list of calls and addresses, writes
/// the facts of the device, and creates the executor. Confined to the poller.
final class Connection {
    /// Parts of a connection.
    ///
    /// @param vm name of the virtual machine
    /// @param device limits of the GPU for the session
    /// @param transports source of the contexts' transports, by GPU address of the data area
    /// @param modules reader of the virtual machine's modules
    /// @param links compilations and links of the virtual machine
    /// @param heap memory of this process for the objects of the virtual machine's sessions
    /// @param turn current turn of the session
    /// @param wakePoller makes the poller call the front end; any thread
    record Parts(
            String vm,
            GpuLimits device,
            LongFunction<ContextTransport.Supplier> transports,
            ModuleReader modules,
            LinkQueue links,
            HeapBudget heap,
            Turn turn,
            Runnable wakePoller) {}

    /// Version of the driver in the device facts: CUDA 12.4.
    private static final int DRIVER_VERSION = 12040;

    /// PCI address in the device facts: that of the attributes.
    private static final String PCI_BUS_ID = "0000:00:00.0";

    private static final long FIRST_ADDRESS = 1L << 32;
    private static final long END_OF_ADDRESSES = 1L << 40;

    private static final ExecutorLimits LIMITS = ExecutorLimits.DEFAULT;

    private final Parts parts;
    private final DataArea area;
    private final SessionErrors errors;

    /// Executor of the session; null before the connection.
    private CudaExecutor executor;

    Connection(Parts parts, DataArea area, SessionErrors errors) {
        this.parts = parts;
        this.area = area;
        this.errors = errors;
    }

    /// Returns the executor of the session; null before the connection.
    CudaExecutor executor() {
        return executor;
    }

    /// Connects the session.
    ///
    /// @param call receives the completion
    /// @param target offset of the range for the device facts
    /// @param capacity length of this range
    /// @param wireHash hash of the client's list of calls
    /// @param range range of GPU addresses for memory
    /// @param dataAddress GPU address of the data area
    void connect(
            PendingCall call,
            long target,
            long capacity,
            long wireHash,
            AddressRange range,
            long dataAddress) {
        if (executor != null) {
            refuse(call, CudaStatus.ILLEGAL_STATE, "connections=2, limit=1");
        } else if (wireHash != CudaOpcode.WIRE_HASH) {
            String message = "wireHash=%#x, expected=%#x".formatted(wireHash, CudaOpcode.WIRE_HASH);
            refuse(call, CudaStatus.SYSTEM_DRIVER_MISMATCH, message);
        } else if (capacity >= 0 && capacity < DeviceFacts.BYTES) {
            errors.refused(
                    CudaStatus.INVALID_VALUE,
                    "capacity=%d, expected at least %d".formatted(capacity, DeviceFacts.BYTES));
            call.complete(CudaStatus.INVALID_VALUE, DeviceFacts.BYTES, 0);
        } else if (!area.contains(target, capacity)) {
            refuse(
                    call,
                    CudaStatus.INVALID_VALUE,
                    "target=%#x, capacity=%#x, limit=%#x"
                            .formatted(target, capacity, area.bytes()));
        } else {
            connect(call, area.range(target, DeviceFacts.BYTES), range, dataAddress);
        }
    }

    private void refuse(PendingCall call, int status, String message) {
        errors.refused(status, message);
        call.complete(status, 0, 0);
    }

    private void connect(
            PendingCall call, MemorySegment target, AddressRange range, long dataAddress) {
        AddressRange data = new AddressRange(dataAddress, area.bytes());
        if (!isPermitted(range) || !isPermitted(data) || overlap(range, data)) {
            refuse(
                    call,
                    CudaStatus.INVALID_VALUE,
                    "addresses=%s, data area=%s, expected ranges in %#x-%#x that do not overlap"
                            .formatted(range, data, FIRST_ADDRESS, END_OF_ADDRESSES));
            return;
        }
        try {
            executor = newExecutor(range, dataAddress);
        } catch (TransportException e) {
            refuse(call, CudaStatus.INVALID_VALUE, e.getMessage());
            return;
        }
        facts().write(target);
        call.complete(CudaStatus.SUCCESS, DeviceFacts.BYTES, 0);
    }

    /// Returns whether a range lies within the addresses for clients.
    private static boolean isPermitted(AddressRange range) {
        return range.first() >= FIRST_ADDRESS
                && range.bytes() > 0
                && range.first() <= END_OF_ADDRESSES - range.bytes()
                && !GenericWindows.overlap(range.first(), range.bytes());
    }

    private static boolean overlap(AddressRange one, AddressRange other) {
        return one.first() < other.end() && other.first() < one.end();
    }

    private CudaExecutor newExecutor(AddressRange range, long dataAddress) {
        return new GpuContextExecutor(
                new GpuContextExecutor.Parts(
                        parts.transports().apply(dataAddress),
                        parts.device(),
                        GpuAddresses.within(range),
                        parts.modules(),
                        parts.links(),
                        parts.wakePoller(),
                        LIMITS,
                        parts.heap(),
                        parts.turn(),
                        errors));
    }

    private DeviceFacts facts() {
        return new DeviceFacts(
                DRIVER_VERSION,
                parts.device().vramBytes(),
                new DeviceFacts.HandleLimits(
                        LIMITS.contexts(),
                        LIMITS.modules(),
                        LIMITS.streams(),
                        LIMITS.events(),
                        LIMITS.textures()),
                UUID.nameUUIDFromBytes(parts.vm().getBytes(StandardCharsets.UTF_8)),
                parts.device().name(),
                PCI_BUS_ID,
                DeviceAttributes.of(parts.device())::value);
    }
}
