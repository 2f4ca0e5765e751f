package io.gpuvm.cli;

import picocli.CommandLine.Model.CommandSpec;

/// Subcommand whose help text is not, or not completely, in annotations.
interface OwnModel {
    /// Completes the model of the picocli command.
    void describeIn(CommandSpec spec);
}
