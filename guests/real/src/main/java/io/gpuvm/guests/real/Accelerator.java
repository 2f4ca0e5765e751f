package io.gpuvm.guests.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Method by which QEMU executes a guest's instructions.
public enum Accelerator {
    /// Emulation of the processor; works on every host. The features for fast `REP MOVSB` are off,
    /// so that Linux copies and clears memory in words, because QEMU emulates a REP instruction
    /// element by element.
    TCG("tcg,thread=multi", "max,erms=off,fsrm=off"),

    /// Execution by the host's processors, through `/dev/kvm`.
    KVM("kvm", "host");

    private static final Path DEVICE = Path.of("/dev/kvm");
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    /// Beginning of the line with a processor's features in `/proc/cpuinfo`.
    private static final String FEATURES = "flags";

    /// Features of hardware virtualization: Intel's VMX, AMD's SVM. KVM on a processor with neither
    /// (module `kvm_pvm`) cannot boot an unmodified Linux.
    private static final List<String> VIRTUALIZATION = List.of("vmx", "svm");

    private final String value;
    private final String processorModel;

    Accelerator(String value, String processorModel) {
        this.value = value;
        this.processorModel = processorModel;
    }

    /// Parses the value of `--accel`: `tcg`, `kvm`, or `auto` for KVM if this process may use it
    /// and the processors have hardware virtualization.
    ///
    /// @throws IllegalArgumentException if the text is another value, or if KVM is not usable
    public static Accelerator parse(String text) {
        return parse(text, DEVICE, PROCESSORS);
    }

    /// @param device device of KVM
    /// @param processors file with the processors' features, in the format of `/proc/cpuinfo`
    static Accelerator parse(String text, Path device, Path processors) {
        return switch (text) {
            case "tcg" -> TCG;
            case "auto" -> kvmObstacle(device, processors).isEmpty() ? KVM : TCG;
            case "kvm" -> {
                String obstacle = kvmObstacle(device, processors);
                if (!obstacle.isEmpty()) {
                    throw new IllegalArgumentException("--accel kvm: " + obstacle);
                }
                yield KVM;
            }
            default ->
                    throw new IllegalArgumentException(
                            "--accel=%s, expected one of tcg, kvm, auto".formatted(text));
        };
    }

    /// Returns the reason why KVM is not usable; empty if it is usable.
    private static String kvmObstacle(Path device, Path processors) {
        if (!Files.exists(device)) {
            return device + " does not exist";
        }
        if (!Files.isReadable(device) || !Files.isWritable(device)) {
            return device + " is not readable and writable for this user";
        }
        return hasVirtualization(processors)
                ? ""
                : "%s: %s without %s: no hardware virtualization"
                        .formatted(processors, FEATURES, String.join(" or ", VIRTUALIZATION));
    }

    private static boolean hasVirtualization(Path processors) {
        try (Stream<String> lines = Files.lines(processors)) {
            return lines.filter(line -> line.startsWith(FEATURES))
                    .flatMap(line -> Arrays.stream(line.split("\\s+")))
                    .anyMatch(VIRTUALIZATION::contains);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns QEMU's options.
    List<String> options() {
        return List.of("-accel", value, "-cpu", processorModel);
    }
}
