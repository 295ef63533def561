package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.UnsupportedKoordinatorFeatures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds what a Reservation asks for and Berth does not support: by its own metadata, the metadata of its template, or its
 * requests.
 */
final class UnsupportedReservationFeatures {
    private static final String RESOURCE_STATUS_ANNOTATION = Reservation.API_GROUP + "/resource-status";

    private UnsupportedReservationFeatures() {}

    /**
     * The message; empty if there is nothing.
     *
     * @param requests those of the template, and of the annotation for another size
     * @param placed whether the Reservation has a node: then its annotations may be the result of koord-scheduler
     */
    static String find(ObjectMeta meta, JsonObject spec, Resources requests, boolean placed) {
        List<UnsupportedFeature> ofReservation = new ArrayList<>();
        UnsupportedKoordinatorFeatures.find(
                meta.labels(), placed ? withoutResult(meta.annotations()) : meta.annotations(), ofReservation::add);
        if (!ofReservation.isEmpty()) {
            return UnsupportedFeature.message("metadata", ofReservation);
        }
        List<UnsupportedFeature> ofTemplate = new ArrayList<>();
        UnsupportedKoordinatorFeatures.find(
                Labels.of(spec.stringMap("template", "metadata", "labels")),
                Labels.of(spec.stringMap("template", "metadata", "annotations")),
                ofTemplate::add);
        UnsupportedKoordinatorFeatures.find(placed ? withoutResult(requests, meta) : requests, ofTemplate::add);
        return ofTemplate.isEmpty() ? "" : UnsupportedFeature.message("spec.template", ofTemplate);
    }

    /** With the cpus that it assigns, koord-scheduler also writes the policy by which it chose them. */
    private static Labels withoutResult(Labels annotations) {
        if (!annotations.has(RESOURCE_STATUS_ANNOTATION)) {
            return annotations;
        }
        Map<String, String> requested = new TreeMap<>(annotations.toMap());
        requested.remove(UnsupportedKoordinatorFeatures.RESOURCE_SPEC_ANNOTATION);
        return Labels.of(requested);
    }

    /** By the annotation for another size, koord-scheduler adds its own names for the devices that it assigns. */
    private static Resources withoutResult(Resources requests, ObjectMeta meta) {
        Resources byAnnotation = ResizeAllocatableReader.readIfValid(meta).orElse(Resources.NONE);
        if (byAnnotation.size() == 0) {
            return requests;
        }
        SortedMap<ResourceName, Long> requested = requests.toMap();
        requested.keySet().removeIf(byAnnotation::has);
        return Resources.of(requested);
    }
}
