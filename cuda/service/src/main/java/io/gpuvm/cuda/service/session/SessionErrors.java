package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.KernelReport;
import io.gpuvm.cuda.service.CudaResult;
import io.gpuvm.cuda.service.ExecutorErrors;

/// Errors of a session's calls: reports failed calls without reply to the client, refusals to the
/// log, and failed kernels to both. Confined to the poller.
final class SessionErrors implements ExecutorErrors {
    /// Opcode or number of a call that is not known.
    private static final int UNKNOWN = 0;

    private final String vm;
    private final RefusalLog log;
    private final CallCompletions completions;
    private final PendingReports reports = new PendingReports();
    private int opcode;
    private long number;

    /// @param vm name of the virtual machine
    SessionErrors(String vm, RefusalLog log, CallCompletions completions) {
        this.vm = vm;
        this.log = log;
        this.completions = completions;
    }

    /// Sets the call to which refusals refer.
    void begin(int opcodeOfCall, long numberOfCall) {
        opcode = opcodeOfCall;
        number = numberOfCall;
    }

    /// Ends the call to which refusals refer.
    void end() {
        begin(UNKNOWN, UNKNOWN);
    }

    /// Logs the refusal of the current call.
    void refused(int status, String message) {
        log.refused(vm, opcode, number, status, message);
    }

    @Override
    public void onRefused(CudaResult result, String message) {
        refused(result.code(), message);
    }

    @Override
    public void onFailedLater(long call, CudaResult result, String message) {
        completions.failed(call, result.code());
        log.refused(vm, UNKNOWN, call, result.code(), message);
    }

    @Override
    public void onReport(KernelReport report) {
        log.reported(vm, report.text());
        reports.add(report);
    }

    /// Returns the reports that the client has not taken.
    PendingReports reports() {
        return reports;
    }
}
