package dev.berth.kubernetes.door.reservation;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.hold.Owner;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.projection.Requirements;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads who may use a place. */
final class OwnerReader {
    private OwnerReader() {}

    static List<Owner> read(Tree spec) {
        List<Owner> owners = new ArrayList<>();
        for (Tree rule : spec.trees("owners")) {
            try {
                owners.add(new Owner(
                        rule.tree("object").map(OwnerReader::pod),
                        rule.tree("controller").map(OwnerReader::controller),
                        rule.tree("labelSelector").map(OwnerReader::labels)));
            } catch (MalformedObject | IllegalArgumentException malformed) {
                throw new MalformedObject(
                        "spec.owners[%d].%s".formatted(owners.size(), malformed.getMessage()), malformed);
            }
        }
        if (owners.isEmpty()) {
            throw new MalformedObject("spec.owners is empty: nobody could ever use the place");
        }
        return owners;
    }

    /** Pods are meant whatever kind and version it says; another kind is reported. */
    private static Owner.PodMatch pod(Tree object) {
        return new Owner.PodMatch(
                said(object, "uid"), said(object, "namespace"), said(object, "name"), said(object, "kind"));
    }

    private static Owner.ControllerMatch controller(Tree reference) {
        if (!reference.flag(true, "controller")) {
            throw new MalformedObject(
                    "controller.controller (false): the one that controls the pod is compared, and no other");
        }
        return new Owner.ControllerMatch(
                said(reference, "apiVersion"),
                said(reference, "kind"),
                said(reference, "namespace"),
                said(reference, "name"),
                said(reference, "uid"));
    }

    private static LabelSelector labels(Tree selector) {
        List<Requirement> requirements = new ArrayList<>();
        for (Tree expression : selector.trees("matchExpressions")) {
            requirements.add(requirement(expression));
        }
        return new LabelSelector(Labels.of(selector.map("matchLabels")), requirements);
    }

    private static Requirement requirement(Tree expression) {
        String operator = expression.text("operator");
        return switch (operator) {
            case "In", "NotIn", "Exists", "DoesNotExist" ->
                new Requirement(expression.text("key"), Requirements.operator(operator), expression.texts("values"));
            default ->
                throw new MalformedObject("labelSelector: operator (%s) is none of In, NotIn, Exists and DoesNotExist"
                        .formatted(operator));
        };
    }

    private static Optional<String> said(Tree object, String field) {
        String text = object.text(field);
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
}
