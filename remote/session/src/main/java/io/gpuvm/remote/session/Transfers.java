package io.gpuvm.remote.session;

import java.util.ArrayDeque;
import java.util.Deque;
import org.agrona.collections.Long2ObjectHashMap;

/// Calls of a session whose bytes have not been sent to the program's host, in the order of the
/// calls. Ended objects are used again.
final class Transfers {
    private final Deque<Transfer> order = new ArrayDeque<>();
    private final Deque<Transfer> free = new ArrayDeque<>();
    private final Deque<Transfer> unanswered = new ArrayDeque<>();
    private final Long2ObjectHashMap<Transfer> byCall = new Long2ObjectHashMap<>();

    /// Adds a call.
    ///
    /// @param call number, greater than that of all earlier calls
    /// @param silent whether the program expects no completion
    /// @param isUnanswered whether the backend writes no completion, either
    void add(long call, CudaTransfers transfers, boolean silent, boolean isUnanswered) {
        Transfer transfer = free.isEmpty() ? new Transfer() : free.removeLast();
        transfer.begin(call, transfers, silent, isUnanswered);
        order.addLast(transfer);
        if (isUnanswered) {
            unanswered.addLast(transfer);
        } else {
            byCall.put(call, transfer);
        }
    }

    /// Returns the oldest call without a completion; null if there is none.
    Transfer firstUnanswered() {
        return unanswered.peekFirst();
    }

    /// Returns a call with a completion; null if the call writes nothing, or has ended.
    Transfer get(long call) {
        return byCall.get(call);
    }

    /// Ends a call: any one with a completion, or the first without one.
    void end(Transfer transfer) {
        transfer.end();
        if (transfer.isUnanswered()) {
            unanswered.removeFirst();
        } else {
            byCall.remove(transfer.call());
        }
        while (!order.isEmpty() && order.peekFirst().isDone()) {
            free.addLast(order.removeFirst());
        }
    }

    /// Returns the number of calls with a completion that have not ended.
    int answered() {
        return byCall.size();
    }

    /// Returns the retired word that the program may see: it precedes all calls that have not
    /// ended.
    ///
    /// @param retired retired word of the backend
    long retired(long retired) {
        return order.isEmpty() ? retired : Math.min(retired, order.peekFirst().call());
    }
}
