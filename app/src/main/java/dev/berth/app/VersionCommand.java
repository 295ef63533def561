package dev.berth.app;

import dev.berth.app.cli.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code berth version} and {@code berth --version}. */
@Command(name = "version", description = "Prints the versions of Berth and Java.")
final class VersionCommand implements Runnable, IVersionProvider {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().getOut().println(getVersion()[0]);
    }

    @Override
    public String[] getVersion() {
        return new String[] {"berth %s (Java %s)".formatted(Version.text(), Runtime.version())};
    }
}
