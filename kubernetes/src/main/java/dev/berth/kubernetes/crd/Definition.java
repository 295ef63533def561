package dev.berth.kubernetes.crd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A kind that the cluster must be told of before anybody can use the door that it belongs to. */
public enum Definition {
    HOLDS("holds.berth.dev"),
    RESERVATIONS("reservations.scheduling.koordinator.sh"),
    RETURNS("reservations.scheduling.godel.kubewharf.io"),
    CHECKPOINTS("checkpoints.berth.dev"),
    EXTENDED_RESOURCES("extendedresources.extensions.berth.dev"),
    EXTENDED_RESOURCE_CLAIMS("extendedresourceclaims.extensions.berth.dev");

    /** What to do where one is missing. */
    public static final String INSTALL = "Maybe run \"berth install --crds-only | kubectl apply -f -\"";

    private final String objectName;

    Definition(String objectName) {
        this.objectName = objectName;
    }

    /** The name of the CustomResourceDefinition. */
    public String objectName() {
        return objectName;
    }

    /** The CustomResourceDefinition as people would write it. */
    public String yaml() {
        String file = objectName + ".yaml";
        try (InputStream in = Definition.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("resource (%s) is missing from the program".formatted(file));
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("resource (%s) cannot be read".formatted(file), unreadable);
        }
    }
}
