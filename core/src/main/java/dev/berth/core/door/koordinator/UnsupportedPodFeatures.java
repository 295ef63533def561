package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.UnsupportedFeature;
import java.util.function.Consumer;

/** The labels by which a pod asks for features of Koordinator's reservations that Berth does not have. */
public final class UnsupportedPodFeatures {
    private static final String PREFIX = Reservation.API_GROUP + "/";
    private static final String OPERATING_MODE_LABEL = PREFIX + "operating-mode";

    private UnsupportedPodFeatures() {}

    public static void find(Labels labels, Consumer<UnsupportedFeature> found) {
        if (labels.has(OPERATING_MODE_LABEL, "Reservation")) {
            found.accept(UnsupportedFeature.RESERVATION_OPERATING_MODE);
        }
    }
}
