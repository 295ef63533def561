package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonAnnotation;
import dev.berth.kubernetes.json.JsonAnnotation.UnknownKeys;
import dev.berth.kubernetes.json.JsonKeys;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.Optional;

/**
 * Reads the annotation by which Koordinator's components request another size than the template: {@code
 * {"resources":{"cpu":"4"}}}. Its amounts replace those of the template, and resources that the template does not
 * request are added.
 */
final class ResizeAllocatableReader {
    /** If Berth knows none of its keys, the size that it requests is unknown: a placed Reservation must not shrink then. */
    static final JsonAnnotation ANNOTATION = new JsonAnnotation(
            Reservation.API_GROUP + "/reservation-resize-allocatable",
            "{\"resources\":{\"cpu\":\"4\"}}",
            JsonKeys.of("resources"),
            UnknownKeys.IGNORE_BESIDE_OTHERS);

    private ResizeAllocatableReader() {}

    /** Empty if it is malformed. */
    static Optional<Resources> readIfValid(ObjectMeta meta) {
        try {
            return Optional.of(read(meta));
        } catch (MalformedObjectException malformed) {
            return Optional.empty();
        }
    }

    static Resources read(ObjectMeta meta) {
        return ANNOTATION.read(meta.annotations(), AnnotatedAmounts::read).orElse(Resources.NONE);
    }
}
