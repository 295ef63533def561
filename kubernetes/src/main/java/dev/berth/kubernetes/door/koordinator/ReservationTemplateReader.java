package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.resource.Quantity;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.PodTemplateReader;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the pod template of a reservation. The CRD does not validate it: a template can contain anything. */
final class ReservationTemplateReader {
    private static final String PRIORITY_LABEL = "koordinator.sh/priority";
    private static final FieldNames POD = FieldNames.none().with(1, "spec");

    private final PodTemplateReader templates = new PodTemplateReader();
    private final StringInterner stringInterner = new StringInterner();

    ReservationSpec.Template read(ObjectMeta meta, JsonObject spec) {
        JsonObject pod = spec.object("template", "spec")
                .orElseThrow(() -> new MalformedObjectException(
                        "spec.template.spec is missing: its requests are the size of the Reservation"));
        if (pod.objects("containers").isEmpty()) {
            throw new MalformedObjectException(
                    "spec.template.spec.containers is empty: their requests are the size of the Reservation");
        }
        if (!pod.objects("schedulingGates").isEmpty()) {
            throw new MalformedObjectException("spec.template.spec.schedulingGates is not supported. Remove it");
        }
        String namespace = spec.text("template", "metadata", "namespace");
        String node = pod.text("nodeName");
        return new ReservationSpec.Template(
                namespace.isEmpty() ? "default" : namespace,
                labels(meta, spec),
                shape(pod),
                node.isEmpty() ? Optional.empty() : Optional.of(node),
                ReservationProjection.schedulerName(spec),
                priority(meta, pod));
    }

    private PodSpec shape(JsonObject pod) {
        byte[] bytes = JsonObject.EMPTY.with(pod.toMap(), "spec").toBytes();
        templates.clear();
        try (JsonCursor in = new JsonCursor(stringInterner, bytes, 0, bytes.length)) {
            for (int field = in.nextField(POD); field != 0; field = in.nextField(POD)) {
                templates.read(in);
            }
            rejectNegativeQuantities(pod);
            return templates.toPodSpec();
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            throw new MalformedObjectException("spec.template.spec: " + malformed.getMessage(), malformed);
        }
    }

    /** The sum of all containers may hide it. */
    private static void rejectNegativeQuantities(JsonObject pod) {
        for (String kind : List.of("containers", "initContainers")) {
            for (JsonObject container : pod.objects(kind)) {
                for (String amounts : List.of("requests", "limits")) {
                    container.stringMap("resources", amounts).forEach((name, text) -> {
                        if (Quantity.parseCapped(text).isNegative()) {
                            throw new MalformedObjectException("%s (%s): %s of %s (%s) is negative"
                                    .formatted(kind, container.text("name"), amounts, name, text));
                        }
                    });
                }
            }
        }
    }

    /** Labels and annotations of the reservation take precedence over those of its template. */
    private static Labels labels(ObjectMeta meta, JsonObject spec) {
        Map<String, String> labels = new TreeMap<>(spec.stringMap("template", "metadata", "labels"));
        labels.putAll(meta.labels().toMap());
        return Labels.of(labels);
    }

    /** A reservation without a priority comes first. */
    private static int priority(ObjectMeta meta, JsonObject pod) {
        if (pod.has("priority")) {
            return Math.toIntExact(pod.number("priority"));
        }
        return meta.labels()
                .get(PRIORITY_LABEL)
                .map(ReservationTemplateReader::priority)
                .orElse(Integer.MAX_VALUE);
    }

    private static int priority(String label) {
        try {
            return Integer.parseInt(label);
        } catch (NumberFormatException malformed) {
            throw new MalformedObjectException(
                    "label %s (%s) must be a whole number".formatted(PRIORITY_LABEL, label), malformed);
        }
    }
}
