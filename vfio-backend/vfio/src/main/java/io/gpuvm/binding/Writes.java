package io.gpuvm.binding;

import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.PciFunction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Sequences of sysfs writes that bind a PCI function to a driver: pure functions of the state in
/// sysfs.
///
/// Source: `Documentation/ABI/testing/sysfs-bus-pci`: `driver_override`, `unbind`, `bind`,
/// `drivers_probe`.
final class Writes {
    static final String OVERRIDE = "driver_override";

    private static final Path BUS = Path.of("sys/bus/pci");

    private Writes() {}

    /// Returns the folder of a driver.
    static Path driver(Path root, String name) {
        return root.resolve(BUS).resolve("drivers").resolve(name);
    }

    /// Returns the writes that bind a function to vfio-pci and prevent other drivers from binding
    /// the function, even drivers that are loaded later.
    static List<SysfsWrite> toBind(Path root, PciFunction function) {
        List<SysfsWrite> writes = new ArrayList<>();
        String address = function.address().toString();
        writes.add(new SysfsWrite(function.folder().resolve(OVERRIDE), PciFunction.VFIO_DRIVER));
        function.driver()
                .ifPresent(driver ->
                        writes.add(
                                new SysfsWrite(driver(root, driver).resolve("unbind"), address)));
        writes.add(new SysfsWrite(root.resolve(BUS).resolve("drivers_probe"), address));
        return writes;
    }

    /// Returns the writes that bind a function to its former driver again.
    static List<SysfsWrite> toRestore(Path root, PciFunction function, Former former) {
        List<SysfsWrite> writes = new ArrayList<>();
        PciAddress address = function.address();
        writes.add(new SysfsWrite(function.folder().resolve(OVERRIDE), former.override()));
        String driver = function.driver().orElse("");
        if (!driver.equals(former.driver())) {
            if (!driver.isEmpty()) {
                writes.add(
                        new SysfsWrite(driver(root, driver).resolve("unbind"), address.toString()));
            }
            if (!former.driver().isEmpty()) {
                writes.add(
                        new SysfsWrite(
                                driver(root, former.driver()).resolve("bind"), address.toString()));
            }
        }
        return writes;
    }
}
