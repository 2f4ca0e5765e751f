package io.gpuvm.ptx.run;

import io.gpuvm.ptx.check.FormSamples;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Modules whose kernels execute instructions of all forms of the table of instructions. Before
/// each instruction, a thread loads the registers that the instruction names from its own operands;
/// after it, the thread stores these registers and the memory that the instruction may have
/// changed.
final class FormKernels {
    /// Number of threads of a block: a warp.
    static final int THREADS = 32;

    /// Operands of a thread: this number of 64-bit numbers for each kind of register.
    static final int OPERANDS = 8;

    /// Kinds of registers, in the order of their operands.
    static final List<String> KINDS = List.of("b64", "b32", "b16", "b8", "pred");

    /// Results of a thread for one instruction, of 64 bits each.
    static final int RESULTS = 12;

    /// Texture of the modules, of floats.
    static final String TEXTURE = "image";

    /// Bytes of memory of a thread for instructions that access memory.
    static final int MEMORY_BYTES = 32;

    private static final Pattern REGISTER = Pattern.compile("%(pred|b8|b16|b32|b64)_(\\d)");
    private static final int SAMPLES_OF_KERNEL = 16;
    private static final int KERNELS_OF_MODULE = 32;

    /// Operations whose results depend on the machine, or that need a special program.
    private static final Pattern EXCLUDED =
            Pattern.compile(
                    "(tld4|txq|suld|sust|sured|suq|bra|brx|ret|exit|trap|brkpt|pmevent|cvta"
                            + "|tex\\.(?!1d\\.v4\\.\\w+\\.s32).*|isspacep|bar|barrier|prefetch|prefetchu|activemask)\\b(?!\\.warp).*");

    private FormKernels() {}

    /// Module with kernels `k0`, `k1` and so on.
    ///
    /// @param samples instructions of each kernel
    record Module(String source, List<List<String>> samples) {}

    /// Returns modules with instructions.
    ///
    /// @param guarded whether each instruction also occurs with a guard
    /// @param step 1 for all instructions, 2 for every other instruction, and so on
    static List<Module> all(boolean guarded, int step) {
        List<String> all =
                FormSamples.all().stream()
                        .filter(sample -> !EXCLUDED.matcher(sample).matches())
                        .map(FormKernels::adapted)
                        .flatMap(sample -> guarded ? withGuard(sample) : Stream.of(sample))
                        .distinct()
                        .toList();
        List<String> samples =
                IntStream.iterate(0, i -> i < all.size(), i -> i + step)
                        .mapToObj(all::get)
                        .toList();
        List<List<String>> kernels = parts(samples, SAMPLES_OF_KERNEL);
        return parts(kernels, KERNELS_OF_MODULE).stream()
                .map(some -> new Module(source(some), some))
                .toList();
    }

    /// Returns a sample without and with a guard. Threads that a guard excludes must not be sources
    /// or members of operations on a warp.
    private static Stream<String> withGuard(String sample) {
        return sample.matches("shfl.*|\\w+\\.sync.*|bar\\.warp.*")
                ? Stream.of(sample)
                : Stream.of(sample, "@%pred_7 " + sample);
    }

    private static <T> List<List<T>> parts(List<T> all, int most) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += most) {
            parts.add(all.subList(from, Math.min(all.size(), from + most)));
        }
        return parts;
    }

    /// Returns a sample whose threads access their own memory, and of whose threads all are
    /// members.
    private static String adapted(String sample) {
        String adapted =
                sample.replace("[global+16]", "[%memory]")
                        .replace("[%b64_7]", "[%memory]")
                        .replace("[shared+16]", "[%shared]")
                        .replace("global+16", "%memory");
        boolean hasMembers = sample.matches("(vote|shfl)\\.sync.*|bar\\.warp.*");
        return hasMembers ? adapted.replaceFirst("%b32_\\d;", "-1;") : adapted;
    }

    private static String source(List<List<String>> kernels) {
        StringBuilder source =
                new StringBuilder(
                        """
                        .version 8.5
                        .target sm_90
                        .address_size 64
                        .const .align 16 .b8 constant[64] = {200, 1, 2, 3, 4, 250, 6, 7, 8, 9};
                        .shared .align 16 .b8 shared[%d];
                        .global .texref %s;
                        """
                                .formatted(THREADS * MEMORY_BYTES, TEXTURE));
        for (int i = 0; i < kernels.size(); i++) {
            source.append(kernel("k" + i, kernels.get(i)));
        }
        return source.toString();
    }

    private static String kernel(String name, List<String> samples) {
        String registers =
                KINDS.stream()
                        .map(kind -> "  .reg .%s %%%s_<8>;\n".formatted(kind, kind))
                        .collect(Collectors.joining());
        StringBuilder kernel =
                new StringBuilder(
                        """
                        .visible .entry %s(.param .u64 in, .param .u64 out, .param .u64 memory)
                        {
                        %s  .reg .b64 %%in, %%out, %%memory, %%shared, %%o, %%t;
                          .reg .b32 %%i, %%w;
                          .local .align 16 .b8 local[64];
                          .param .align 16 .b8 parameter[64];
                          mov.u32 %%i, %%tid.x;
                          ld.param.u64 %%in, [in];
                          ld.param.u64 %%out, [out];
                          ld.param.u64 %%memory, [memory];
                          mul.wide.u32 %%o, %%i, %d;
                          add.u64 %%in, %%in, %%o;
                          mul.wide.u32 %%o, %%i, %d;
                          add.u64 %%out, %%out, %%o;
                          mul.wide.u32 %%o, %%i, %d;
                          add.u64 %%memory, %%memory, %%o;
                          add.cc.u32 %%w, 0, 0;
                          mov.u64 %%shared, shared;
                          add.u64 %%shared, %%shared, %%o;
                        """
                                .formatted(
                                        name,
                                        registers,
                                        KINDS.size() * OPERANDS * Long.BYTES,
                                        SAMPLES_OF_KERNEL * RESULTS * Long.BYTES,
                                        MEMORY_BYTES));
        for (int i = 0; i < samples.size(); i++) {
            kernel.append(block(samples.get(i), i));
        }
        return kernel.append("  ret;\n}\n").toString();
    }

    /// Returns the offset of a thread's results for an instruction in bytes.
    static int resultOffset(int thread, int sample) {
        return (thread * SAMPLES_OF_KERNEL + sample) * RESULTS * Long.BYTES;
    }

    /// Returns the bytes of the results of a kernel.
    static int resultBytes() {
        return resultOffset(THREADS, 0);
    }

    /// Returns the registers that an instruction names, such as `b32_1`.
    static Set<String> registers(String sample) {
        Set<String> found = new LinkedHashSet<>();
        Matcher matcher = REGISTER.matcher(sample);
        while (matcher.find()) {
            found.add(matcher.group().substring(1));
        }
        return found;
    }

    private static String block(String guarded, int index) {
        String sample = guarded.substring(guarded.startsWith("@") ? guarded.indexOf(' ') + 1 : 0);
        StringBuilder block = new StringBuilder("  // " + guarded + "\n");
        for (String register : registers(guarded)) {
            block.append(load(register));
        }
        if (sample.matches("(div|rem)\\.[us]\\d+ .*")) {
            String divisor = sample.substring(sample.lastIndexOf('%'), sample.indexOf(';'));
            String type = divisor.substring(1, divisor.indexOf('_'));
            block.append("  or.%s %s, %s, 1;\n".formatted(type, divisor, divisor));
        }
        block.append(memory("local", "st"));
        block.append(memory("param", "st"));
        block.append(memory("global", "st")).append(memory("shared", "st"));
        block.append("  ").append(guarded).append('\n');
        int slot = 0;
        for (String register : registers(guarded)) {
            block.append(store(register, place(index, slot++)));
        }
        if (sample.matches("(st|atom|red)\\b.*")) {
            for (String space : List.of("local", "param", "global", "shared")) {
                block.append("  ld.%s.u64 %%t, [%s];\n".formatted(space, address(space)));
                block.append("  st.global.u64 [%%out+%d], %%t;\n".formatted(place(index, slot++)));
            }
        }
        return block.toString();
    }

    private static int place(int index, int slot) {
        if (slot >= RESULTS) {
            throw new IllegalStateException("results=" + (slot + 1) + ", limit=" + RESULTS);
        }
        return resultOffset(0, index) + slot * Long.BYTES;
    }

    private static String address(String space) {
        return switch (space) {
            case "local" -> "local";
            case "param" -> "parameter";
            case "global" -> "%memory";
            default -> "%shared";
        };
    }

    /// Returns instructions that give memory known contents.
    private static String memory(String space, String access) {
        String at = address(space);
        return ("  ld.global.u64 %%t, [%%in+8]; %s.%s.u64 [%s], %%t;"
                        + " ld.global.u64 %%t, [%%in+16]; %s.%s.u64 [%s+8], %%t;\n")
                .formatted(access, space, at, access, space, at);
    }

    private static int operandOffset(String register) {
        int mark = register.indexOf('_');
        int kind = KINDS.indexOf(register.substring(0, mark));
        return (kind * OPERANDS + Integer.parseInt(register.substring(mark + 1))) * Long.BYTES;
    }

    private static String load(String register) {
        int at = operandOffset(register);
        if (register.startsWith("pred")) {
            return "  ld.global.u32 %%w, [%%in+%d]; setp.ne.u32 %%%s, %%w, 0;\n"
                    .formatted(at, register);
        }
        String type = register.substring(0, register.indexOf('_'));
        return "  ld.global.%s %%%s, [%%in+%d];\n".formatted(type, register, at);
    }

    private static String store(String register, int at) {
        if (register.startsWith("pred")) {
            return "  selp.u32 %%w, 1, 0, %%%s; st.global.u32 [%%out+%d], %%w;\n"
                    .formatted(register, at);
        }
        String type = register.substring(0, register.indexOf('_'));
        return "  st.global.%s [%%out+%d], %%%s;\n".formatted(type, at, register);
    }
}
