package dev.berth.app;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code berth version}. */
@Command(name = "version", description = "Says which Berth this is and what it runs on.")
final class VersionCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().getOut().printf("berth %s (Java %s)%n", Version.text(), Runtime.version());
    }
}
