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

/// PCI function below `/sys/bus/pci/devices`, where only root may write. No driver is bound to it.
/// A lock on the file of its area admits one program at a time; Linux releases the lock when the
/// program ends.
public final class SysfsFunction implements MappedFunction {
    private static final Path DEVICES = Path.of("/sys/bus/pci/devices");
    private static final VarHandle WORD = WireType.U32.varHandle();

    private final MappedMemory registers;
    private final Descriptor area;

    private SysfsFunction(MappedMemory registers, Descriptor area) {
        this.registers = registers;
        this.area = area;
    }

    /// Opens the machine's only function of a backend.
    ///
    /// @throws TransportException if the machine has no such function or several, or if the
    ///   function cannot be used
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

    /// Opens a function.
    ///
    /// @param address address in sysfs's notation, for instance `0000:01:00.0`
    /// @throws TransportException if the function does not belong to a backend, or cannot be used
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
            Descriptor area = Descriptor.open(resource(folder, FunctionRegisters.AREA_BAR));
            try {
                if (!area.tryLock()) {
                    throw new TransportException(
                            "programs=2, limit=1: %s is in use".formatted(folder.getFileName()));
                }
                Files.writeString(folder.resolve("enable"), "1");
                MappedMemory mapped =
                        MappedMemory.map(
                                registers.number(),
                                0,
                                FunctionRegisters.BYTES,
                                MappedMemory.Access.READ_WRITE);
                return new SysfsFunction(mapped, area);
            } catch (RuntimeException | IOException e) {
                area.close();
                throw e;
            }
        } catch (IOException | LinuxException e) {
            throw new TransportException(folder.getFileName() + ": " + e.getMessage(), e);
        }
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

    /// Reads a register with exactly one 32-bit access.
    @Override
    public int read(int register) {
        return (int) WORD.getOpaque(registers.segment(), (long) register);
    }

    @Override
    public void write(int register, int value) {
        WORD.setOpaque(registers.segment(), (long) register, value);
    }

    @Override
    public MappedMemory map(long offset, long bytes) {
        return MappedMemory.map(area.number(), offset, bytes, MappedMemory.Access.READ_WRITE);
    }

    @Override
    public void close() {
        registers.close();
        area.close();
    }
}
