package io.gpuvm.owner;

import java.util.ArrayList;
import java.util.List;

/// Requests of one virtual machine, within its allowance. Its sessions take turns: a turn of the
/// virtual machine begins with the session after the last one that the previous turn served.
/// Confined to the owner's thread.
final class RequestTurns {
    private final AttachedVm vm;
    private final RequestDispatcher.Tools tools;
    private final RequestAllowance allowance;
    private final List<RequestDispatcher> sessions = new ArrayList<>();
    private int next;

    /// @param vm virtual machine with its first session
    RequestTurns(AttachedVm vm, RequestDispatcher.Tools tools) {
        this.vm = vm;
        this.tools = tools;
        allowance = new RequestAllowance(vm.requestsPerSecond(), tools.clock().readNs());
        vm.sessions().forEach(this::add);
    }

    /// Returns whether these are the requests of a virtual machine.
    boolean areOf(AttachedVm one) {
        return vm == one;
    }

    /// Adds a session.
    void add(AttachedSession session) {
        sessions.add(new RequestDispatcher(session, tools, allowance));
    }

    /// Executes requests, within the allowance of the virtual machine.
    ///
    /// @return number of requests
    int doWork() {
        int limit = allowance.at(tools.clock().nowNs());
        int left = limit;
        int count = sessions.size();
        int first = next;
        for (int i = 0; i < count && left > 0; i++) {
            int at = (first + i) % count;
            int done = sessions.get(at).doWork(left);
            if (done > 0) {
                left -= done;
                next = (at + 1) % count;
            }
        }
        allowance.spend(limit - left);
        return limit - left;
    }

    /// Returns whether requests wait.
    boolean hasRequests() {
        for (int i = 0; i < sessions.size(); i++) {
            if (sessions.get(i).hasRequests()) {
                return true;
            }
        }
        return false;
    }
}
