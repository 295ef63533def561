package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.putNumber;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultFlag;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultNumber;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The defaults of Services. */
public final class NetworkDefaults {
    private static final int THREE_HOURS = 10800;

    private NetworkDefaults() {}

    public static void service(ObjectNode service) {
        ObjectNode spec = getOrCreateObject(service, "spec");
        affinity(spec);
        setDefaultText(spec, "type", "ClusterIP");
        String type = text(spec, "type");
        objects(spec, "ports").forEach(NetworkDefaults::servicePort);
        boolean external = type.equals("NodePort")
                || type.equals("LoadBalancer")
                || (type.equals("ClusterIP") && !items(spec, "externalIPs").isEmpty());
        if (external) {
            setDefaultText(spec, "externalTrafficPolicy", "Cluster");
        }
        if (!type.equals("ExternalName")) {
            setDefaultText(spec, "internalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer")) {
            setDefaultFlag(spec, "allocateLoadBalancerNodePorts", true);
            for (ObjectNode ingress : objects(service, "status", "loadBalancer", "ingress")) {
                if (!text(ingress, "ip").isEmpty()) {
                    setDefaultText(ingress, "ipMode", "VIP");
                }
            }
        }
    }

    private static void affinity(ObjectNode spec) {
        setDefaultText(spec, "sessionAffinity", "None");
        if (text(spec, "sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        } else if (text(spec, "sessionAffinity").equals("ClientIP")) {
            setDefaultNumber(
                    getOrCreateObject(getOrCreateObject(spec, "sessionAffinityConfig"), "clientIP"),
                    "timeoutSeconds",
                    THREE_HOURS);
        }
    }

    private static void servicePort(ObjectNode port) {
        setDefaultText(port, "protocol", "TCP");
        JsonNode target = port.path("targetPort");
        boolean unset = !has(port, "targetPort")
                || (target.isNumber() && target.intValue() == 0)
                || (target.isTextual() && target.textValue().isEmpty());
        if (unset) {
            putNumber(port, "targetPort", number(port, "port"));
        }
    }
}
