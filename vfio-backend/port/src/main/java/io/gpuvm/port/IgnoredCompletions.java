package io.gpuvm.port;

/// Handler that ignores the reports of the GPU's owner: for a virtual machine that no longer needs
/// them, or as the base of a handler that needs few of them.
public class IgnoredCompletions implements CompletionInbox.Handler {
    @Override
    public void onFlushed() {}

    @Override
    public void onPreempted(int channel) {}

    @Override
    public void onRunlistLoaded() {}

    @Override
    public void onNonStall(int engine) {}

    @Override
    public void onMmuFault(int unit, int channel, long gpuVa, int statusWord) {}

    @Override
    public void onPbdma(int pbdma, int channel, int interrupts, int method, int data) {}

    @Override
    public void onMpTrap(int gpc, int tpc, int warpError, int globalError) {}

    @Override
    public void onGraphTrap(
            int channel, int interrupts, int address, int data, int code, int classId) {}

    @Override
    public void onCopyTrap(int engine, int channel, int interrupts, int error, int data) {}

    @Override
    public void onHung(int engine, int channel) {}
}
