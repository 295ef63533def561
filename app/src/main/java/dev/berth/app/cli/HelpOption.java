package dev.berth.app.cli;

import picocli.CommandLine.Option;

/** {@code --help}, the same for every command. */
public final class HelpOption {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Shows this text.")
    @SuppressWarnings("UnusedVariable") // The library handles it.
    private boolean requested;
}
