package io.gpuvm.cuda.api.generate;

import io.gpuvm.cuda.api.table.ApiAttribute;
import io.gpuvm.cuda.api.table.ApiTable;

/// Generator of the Java constants of `CUdevice_attribute`.
final class JavaAttributes implements Generator {
    @Override
    public String generate(ApiTable table) {
        SourceText text = JavaSignatures.file();
        text.line("/// Values of CUdevice_attribute.");
        text.open("public final class CudaDeviceAttribute {");
        text.line("/// Number of values, and the largest value plus 1.");
        int count = table.attributes().getLast().value() + 1;
        text.format("public static final int COUNT = %d;", count).blank();
        for (ApiAttribute attribute : table.attributes()) {
            text.format("/// `%s`.", String.join("`, `", attribute.names()));
            text.format(
                    "public static final int %s = %d;",
                    attribute.name().replace("CU_DEVICE_ATTRIBUTE_", ""), attribute.value());
            text.blank();
        }
        text.line("private CudaDeviceAttribute() {}");
        return text.close("}").toString();
    }
}
