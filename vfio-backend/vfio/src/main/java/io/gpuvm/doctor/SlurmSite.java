package io.gpuvm.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Node of a Slurm cluster, as [SlurmChecks] sees it.
///
/// @param config slurm.conf; gres.conf, gpuvm.conf and job_submit.lua are beside it
/// @param node name of the node
/// @param uid number of the user to whom files of the administrator belong
/// @param answers returns whether a backend answers at a control socket
/// @param munge returns the reason for which MUNGE does not work; null if it does
public record SlurmSite(
        Path config, String node, int uid, Predicate<Path> answers, Supplier<String> munge) {
    static final String SETTINGS = "gpuvm.conf";
    static final String GRES = "gres.conf";
    static final String CHECK = "job_submit.lua";

    Path beside(String name) {
        return config.resolveSibling(name);
    }

    /// Returns the value of a setting of gpuvm's hooks.
    String setting(String name, String byDefault) {
        Pattern line = Pattern.compile("(?m)^" + name + "=(.*)$");
        try {
            Matcher found = line.matcher(Files.readString(beside(SETTINGS)));
            String value = byDefault;
            while (found.find()) {
                value = found.group(1).strip().replace("$SLURMD_NODENAME", node);
            }
            return value;
        } catch (IOException _) {
            return byDefault;
        }
    }
}
