package io.gpuvm.cuda.compiler;

import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.gf100.cubin.Fatbin;
import io.gpuvm.gf100.cubin.ModuleContent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Code for the GPU in objects of the host that the device link completes. Confined to one thread.
///
/// An object of a source that clang has compiled with `-fgpu-rdc` has the fatbin of the source in
/// the section `__nv_relfatbin`, and calls a function `__cudaRegisterLinkedBinary...`, which only
/// the device link can define, to register its kernels and variables.
final class RelocatableCode {
    private static final String SECTION = "__nv_relfatbin";
    private static final String REGISTRATION = "__cudaRegisterLinkedBinary";

    /// Source of the linker.
    ///
    /// @param name name in messages
    /// @param file PTX or a cubin
    record Part(String name, byte[] file) {}

    private final List<Part> parts = new ArrayList<>();
    private final List<String> registrations = new ArrayList<>();

    /// Adds an object or a static library; a file without such code has no effect.
    ///
    /// @param name name in messages
    void add(String name, byte[] file) {
        if (Archive.isArchive(file)) {
            Archive.members(name, file).forEach(member -> addObject(name, member));
        } else {
            addObject(name, file);
        }
    }

    private void addObject(String name, byte[] file) {
        HostElf.of(file).ifPresent(elf -> addElf(name, elf));
    }

    private void addElf(String name, HostElf elf) {
        try {
            for (byte[] fatbin : Fatbin.split(elf.section(SECTION))) {
                String partName =
                        parts.isEmpty() || parts.stream().noneMatch(part -> part.name.equals(name))
                                ? name
                                : "%s (%d)".formatted(name, parts.size());
                parts.add(new Part(partName, code(fatbin)));
            }
        } catch (CubinException e) {
            throw CcException.failure("%s: %s".formatted(name, e.getMessage()));
        }
        elf.undefinedNames().stream()
                .filter(each -> each.startsWith(REGISTRATION))
                .filter(each -> !registrations.contains(each))
                .forEach(registrations::add);
    }

    private static byte[] code(byte[] fatbin) {
        return switch (ModuleContent.of(fatbin)) {
            case ModuleContent.Code code -> code.elf();
            case ModuleContent.Ptx ptx -> ptx.text().getBytes(StandardCharsets.UTF_8);
        };
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }

    /// Returns the C source of an object that registers the linked code when the first of the
    /// objects registers its kernels.
    ///
    /// @param fatbin path of the linked code, for the assembler
    String registration(String fatbin) {
        StringBuilder source = new StringBuilder(REGISTRATION_HEAD.formatted(escaped(fatbin)));
        for (String name : registrations) {
            source.append(REGISTRATION_FUNCTION.formatted(name));
        }
        return source.toString();
    }

    private static String escaped(String path) {
        return path.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /// Version and magic of the structure are those that clang's own registration writes
    /// (`CGCUDANV.cpp`).
    private static final String REGISTRATION_HEAD =
            """
            extern void **__cudaRegisterFatBinary(void *);
            extern void __cudaUnregisterFatBinary(void **);
            extern int atexit(void (*)(void));
            __asm__(".section .nv_fatbin,\\"a\\"\\n"
                    ".balign 8\\n"
                    "gpuvm_linked_code:\\n"
                    ".incbin \\"%s\\"\\n"
                    ".previous\\n");
            extern const char gpuvm_linked_code[] __attribute__((visibility("hidden")));
            static const struct { int magic, version; const void *code; void *unused; } gpuvm_linked
                __attribute__((section(".nvFatBinSegment"), aligned(8))) =
                {0x466243b1, 1, gpuvm_linked_code, 0};
            static void **gpuvm_linked_handle;
            static void gpuvm_linked_end(void) { __cudaUnregisterFatBinary(gpuvm_linked_handle); }
            static void gpuvm_register(void (*kernels)(void **)) {
              if (!gpuvm_linked_handle) {
                gpuvm_linked_handle = __cudaRegisterFatBinary((void *)&gpuvm_linked);
                atexit(gpuvm_linked_end);
              }
              kernels(gpuvm_linked_handle);
            }
            """;

    private static final String REGISTRATION_FUNCTION =
            """
            void %s(void (*kernels)(void **), void *code, void *unit, void *unused) {
              (void)code, (void)unit, (void)unused;
              gpuvm_register(kernels);
            }
            """;
}
