package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.putNumber;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultFlag;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultNumber;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultObject;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The defaults of pods and of pod templates. Templates get fewer defaults. */
public final class PodDefaults {
    private static final List<String> CONTAINERS = List.of("initContainers", "containers", "ephemeralContainers");

    private PodDefaults() {}

    public static void pod(ObjectNode pod) {
        ObjectNode spec = getOrCreateObject(pod, "spec");
        objects(spec, "containers").forEach(ResourceDefaults::defaultRequestsToLimits);
        objects(spec, "initContainers").forEach(ResourceDefaults::defaultRequestsToLimits);
        PodLevelResources.fill(spec);
        setDefaultFlag(spec, "enableServiceLinks", true);
        if (flag(spec, "hostNetwork")) {
            objects(spec, "containers").forEach(PodDefaults::hostPorts);
            objects(spec, "initContainers").forEach(PodDefaults::hostPorts);
        }
        spec(spec);
        object(pod, "status").ifPresent(PodDefaults::addresses);
    }

    private static void hostPorts(ObjectNode container) {
        for (ObjectNode port : objects(container, "ports")) {
            if (number(port, "hostPort") == 0) {
                putNumber(port, "hostPort", number(port, "containerPort"));
            }
        }
    }

    /** Makes {@code podIP} and the first of {@code podIPs} equal. {@code podIP} wins if they differ. */
    private static void addresses(ObjectNode status) {
        List<ObjectNode> all = objects(status, "podIPs");
        String single = text(status, "podIP");
        String first = all.isEmpty() ? "" : text(all.get(0), "ip");
        if (single.isEmpty() && !first.isEmpty()) {
            status.put("podIP", first);
        } else if (!single.equals(first)) {
            status.putArray("podIPs").addObject().put("ip", single);
        }
    }

    public static void template(ObjectNode template) {
        setDefaultObject(template, "metadata");
        spec(getOrCreateObject(template, "spec"));
    }

    private static void spec(ObjectNode spec) {
        setDefaultText(spec, "dnsPolicy", "ClusterFirst");
        setDefaultText(spec, "restartPolicy", "Always");
        setDefaultObject(spec, "securityContext");
        setDefaultNumber(spec, "terminationGracePeriodSeconds", 30);
        setDefaultText(spec, "schedulerName", "default-scheduler");
        serviceAccount(spec);
        objects(spec, "volumes").forEach(VolumeDefaults::apply);
        for (String list : CONTAINERS) {
            objects(spec, list).forEach(ContainerDefaults::apply);
        }
        object(spec, "overhead").ifPresent(ResourceDefaults::roundList);
        object(spec, "resources").ifPresent(ResourceDefaults::round);
    }

    /** Makes the deprecated field {@code serviceAccount} equal to {@code serviceAccountName}, which wins. */
    private static void serviceAccount(ObjectNode spec) {
        String name = text(spec, "serviceAccountName");
        String account = name.isEmpty() ? text(spec, "serviceAccount") : name;
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        } else if (has(spec, "serviceAccount")) {
            spec.remove("serviceAccount");
        }
    }
}
