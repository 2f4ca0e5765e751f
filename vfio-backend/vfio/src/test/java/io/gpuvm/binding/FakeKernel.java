package io.gpuvm.binding;

import io.gpuvm.vfio.HostTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Emulation of the kernel's driver core in a folder: applies the effects of writes to sysfs.
final class FakeKernel implements Sysfs {
    /// Functions to which a driver does not bind, as `DRIVER ADDRESS`.
    final Set<String> unwilling = new HashSet<>();

    /// Values written, in order, as `FILE VALUE`.
    final List<String> writes = new ArrayList<>();

    private final HostTree tree;

    FakeKernel(HostTree tree) {
        this.tree = tree;
    }

    @Override
    public void write(Path file, String value) throws IOException {
        String text = value.strip();
        writes.add("%s %s".formatted(tree.root().relativize(file), text));
        String name = file.getFileName().toString();
        switch (name) {
            case "driver_override" ->
                    Files.writeString(file, (text.isEmpty() ? "(null)" : text) + "\n");
            case "unbind" -> unbind(text);
            case "bind" -> bind(text, file.getParent().getFileName().toString());
            case "drivers_probe" -> probe(text);
            default -> throw new IOException(file + ": no such attribute");
        }
    }

    private void unbind(String address) throws IOException {
        Files.delete(folder(address).resolve("driver"));
    }

    private void bind(String address, String driver) throws IOException {
        if (unwilling.contains(driver + " " + address)) {
            throw new IOException("No such device");
        }
        tree.bound(address, driver);
    }

    /// Binds the function as the kernel does, without an error if the driver refuses.
    private void probe(String address) throws IOException {
        String driver = Files.readString(folder(address).resolve("driver_override")).strip();
        if (!unwilling.contains(driver + " " + address)) {
            tree.bound(address, driver);
        }
    }

    private Path folder(String address) {
        return tree.root().resolve("sys/bus/pci/devices").resolve(address);
    }
}
