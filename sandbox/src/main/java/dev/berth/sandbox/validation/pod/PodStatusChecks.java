package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.IpAddresses;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;
import java.util.Set;

/** Checks updates of a pod status. */
final class PodStatusChecks {
    private static final FieldPath STATUS = FieldPath.of("status");
    private static final Set<String> OWN_CONDITIONS = Set.of("PodScheduled", "Ready", "Initialized");

    private PodStatusChecks() {}

    static void check(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        conditions(after, errors);
        if (!text(before, "spec", "nodeName").equals(text(after, "spec", "nodeName"))) {
            errors.forbidden(STATUS.child("nodeName"), "may not be changed directly");
        }
        nomination(before, after, errors);
        ObjectMetaChecks.checkUnchanged(
                at(before, "status", "qosClass"), at(after, "status", "qosClass"), STATUS.child("qosClass"), errors);
        for (String list : List.of("containerStatuses", "initContainerStatuses")) {
            terminations(before, after, list, errors);
        }
        STATUS.child("podIPs")
                .forEachIndexed(
                        objects(after, "status", "podIPs"),
                        (address, here) -> IpAddresses.checkIp(text(address, "ip"), here, errors));
        hosts(after, errors);
    }

    private static void conditions(ObjectNode pod, FieldErrorList errors) {
        STATUS.child("conditions").forEachIndexed(objects(pod, "status", "conditions"), (condition, here) -> {
            if (number(condition, "observedGeneration") < 0) {
                errors.invalid(
                        here.child("observedGeneration"),
                        number(condition, "observedGeneration"),
                        "must be a non-negative integer");
            }
            String type = text(condition, "type");
            if (!OWN_CONDITIONS.contains(type)) {
                errors.invalid(here.child("Type"), type, NameChecks.qualifiedName(type));
            }
        });
    }

    private static void nomination(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        String nominated = text(after, "status", "nominatedNodeName");
        if (nominated.isEmpty() || nominated.equals(text(before, "status", "nominatedNodeName"))) {
            return;
        }
        FieldPath path = STATUS.child("nominatedNodeName");
        errors.invalid(path, nominated, NameChecks.dnsSubdomain(nominated));
        if (!text(before, "spec", "nodeName").isEmpty()) {
            errors.forbidden(path, "may not be set on pods that are already bound to a node");
        }
    }

    /** A terminated container must stay terminated unless the restart policy allows a restart. */
    private static void terminations(ObjectNode before, ObjectNode after, String list, FieldErrorList errors) {
        String policy = text(after, "spec", "restartPolicy");
        if (policy.equals("Always")) {
            return;
        }
        List<ObjectNode> statuses = objects(after, "status", list);
        for (ObjectNode old : objects(before, "status", list)) {
            boolean failed = number(old, "state", "terminated", "exitCode") != 0;
            boolean ended = has(old, "state", "terminated") && !(failed && policy.equals("OnFailure"));
            for (int i = 0; ended && i < statuses.size(); i++) {
                ObjectNode status = statuses.get(i);
                boolean revived = text(status, "name").equals(text(old, "name")) && !has(status, "state", "terminated");
                if (revived) {
                    errors.forbidden(
                            STATUS.child(list).index(i).child("state"),
                            "may not be transitioned to non-terminated state");
                }
            }
        }
    }

    private static void hosts(ObjectNode pod, FieldErrorList errors) {
        List<ObjectNode> hosts = objects(pod, "status", "hostIPs");
        if (hosts.isEmpty()) {
            return;
        }
        FieldPath path = STATUS.child("hostIPs");
        if (!nullSafeEquals(at(pod, "status", "hostIP"), at(hosts.get(0), "ip"))) {
            errors.invalid(path.index(0).child("ip"), text(hosts.get(0), "ip"), "must be equal to `hostIP`");
        }
        path.forEachIndexed(hosts, (address, here) -> IpAddresses.checkIp(text(address, "ip"), here, errors));
    }
}
