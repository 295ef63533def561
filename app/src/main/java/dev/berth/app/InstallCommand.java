package dev.berth.app;

import dev.berth.kubernetes.crd.Definition;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth install}: prints, and changes nothing. */
@Command(
        name = "install",
        description = "Prints the manifests a cluster needs for Berth, to be piped into kubectl apply -f -.")
final class InstallCommand implements Runnable {
    private static final String NEXT_DOCUMENT = "---\n";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--crds-only", description = "Prints the custom resource definitions alone.")
    private boolean crdsOnly;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (Definition kind : Definition.values()) {
            out.print(kind.yaml());
            out.print(NEXT_DOCUMENT);
        }
        if (!crdsOnly) {
            out.print(manifest("/install/rbac.yaml"));
        }
        out.flush();
    }

    private static String manifest(String resource) {
        try (InputStream in = InstallCommand.class.getResourceAsStream(resource)) {
            return new String(
                    Objects.requireNonNull(in, resource + " is missing from the distribution")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
