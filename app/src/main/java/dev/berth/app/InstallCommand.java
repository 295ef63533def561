package dev.berth.app;

import java.io.IOException;
import java.io.InputStream;
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
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--crds-only", description = "Prints the custom resource definitions alone.")
    private boolean crdsOnly;

    @Override
    public void run() {
        String definitions = manifest("/install/crds.yaml");
        if (crdsOnly && definitions.lines().allMatch(line -> line.startsWith("#"))) {
            // kubectl refuses a stream without objects in words that do not help.
            throw UserError.failed(
                    "this version of Berth has no custom resource definitions, so there is nothing to apply."
                            + " Maybe leave out --crds-only");
        }
        spec.commandLine().getOut().print(definitions);
        if (!crdsOnly) {
            spec.commandLine().getOut().print(manifest("/install/rbac.yaml"));
        }
        spec.commandLine().getOut().flush();
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
