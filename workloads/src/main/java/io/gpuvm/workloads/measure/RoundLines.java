package io.gpuvm.workloads.measure;

import java.io.PrintWriter;

/// Listener that prints a line at the start of each round. Confined to one thread.
public final class RoundLines implements Progress {
    private final PrintWriter out;
    private final MeasurementPlan plan;
    private int round = Integer.MIN_VALUE;

    public RoundLines(PrintWriter out, MeasurementPlan plan) {
        this.out = out;
        this.plan = plan;
    }

    @Override
    public void before(int newRound, Task task, String configuration) {
        if (newRound == round) {
            return;
        }
        round = newRound;
        if (round < 0) {
            out.printf("warm-up %d of %d%n", round + plan.warmups() + 1, plan.warmups());
        } else {
            out.printf("round %d of %d%n", round + 1, plan.rounds());
        }
        out.flush();
    }
}
