package io.gpuvm.evaluation;

/// Starter of virtual machines.
final class VirtualMachines implements EvaluationRun.MachineStarter {
    @Override
    public MeasuredGuest start(AccessConfiguration configuration) {
        throw new GuestLostException("no virtual machines on this host");
    }

    @Override
    public GuestGroup startGroup(AccessConfiguration configuration, int guests) {
        throw new GuestLostException("no virtual machines on this host");
    }
}
