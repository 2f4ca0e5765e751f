package io.gpuvm.ptx;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.build.FunctionResources;
import java.util.ArrayList;
import java.util.List;

/// Report of the resources of a compiled module, in the terms of NVIDIA's `ptxas -v`: `gmem` is
/// global memory, `smem` shared memory, `lmem` local memory, `cmem[N]` constant bank N.
public final class PtxReport {
    private PtxReport() {}

    /// Returns the lines of the report.
    ///
    /// @param result result with a module
    /// @param gpu name of the GPU, for instance `sm_20`
    public static List<String> of(PtxResult result, String gpu) {
        List<String> lines = new ArrayList<>();
        Cubin cubin = result.cubin();
        StringBuilder module = new StringBuilder("info: ");
        module.append(cubin.globalBytes() + cubin.globalInit().byteSize()).append(" bytes gmem");
        for (ConstantSection bank : cubin.constants()) {
            module.append(
                    ", %d bytes cmem[%d]".formatted(bank.contents().byteSize(), bank.index()));
        }
        lines.add(module.toString());
        for (FunctionResources each : result.functions()) {
            lines.add(
                    "info: %s %s for %s"
                            .formatted(each.kernel() ? "kernel" : "function", each.name(), gpu));
            lines.add(
                    "    %d bytes stack frame, %d bytes spill stores, %d bytes spill loads"
                            .formatted(
                                    each.frameBytes(),
                                    each.spillStoreBytes(),
                                    each.spillLoadBytes()));
            lines.add(
                    "    Used %d registers, %d bytes smem, %d bytes lmem, %d bytes cmem[0]"
                            .formatted(
                                    each.registers(),
                                    each.sharedBytes(),
                                    each.localBytes(),
                                    each.constantBytes()));
        }
        return lines;
    }
}
