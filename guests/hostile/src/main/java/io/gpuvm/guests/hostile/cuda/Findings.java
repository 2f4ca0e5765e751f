package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaStatus;
import java.util.ArrayList;
import java.util.List;

/// Failures of one part of a run. Confined to one thread.
final class Findings {
    /// Maximum number of failures that are described.
    private static final int MOST = 20;

    private final List<String> failures = new ArrayList<>();
    private long leftOut;

    void add(String failure) {
        if (failures.size() < MOST) {
            failures.add(failure);
        } else {
            leftOut++;
        }
    }

    void addAll(List<String> more) {
        more.forEach(this::add);
    }

    /// Checks the status of a call.
    ///
    /// @param what description of the call
    /// @param permitted permitted statuses
    void expect(String what, HostileSession.Answer answer, int... permitted) {
        for (int status : permitted) {
            if (answer.status() == status) {
                return;
            }
        }
        List<String> names = new ArrayList<>();
        for (int status : permitted) {
            names.add(CudaStatus.nameOf(status));
        }
        add("%s: status=%s, expected one of %s".formatted(what, answer.name(), names));
    }

    /// Checks that a call is refused, for any reason.
    void expectRefusal(String what, HostileSession.Answer answer) {
        if (answer.status() == CudaStatus.SUCCESS) {
            add(what + ": succeeded");
        }
    }

    void check(boolean condition, String failure) {
        if (!condition) {
            add(failure);
        }
    }

    List<String> failures() {
        List<String> all = new ArrayList<>(failures);
        if (leftOut > 0) {
            all.add("further failures=" + leftOut);
        }
        return all;
    }
}
