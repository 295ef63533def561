package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.door.koordinator.TimedToleration;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.PodTemplateReader;
import dev.berth.kubernetes.projection.TaintReader;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Reads the pod template of a reservation. The CRD does not validate it: a template can contain anything. */
final class ReservationTemplateReader {
    private static final String PRIORITY_LABEL = "koordinator.sh/priority";
    /** Those that compare no numbers. */
    private static final Set<String> TOLERATION_OPERATORS = Set.of("", "Equal", "Exists");

    private static final FieldNames POD = FieldNames.none().with(1, "spec");

    private final PodTemplateReader templates = new PodTemplateReader();
    private final StringInterner stringInterner = new StringInterner();

    ReservationSpec.Template read(ObjectMeta meta, JsonObject spec) {
        return read(meta, spec, Optional.of(ResizeAllocatableReader.read(meta)));
    }

    /** The template of a malformed reservation. The annotation that requests another size may be malformed, too. */
    ReservationSpec.Template readLeniently(ObjectMeta meta, JsonObject spec) {
        return read(meta, spec, ResizeAllocatableReader.readIfValid(meta));
    }

    private ReservationSpec.Template read(ObjectMeta meta, JsonObject spec, Optional<Resources> requestedByAnnotation) {
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
        PodSpec shape = shape(pod);
        String namespace = spec.text("template", "metadata", "namespace");
        String node = pod.text("nodeName");
        return new ReservationSpec.Template(
                namespace.isEmpty() ? "default" : namespace,
                labels(meta, spec),
                shape.withRequests(requestedByAnnotation.orElse(Resources.NONE)),
                node.isEmpty() ? Optional.empty() : Optional.of(node),
                ReservationProjection.schedulerName(spec),
                priority(meta, pod),
                !pod.text("preemptionPolicy").equals("Never"),
                timedTolerations(pod),
                templates.toPodVolumes(),
                requestedByAnnotation.isPresent());
    }

    /** The reader of pods does not keep tolerationSeconds, because they do not decide on the placement. */
    private static List<TimedToleration> timedTolerations(JsonObject pod) {
        return pod.objects("tolerations").stream()
                .filter(toleration -> toleration.has("tolerationSeconds"))
                .filter(toleration -> TOLERATION_OPERATORS.contains(toleration.text("operator")))
                .map(ReservationTemplateReader::timedToleration)
                .toList();
    }

    private static TimedToleration timedToleration(JsonObject toleration) {
        boolean exists = toleration.text("operator").equals("Exists");
        String effect = toleration.text("effect");
        return new TimedToleration(
                new Toleration(
                        toleration.text("key"),
                        exists ? Toleration.Operator.EXISTS : Toleration.Operator.EQUAL,
                        toleration.text("value"),
                        effect.isEmpty() ? Optional.empty() : Optional.of(TaintReader.parseEffect(effect))),
                Duration.ofSeconds(toleration.number("tolerationSeconds")));
    }

    private PodSpec shape(JsonObject pod) {
        byte[] bytes = JsonObject.EMPTY.with(pod.toMap(), "spec").toBytes();
        templates.clear();
        try (JsonCursor in = new JsonCursor(stringInterner, bytes, 0, bytes.length)) {
            for (int field = in.nextField(POD); field != 0; field = in.nextField(POD)) {
                templates.read(in);
            }
            rejectNegativeQuantities(pod);
            return withPodSlots(templates.toPodSpec(), pod);
        } catch (MalformedObjectException | IllegalArgumentException | ArithmeticException malformed) {
            throw new MalformedObjectException("spec.template.spec: " + malformed.getMessage(), malformed);
        }
    }

    /**
     * With the pod slots that the containers request. A pod cannot request slots, because it takes exactly one. In a
     * reservation they are the number of pods that may use it.
     */
    private static PodSpec withPodSlots(PodSpec spec, JsonObject pod) {
        Optional<Quantity> slots = pod.objects("containers").stream()
                .flatMap(container -> requested(container, ResourceName.PODS).stream())
                .reduce(Quantity::plus);
        return slots.map(sum -> spec.toBuilder()
                        .requests(spec.requests().plus(Resources.ofQuantities(Map.of(ResourceName.PODS, sum))))
                        .build())
                .orElse(spec);
    }

    /** As in a pod, a limit without a request is the request, too. */
    private static Optional<Quantity> requested(JsonObject container, ResourceName name) {
        return Optional.ofNullable(container.stringMap("resources", "requests").get(name.value()))
                .or(() -> Optional.ofNullable(
                        container.stringMap("resources", "limits").get(name.value())))
                .map(Quantity::parse);
    }

    /** The sum of all containers may hide it. */
    private static void rejectNegativeQuantities(JsonObject pod) {
        for (String kind : List.of("containers", "initContainers")) {
            for (JsonObject container : pod.objects(kind)) {
                for (String amounts : List.of("requests", "limits")) {
                    container.stringMap("resources", amounts).forEach((name, text) -> {
                        if (Quantity.parseCapped(text).isNegative()) {
                            throw new MalformedObjectException("%s (%s): %s of %s (%s) is negative"
                                    .formatted(
                                            kind,
                                            ForeignText.quote(container.text("name")),
                                            amounts,
                                            ForeignText.quote(name),
                                            text));
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
            return priority("spec.template.spec.priority", pod.text("priority"));
        }
        return meta.labels()
                .get(PRIORITY_LABEL)
                .map(text -> priority("label " + PRIORITY_LABEL, text))
                .orElse(Integer.MAX_VALUE);
    }

    private static int priority(String field, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException malformed) {
            throw new MalformedObjectException(
                    "%s (%s) must be a whole number from %d to %d"
                            .formatted(field, ForeignText.quote(text), Integer.MIN_VALUE, Integer.MAX_VALUE),
                    malformed);
        }
    }
}
