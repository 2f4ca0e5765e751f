package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Number of a group of users, from its number or its name in `/etc/group` (group(5)).
final class GroupNumber {
    private static final Path GROUPS = Path.of("/etc/group");
    private static final String SEPARATOR = ":";
    private static final int NAME = 0;
    private static final int NUMBER = 2;

    private GroupNumber() {}

    /// @throws ConfigException if there is no such group
    static int of(String text) {
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException _) {
            return numberOf(text);
        }
    }

    private static int numberOf(String name) {
        try {
            for (String line : Files.readAllLines(GROUPS)) {
                String[] fields = line.split(SEPARATOR);
                if (fields.length > NUMBER && fields[NAME].equals(name)) {
                    return Integer.parseUnsignedInt(fields[NUMBER]);
                }
            }
        } catch (IOException | NumberFormatException e) {
            throw new ConfigException("%s cannot be read: %s".formatted(GROUPS, e), e);
        }
        throw new ConfigException(
                "--ctl-group %s, expected a number or a name in %s".formatted(name, GROUPS));
    }
}
