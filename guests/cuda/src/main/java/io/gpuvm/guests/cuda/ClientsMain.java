package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.CudaModules;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.OneLineErrors;
import io.gpuvm.guests.real.RunFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `tests/cuda-clients/run`: runs CUDA programs and libraries that are not part of this project on
/// a backend.
@Command(
        name = "cuda-clients",
        sortOptions = false,
        description = {
            "Run CUDA programs of other projects, and verify their results.",
            "The programs use JCuda, LWJGL, Numba, ffmpeg, PyCUDA, or the CUDA driver API in C."
                    + " Missing parts are downloaded (docs/cuda-clients.md). The last line of the"
                    + " output is JSON."
        },
        footer = {
            "",
            "Exit status: 0 all required clients passed, 1 a client failed or a required one was"
                    + " skipped, 2 wrong arguments, 3 the library is not built."
        })
public final class ClientsMain implements OneLineErrors {
    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "Clients to run, see --list. Default: all.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "List of all clients; nothing is run.")
    private boolean list;

    @Option(
            names = "--negative",
            description =
                    "Negative control: launches, copies or fills have no effect, one kind at a"
                            + " time, and the check of each client must fail.")
    private boolean negative;

    @Option(names = "--calls", description = "Additional table of the calls of each client.")
    private boolean calls;

    @Option(
            names = "--gpu",
            paramLabel = "GPU",
            defaultValue = "soft,vram=1G",
            description = "GPU, as for 'gpuvm serve'. Default: ${DEFAULT-VALUE}.")
    private String gpu;

    @Option(
            names = "--keep",
            description = "Logs and traces kept after the run, in a folder that is printed.")
    private boolean keep;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (list) {
            CudaClient.all().forEach(client -> out.println(client.name()));
            out.flush();
            return ExitCode.OK;
        }
        List<CudaClient> clients = named();
        CudaLibrary library = CudaLibrary.ofThisBuild();
        RunFolder folder = new RunFolder(keep);
        Children children = new Children();
        try (AtEnd _ =
                new AtEnd(() -> {
                    children.close();
                    folder.close();
                })) {
            ClientsReport report = run(clients, library, folder, children);
            out.print(report.toTable());
            if (calls) {
                out.print(report.callsTable());
            }
            out.println(report.toJson());
            out.flush();
            return report.passed() ? ExitCode.OK : ExitCode.SOFTWARE;
        }
    }

    private List<CudaClient> named() {
        List<CudaClient> all = CudaClient.all();
        List<String> known = all.stream().map(CudaClient::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "client=%s, expected one of %s".formatted(name, String.join(", ", known)));
            }
        }
        return names.isEmpty()
                ? all
                : all.stream().filter(client -> names.contains(client.name())).toList();
    }

    private ClientsReport run(
            List<CudaClient> clients, CudaLibrary library, RunFolder folder, Children children)
            throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        if (keep) {
            err.println("files: " + folder.path());
        }
        ClientFiles files = new ClientFiles(GuestFiles.locate(), temporary(folder));
        CudaModules.assemble(files.files());
        NegativeControl control =
                negative ? NegativeControl.build(files, library, folder, children) : null;
        CudaBackend backend = CudaBackend.start(gpu, null, folder, children);
        ClientRunner runner =
                new ClientRunner(files, library, backend, folder, children, err::println);
        List<ClientResult> results = new ArrayList<>();
        for (CudaClient client : clients) {
            results.add(negative ? runner.runWithoutEffects(client, control) : runner.run(client));
        }
        boolean complete = clients.size() == CudaClient.all().size();
        return new ClientsReport(results, negative, complete);
    }

    private static Path temporary(RunFolder folder) {
        try {
            return Files.createDirectory(folder.path().resolve("tmp"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
