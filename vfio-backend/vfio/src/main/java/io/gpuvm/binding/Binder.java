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

/// Gives cards to vfio-pci, remembers who had them, and gives them back.
///
/// Nothing is half done: what fails on the way is undone. Processes exclude one another; within
/// one, this belongs to one thread.
public final class Binder {
    private final Host host;
    private final Path state;
    private final Sysfs sysfs;
    private final Consumer<String> said;

    /// @param state the folder where former drivers are remembered
    /// @param said takes each line that tells what was done
    public Binder(Host host, Path state, Sysfs sysfs, Consumer<String> said) {
        this.host = host;
        this.state = state;
        this.sysfs = sysfs;
        this.said = said;
    }

    /// Gives a card to vfio-pci. If it is there already, nothing happens.
    ///
    /// @throws BindingException if it must stay with the host, or the kernel refuses; then all is
    ///   as it was
    public void bind(PciAddress address, BindOptions options) {
        PciFunction card = host.function(address);
        List<PciFunction> functions = new BindChecks(host, options).toTake(card);
        if (functions.isEmpty()) {
            said.accept("%s: bound to %s already".formatted(address, PciFunction.VFIO_DRIVER));
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
                        ? new BindingException(e.getMessage() + "; all is as it was", e)
                        : e;
            }
        }
    }

    /// What [#bind] would write, as shell commands.
    ///
    /// @throws BindingException if it would refuse
    public List<String> planOfBind(PciAddress address, BindOptions options) {
        return new BindChecks(host, options)
                .toTake(host.function(address)).stream()
                        .flatMap(function -> Writes.toBind(host.root(), function).stream())
                        .map(SysfsWrite::toString)
                        .toList();
    }

    /// Gives a card, and what was taken with it, back to the drivers that had them. If nothing was
    /// taken, nothing happens.
    ///
    /// @throws BindingException if a process has the card, if it was bound by somebody else, or if
    ///   a driver does not take its function back
    public void unbind(PciAddress address) {
        try (FormerDrivers formers = FormerDrivers.open(state)) {
            List<Former> taken = toGiveBack(address, formers);
            for (Former former : taken.reversed()) {
                giveBack(host.function(former.address()), former);
            }
            formers.forget(address);
        }
    }

    /// What [#unbind] would write, as shell commands.
    ///
    /// @throws BindingException if it would refuse
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
                        "%s: bound to %s, but not by gpuvm bind for this card: %s has no record of who had it. By hand: echo > %s; echo %s > %s; echo %s > %s"
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
                    "%s: with %s, nothing to give back"
                            .formatted(address, card.driver().orElse("no driver")));
            return List.of();
        }
        requireUnused(card);
        return taken;
    }

    /// The kernel would wait for whoever has the group, perhaps for ever.
    private void requireUnused(PciFunction card) {
        card.group()
                .ifPresent(group -> {
                    String file = "/dev/vfio/" + group;
                    List<String> users = OpenFiles.of(host.root(), Set.of(file));
                    if (!users.isEmpty()) {
                        throw new BindingException(
                                "%s: in use, %s has %s open; end it first"
                                        .formatted(card.address(), String.join(", ", users), file));
                    }
                });
    }

    private void take(PciFunction function) {
        String before = function.toString();
        Writes.toBind(host.root(), function).forEach(this::write);
        requireDriver(function, PciFunction.VFIO_DRIVER, "dmesg tells why");
        said.accept("%s: now with %s".formatted(before, PciFunction.VFIO_DRIVER));
    }

    private void giveBack(PciFunction function, Former former) {
        if (!former.driver().isEmpty()
                && !Files.isDirectory(Writes.driver(host.root(), former.driver()))) {
            throw new BindingException(
                    "%s: its driver %s is not loaded any more; load it with: modprobe %s"
                            .formatted(function.address(), former.driver(), former.driver()));
        }
        String before = function.toString();
        Writes.toRestore(host.root(), function, former).forEach(this::write);
        if (!former.driver().isEmpty()) {
            requireDriver(function, former.driver(), "dmesg tells why");
        }
        said.accept(
                "%s: back with %s"
                        .formatted(
                                before, former.driver().isEmpty() ? "no driver" : former.driver()));
    }

    private void undo(List<PciFunction> functions, List<Former> formers, BindingException reason) {
        for (int i = functions.size() - 1; i >= 0; i--) {
            try {
                giveBack(functions.get(i), formers.get(i));
            } catch (BindingException e) {
                reason.addSuppressed(e);
                said.accept("not undone: " + e.getMessage());
            }
        }
    }

    private static void requireDriver(PciFunction function, String driver, String advice) {
        if (!function.driver().orElse("").equals(driver)) {
            throw new BindingException(
                    "%s: %s did not take it, it is with %s; %s"
                            .formatted(
                                    function.address(),
                                    driver,
                                    function.driver().orElse("no driver"),
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

    /// What was remembered before, but for those that are taken again.
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
