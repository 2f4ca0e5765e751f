package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.Falcon;
import io.gpuvm.gf100.reg.Pcopy;

/// The register side of a copy engine: a falcon that takes nouveau's program, and shows what the
/// program would say of a method that it refuses.
///
/// The copies themselves are the business of whoever executes the channel's methods.
///
/// Behaviour: nouveau `nvkm/engine/ce/{gt215,gf100}.c`, `fuc/com.fuc`.
public final class CopyFalconUnit implements Unit {
    /// What the program reports.
    public interface Errors {
        /// Pending interrupts.
        int interrupts();

        /// Clears interrupts.
        void acknowledge(int bits);

        /// Code and method of the error.
        int error();

        /// Data of the refused method.
        int data();

        /// Instance block of the channel, in 4 KiB pages.
        int instance();
    }

    /// The program routes these interrupts to the host, the first thing that it does.
    private static final int ROUTING = Falcon.INTR_ROUTING_HOST.of(Falcon.INTR_ROUTING_OF_PROGRAMS);

    private final Falcon registers;
    private final Errors errors;
    private final FalconUnit falcon;
    private int routing;

    private CopyFalconUnit(Falcon registers, Errors errors) {
        this.registers = registers;
        this.errors = errors;
        this.falcon = new FalconUnit(registers, Pcopy.CODE_PAGES, Pcopy.DATA_PAGES, this::start);
    }

    /// Copy engine 0.
    public static CopyFalconUnit pcopy0(Errors errors) {
        return new CopyFalconUnit(Pcopy.FALCON_0, errors);
    }

    /// Copy engine 1.
    public static CopyFalconUnit pcopy1(Errors errors) {
        return new CopyFalconUnit(Pcopy.FALCON_1, errors);
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.unit(falcon)
                .onRead(registers.intr(), errors::interrupts)
                .onWrite(registers.intrAck(), errors::acknowledge)
                .on(registers.intrRouting(), () -> routing, value -> routing = value)
                .onRead(registers.scratch0(), errors::error)
                .onRead(registers.scratch1(), errors::data)
                .onRead(registers.channelCur(), errors::instance);
    }

    @Override
    public void reset() {
        falcon.reset();
        routing = 0;
    }

    private void start() {
        routing = ROUTING;
    }
}
