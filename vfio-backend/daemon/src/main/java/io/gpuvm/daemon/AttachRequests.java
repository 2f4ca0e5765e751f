package io.gpuvm.daemon;

import io.gpuvm.sched.policy.TimeShare;
import java.nio.file.Path;
import java.util.Locale;

/// Requests to attach and to detach virtual machines while a backend runs: idempotent, and refused
/// if the request contradicts what the backend serves or permits. Used by one thread at a time.
final class AttachRequests {
    private final BackendConfig config;
    private final ServedVms served;
    private final PvAttachments attachments;
    private final SharedGpu shared;

    AttachRequests(
            BackendConfig config, ServedVms served, PvAttachments attachments, SharedGpu shared) {
        this.config = config;
        this.served = served;
        this.attachments = attachments;
        this.shared = shared;
    }

    /// Parses the text of `--vm`; the folder of the control socket contains the socket of a virtual
    /// machine that names none.
    ///
    /// @throws ConfigException if the text is not valid
    VmConfig parse(String text) {
        return VmConfig.parse(text, config.control().folder()).on(config.gpu());
    }

    /// Attaches a virtual machine, unless it is attached with the same settings.
    ///
    /// @return whether the virtual machine was not attached before
    /// @throws ConfigException if the virtual machine is refused
    /// @throws IllegalStateException if the GPU's owner refuses, or does not answer
    boolean attach(VmConfig vm) {
        checkFixed(vm);
        ServedVm present = served.find(vm.name());
        if (present != null) {
            checkFixed(present.config());
            if (attachments.isClosing(vm.name())) {
                throw new ConfigException(
                        "--vm %s: is being detached, expected a detached virtual machine; a repeated detach waits for its guests"
                                .formatted(vm.name()));
            }
            String difference = vm.difference(present.config());
            if (difference != null) {
                throw new ConfigException("--vm %s: %s".formatted(vm.name(), difference));
            }
            return false;
        }
        checkRecording();
        checkSocket(vm);
        if (vm.vram().isEqualPart()) {
            throw new ConfigException(
                    "--vm %s: vram=... is missing, free=%dM"
                            .formatted(vm.name(), shared.freeVramBytes() >> 20));
        }
        checkCaps(vm.name(), vm.share());
        attachments.add(vm);
        return true;
    }

    /// Detaches a virtual machine, unless it is absent.
    ///
    /// @return whether the virtual machine was attached before
    /// @throws ConfigException if the virtual machine is fixed
    /// @throws IllegalStateException if the GPU does not release the virtual machine's memory
    boolean detach(String name) {
        ServedVm present = served.find(name);
        if (present == null) {
            return false;
        }
        checkFixed(present.config());
        checkRecording();
        attachments.remove(name);
        return true;
    }

    /// Returns the number of channels of an attached virtual machine.
    int channelsOf(String name) {
        return attachments.channelsOf(name);
    }

    /// Returns whether the sum of all caps is limited.
    boolean limitsCaps() {
        return !config.control().overcommits();
    }

    /// Throws [ConfigException] if the backend does not permit that a virtual machine has a share,
    /// because of the caps of the others.
    void checkCaps(String name, TimeShare share) {
        int others =
                served.all().stream()
                        .filter(vm -> !vm.name().equals(name))
                        .mapToInt(vm -> shared.account(vm.slot()).share().capPercent())
                        .sum();
        config.control().checkCaps(others + share.capPercent());
    }

    /// Throws [ConfigException] if a virtual machine cannot attach and detach, because it is fixed
    /// at the start.
    static void checkFixed(VmConfig vm) {
        if (!vm.mode().isParavirtual()) {
            throw new ConfigException(
                    "--vm %s: mode=%s is fixed at the start of the backend, expected mode=pv or mode=cuda"
                            .formatted(vm.name(), vm.mode().name().toLowerCase(Locale.ROOT)));
        }
        if (vm.via() != PvVia.SOCKET) {
            throw new ConfigException(
                    "--vm %s: via=%s is fixed at the start of the backend, expected via=socket"
                            .formatted(vm.name(), vm.via().option()));
        }
    }

    private void checkRecording() {
        if (config.recording() != null) {
            throw new ConfigException(
                    "--record: virtual machines are fixed at the start of the backend, because a recording lists them at its beginning");
        }
    }

    private void checkSocket(VmConfig vm) {
        Path socket = vm.socket();
        if (!socket.isAbsolute()) {
            throw new ConfigException(
                    "--vm %s: socket=%s, expected an absolute path".formatted(vm.name(), socket));
        }
        for (ServedVm other : served.all()) {
            if (other.config().socket().toAbsolutePath().normalize().equals(socket.normalize())) {
                throw new ConfigException(
                        "--vm %s: socket=%s is used by %s"
                                .formatted(vm.name(), socket, other.name()));
            }
        }
    }
}
