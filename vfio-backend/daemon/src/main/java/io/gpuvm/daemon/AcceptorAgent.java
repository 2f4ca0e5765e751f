package io.gpuvm.daemon;

import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.pv.host.FunctionAcceptor;

/// Agent that delivers the interrupts of a paravirtual guest's PCI function, on the thread that
/// serves the function's socket.
record AcceptorAgent(FunctionAcceptor acceptor) implements ParkingAgent {
    @Override
    public int doWork() {
        return acceptor.deliver();
    }

    @Override
    public boolean mayPark() {
        return acceptor.deliver() == 0;
    }

    @Override
    public String roleName() {
        return "interrupts";
    }
}
