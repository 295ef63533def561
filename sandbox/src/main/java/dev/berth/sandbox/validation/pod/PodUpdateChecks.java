package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.copyField;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.field.ObjectDiff;
import java.util.List;
import java.util.Map;

/**
 * Checks which fields of a pod spec an update changes. Allowed are new images, a new or shorter deadline, additional
 * tolerations and the removal of scheduling gates.
 */
final class PodUpdateChecks {
    private static final FieldPath SPEC = PodChecks.SPEC;
    private static final String FORBIDDEN_CHANGE_MESSAGE = String.join(
            ",",
            "`spec.containers[*].image`",
            "`spec.initContainers[*].image`",
            "`spec.activeDeadlineSeconds`",
            "`spec.tolerations` (only additions to existing tolerations)",
            "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)");

    private final ObjectNode old;
    private final ObjectNode spec;
    private final FieldErrorList errors;

    PodUpdateChecks(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        this.old = getOrCreateObject(before.deepCopy(), "spec");
        this.spec = getOrCreateObject(after.deepCopy(), "spec");
        this.errors = errors;
    }

    void check() {
        if (!containers("containers") || !containers("initContainers") || !deadline()) {
            return;
        }
        tolerations();
        gates();
        if (old.equals(spec)) {
            return;
        }
        revertAllowedChanges();
        if (!old.equals(spec)) {
            errors.forbidden(
                    SPEC,
                    "pod updates may not change fields other than " + FORBIDDEN_CHANGE_MESSAGE + "\n"
                            + ObjectDiff.diff(old, spec));
        }
    }

    private boolean containers(String list) {
        List<ObjectNode> containers = objects(spec, list);
        if (containers.size() != objects(old, list).size()) {
            errors.forbidden(SPEC.child(list), "pod updates may not add or remove containers");
            return false;
        }
        SPEC.child(list).forEachIndexed(containers, (container, here) -> {
            if (text(container, "image").isEmpty()) {
                errors.required(here.child("image"));
            }
            PodChecks.padding(container, here, errors);
        });
        return true;
    }

    private boolean deadline() {
        FieldPath path = SPEC.child("activeDeadlineSeconds");
        long deadline = number(spec, "activeDeadlineSeconds");
        if (!has(spec, "activeDeadlineSeconds")) {
            if (has(old, "activeDeadlineSeconds")) {
                errors.invalid(path, GoFormat.NULL, "must not update from a positive integer to nil value");
            }
            return true;
        }
        if (deadline < 0 || deadline > Integer.MAX_VALUE) {
            errors.invalid(path, deadline, "must be between 0 and 2147483647, inclusive");
            return false;
        }
        if (has(old, "activeDeadlineSeconds") && number(old, "activeDeadlineSeconds") < deadline) {
            errors.invalid(path, deadline, "must be less than or equal to previous value");
            return false;
        }
        return true;
    }

    private void tolerations() {
        List<ObjectNode> tolerations = objects(spec, "tolerations");
        for (ObjectNode toleration : objects(old, "tolerations")) {
            if (tolerations.stream().noneMatch(other -> equalExceptSeconds(toleration, other))) {
                errors.forbidden(
                        SPEC.child("tolerations"),
                        "existing toleration can not be modified except its tolerationSeconds");
                return;
            }
        }
        SchedulingChecks.tolerations(tolerations, SPEC.child("tolerations"), errors);
    }

    private static boolean equalExceptSeconds(ObjectNode a, ObjectNode b) {
        ObjectNode copy = a.deepCopy();
        copyField(b, copy, "tolerationSeconds");
        return copy.equals(b);
    }

    private void gates() {
        List<String> names = objects(old, "schedulingGates").stream()
                .map(gate -> text(gate, "name"))
                .toList();
        SPEC.child("schedulingGates").forEachIndexed(objects(spec, "schedulingGates"), (gate, here) -> {
            if (!names.contains(text(gate, "name"))) {
                errors.forbidden(
                        here.child("name"),
                        "only deletion is allowed, but found new scheduling gate '" + text(gate, "name") + "'");
            }
        });
    }

    private void revertAllowedChanges() {
        for (String list : List.of("containers", "initContainers")) {
            List<ObjectNode> was = objects(old, list);
            List<ObjectNode> now = objects(spec, list);
            for (int i = 0; i < now.size(); i++) {
                copyField(was.get(i), now.get(i), "image");
            }
        }
        for (String field : List.of("activeDeadlineSeconds", "schedulingGates", "tolerations")) {
            copyField(old, spec, field);
        }
        boolean shortened =
                number(old, "terminationGracePeriodSeconds") < 0 && number(spec, "terminationGracePeriodSeconds") == 1;
        if (shortened) {
            copyField(old, spec, "terminationGracePeriodSeconds");
        }
        if (!items(old, "schedulingGates").isEmpty()) {
            revertGatedChanges();
        }
    }

    /** While a pod has scheduling gates, its node selector and node affinity may become stricter, but not looser. */
    private void revertGatedChanges() {
        if (!nullSafeEquals(at(old, "nodeSelector"), at(spec, "nodeSelector"))) {
            Map<String, String> selector = map(spec, "nodeSelector");
            boolean added = map(old, "nodeSelector").entrySet().stream()
                    .allMatch(entry -> entry.getValue().equals(selector.get(entry.getKey())));
            if (!added) {
                errors.invalid(
                        SPEC.child("nodeSelector"),
                        at(spec, "nodeSelector").isMissingNode() ? GoFormat.NULL : at(spec, "nodeSelector"),
                        "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
            }
            copyField(old, spec, "nodeSelector");
        }
        if (!nullSafeEquals(at(old, "affinity", "nodeAffinity"), at(spec, "affinity", "nodeAffinity"))) {
            new GatedAffinityChecks(SPEC.child("affinity").child("nodeAffinity"), errors)
                    .check(at(old, "affinity", "nodeAffinity"), at(spec, "affinity", "nodeAffinity"));
            ObjectNode affinity = getOrCreateObject(spec, "affinity");
            copyField(getOrCreateObject(old.deepCopy(), "affinity"), affinity, "nodeAffinity");
            if (affinity.isEmpty() && !has(old, "affinity")) {
                spec.remove("affinity");
            }
        }
    }
}
