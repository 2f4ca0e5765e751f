package io.gpuvm.cuda.compiler;

import io.gpuvm.gf100.cubin.FatbinWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One call of the compiler driver. Confined to one thread.
///
/// ```text
///   .cu -clang-> .ptx -PTX compiler-> .cubin -> .fatbin
///   .cu, .fatbin -clang-> .o -linker-> program
/// ```
public final class CcDriver {
    private static final List<String> DEFAULT_STREAMS =
            List.of("legacy", "null", ClangCommands.PER_THREAD);
    private static final String VERSION_OF_CUDA = "release 12.4, V12.4.0";

    private final Toolkit toolkit;
    private final Path cache;
    private final Path temporary;
    private final Map<String, String> environment;
    private final PrintWriter out;
    private final PrintWriter err;

    private CcArguments arguments;
    private Architecture gpu;
    private Phase phase;
    private ClangCommands clang;
    private Steps steps;
    private PtxAssembly assembly;

    /// Input file.
    private record Source(Path path, SourceKind kind) {}

    /// @param cache cache folder of `tests/clang/setup`
    /// @param temporary empty folder for intermediate files
    /// @param environment variables of this process
    public CcDriver(
            Toolkit toolkit,
            Path cache,
            Path temporary,
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err) {
        this.toolkit = toolkit;
        this.cache = cache;
        this.temporary = temporary;
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /// Runs the driver.
    ///
    /// @param words words of the command line after the command's name
    /// @throws CcException if a step fails
    public void run(List<String> words) {
        try {
            runSteps(words);
        } catch (IOException e) {
            throw CcException.failure("%s: %s".formatted(reason(e), e.getMessage()));
        }
    }

    private static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "no such file" : e.getClass().getSimpleName();
    }

    private void runSteps(List<String> words) throws IOException {
        arguments = CcParser.parse(words);
        Clang found = Clang.find(arguments.last(CcOption.CLANG, ""), environment, cache);
        if (arguments.has(CcOption.VERSION)) {
            out.printf("gpuvm cc: CUDA compiler driver, with clang %s%n", found.version());
            out.printf("CUDA language, %s%n", VERSION_OF_CUDA);
            out.flush();
            return;
        }
        check();
        phase = Phase.of(arguments);
        gpu = Architecture.oldest(arguments.architectures());
        clang = new ClangCommands(found, toolkit, arguments, gpu);
        steps =
                new Steps(
                        err,
                        arguments.has(CcOption.DRY_RUN) || arguments.has(CcOption.VERBOSE),
                        !arguments.has(CcOption.DRY_RUN));
        assembly = new PtxAssembly(arguments, err);
        List<Source> sources = sources();
        if (phase.isOfOneSource()) {
            if (sources.size() > 1 && arguments.has(CcOption.OUTPUT)) {
                throw CcException.usage(
                        "-o with inputs=%d, expected one input".formatted(sources.size()));
            }
            for (Source source : sources) {
                makeOne(source);
            }
        } else {
            link(sources);
        }
    }

    private void check() {
        String bits = arguments.last(CcOption.MACHINE, "64");
        if (!bits.equals("64")) {
            throw CcException.usage("-m%s, expected -m64".formatted(bits));
        }
        String stream = arguments.last(CcOption.DEFAULT_STREAM, DEFAULT_STREAMS.getFirst());
        if (!DEFAULT_STREAMS.contains(stream)) {
            throw CcException.usage(
                    "-default-stream %s, expected one of %s"
                            .formatted(stream, String.join(", ", DEFAULT_STREAMS)));
        }
        if (arguments.inputs().isEmpty()) {
            throw CcException.usage("no input files");
        }
    }

    private List<Source> sources() {
        List<Source> sources = new ArrayList<>();
        for (String input : arguments.inputs()) {
            Path path = Path.of(input);
            SourceKind kind = SourceKind.of(input, arguments.last(CcOption.LANGUAGE, ""));
            if (steps.runs() && !Files.exists(path)) {
                throw CcException.usage(input + ": no such file");
            }
            sources.add(new Source(path, kind));
        }
        return sources;
    }

    /// Makes the result of one source.
    private void makeOne(Source source) throws IOException {
        Path result = result(source);
        switch (phase) {
            case OBJECT -> makeObject(source, result);
            case PTX -> makePtx(require(source, SourceKind.CUDA), result);
            case CUBIN -> write(result, cubin(ptx(source, null)));
            case FATBIN -> makeFatbin(source, ptx(source, null), result);
            default ->
                    steps.run(
                            clang.preprocess(
                                    requireLanguage(source).path, source.kind, phase, result));
        }
    }

    /// Returns the path of the result of a source, or null for the standard output.
    private Path result(Source source) {
        if (arguments.has(CcOption.OUTPUT)) {
            return arguments.output();
        }
        return phase.result().isEmpty()
                ? null
                : outputFolder().resolve(Names.stem(source.path) + phase.result());
    }

    private Path outputFolder() {
        return Path.of(arguments.last(CcOption.OUTPUT_FOLDER, ""));
    }

    private static Source require(Source source, SourceKind kind) {
        if (source.kind != kind) {
            throw CcException.usage(
                    "%s: expected a source in %s".formatted(source.path, kind.toString()));
        }
        return source;
    }

    private static Source requireLanguage(Source source) {
        if (!source.kind.isLanguage()) {
            throw CcException.usage("%s: expected a source".formatted(source.path));
        }
        return source;
    }

    private void makeObject(Source source, Path object) throws IOException {
        requireLanguage(source);
        Path fatbin = null;
        if (source.kind == SourceKind.CUDA) {
            fatbin = intermediate(source, ".fatbin");
            makeFatbin(source, ptx(source, fatbin), fatbin);
        }
        steps.run(clang.host(source.path, source.kind, fatbin, object));
    }

    private void makePtx(Source source, Path ptx) throws IOException {
        steps.run(clang.device(source.path, ptx));
        if (steps.runs() && arguments.isRelocatable()) {
            Files.writeString(ptx, ClangPtx.withStaticVariables(Files.readString(ptx)));
        }
    }

    /// Returns the path of a source's PTX, which clang makes unless the source is PTX.
    ///
    /// @param beside intermediate file beside which the PTX is, or null
    private Path ptx(Source source, Path beside) throws IOException {
        if (source.kind == SourceKind.PTX) {
            return source.path;
        }
        require(source, SourceKind.CUDA);
        Path ptx =
                beside == null
                        ? intermediate(source, ".ptx")
                        : Path.of(Names.withEnd(beside, ".ptx"));
        makePtx(source, ptx);
        return ptx;
    }

    private byte[] cubin(Path ptx) throws IOException {
        steps.announce(List.of("gpuvm", "ptxas", ptx.toString()));
        return steps.runs() ? assembly.compile(ptx.toString(), Files.readString(ptx)) : new byte[0];
    }

    /// Makes a fatbin of PTX, and of its machine code unless other sources complete it.
    private void makeFatbin(Source source, Path ptx, Path fatbin) throws IOException {
        FatbinWriter writer = new FatbinWriter();
        if (!arguments.isRelocatable()) {
            byte[] cubin = cubin(ptx);
            if (arguments.has(CcOption.KEEP)) {
                write(intermediate(source, ".cubin"), cubin);
            }
            writer.cubin(Architecture.MACHINE, cubin);
        }
        if (steps.runs()) {
            write(fatbin, writer.ptx(gpu.number(), Files.readString(ptx)).toBytes());
        }
    }

    /// Returns the path of an intermediate file, which is different for each source.
    private Path intermediate(Source source, String end) throws IOException {
        if (arguments.has(CcOption.KEEP)) {
            return Path.of(arguments.last(CcOption.KEEP_FOLDER, ""))
                    .resolve(Names.stem(source.path) + end);
        }
        Path folder = temporary.resolve(Integer.toString(number(source)));
        Files.createDirectories(folder);
        return folder.resolve(Names.stem(source.path) + end);
    }

    private int number(Source source) {
        return arguments.inputs().indexOf(source.path.toString());
    }

    /// Compiles the sources, and links all inputs.
    private void link(List<Source> sources) throws IOException {
        if (phase == Phase.PROGRAM && steps.runs()) {
            toolkit.requireLibraries();
        }
        List<Path> files = new ArrayList<>();
        for (Source source : sources) {
            if (source.kind.isLinked()) {
                files.add(source.path);
                continue;
            }
            Path object = intermediate(source, ".o");
            makeObject(source, object);
            files.add(object);
        }
        Path result =
                arguments.has(CcOption.OUTPUT)
                        ? arguments.output()
                        : outputFolder().resolve(phase.result());
        switch (phase) {
            case LIBRARY -> makeLibrary(files, result);
            case DEVICE_LINK -> {
                if (!linkDevice(files, result)) {
                    throw CcException.failure("no input has relocatable code for the GPU");
                }
            }
            default -> {
                Path registration = temporary.resolve("registration.o");
                if (linkDevice(files, registration)) {
                    files.addFirst(registration);
                }
                steps.run(clang.link(files, result));
            }
        }
    }

    private void makeLibrary(List<Path> files, Path library) {
        List<String> command = new ArrayList<>(List.of("ar", "rcs", library.toString()));
        files.forEach(file -> command.add(file.toString()));
        steps.run(command);
    }

    /// Links the relocatable code for the GPU of objects and static libraries.
    ///
    /// @return false if there is no such code
    private boolean linkDevice(List<Path> files, Path object) throws IOException {
        if (!steps.runs()) {
            return arguments.isRelocatable();
        }
        RelocatableCode code = new RelocatableCode();
        for (Path file : files) {
            code.add(file.toString(), Files.readAllBytes(file));
        }
        if (code.isEmpty()) {
            return false;
        }
        steps.announce(
                List.of("gpuvm", "device-link", "parts=" + code.parts().size(), object.toString()));
        byte[] cubin = assembly.link(code.parts());
        Path fatbin = temporary.resolve("linked.fatbin");
        write(fatbin, new FatbinWriter().cubin(Architecture.MACHINE, cubin).toBytes());
        Path source = temporary.resolve("registration.c");
        write(source, code.registration(fatbin.toString()).getBytes(StandardCharsets.UTF_8));
        steps.run(clang.registration(source, object));
        return true;
    }

    private void write(Path file, byte[] bytes) throws IOException {
        if (steps.runs()) {
            Files.write(file, bytes);
        }
    }
}
