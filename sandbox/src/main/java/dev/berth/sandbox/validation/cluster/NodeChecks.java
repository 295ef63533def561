package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.meta.IpAddresses;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ResourceAmountChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks Nodes: taints, pod CIDRs, resource amounts and addresses. */
public final class NodeChecks {
    /** The taint effects, in the order in which error messages list them. */
    public static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private static final FieldPath TAINTS = FieldPath.of("metadata", "taints");
    private static final FieldPath NETWORKS = FieldPath.of("spec", "podCIDRs");

    private NodeChecks() {}

    public static void node(ObjectNode node, FieldErrorList errors) {
        taints(node, errors);
        amounts(node, errors);
        List<String> networks = texts(node, "spec", "podCIDRs");
        for (int i = 0; i < networks.size(); i++) {
            IpAddresses.checkCidr(networks.get(i), NETWORKS.index(i), errors);
        }
        boolean pair = networks.size() == 2
                && networks.get(0).contains(":") != networks.get(1).contains(":");
        if (networks.size() > 1 && !pair) {
            errors.invalid(
                    NETWORKS, at(node, "spec", "podCIDRs"), "may specify no more than one CIDR for each IP family");
        }
    }

    private static void taints(ObjectNode node, FieldErrorList errors) {
        List<ObjectNode> taints = objects(node, "spec", "taints");
        Set<List<String>> seen = new HashSet<>();
        for (int i = 0; i < taints.size(); i++) {
            ObjectNode taint = taints.get(i);
            FieldPath path = TAINTS.index(i);
            String key = text(taint, "key");
            errors.invalid(path.child("key"), key, NameChecks.qualifiedName(key));
            List<String> messages = NameChecks.labelValue(text(taint, "value"));
            if (!messages.isEmpty()) {
                errors.invalid(path.child("value"), text(taint, "value"), String.join(";", messages));
            }
            String effect = text(taint, "effect");
            if (effect.isEmpty()) {
                errors.required(path.child("effect"));
            } else if (!EFFECTS.contains(effect)) {
                errors.notSupported(path.child("effect"), effect, EFFECTS);
            }
            if (!seen.add(List.of(key, effect))) {
                JsonNode value = GoFormat.goStruct(taint, List.of("Key", "Value", "Effect"), "TimeAdded");
                String detail = "taints must be unique by key and effect pair";
                errors.add(new FieldError(path.toString(), FieldError.Type.DUPLICATE, value, detail));
            }
        }
    }

    private static void amounts(ObjectNode node, FieldErrorList errors) {
        for (String list : List.of("capacity", "allocatable")) {
            at(node, "status", list)
                    .properties()
                    .forEach(entry -> StoredQuantity.of(entry.getValue())
                            .ifPresent(amount -> ResourceAmountChecks.checkAmount(
                                    entry.getKey(), amount, FieldPath.of("status", list, entry.getKey()), errors)));
        }
    }

    public static void update(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        amounts(after, errors);
        List<ObjectNode> addresses = objects(after, "status", "addresses");
        Set<ObjectNode> seen = new HashSet<>();
        for (int i = 0; i < addresses.size(); i++) {
            if (!seen.add(addresses.get(i))) {
                JsonNode value = GoFormat.goStruct(addresses.get(i), List.of("Type", "Address"));
                errors.duplicate(FieldPath.of("status", "addresses").index(i), value);
            }
        }
        List<String> networks = texts(before, "spec", "podCIDRs");
        if (!networks.isEmpty() && !networks.equals(texts(after, "spec", "podCIDRs"))) {
            errors.forbidden(NETWORKS, "node updates may not change podCIDR except from \"\" to valid");
        }
        String provider = text(before, "spec", "providerID");
        if (!provider.isEmpty() && !provider.equals(text(after, "spec", "providerID"))) {
            errors.forbidden(
                    FieldPath.of("spec", "providerID"),
                    "node updates may not change providerID except from \"\" to valid");
        }
        taints(after, errors);
        if (!nullSafeEquals(at(before, "spec", "externalID"), at(after, "spec", "externalID"))) {
            errors.forbidden(FieldPath.of("spec", "externalID"), "may not be updated");
        }
    }
}
