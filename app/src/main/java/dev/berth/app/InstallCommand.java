package dev.berth.app;

import dev.berth.app.config.DoorSettings;
import dev.berth.core.hold.Origin.DoorId;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth install}: prints manifests, and changes nothing. */
@Command(
        name = "install",
        description = "Prints the manifests that a cluster needs for Berth. Pipe them into kubectl apply -f -.")
final class InstallCommand implements Runnable {
    private static final String NEXT_DOCUMENT = "---\n";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--crds-only", description = "Prints only the CustomResourceDefinitions.")
    private boolean crdsOnly;

    @Option(
            names = "--allow-reservation-ignored",
            description =
                    "Omits the ValidatingAdmissionPolicy berth-reservation-ignored, so that every user who can create pods"
                            + " can create pods that use what Reservations hold.")
    private boolean allowsReservationIgnored;

    @Mixin
    private DisabledDoorsOption disabledDoors = new DisabledDoorsOption();

    @Override
    public void run() {
        DoorSettings doors = DoorSettings.DEFAULT.withDisabled(disabledDoors.doors());
        List<String> documents = new ArrayList<>();
        doors.definitions().forEach(kind -> documents.add(kind.yaml()));
        if (!crdsOnly) {
            documents.add(readManifest("account.yaml"));
            documents.add(clusterRole(doors.enabled()));
            documents.add(readManifest("bindings.yaml"));
            InstallPolicy.manifestsFor(doors.enabled(), unwantedPolicies())
                    .forEach(policy -> documents.add(readManifest(policy)));
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(String.join(NEXT_DOCUMENT, documents));
        out.flush();
    }

    private Set<InstallPolicy> unwantedPolicies() {
        return allowsReservationIgnored ? Set.of(InstallPolicy.RESERVATION_IGNORED) : Set.of();
    }

    /** The permissions of Berth in all namespaces: those that are always needed, and those of the enabled doors. */
    private static String clusterRole(Set<DoorId> enabled) {
        StringBuilder role = new StringBuilder(readManifest("role.yaml"));
        for (DoorId door : enabled) {
            role.append(
                    switch (door) {
                        case KOORDINATOR, GODEL, GLOBALRESERVE, DEVICES -> readManifest("role-%s.yaml".formatted(door));
                        case NODE_ANNOTATION -> "";
                    });
        }
        return role.toString();
    }

    private static String readManifest(String resource) {
        try (InputStream in = InstallCommand.class.getResourceAsStream("/install/" + resource)) {
            return new String(
                    Objects.requireNonNull(in, resource + " is missing from the distribution")
                            .readAllBytes(),
                    StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
