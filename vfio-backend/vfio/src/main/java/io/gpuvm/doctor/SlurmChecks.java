package io.gpuvm.doctor;

import static io.gpuvm.doctor.Finding.missing;
import static io.gpuvm.doctor.Finding.note;
import static io.gpuvm.doctor.Finding.ok;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Checks of a node of a Slurm cluster that lends virtual GPUs (`docs/cluster.md`). Changes
/// nothing.
public final class SlurmChecks {
    /// Shards of one GPU: a shard is one percent.
    private static final int SHARDS = 100;

    private static final String USUAL_RUN = "/run/gpuvm";
    private static final String USUAL_AUTHORITY = "/etc/gpuvm/authority";
    private static final String USUAL_INTERVAL = "60";

    /// Bit of a mode: only owners may remove files in the folder (`S_ISVTX`).
    private static final int STICKY = 01000;

    /// Bits of a mode with the type of the file, and the type of a character device (inode(7)).
    private static final int TYPE = 0170000;

    private static final int CHARACTER = 0020000;

    private static final Pattern COUNT = Pattern.compile("(?:^|,)(gpu|shard)(?::[^,:]+)?:(\\d+)");

    private final SlurmSite site;
    private final List<Finding> findings = new ArrayList<>();

    private SlurmChecks(SlurmSite site) {
        this.site = site;
    }

    /// Examines a node. A node without GPUs needs no backend.
    public static List<Finding> of(SlurmSite site) {
        SlurmChecks checks = new SlurmChecks(site);
        checks.examine();
        return checks.findings;
    }

    private void examine() {
        SlurmFile config;
        try {
            config = SlurmFile.read(site.config());
        } catch (IOException _) {
            findings.add(
                    missing(
                            "slurm.conf",
                            site.config() + " cannot be read",
                            "name the file: gpuvm doctor slurm --config FILE"));
            return;
        }
        findings.add(ok("slurm.conf", site.config().toString()));
        plugins(config);
        hook(config, "Prolog", "prolog");
        hook(config, "Epilog", "epilog");
        hook(config, "TaskProlog", "task-prolog");
        hook(config, "HealthCheckProgram", "sweep");
        interval(config);
        file(SlurmSite.SETTINGS, "cluster/slurm/install");
        if (config.has("JobSubmitPlugins", "lua")) {
            file(SlurmSite.CHECK, "cluster/slurm/install, on the node of slurmctld");
        }
        processes(config);
        munge(config);
        gpus(config);
    }

    private void plugins(SlurmFile config) {
        String select = config.value("SelectType");
        findings.add(
                select.equals("select/cons_tres")
                        ? ok("SelectType", select)
                        : missing(
                                "SelectType",
                                given(select) + "; shards need select/cons_tres",
                                "SelectType=select/cons_tres in slurm.conf, then restart"
                                        + " slurmctld"));
        for (String type : List.of("gpu", "shard")) {
            findings.add(
                    config.has("GresTypes", type)
                            ? ok("GresTypes", type)
                            : missing(
                                    "GresTypes",
                                    given(config.value("GresTypes")) + "; expected " + type,
                                    "GresTypes=gpu,shard in slurm.conf"));
        }
        findings.add(
                config.has("PrologFlags", "Alloc") || config.has("PrologFlags", "Contain")
                        ? ok("PrologFlags", config.value("PrologFlags"))
                        : missing(
                                "PrologFlags",
                                given(config.value("PrologFlags"))
                                        + "; without Alloc, Prolog runs after the allocation",
                                "PrologFlags=Alloc,DeferBatch in slurm.conf"));
        findings.add(
                config.has("JobSubmitPlugins", "lua")
                        ? ok("JobSubmitPlugins", "lua")
                        : missing(
                                "JobSubmitPlugins",
                                given(config.value("JobSubmitPlugins"))
                                        + "; requests that cannot run drain nodes",
                                "JobSubmitPlugins=lua in slurm.conf"));
    }

    /// Checks the program of a hook: gpuvm's, or one of the site that calls gpuvm's.
    private void hook(SlurmFile config, String key, String name) {
        String value = config.value(key);
        if (value.isEmpty() || value.equals("(null)")) {
            findings.add(
                    missing(
                            key,
                            "not set",
                            key + "=/usr/lib/gpuvm/slurm/" + name + " in slurm.conf"));
            return;
        }
        List<Path> programs = programs(value);
        if (programs.isEmpty()) {
            findings.add(missing(key, value + " does not exist", "cluster/slurm/install"));
            return;
        }
        boolean isOurs = false;
        for (Path program : programs) {
            if (!Files.isExecutable(program)) {
                findings.add(missing(key, program + " is not executable", "chmod 755 " + program));
                return;
            }
            String owner = strangerOf(program);
            if (owner != null) {
                findings.add(missing(key, owner, "chown root and chmod go-w"));
                return;
            }
            isOurs |= isOurs(program);
        }
        findings.add(
                isOurs
                        ? ok(key, value)
                        : note(key, value + " is not gpuvm's", "call " + name + " of gpuvm in it"));
    }

    /// Returns the files of a value: a path, a pattern such as `/etc/slurm/prolog.d/*`, or several
    /// with commas.
    private static List<Path> programs(String value) {
        List<Path> programs = new ArrayList<>();
        for (String part : value.split(",")) {
            Path path = Path.of(part);
            if (!part.contains("*") || path.getParent() == null) {
                if (Files.exists(path)) {
                    programs.add(path);
                }
                continue;
            }
            String pattern = path.getFileName().toString();
            try (DirectoryStream<Path> matching =
                    Files.newDirectoryStream(path.getParent(), pattern)) {
                matching.forEach(programs::add);
            } catch (IOException _) {
                // No such folder.
            }
        }
        return programs;
    }

    /// Returns whether a program is one of gpuvm's hooks, which are beside their functions.
    private static boolean isOurs(Path program) {
        try {
            return Files.exists(program.toRealPath().resolveSibling("functions"));
        } catch (IOException _) {
            return false;
        }
    }

    /// Returns a description of the first file or folder, from a program upwards, that others can
    /// change; null if there is none. Slurm runs hooks as root.
    private String strangerOf(Path program) {
        try {
            for (Path at = program.toRealPath(); at != null; at = at.getParent()) {
                int owner = (Integer) Files.getAttribute(at, "unix:uid");
                Set<PosixFilePermission> mode = Files.getPosixFilePermissions(at);
                boolean isSticky =
                        Files.isDirectory(at)
                                && ((Integer) Files.getAttribute(at, "unix:mode") & STICKY) != 0;
                if (owner != site.uid() && owner != 0) {
                    return "%s belongs to user %d".formatted(at, owner);
                }
                if (!isSticky
                        && (mode.contains(PosixFilePermission.GROUP_WRITE)
                                || mode.contains(PosixFilePermission.OTHERS_WRITE))) {
                    return at + " can be written by other users";
                }
            }
            return null;
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private void interval(SlurmFile config) {
        String value = config.value("HealthCheckInterval");
        findings.add(
                value.matches("[1-9][0-9]*")
                        ? ok("HealthCheckInterval", value + " s")
                        : missing(
                                "HealthCheckInterval",
                                given(value) + "; what a crash leaves is not taken away",
                                "HealthCheckInterval=" + USUAL_INTERVAL + " in slurm.conf"));
    }

    private void file(String name, String fix) {
        Path file = site.beside(name);
        if (!Files.isReadable(file)) {
            findings.add(missing(name, file + " cannot be read", fix));
            return;
        }
        String stranger = strangerOf(file);
        findings.add(
                stranger == null
                        ? ok(name, file.toString())
                        : missing(name, stranger, "chown root and chmod go-w"));
    }

    private void processes(SlurmFile config) {
        String type = config.value("ProctrackType");
        findings.add(
                type.isEmpty() || type.equals("proctrack/cgroup")
                        ? ok("ProctrackType", given(type))
                        : note(
                                "ProctrackType",
                                type + "; processes can outlive their job, but not its GPU",
                                "ProctrackType=proctrack/cgroup"));
    }

    private void munge(SlurmFile config) {
        String reason = site.munge().get();
        findings.add(
                reason == null
                        ? ok("MUNGE", "answers")
                        : missing(
                                "MUNGE",
                                reason,
                                config.value("AuthType").equals("auth/slurm")
                                        ? "run munged on all nodes, beside auth/slurm"
                                        : "apt-get install munge, and start munged"));
        Path authority = Path.of(site.setting("AUTHORITY", USUAL_AUTHORITY)).resolve("ca.pem");
        findings.add(
                Files.isReadable(authority)
                        ? ok("authority", authority.toString())
                        : note(
                                "authority",
                                authority + " does not exist; jobs cannot use GPUs of other nodes",
                                "gpuvm keys init, and copy ca.pem"));
    }

    private void gpus(SlurmFile config) {
        Map<String, String> line =
                config.lines("NodeName").stream()
                        .filter(one -> HostList.contains(one.get("NodeName"), site.node()))
                        .findFirst()
                        .orElse(null);
        if (line == null) {
            findings.add(
                    missing(
                            "NodeName",
                            "slurm.conf has no node " + site.node(),
                            "name the node: gpuvm doctor slurm --node NAME"));
            return;
        }
        String resources = line.getOrDefault("Gres", "");
        int gpus = count(resources, "gpu");
        int shards = count(resources, "shard");
        if (gpus == 0 && shards == 0) {
            findings.add(ok("Gres", "none: this node uses GPUs of other nodes"));
            return;
        }
        findings.add(
                shards == gpus * SHARDS
                        ? ok("Gres", resources)
                        : missing(
                                "Gres",
                                "%s; expected %d shards per GPU".formatted(resources, SHARDS),
                                "Gres=gpu:%d,shard:%d".formatted(gpus, gpus * SHARDS)));
        devices(gpus);
        for (int gpu = 0; gpu < gpus; gpu++) {
            Path socket =
                    Path.of(site.setting("RUN", USUAL_RUN)).resolve("gpu%d.ctl".formatted(gpu));
            findings.add(
                    site.answers().test(socket)
                            ? ok("gpu" + gpu, socket + " answers")
                            : missing(
                                    "gpu" + gpu,
                                    socket + " does not answer",
                                    "start its backend: gpuvm serve --ctl " + socket));
        }
    }

    private static int count(String resources, String type) {
        Matcher counts = COUNT.matcher(resources);
        int sum = 0;
        while (counts.find()) {
            sum += counts.group(1).equals(type) ? Integer.parseInt(counts.group(2)) : 0;
        }
        return sum;
    }

    /// Checks gres.conf: a line `gpu` and a line `shard` for the character device of each GPU.
    private void devices(int gpus) {
        SlurmFile gres;
        try {
            gres = SlurmFile.read(site.beside(SlurmSite.GRES));
        } catch (IOException _) {
            findings.add(
                    missing(
                            SlurmSite.GRES,
                            site.beside(SlurmSite.GRES) + " cannot be read",
                            "cluster/slurm/gres.conf.example"));
            return;
        }
        List<Map<String, String>> lines =
                gres.lines("Name").stream()
                        .filter(line ->
                                !line.containsKey("NodeName")
                                        || HostList.contains(line.get("NodeName"), site.node()))
                        .toList();
        List<Map<String, String>> cards = named(lines, "gpu");
        List<Map<String, String>> shares = named(lines, "shard");
        if (cards.size() != gpus || shares.size() != gpus) {
            findings.add(
                    missing(
                            SlurmSite.GRES,
                            "lines with gpu=%d, with shard=%d, expected %d of each"
                                    .formatted(cards.size(), shares.size(), gpus),
                            "cluster/slurm/gres.conf.example"));
            return;
        }
        for (int gpu = 0; gpu < gpus; gpu++) {
            device(gpu, cards.get(gpu), shares.get(gpu));
        }
    }

    private void device(int gpu, Map<String, String> card, Map<String, String> share) {
        String file = card.getOrDefault("File", "");
        String point = SlurmSite.GRES + " " + gpu;
        if (!isCharacterDevice(file)) {
            findings.add(
                    missing(
                            point,
                            "File=%s is no character device; hooks are not told the GPU"
                                    .formatted(file),
                            "File=/dev/vfio/GROUP; for the software GPU any character device"));
        } else if (!file.equals(share.get("File"))
                || !("" + SHARDS).equals(share.getOrDefault("Count", ""))) {
            findings.add(
                    missing(
                            point,
                            "shard has Count=%s File=%s"
                                    .formatted(share.get("Count"), share.get("File")),
                            "Name=shard Count=%d File=%s".formatted(SHARDS, file)));
        } else if (!card.getOrDefault("Flags", "").contains("no_gpu_env")) {
            findings.add(
                    note(
                            point,
                            "jobs see CUDA_VISIBLE_DEVICES, which has no meaning for gpuvm",
                            "Flags=no_gpu_env on the line with Name=gpu"));
        } else {
            findings.add(ok(point, file));
        }
    }

    private static List<Map<String, String>> named(List<Map<String, String>> lines, String name) {
        return lines.stream().filter(line -> line.get("Name").equals(name)).toList();
    }

    private static boolean isCharacterDevice(String file) {
        try {
            return ((Integer) Files.getAttribute(Path.of(file), "unix:mode") & TYPE) == CHARACTER;
        } catch (IOException _) {
            return false;
        }
    }

    private static String given(String value) {
        return value.isEmpty() ? "not set" : value;
    }
}
