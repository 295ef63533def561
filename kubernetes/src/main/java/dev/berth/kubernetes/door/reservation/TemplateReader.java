package dev.berth.kubernetes.door.reservation;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.door.reservation.Terms;
import dev.berth.core.resource.Quantity;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.PodTemplates;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads the pod that a place is kept for. Nobody has checked it: in the definition a template can be anything. */
final class TemplateReader {
    private static final String PRIORITY_LABEL = "koordinator.sh/priority";
    private static final FieldNames POD = FieldNames.none().with(1, "spec");

    private final PodTemplates templates = new PodTemplates();
    private final Strings strings = new Strings();

    Terms.Template read(Meta meta, Tree spec) {
        Tree pod = spec.tree("template", "spec")
                .orElseThrow(
                        () -> new MalformedObject("spec.template.spec is missing: it says how much is to be kept"));
        if (pod.trees("containers").isEmpty()) {
            throw new MalformedObject(
                    "spec.template.spec.containers is empty: their requests say how much is to be kept");
        }
        if (!pod.trees("schedulingGates").isEmpty()) {
            throw new MalformedObject("spec.template.spec.schedulingGates: a reservation cannot wait at a gate");
        }
        String namespace = spec.text("template", "metadata", "namespace");
        String node = pod.text("nodeName");
        return new Terms.Template(
                namespace.isEmpty() ? "default" : namespace,
                labels(meta, spec),
                shape(pod),
                node.isEmpty() ? Optional.empty() : Optional.of(node),
                ReservationProjection.schedulerName(spec),
                priority(meta, pod));
    }

    private PodShape shape(Tree pod) {
        byte[] bytes = Tree.EMPTY.with(pod.toMap(), "spec").write();
        templates.clear();
        try (JsonCursor in = new JsonCursor(strings, bytes, 0, bytes.length)) {
            for (int field = in.next(POD); field != 0; field = in.next(POD)) {
                templates.read(in);
            }
            requireNoneNegative(pod);
            return templates.shape();
        } catch (MalformedObject | IllegalArgumentException | ArithmeticException malformed) {
            throw new MalformedObject("spec.template.spec: " + malformed.getMessage(), malformed);
        }
    }

    /** The sum of all need not show it. */
    private static void requireNoneNegative(Tree pod) {
        for (String kind : List.of("containers", "initContainers")) {
            for (Tree container : pod.trees(kind)) {
                for (String amounts : List.of("requests", "limits")) {
                    container.map("resources", amounts).forEach((name, text) -> {
                        if (Quantity.parseCapped(text).isNegative()) {
                            throw new MalformedObject("%s (%s): %s of %s (%s) is negative"
                                    .formatted(kind, container.text("name"), amounts, name, text));
                        }
                    });
                }
            }
        }
    }

    /** Those of the reservation count before those of its template. */
    private static Labels labels(Meta meta, Tree spec) {
        Map<String, String> labels = new TreeMap<>(spec.map("template", "metadata", "labels"));
        labels.putAll(meta.labels().toMap());
        return Labels.of(labels);
    }

    /** Who says nothing comes before everybody. */
    private static int priority(Meta meta, Tree pod) {
        if (pod.has("priority")) {
            return Math.toIntExact(pod.number("priority"));
        }
        return meta.labels().get(PRIORITY_LABEL).map(TemplateReader::priority).orElse(Integer.MAX_VALUE);
    }

    private static int priority(String label) {
        try {
            return Integer.parseInt(label);
        } catch (NumberFormatException malformed) {
            throw new MalformedObject("label %s (%s) is no whole number".formatted(PRIORITY_LABEL, label), malformed);
        }
    }
}
