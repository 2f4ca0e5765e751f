package io.gpuvm.sched.policy;

import io.gpuvm.sched.SchedulingPolicy;
import io.gpuvm.sched.VmAccount;
import java.util.List;

/// First come, first served. Whoever submits long commands gets most of the GPU.
public final class FifoPolicy implements SchedulingPolicy {
    @Override
    public VmAccount next(List<VmAccount> accounts, long nowNs) {
        VmAccount first = null;
        for (int i = 0; i < accounts.size(); i++) {
            VmAccount account = accounts.get(i);
            boolean earlier =
                    !account.queue().isEmpty()
                            && (first == null
                                    || account.queue().headSequence()
                                            < first.queue().headSequence());
            if (earlier) {
                first = account;
            }
        }
        return first;
    }
}
