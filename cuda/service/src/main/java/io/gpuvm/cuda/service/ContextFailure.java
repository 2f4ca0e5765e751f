package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.KernelReport;
import io.gpuvm.ptx.assertion.FailedAssertion;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.KernelFault;
import java.util.List;

/// Failure of a context: the result of all later calls, and reports about the kernel. An
/// instruction's error is a failed assertion if the kernel has recorded one in the context's own
/// memory; a kernel that writes such a record itself changes its own context's result only.
///
/// @param result result of calls that use the context
/// @param reports reports for the client
record ContextFailure(CudaResult result, List<KernelReport> reports) {
    static ContextFailure of(GpuContext gpu, ChannelFailure failure) {
        List<FailedAssertion> assertions =
                failure.what() == ChannelFailure.Kind.INSTRUCTION
                        ? gpu.failedAssertions()
                        : List.of();
        if (assertions.isEmpty()) {
            return new ContextFailure(ResultMapping.of(failure), faultOf(gpu, failure));
        }
        return new ContextFailure(
                CudaResult.ASSERT, assertions.stream().map(ContextFailure::reportOf).toList());
    }

    private static List<KernelReport> faultOf(GpuContext gpu, ChannelFailure failure) {
        KernelFault fault = gpu.kernelFault();
        return fault == null
                ? List.of()
                : List.of(new KernelReport(KernelReport.Kind.FAULT, fault.text(failure.message())));
    }

    private static KernelReport reportOf(FailedAssertion failed) {
        return new KernelReport(KernelReport.Kind.ASSERTION, failed.toString());
    }
}
