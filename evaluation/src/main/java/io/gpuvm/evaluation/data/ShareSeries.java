package io.gpuvm.evaluation.data;

import java.util.List;

/// A guest's share of the GPU's time under a policy, in successive intervals.
///
/// @param policy name of the policy: `fifo`, `credit`, `band` or `fair`
/// @param guest name of the guest
/// @param lengthUs GPU time of the guest's commands, in microseconds
/// @param entitlement share to which the guest is entitled, 0 to 1
/// @param windowMs length of an interval, in milliseconds
/// @param values shares of the used GPU time, 0 to 1, by interval
public record ShareSeries(
        String policy,
        String guest,
        long lengthUs,
        double entitlement,
        int windowMs,
        List<Double> values) {
    public ShareSeries {
        values = List.copyOf(values);
    }
}
