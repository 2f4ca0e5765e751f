package io.gpuvm.owner;

import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.RequestQueue;
import io.gpuvm.port.SharedStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One session of a virtual machine, as the owner sees it: its requests, its inbox, and the GPU
/// time of its channels. Confined to the owner's thread, except [#requests()].
final class AttachedSession {
    private static final Logger LOG = LoggerFactory.getLogger(AttachedSession.class);

    /// Number in the virtual machine, from 0.
    final int number;

    private final AttachedVm vm;
    private final RequestQueue requests;
    private final CompletionInbox inbox;
    private final LogLimit deaf = LogLimit.once();
    private long usedNs;

    /// True if the session has had work on the GPU since the last non-stall interrupt was
    /// delivered.
    boolean worked;

    AttachedSession(AttachedVm vm, int number, RequestQueue requests, CompletionInbox inbox) {
        this.vm = vm;
        this.number = number;
        this.requests = requests;
        this.inbox = inbox;
    }

    AttachedVm vm() {
        return vm;
    }

    RequestQueue requests() {
        return requests;
    }

    CompletionInbox inbox() {
        return inbox;
    }

    /// Returns the cells that the session reads without a request.
    SharedStatus status() {
        return requests.status();
    }

    /// Adds charged GPU time of the session's commands.
    void charge(long ns) {
        usedNs += ns;
    }

    /// Shows the session its charged GPU time.
    void showGpuTime() {
        status().showGpuTime(usedNs);
    }

    /// Wakes the session's thread after the owner has added a report to the inbox.
    ///
    /// @param accepted false if the inbox was full and dropped the report, which means that the
    ///   thread no longer polls: the inbox has room for all reports that can be pending
    void tell(boolean accepted) {
        if (!accepted && deaf.spend()) {
            LOG.error("{}: the virtual machine's thread no longer polls its inbox", vm.name());
        }
        wake();
    }

    /// Makes the session's thread check its inbox.
    void wake() {
        vm.wake();
    }
}
