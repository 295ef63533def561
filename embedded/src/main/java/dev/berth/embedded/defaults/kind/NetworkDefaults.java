package dev.berth.embedded.defaults.kind;

import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.fillFlag;
import static dev.berth.embedded.tree.Trees.fillNumber;
import static dev.berth.embedded.tree.Trees.fillText;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.putNumber;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The defaults of services and of what leads to them. */
public final class NetworkDefaults {
    private static final int THREE_HOURS = 10800;

    private NetworkDefaults() {}

    public static void service(ObjectNode service) {
        ObjectNode spec = child(service, "spec");
        affinity(spec);
        fillText(spec, "type", "ClusterIP");
        String type = text(spec, "type");
        objects(spec, "ports").forEach(NetworkDefaults::servicePort);
        boolean external = type.equals("NodePort")
                || type.equals("LoadBalancer")
                || (type.equals("ClusterIP") && !items(spec, "externalIPs").isEmpty());
        if (external) {
            fillText(spec, "externalTrafficPolicy", "Cluster");
        }
        if (!type.equals("ExternalName")) {
            fillText(spec, "internalTrafficPolicy", "Cluster");
        }
        if (type.equals("LoadBalancer")) {
            fillFlag(spec, "allocateLoadBalancerNodePorts", true);
            for (ObjectNode ingress : objects(service, "status", "loadBalancer", "ingress")) {
                if (!text(ingress, "ip").isEmpty()) {
                    fillText(ingress, "ipMode", "VIP");
                }
            }
        }
    }

    private static void affinity(ObjectNode spec) {
        fillText(spec, "sessionAffinity", "None");
        if (text(spec, "sessionAffinity").equals("None")) {
            spec.remove("sessionAffinityConfig");
        } else if (text(spec, "sessionAffinity").equals("ClientIP")) {
            fillNumber(child(child(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds", THREE_HOURS);
        }
    }

    private static void servicePort(ObjectNode port) {
        fillText(port, "protocol", "TCP");
        JsonNode target = port.path("targetPort");
        boolean open = !has(port, "targetPort")
                || (target.isNumber() && target.intValue() == 0)
                || (target.isTextual() && target.textValue().isEmpty());
        if (open) {
            putNumber(port, "targetPort", number(port, "port"));
        }
    }

    public static void endpoints(ObjectNode endpoints) {
        for (ObjectNode subset : objects(endpoints, "subsets")) {
            objects(subset, "ports").forEach(port -> fillText(port, "protocol", "TCP"));
        }
    }

    public static void endpointSlice(ObjectNode slice) {
        for (ObjectNode port : objects(slice, "ports")) {
            fillText(port, "name", "");
            fillText(port, "protocol", "TCP");
        }
    }

    public static void networkPolicy(ObjectNode policy) {
        ObjectNode spec = child(policy, "spec");
        for (String direction : List.of("ingress", "egress")) {
            for (ObjectNode rule : objects(spec, direction)) {
                objects(rule, "ports").forEach(port -> fillText(port, "protocol", "TCP"));
            }
        }
        if (items(spec, "policyTypes").isEmpty()) {
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (!items(spec, "egress").isEmpty()) {
                types.add("Egress");
            }
        }
    }

    public static void ingressClass(ObjectNode ingressClass) {
        object(ingressClass, "spec", "parameters").ifPresent(parameters -> fillText(parameters, "scope", "Cluster"));
    }
}
