package dev.berth.kubernetes.crd;

import dev.berth.core.hold.Origin.DoorId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A CustomResourceDefinition that must be installed before its door can be used. */
public enum CrdManifest {
    HOLDS("storedholds.berth.dev"),
    KOORDINATOR_RESERVATIONS("reservations.scheduling.koordinator.sh"),
    GODEL_RESERVATIONS("reservations.scheduling.godel.kubewharf.io"),
    CHECKPOINTS("checkpoints.berth.dev"),
    EXTENDED_RESOURCES("extendedresources.extensions.berth.dev"),
    EXTENDED_RESOURCE_CLAIMS("extendedresourceclaims.extensions.berth.dev");

    /** The message with the command that installs a missing one. */
    public static final String INSTALL_HINT = "Maybe run \"berth install --crds-only | kubectl apply -f -\"";

    private final String crdName;

    CrdManifest(String objectName) {
        this.crdName = objectName;
    }

    /** The CRDs that only this door reads. */
    public static List<CrdManifest> forDoor(DoorId door) {
        return switch (door) {
            case KOORDINATOR -> List.of(KOORDINATOR_RESERVATIONS);
            case GODEL -> List.of(GODEL_RESERVATIONS, CHECKPOINTS);
            case NODE_ANNOTATION -> List.of();
            case GLOBALRESERVE -> List.of(HOLDS);
            case DEVICES -> List.of(EXTENDED_RESOURCES, EXTENDED_RESOURCE_CLAIMS);
        };
    }

    /** The name of the CustomResourceDefinition. */
    public String crdName() {
        return crdName;
    }

    /** The manifest of the CustomResourceDefinition. */
    public String yaml() {
        String file = crdName + ".yaml";
        try (InputStream in = CrdManifest.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource (%s) is missing from the program".formatted(file));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("resource (%s) cannot be read".formatted(file), unreadable);
        }
    }
}
