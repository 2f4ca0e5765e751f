package io.gpuvm.cuda.protocol;

import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.UUID;

/// Properties of the device, which do not change during a session, and limits of the session. The
/// backend writes them into the data area when the client connects.
///
/// ```text
///    0  bytes of the record 32     4  number of attributes 32
///    8  driver version 32         12  number of devices 32
///   16  VRAM bytes 64
///   24  limits of handles, 32 each: contexts, modules, streams, events, texture references
///   44  0
///   48  UUID, 16 bytes            64  name, 64 bytes
///  128  PCI bus ID, 16 bytes     144  attributes, 32 each
/// ```
///
/// @param driverVersion 1000 * major + 10 * minor
/// @param vramBytes VRAM of the virtual machine in bytes
/// @param handles limits of handles
/// @param uuid identifier of the device
/// @param name name of the device, at most 64 bytes of UTF-8
/// @param pciBusId PCI address of the device, at most 16 bytes
/// @param attributes source of the values of `CUdevice_attribute`
public record DeviceFacts(
        int driverVersion,
        long vramBytes,
        HandleLimits handles,
        UUID uuid,
        String name,
        String pciBusId,
        Attributes attributes) {
    private static final int AT_BYTES = 0;
    private static final int AT_ATTRIBUTE_COUNT = 4;
    private static final int AT_DRIVER_VERSION = 8;
    private static final int AT_DEVICES = 12;
    private static final int AT_VRAM_BYTES = 16;
    private static final int AT_CONTEXTS = 24;
    private static final int AT_MODULES = 28;
    private static final int AT_STREAMS = 32;
    private static final int AT_EVENTS = 36;
    private static final int AT_TEXTURES = 40;
    private static final int AT_UUID = 48;
    private static final int AT_NAME = 64;
    private static final int NAME_BYTES = 64;
    private static final int AT_PCI_BUS_ID = 128;
    private static final int PCI_BUS_ID_BYTES = 16;
    private static final int AT_ATTRIBUTES = 144;

    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong UUID_HALF =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /// Length of the record in bytes.
    public static final int BYTES = AT_ATTRIBUTES + CudaDeviceAttribute.COUNT * Integer.BYTES;

    /// Values of `CUdevice_attribute`.
    @FunctionalInterface
    public interface Attributes {
        /// Returns the value of an attribute, 0 for an unknown attribute.
        int value(int attribute);
    }

    /// Maximum indices in handles.
    ///
    /// @param contexts limit of contexts
    /// @param modules limit of modules
    /// @param streams limit of streams
    /// @param events limit of events
    /// @param textures limit of texture references
    public record HandleLimits(int contexts, int modules, int streams, int events, int textures) {}

    /// Writes the record, [#BYTES] bytes.
    ///
    /// @param target memory of at least this length, with any alignment
    public void write(MemorySegment target) {
        MemorySegment record = target.asSlice(0, BYTES);
        record.fill((byte) 0);
        record.set(U32, AT_BYTES, BYTES);
        record.set(U32, AT_ATTRIBUTE_COUNT, CudaDeviceAttribute.COUNT);
        record.set(U32, AT_DRIVER_VERSION, driverVersion);
        record.set(U32, AT_DEVICES, 1);
        record.set(U64, AT_VRAM_BYTES, vramBytes);
        record.set(U32, AT_CONTEXTS, handles.contexts());
        record.set(U32, AT_MODULES, handles.modules());
        record.set(U32, AT_STREAMS, handles.streams());
        record.set(U32, AT_EVENTS, handles.events());
        record.set(U32, AT_TEXTURES, handles.textures());
        record.set(UUID_HALF, AT_UUID, uuid.getMostSignificantBits());
        record.set(UUID_HALF, AT_UUID + Long.BYTES, uuid.getLeastSignificantBits());
        WireType.putText(record, AT_NAME, NAME_BYTES, name);
        WireType.putText(record, AT_PCI_BUS_ID, PCI_BUS_ID_BYTES, pciBusId);
        for (int i = 0; i < CudaDeviceAttribute.COUNT; i++) {
            record.set(U32, AT_ATTRIBUTES + i * Integer.BYTES, attributes.value(i));
        }
    }

    /// Reads a record. Called by the client.
    ///
    /// @param source memory of at least [#BYTES] bytes, which does not change while the attributes
    ///   are read
    public static DeviceFacts read(MemorySegment source) {
        int count = source.get(U32, AT_ATTRIBUTE_COUNT);
        HandleLimits handles =
                new HandleLimits(
                        source.get(U32, AT_CONTEXTS),
                        source.get(U32, AT_MODULES),
                        source.get(U32, AT_STREAMS),
                        source.get(U32, AT_EVENTS),
                        source.get(U32, AT_TEXTURES));
        return new DeviceFacts(
                source.get(U32, AT_DRIVER_VERSION),
                source.get(U64, AT_VRAM_BYTES),
                handles,
                new UUID(
                        source.get(UUID_HALF, AT_UUID),
                        source.get(UUID_HALF, AT_UUID + Long.BYTES)),
                WireType.text(source, AT_NAME, NAME_BYTES),
                WireType.text(source, AT_PCI_BUS_ID, PCI_BUS_ID_BYTES),
                i ->
                        i < 0 || i >= count
                                ? 0
                                : source.get(U32, AT_ATTRIBUTES + (long) i * Integer.BYTES));
    }
}
