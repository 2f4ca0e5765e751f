package io.gpuvm.daemon;

import io.gpuvm.sched.PolicyKind;
import io.gpuvm.sched.policy.TimeShare;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/// Reload of a backend's configuration: applies the differences between two versions, so that
/// virtual machines without a difference are not affected, nor those that attached by request, nor
/// values that requests have changed since.
///
/// The policy, weights and caps may differ, and virtual machines that may attach and detach. A
/// version with any other difference is refused as a whole. Used by one thread at a time.
final class ConfigReload {
    private final Supplier<BackendConfig> source;
    private final AttachRequests attachments;
    private final ServedVms served;
    private final SharedGpu shared;

    /// Virtual machines and policy of the last version, as far as they have been applied.
    private final Map<String, VmConfig> known = new LinkedHashMap<>();

    private PolicyKind policy;

    /// @param source reads the current version
    /// @param start version with which the backend has started
    ConfigReload(
            Supplier<BackendConfig> source,
            BackendConfig start,
            AttachRequests attachments,
            ServedVms served,
            SharedGpu shared) {
        this.source = source;
        this.attachments = attachments;
        this.served = served;
        this.shared = shared;
        this.policy = start.policy();
        start.vms().forEach(vm -> known.put(vm.name(), vm));
    }

    /// Reads the current version, and applies its differences from the last one.
    ///
    /// @return changes that were made, in their order; empty if there is no difference
    /// @throws ConfigException if the version is not valid, or has differences that cannot be
    ///   applied: nothing has changed; or if a virtual machine cannot attach: the changes before it
    ///   have been made, and the next reload tries again
    List<String> apply() {
        BackendConfig current = source.get();
        Map<String, VmConfig> wanted = new LinkedHashMap<>();
        current.vms().forEach(vm -> wanted.put(vm.name(), vm));
        check(wanted);
        List<String> changes = new ArrayList<>();
        for (VmConfig vm : List.copyOf(known.values())) {
            if (!wanted.containsKey(vm.name())) {
                attachments.detach(vm.name());
                known.remove(vm.name());
                changes.add("%s: detached".formatted(vm.name()));
            }
        }
        if (!current.policy().equals(policy)) {
            ChangeWait.ofOwner(shared.policy(current.policy()));
            policy = current.policy();
            changes.add("policy=" + PolicyOption.textOf(policy));
        }
        for (VmConfig vm : wanted.values()) {
            VmConfig before = known.get(vm.name());
            if (before == null) {
                attachments.attach(vm);
                changes.add("%s: attached".formatted(vm.name()));
            } else if (!vm.share().equals(before.share())) {
                share(vm, before, changes);
            }
            known.put(vm.name(), vm);
        }
        return changes;
    }

    private void check(Map<String, VmConfig> wanted) {
        for (VmConfig vm : wanted.values()) {
            VmConfig before = known.get(vm.name());
            if (before == null) {
                AttachRequests.checkFixed(vm);
            } else if (!vm.with(before.share()).equals(before)) {
                throw new ConfigException(
                        "--vm %s: only weight and cap can change; remove the virtual machine, reload, and add it again"
                                .formatted(vm.name()));
            }
        }
        for (VmConfig vm : known.values()) {
            if (!wanted.containsKey(vm.name())) {
                AttachRequests.checkFixed(vm);
            }
        }
    }

    /// Changes the values that differ between two versions. A virtual machine that has detached by
    /// request is not affected.
    private void share(VmConfig vm, VmConfig before, List<String> changes) {
        ServedVm present = served.find(vm.name());
        if (present == null) {
            return;
        }
        TimeShare now = vm.share();
        TimeShare former = before.share();
        if (now.capPercent() != former.capPercent()) {
            attachments.checkCaps(vm.name(), now);
        }
        ChangeWait.ofOwner(
                shared.share(
                        present.slot(),
                        share -> {
                            TimeShare weighted =
                                    now.weight() == former.weight()
                                            ? share
                                            : share.withWeight(now.weight());
                            return now.capPercent() == former.capPercent()
                                    ? weighted
                                    : weighted.withCap(now.capPercent());
                        }));
        if (now.weight() != former.weight()) {
            changes.add("%s: weight=%d".formatted(vm.name(), now.weight()));
        }
        if (now.capPercent() != former.capPercent()) {
            changes.add("%s: cap=%d".formatted(vm.name(), now.capPercent()));
        }
    }
}
