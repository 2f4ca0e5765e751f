package io.gpuvm.pv.remote;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.pv.protocol.FunctionRegisters;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.transport.TransportException;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// One session of a PCI function below `/sys/bus/pci/devices`, where only root may write. No driver
/// is bound to the function. Programs of the machine divide its sessions by locks on the file of
/// the areas ([SessionClaim]).
public final class SysfsFunction implements MappedFunction {
    private static final Path DEVICES = Path.of("/sys/bus/pci/devices");
    private static final VarHandle WORD = WireType.U32.varHandle();

    private final Pages pages;
    private final Descriptor areas;
    private final int session;

    /// Offset of the session's area in its BAR.
    private final long start;

    private SysfsFunction(Pages pages, Descriptor areas, int session) {
        this.pages = pages;
        this.areas = areas;
        this.session = session;
        start =
                Integer.toUnsignedLong(read(FunctionRegisters.START_LO))
                        | (long) read(FunctionRegisters.START_HI) << Integer.SIZE;
    }

    /// Mapped registers of all sessions.
    private record Pages(MappedMemory memory, int sessions) implements RegisterPages {
        /// Reads a register with exactly one 32-bit access.
        @Override
        public int read(int session, int register) {
            return (int) WORD.getOpaque(memory.segment(), offset(session, register));
        }

        @Override
        public void write(int session, int register, int value) {
            WORD.setOpaque(memory.segment(), offset(session, register), value);
        }

        private static long offset(int session, int register) {
            return (long) session * FunctionRegisters.PAGE_BYTES + register;
        }
    }

    /// Opens an unused session of the machine's only function of a backend.
    ///
    /// @throws TransportException if the machine has no such function or several, if the function
    ///   cannot be used, or if all its sessions are in use
    public static SysfsFunction find() {
        List<Path> found;
        try (Stream<Path> all = Files.list(DEVICES)) {
            found = all.filter(SysfsFunction::isBackend).sorted().toList();
        } catch (IOException e) {
            throw new TransportException("PCI functions cannot be listed: " + e, e);
        }
        if (found.size() != 1) {
            throw new TransportException(
                    "PCI functions %04x:%04x=%s, limit=1; select one by its address"
                            .formatted(
                                    FunctionRegisters.VENDOR_ID,
                                    FunctionRegisters.DEVICE_ID,
                                    found.stream().map(Path::getFileName).toList()));
        }
        return open(found.getFirst());
    }

    /// Opens an unused session of a function.
    ///
    /// @param address address in sysfs's notation, for instance `0000:01:00.0`
    /// @throws TransportException if the function does not belong to a backend or cannot be used,
    ///   or if all its sessions are in use
    public static SysfsFunction open(String address) {
        Path folder = DEVICES.resolve(address).normalize();
        if (!DEVICES.equals(folder.getParent()) || !isBackend(folder)) {
            throw new TransportException(
                    "address=%s, expected a PCI function %04x:%04x"
                            .formatted(
                                    address,
                                    FunctionRegisters.VENDOR_ID,
                                    FunctionRegisters.DEVICE_ID));
        }
        return open(folder);
    }

    private static SysfsFunction open(Path folder) {
        try (Descriptor registers =
                Descriptor.open(resource(folder, FunctionRegisters.REGISTER_BAR))) {
            Files.writeString(folder.resolve("enable"), "1");
            Pages pages = map(registers);
            Descriptor areas = null;
            try {
                areas = Descriptor.open(resource(folder, FunctionRegisters.AREA_BAR));
                int session = SessionClaim.of(areas, pages, folder.getFileName().toString());
                return new SysfsFunction(pages, areas, session);
            } catch (RuntimeException e) {
                pages.memory.close();
                if (areas != null) {
                    areas.close();
                }
                throw e;
            }
        } catch (IOException | LinuxException e) {
            throw new TransportException(folder.getFileName() + ": " + e.getMessage(), e);
        }
    }

    /// Maps the registers of all sessions.
    private static Pages map(Descriptor registers) {
        int sessions;
        try (MappedMemory first = map(registers, 1)) {
            sessions = Math.max(1, new Pages(first, 1).read(0, FunctionRegisters.SESSIONS));
        }
        return new Pages(map(registers, sessions), sessions);
    }

    private static MappedMemory map(Descriptor registers, int pages) {
        return MappedMemory.map(
                registers.number(),
                0,
                (long) pages * FunctionRegisters.PAGE_BYTES,
                MappedMemory.Access.READ_WRITE);
    }

    private static Path resource(Path folder, int bar) {
        return folder.resolve("resource" + bar);
    }

    private static boolean isBackend(Path folder) {
        return id(folder, "vendor") == FunctionRegisters.VENDOR_ID
                && id(folder, "device") == FunctionRegisters.DEVICE_ID;
    }

    /// Returns the vendor or device id of a function; -1 if it cannot be read.
    private static int id(Path folder, String name) {
        try {
            return Integer.decode(Files.readString(folder.resolve(name)).strip());
        } catch (IOException | NumberFormatException _) {
            return -1;
        }
    }

    @Override
    public int read(int register) {
        return pages.read(session, register);
    }

    @Override
    public void write(int register, int value) {
        pages.write(session, register, value);
    }

    @Override
    public MappedMemory map(long offset, long bytes) {
        return MappedMemory.map(
                areas.number(), start + offset, bytes, MappedMemory.Access.READ_WRITE);
    }

    @Override
    public void close() {
        pages.memory.close();
        areas.close();
    }
}
