package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.hold.Owner;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.SelectorReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the owners of a reservation. */
final class ReservationOwnerReader {
    private ReservationOwnerReader() {}

    static List<Owner> read(JsonObject spec) {
        List<Owner> owners = new ArrayList<>();
        for (JsonObject rule : spec.objects("owners")) {
            try {
                owners.add(new Owner(
                        rule.object("object").map(ReservationOwnerReader::podMatch),
                        rule.object("controller").map(ReservationOwnerReader::controllerMatch),
                        rule.object("labelSelector").map(ReservationOwnerReader::labelSelector)));
            } catch (MalformedObjectException | IllegalArgumentException malformed) {
                throw new MalformedObjectException(
                        "spec.owners[%d].%s".formatted(owners.size(), malformed.getMessage()), malformed);
            }
        }
        if (owners.isEmpty()) {
            throw new MalformedObjectException(
                    "spec.owners is empty: no pod could use the Reservation. Name at least one owner");
        }
        return owners;
    }

    /** A pod is meant with any kind and version; a different kind is reported. */
    private static Owner.PodMatch podMatch(JsonObject object) {
        return new Owner.PodMatch(
                optionalText(object, "uid"),
                optionalText(object, "namespace"),
                optionalText(object, "name"),
                optionalText(object, "kind"));
    }

    private static Owner.ControllerMatch controllerMatch(JsonObject reference) {
        return new Owner.ControllerMatch(
                optionalText(reference, "apiVersion"),
                optionalText(reference, "kind"),
                optionalText(reference, "namespace"),
                optionalText(reference, "name"),
                optionalText(reference, "uid"),
                reference.has("controller") ? Optional.of(reference.flag(true, "controller")) : Optional.empty());
    }

    private static LabelSelector labelSelector(JsonObject selector) {
        List<Requirement> requirements = new ArrayList<>();
        for (JsonObject expression : selector.objects("matchExpressions")) {
            requirements.add(requirement(expression));
        }
        return new LabelSelector(Labels.of(selector.stringMap("matchLabels")), requirements);
    }

    private static Requirement requirement(JsonObject expression) {
        String operator = expression.text("operator");
        List<String> values = expression.texts("values");
        boolean comparesValues = operator.equals("In") || operator.equals("NotIn");
        if (comparesValues == values.isEmpty()
                && (comparesValues || operator.equals("Exists") || operator.equals("DoesNotExist"))) {
            throw new MalformedObjectException("labelSelector: operator (%s) of key (%s) must have %s"
                    .formatted(
                            operator,
                            ForeignText.quote(expression.text("key")),
                            comparesValues ? "at least one value" : "no values, but has " + ForeignText.quote(values)));
        }
        return switch (operator) {
            case "In", "NotIn", "Exists", "DoesNotExist" ->
                new Requirement(expression.text("key"), SelectorReader.parseOperator(operator), values);
            default ->
                throw new MalformedObjectException(
                        "labelSelector: operator (%s) must be In, NotIn, Exists or DoesNotExist"
                                .formatted(ForeignText.quote(operator)));
        };
    }

    private static Optional<String> optionalText(JsonObject object, String field) {
        String text = object.text(field);
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
