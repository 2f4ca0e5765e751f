package io.gpuvm.guests.real;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Method by which QEMU executes a guest's instructions.
public enum Accelerator {
    /// Emulation of the processor, on every host. Without the features "fast REP MOVSB", Linux
    /// copies and clears memory in words: QEMU emulates a REP instruction element by element.
    TCG("tcg,thread=multi", "max,erms=off,fsrm=off"),

    /// Execution by the host's processors, through `/dev/kvm`.
    KVM("kvm", "host");

    private static final Path DEVICE = Path.of("/dev/kvm");

    private final String value;
    private final String processorModel;

    Accelerator(String value, String processorModel) {
        this.value = value;
        this.processorModel = processorModel;
    }

    /// Parses the value of `--accel`: `tcg`, `kvm`, or `auto` for KVM if this process may use it.
    ///
    /// @throws IllegalArgumentException if the text is another value, or if KVM is not usable
    public static Accelerator parse(String text) {
        return parse(text, DEVICE);
    }

    /// @param device device of KVM
    static Accelerator parse(String text, Path device) {
        boolean usable = Files.isReadable(device) && Files.isWritable(device);
        return switch (text) {
            case "tcg" -> TCG;
            case "auto" -> usable ? KVM : TCG;
            case "kvm" -> {
                if (!usable) {
                    throw new IllegalArgumentException(
                            "--accel kvm: %s %s"
                                    .formatted(
                                            device,
                                            Files.exists(device)
                                                    ? "is not readable and writable for this user"
                                                    : "does not exist"));
                }
                yield KVM;
            }
            default ->
                    throw new IllegalArgumentException(
                            "--accel=%s, expected one of tcg, kvm, auto".formatted(text));
        };
    }

    /// Returns QEMU's options.
    List<String> options() {
        return List.of("-accel", value, "-cpu", processorModel);
    }
}
