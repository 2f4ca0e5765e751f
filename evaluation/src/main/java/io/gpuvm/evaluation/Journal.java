package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluatedWorkload;
import io.gpuvm.evaluation.data.Evaluation;
import io.gpuvm.evaluation.data.EvaluationJson;
import io.gpuvm.evaluation.data.EvaluationSection;
import io.gpuvm.evaluation.data.ResultGap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Records of an evaluation in progress. The journal appends each record to the file of the
/// record's section as one line of JSON, so that an interrupted evaluation can be resumed.
///
/// One thread.
final class Journal {
    /// Durations of completed steps.
    static final EvaluationSection<StepTime> STEPS =
            new EvaluationSection<>("steps", StepTime.class, _ -> List.of());

    /// Work of each workload, known after the first run.
    static final EvaluationSection<EvaluatedWorkload> WORK =
            new EvaluationSection<>("work", EvaluatedWorkload.class, Evaluation::workloads);

    private static final String SUFFIX = ".jsonl";
    private static final String HEADER = "plan.json";

    private final Path folder;
    private final JournalHeader header;
    private final Map<String, List<Object>> records = new HashMap<>();

    private Journal(Path folder, JournalHeader header) {
        this.folder = folder;
        this.header = header;
    }

    /// Creates a journal.
    ///
    /// @param folder new or empty folder
    /// @throws IllegalArgumentException if the folder contains files
    static Journal create(Path folder, JournalHeader header) {
        try {
            Files.createDirectories(folder);
            try (Stream<Path> files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw new IllegalArgumentException(
                            "--out %s: the folder is not empty; --resume continues an evaluation"
                                    .formatted(folder));
                }
            }
            Files.writeString(folder.resolve(HEADER), EvaluationJson.line(header) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Journal(folder, header);
    }

    /// Opens the journal of an interrupted evaluation. A line that was not completely written is
    /// removed. Gaps are removed, too, so that their results are attempted again, except those of
    /// the section `starts`: a complaint about a guest remains with the guest's results.
    ///
    /// @throws IllegalArgumentException if the folder contains no journal
    static Journal resume(Path folder) {
        Path file = folder.resolve(HEADER);
        if (!Files.exists(file)) {
            throw new IllegalArgumentException(
                    "--resume %s: the folder has no file %s".formatted(folder, HEADER));
        }
        try {
            JournalHeader header =
                    EvaluationJson.parse(Files.readString(file), JournalHeader.class);
            Journal journal = new Journal(folder, header);
            for (EvaluationSection<?> section : EvaluationSection.ALL) {
                journal.load(section);
            }
            journal.load(STEPS);
            journal.load(WORK);
            return journal;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void load(EvaluationSection<?> section) throws IOException {
        Path file = file(section);
        if (!Files.exists(file)) {
            return;
        }
        String text = Files.readString(file);
        String complete = text.substring(0, text.lastIndexOf('\n') + 1);
        List<String> kept = new ArrayList<>();
        for (String line : complete.lines().toList()) {
            Object value = EvaluationJson.parse(line, section.type());
            if (!(value instanceof ResultGap gap)
                    || gap.section().equals(EvaluationSection.STARTS.name())) {
                kept.add(line);
                list(section).add(value);
            }
        }
        String content = kept.stream().map(line -> line + "\n").collect(Collectors.joining());
        if (content.length() < text.length()) {
            Files.writeString(file, content);
        }
    }

    JournalHeader header() {
        return header;
    }

    /// Appends a record.
    <T> void add(EvaluationSection<T> section, T value) {
        list(section).add(value);
        try {
            Files.writeString(
                    file(section),
                    EvaluationJson.line(value) + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the records of a section, in order of addition.
    <T> List<T> records(EvaluationSection<T> section) {
        return list(section).stream().map(section.type()::cast).toList();
    }

    /// Returns all data as an evaluation.
    Evaluation evaluation() {
        List<String> names = header.workloads().stream().map(EvaluatedWorkload::name).toList();
        return new Evaluation(
                Evaluation.VERSION,
                header.commit(),
                header.dirty(),
                header.started(),
                seconds(),
                header.machine(),
                header.rounds(),
                header.configurations().stream()
                        .map(name -> AccessConfiguration.named(name).described(names))
                        .toList(),
                workloads(),
                records(EvaluationSection.SAMPLES),
                records(EvaluationSection.STARTS),
                records(EvaluationSection.GAPS),
                records(EvaluationSection.TRANSFERS),
                records(EvaluationSection.COPIES),
                records(EvaluationSection.QUEUE_DELAYS),
                records(EvaluationSection.SCALING),
                records(EvaluationSection.SHARES),
                records(EvaluationSection.MEMORY));
    }

    /// Returns the total duration of all completed steps, in seconds.
    double seconds() {
        return records(STEPS).stream().mapToDouble(StepTime::seconds).sum();
    }

    private List<EvaluatedWorkload> workloads() {
        List<EvaluatedWorkload> known = records(WORK);
        return header.workloads().stream()
                .map(planned ->
                        known.stream()
                                .filter(each -> each.name().equals(planned.name()))
                                .findFirst()
                                .orElse(planned))
                .toList();
    }

    private List<Object> list(EvaluationSection<?> section) {
        return records.computeIfAbsent(section.name(), _ -> new ArrayList<>());
    }

    private Path file(EvaluationSection<?> section) {
        return folder.resolve(section.name() + SUFFIX);
    }
}
