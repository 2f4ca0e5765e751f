package io.gpuvm.cuda.compiler;

import java.util.Arrays;
import java.util.List;

/// Options of the compiler driver, with the names that `nvcc` gives them. Source: NVIDIA CUDA
/// Compiler Driver documentation, chapter Command Option Description.
public enum CcOption {
    OUTPUT(
            Form.VALUE,
            "FILE",
            "File for the result. Default: a.out, or the source's name with another suffix.",
            "-o",
            "--output-file"),
    COMPILE(Form.FLAG, "", "Compile each source to an object.", "-c", "--compile"),
    DEVICE_C(
            Form.FLAG,
            "",
            "Compile each source to an object with relocatable code for the GPU.",
            "-dc",
            "--device-c"),
    DEVICE_W(
            Form.FLAG,
            "",
            "Compile each source to an object with complete code for the GPU.",
            "-dw",
            "--device-w"),
    DEVICE_LINK(
            Form.FLAG,
            "",
            "Link the relocatable code for the GPU of all inputs to an object for the host's"
                    + " linker.",
            "-dlink",
            "--device-link"),
    LIB(Form.FLAG, "", "Make a static library of the objects.", "-lib", "--lib"),
    SHARED(Form.FLAG, "", "Make a shared library.", "-shared", "--shared"),
    PTX(Form.FLAG, "", "Compile the code for the GPU to PTX only.", "-ptx", "--ptx"),
    CUBIN(
            Form.FLAG,
            "",
            "Compile the code for the GPU, or a source in PTX, to a cubin only.",
            "-cubin",
            "--cubin"),
    FATBIN(
            Form.FLAG,
            "",
            "Compile the code for the GPU, or a source in PTX, to a fatbin only.",
            "-fatbin",
            "--fatbin"),
    PREPROCESS(Form.FLAG, "", "Preprocess each source for the host.", "-E", "--preprocess"),
    DEPENDENCIES(
            Form.FLAG,
            "",
            "Print a rule for make with the included files.",
            "-M",
            "--generate-dependencies"),
    OWN_DEPENDENCIES(
            Form.FLAG,
            "",
            "As -M, without headers of the system.",
            "-MM",
            "--generate-nonsystem-dependencies"),
    WITH_DEPENDENCIES(
            Form.FLAG,
            "",
            "Compile, and write a rule for make.",
            "-MD",
            "--generate-dependencies-with-compile"),
    WITH_OWN_DEPENDENCIES(
            Form.FLAG,
            "",
            "As -MD, without headers of the system.",
            "-MMD",
            "--generate-nonsystem-dependencies-with-compile"),
    PHONY_DEPENDENCIES(
            Form.FLAG, "", "A rule for each header, too.", "-MP", "--generate-dependency-targets"),
    DEPENDENCY_FILE(
            Form.VALUE, "FILE", "File for the rules of make.", "-MF", "--dependency-output"),
    DEPENDENCY_TARGET(
            Form.VALUE, "NAME", "Target of the rule for make.", "-MT", "--dependency-target-name"),
    OUTPUT_FOLDER(
            Form.VALUE,
            "FOLDER",
            "Folder for results whose name is not given. Default: this.",
            "-odir",
            "--output-directory"),
    INCLUDE_PATH(Form.JOINED, "FOLDER", "Folder of headers.", "-I", "--include-path"),
    SYSTEM_INCLUDE(
            Form.VALUE,
            "FOLDER",
            "Folder of the system's headers.",
            "-isystem",
            "--system-include"),
    PRE_INCLUDE(Form.VALUE, "FILE", "Header to include first.", "-include", "--pre-include"),
    DEFINE(Form.JOINED, "NAME[=TEXT]", "Macro to define.", "-D", "--define-macro"),
    UNDEFINE(Form.JOINED, "NAME", "Macro to undefine.", "-U", "--undefine-macro"),
    LIBRARY_PATH(Form.JOINED, "FOLDER", "Folder of libraries.", "-L", "--library-path"),
    LIBRARY(Form.JOINED, "NAME", "Library to link.", "-l", "--library"),
    STANDARD(Form.VALUE, "NAME", "Version of C++, for instance c++17.", "-std", "--std"),
    OPTIMIZE(
            Form.JOINED,
            "LEVEL",
            "Optimization of the host's code. Default: none.",
            "-O",
            "--optimize"),
    DEBUG(
            Form.FLAG,
            "",
            "Symbols for debuggers of the host, and lines of the GPU's code.",
            "-g",
            "--debug"),
    DEVICE_DEBUG(
            Form.FLAG,
            "",
            "No optimization of the GPU's code, and its lines.",
            "-G",
            "--device-debug"),
    LINES(Form.FLAG, "", "Lines of the GPU's code.", "-lineinfo", "--generate-line-info"),
    PROFILE(Form.FLAG, "", "Calls for gprof.", "-pg", "--profile"),
    MACHINE(Form.JOINED, "BITS", "Width of addresses: 64. Default: 64.", "-m", "--machine"),
    LANGUAGE(
            Form.VALUE,
            "LANGUAGE",
            "Language of the sources: cu, c or c++. Default: by the file's name.",
            "-x",
            "--x"),
    ARCHITECTURE(
            Form.VALUE,
            "GPU",
            "GPU whose language the sources use, for instance sm_35. Default: sm_20.",
            "-arch",
            "--gpu-architecture"),
    CODE(Form.VALUE, "GPU,...", "Accepted without effect.", "-code", "--gpu-code"),
    GENERATE(
            Form.VALUE,
            "arch=GPU,code=GPU",
            "GPU whose language the sources use; of several, the oldest.",
            "-gencode",
            "--generate-code"),
    RELOCATABLE(
            Form.VALUE,
            "true|false",
            "Whether functions and variables of the GPU may be defined in other sources. Default: false.",
            "-rdc",
            "--relocatable-device-code"),
    MAX_REGISTERS(
            Form.VALUE,
            "N",
            "Maximum number of registers of a thread, 16 to 63. Default: 63.",
            "-maxrregcount",
            "--maxrregcount"),
    FAST_MATH(
            Form.FLAG,
            "",
            "Fast, less precise functions on the GPU.",
            "-use_fast_math",
            "--use_fast_math"),
    FLUSH(
            Form.VALUE,
            "true|false",
            "Whether denormal floats are zero. Default: false.",
            "-ftz",
            "--ftz"),
    PRECISE_DIVISION(
            Form.VALUE,
            "true|false",
            "Whether float divisions are exact. Default: true.",
            "-prec-div",
            "--prec-div"),
    PRECISE_ROOT(
            Form.VALUE,
            "true|false",
            "Whether float square roots are exact. Default: true.",
            "-prec-sqrt",
            "--prec-sqrt"),
    FUSE(
            Form.VALUE,
            "true|false",
            "Whether multiplications and additions are fused. Default: true.",
            "-fmad",
            "--fmad"),
    TO_COMPILER(
            Form.VALUE,
            "OPTION,...",
            "Options for the host's compiler.",
            "-Xcompiler",
            "--compiler-options"),
    TO_LINKER(
            Form.VALUE,
            "OPTION,...",
            "Options for the host's linker.",
            "-Xlinker",
            "--linker-options"),
    TO_PTXAS(Form.VALUE, "OPTION,...", "Options of 'gpuvm ptxas'.", "-Xptxas", "--ptxas-options"),
    TO_ARCHIVER(
            Form.VALUE, "OPTION,...", "Accepted without effect.", "-Xarchive", "--archive-options"),
    TO_DEVICE_LINKER(
            Form.VALUE, "OPTION,...", "Accepted without effect.", "-Xnvlink", "--nvlink-options"),
    TO_FATBINARY(
            Form.VALUE, "OPTION,...", "Accepted without effect.", "-Xfatbin", "--fatbin-options"),
    TO_FRONT_END(Form.VALUE, "OPTION", "Accepted without effect.", "-Xcudafe", "--cudafe-options"),
    HOST_COMPILER(
            Form.VALUE,
            "PATH",
            "Accepted without effect: clang compiles the host's code, too.",
            "-ccbin",
            "--compiler-bindir"),
    RUNTIME(
            Form.VALUE,
            "none|shared|static",
            "Runtime library; 'static' has the effect of 'shared', which is the default.",
            "-cudart",
            "--cudart"),
    DEFAULT_STREAM(
            Form.VALUE,
            "legacy|null|per-thread",
            "Stream of launches and calls without one. Default: legacy.",
            "-default-stream",
            "--default-stream"),
    THREADS(Form.JOINED, "N", "Accepted without effect.", "-t", "--threads"),
    WARNINGS_AS_ERRORS(
            Form.VALUE,
            "KIND,...",
            "Warnings that are errors: all-warnings.",
            "-Werror",
            "--Werror"),
    NO_WARNINGS(Form.FLAG, "", "No warnings.", "-w", "--disable-warnings"),
    SUPPRESS(
            Form.VALUE,
            "NUMBER,...",
            "Accepted without effect.",
            "-diag-suppress",
            "--diag-suppress"),
    RESOURCES(
            Form.FLAG,
            "",
            "Print the registers and memory of each kernel.",
            "-res-usage",
            "--resource-usage"),
    RELAXED_CONSTEXPR(
            Form.FLAG,
            "",
            "Accepted: always the case.",
            "-expt-relaxed-constexpr",
            "--expt-relaxed-constexpr"),
    EXTENDED_LAMBDA(
            Form.FLAG,
            "",
            "Accepted: always the case.",
            "-extended-lambda",
            "--extended-lambda",
            "-expt-extended-lambda",
            "--expt-extended-lambda"),
    ANY_COMPILER(
            Form.FLAG,
            "",
            "Accepted without effect.",
            "-allow-unsupported-compiler",
            "--allow-unsupported-compiler"),
    FORWARD(
            Form.FLAG,
            "",
            "Unknown options are for the host's compiler.",
            "-forward-unknown-to-host-compiler",
            "--forward-unknown-to-host-compiler",
            "-forward-unknown-opts",
            "--forward-unknown-opts"),
    OPTIONS_FILE(Form.VALUE, "FILE", "File with more options.", "-optf", "--options-file"),
    KEEP(
            Form.FLAG,
            "",
            "Keep the intermediate files.",
            "-keep",
            "--keep",
            "-save-temps",
            "--save-temps"),
    KEEP_FOLDER(
            Form.VALUE,
            "FOLDER",
            "Folder of kept files. Default: this.",
            "-keep-dir",
            "--keep-dir"),
    DRY_RUN(Form.FLAG, "", "Print the steps, and do nothing.", "-dryrun", "--dryrun"),
    VERBOSE(Form.FLAG, "", "Print the steps.", "-v", "--verbose"),
    VERSION(Form.FLAG, "", "Versions of the driver and of clang.", "-V", "--version"),
    CLANG(
            Form.VALUE,
            "PATH",
            "clang, 16 or newer. Default: $GPUVM_CLANG, else the first on $PATH, else that of"
                    + " tests/clang/setup.",
            "--clang");

    /// Forms of options.
    public enum Form {
        /// Option without a value.
        FLAG,
        /// Option with a value in the next word, or after an equals sign.
        VALUE,
        /// Option with a value in the next word, or directly after its short name.
        JOINED
    }

    private final Form form;
    private final String label;
    private final String description;
    private final List<String> names;

    CcOption(Form form, String label, String description, String... names) {
        this.form = form;
        this.label = label;
        this.description = description;
        this.names = List.of(names);
    }

    /// Returns the option with a name, or null if there is none.
    static CcOption named(String name) {
        return Arrays.stream(values())
                .filter(option -> option.names.contains(name))
                .findFirst()
                .orElse(null);
    }

    public Form form() {
        return form;
    }

    /// Returns the placeholder of the value in help texts; empty for flags.
    public String label() {
        return label;
    }

    /// Returns the description in help texts.
    public String description() {
        return description;
    }

    /// Returns the names, including dashes.
    public List<String> names() {
        return names;
    }
}
