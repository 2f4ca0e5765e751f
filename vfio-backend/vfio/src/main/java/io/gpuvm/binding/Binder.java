package io.gpuvm.binding;

import io.gpuvm.doctor.Host;
import io.gpuvm.doctor.OpenFiles;
import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.PciFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Binds cards to vfio-pci, records their former drivers, and restores them.
///
/// A failed operation is rolled back completely. A file lock excludes other processes; within a
/// process, this class is confined to one thread.
public final class Binder {
    private final Host host;
    private final Path state;
    private final Sysfs sysfs;
    private final Consumer<String> said;

    /// @param state folder of the records of former drivers
    /// @param said consumer of log lines, one per change
    public Binder(Host host, Path state, Sysfs sysfs, Consumer<String> said) {
        this.host = host;
        this.state = state;
        this.sysfs = sysfs;
        this.said = said;
    }

    /// Binds a card to vfio-pci. Has no effect if the card is bound already.
    ///
    /// @throws BindingException if the host needs the card, or if the kernel refuses the binding;
    ///   all functions then have their former drivers, except those whose rollback fails
    ///   (suppressed exceptions)
    public void bind(PciAddress address, BindOptions options) {
        PciFunction card = host.function(address);
        List<PciFunction> functions = new BindChecks(host, options).toTake(card);
        if (functions.isEmpty()) {
            said.accept("%s: already bound to %s".formatted(address, PciFunction.VFIO_DRIVER));
            return;
        }
        try (FormerDrivers formers = FormerDrivers.open(state)) {
            List<Former> before = formers.of(address);
            List<Former> taken = functions.stream().map(Former::of).toList();
            formers.remember(address, merged(before, taken));
            try {
                functions.forEach(this::take);
            } catch (BindingException e) {
                undo(functions, taken, e);
                if (before.isEmpty()) {
                    formers.forget(address);
                } else {
                    formers.remember(address, before);
                }
                throw e.getSuppressed().length == 0
                        ? new BindingException(e.getMessage() + "; all changes are undone", e)
                        : e;
            }
        }
    }

    /// Returns the writes of [#bind] as shell commands, without executing them.
    ///
    /// @throws BindingException if [#bind] would refuse
    public List<String> planOfBind(PciAddress address, BindOptions options) {
        return new BindChecks(host, options)
                .toTake(host.function(address)).stream()
                        .flatMap(function -> Writes.toBind(host.root(), function).stream())
                        .map(SysfsWrite::toString)
                        .toList();
    }

    /// Restores the former drivers of a card and of the functions bound with it. Has no effect if
    /// the card is bound neither by [#bind] nor to vfio-pci.
    ///
    /// @throws BindingException if a process uses the card, if another program bound it, or if a
    ///   former driver does not bind to its function
    public void unbind(PciAddress address) {
        try (FormerDrivers formers = FormerDrivers.open(state)) {
            List<Former> taken = toGiveBack(address, formers);
            for (Former former : taken.reversed()) {
                giveBack(host.function(former.address()), former);
            }
            formers.forget(address);
        }
    }

    /// Returns the writes of [#unbind] as shell commands, without executing them.
    ///
    /// @throws BindingException if [#unbind] would refuse
    public List<String> planOfUnbind(PciAddress address) {
        try (FormerDrivers formers = FormerDrivers.open(state)) {
            return toGiveBack(address, formers).reversed().stream()
                    .flatMap(former ->
                            Writes.toRestore(host.root(), host.function(former.address()), former)
                                    .stream())
                    .map(SysfsWrite::toString)
                    .toList();
        }
    }

    private List<Former> toGiveBack(PciAddress address, FormerDrivers formers) {
        PciFunction card = host.function(address);
        List<Former> taken = formers.of(address);
        if (taken.isEmpty()) {
            if (!card.exists()) {
                throw new BindingException("%s: no such PCI device".formatted(address));
            }
            if (card.driver().filter(PciFunction.VFIO_DRIVER::equals).isPresent()) {
                throw new BindingException(
                        "%s: bound to %s, but not by 'gpuvm bind': %s has no record of the card's former driver. To unbind it manually: echo > %s; echo %s > %s; echo %s > %s"
                                .formatted(
                                        address,
                                        PciFunction.VFIO_DRIVER,
                                        state,
                                        card.folder().resolve(Writes.OVERRIDE),
                                        address,
                                        card.folder().resolve("driver/unbind"),
                                        address,
                                        "/sys/bus/pci/drivers_probe"));
            }
            said.accept(
                    "%s: driver=%s, nothing to restore"
                            .formatted(address, card.driver().orElse("none")));
            return List.of();
        }
        requireUnused(card);
        return taken;
    }

    /// Throws if a process uses the card's group, because the kernel would wait for that process,
    /// perhaps indefinitely.
    private void requireUnused(PciFunction card) {
        card.group()
                .ifPresent(group -> {
                    String file = "/dev/vfio/" + group;
                    List<String> users = OpenFiles.of(host.root(), Set.of(file));
                    if (!users.isEmpty()) {
                        throw new BindingException(
                                "%s: in use, process %s has %s open; terminate the process first"
                                        .formatted(card.address(), String.join(", ", users), file));
                    }
                });
    }

    private void take(PciFunction function) {
        String before = function.toString();
        Writes.toBind(host.root(), function).forEach(this::write);
        requireDriver(function, PciFunction.VFIO_DRIVER, "see dmesg");
        said.accept("%s: now bound to %s".formatted(before, PciFunction.VFIO_DRIVER));
    }

    private void giveBack(PciFunction function, Former former) {
        if (!former.driver().isEmpty()
                && !Files.isDirectory(Writes.driver(host.root(), former.driver()))) {
            throw new BindingException(
                    "%s: the driver %s is no longer loaded; load it with: modprobe %s"
                            .formatted(function.address(), former.driver(), former.driver()));
        }
        String before = function.toString();
        Writes.toRestore(host.root(), function, former).forEach(this::write);
        if (!former.driver().isEmpty()) {
            requireDriver(function, former.driver(), "see dmesg");
        }
        said.accept(
                "%s: driver restored: %s"
                        .formatted(before, former.driver().isEmpty() ? "none" : former.driver()));
    }

    private void undo(List<PciFunction> functions, List<Former> formers, BindingException reason) {
        for (int i = functions.size() - 1; i >= 0; i--) {
            try {
                giveBack(functions.get(i), formers.get(i));
            } catch (BindingException e) {
                reason.addSuppressed(e);
                said.accept("the rollback failed: " + e.getMessage());
            }
        }
    }

    private static void requireDriver(PciFunction function, String driver, String advice) {
        if (!function.driver().orElse("").equals(driver)) {
            throw new BindingException(
                    "%s: %s did not bind to the function, driver=%s; %s"
                            .formatted(
                                    function.address(),
                                    driver,
                                    function.driver().orElse("none"),
                                    advice));
        }
    }

    private void write(SysfsWrite write) {
        try {
            sysfs.write(write.file(), write.value() + "\n");
        } catch (IOException e) {
            throw new BindingException("%s: %s".formatted(write, e), e);
        }
    }

    /// Returns the earlier records and the new records; a new record replaces an earlier record of
    /// the same function.
    private static List<Former> merged(List<Former> before, List<Former> taken) {
        Set<PciAddress> again = Set.copyOf(taken.stream().map(Former::address).toList());
        List<Former> all = new ArrayList<>();
        Stream.concat(
                        before.stream().filter(former -> !again.contains(former.address())),
                        taken.stream())
                .forEach(all::add);
        return all;
    }
}
