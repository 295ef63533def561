package dev.berth.sandbox.defaulting;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.copyField;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.getOrCreateObject;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.putNumber;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.GroupVersionKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Assigns the cluster IP and the node ports of a Service, and keeps them in updates. */
public final class ServiceNetworkFields {
    private static final GroupVersionKind SERVICE = new GroupVersionKind("", "v1", "Service");

    private ServiceNetworkFields() {}

    /** Assigns the missing cluster IP and node ports if the type of the Service needs them. */
    public static void assign(ObjectNode service, Supplier<String> freeAddress, IntSupplier freeNodePort) {
        ObjectNode spec = getOrCreateObject(service, "spec");
        if (needsClusterIp(spec)) {
            if (text(spec, "clusterIP").isEmpty()) {
                spec.put("clusterIP", freeAddress.get());
            }
            syncClusterIps(service);
            setIpFamilies(spec);
        }
        if (needsNodePorts(spec)) {
            for (ObjectNode port : objects(spec, "ports")) {
                if (number(port, "nodePort") == 0) {
                    port.put("nodePort", freeNodePort.getAsInt());
                }
            }
        }
        Defaults.apply(SERVICE, service);
    }

    private static void setIpFamilies(ObjectNode spec) {
        boolean headless = text(spec, "clusterIP").equals("None");
        boolean headlessWithoutSelector = headless && object(spec, "selector").isEmpty();
        if (items(spec, "ipFamilies").isEmpty()) {
            String family = text(spec, "clusterIP").contains(":") ? "IPv6" : "IPv4";
            spec.putArray("ipFamilies").add(family);
            if (headlessWithoutSelector && !has(spec, "ipFamilyPolicy")) {
                spec.withArray("ipFamilies").add("IPv6");
                spec.put("ipFamilyPolicy", "RequireDualStack");
            }
        }
        if (!has(spec, "ipFamilyPolicy")) {
            spec.put("ipFamilyPolicy", "SingleStack");
        }
    }

    /** Makes {@code clusterIP} and the first of {@code clusterIPs} equal. */
    static void syncClusterIps(ObjectNode service) {
        ObjectNode spec = getOrCreateObject(service, "spec");
        String address = text(spec, "clusterIP");
        List<String> all = texts(spec, "clusterIPs");
        if (!address.isEmpty() && all.isEmpty()) {
            spec.putArray("clusterIPs").add(address);
        } else if (address.isEmpty() && !all.isEmpty()) {
            spec.put("clusterIP", all.get(0));
        }
    }

    static void prepareForUpdate(ObjectNode before, ObjectNode after) {
        ObjectNode old = getOrCreateObject(before, "spec");
        ObjectNode spec = getOrCreateObject(after, "spec");
        if (needsClusterIp(old) && needsClusterIp(spec)) {
            keepClusterIp(old, spec);
        }
        if (needsNodePorts(old) && needsNodePorts(spec)) {
            keepNodePorts(old, spec);
        }
        dropClusterIp(old, spec);
        syncClusterIps(after);
    }

    private static void keepClusterIp(ObjectNode old, ObjectNode spec) {
        if (text(spec, "clusterIP").isEmpty()) {
            copyField(old, spec, "clusterIP");
        }
        if (items(spec, "clusterIPs").isEmpty()) {
            copyField(old, spec, "clusterIPs");
        }
        for (String field : List.of("ipFamilies", "ipFamilyPolicy")) {
            if (!has(spec, field)) {
                copyField(old, spec, field);
            }
        }
    }

    private static void keepNodePorts(ObjectNode old, ObjectNode spec) {
        Set<Long> used = nodePorts(old);
        used.retainAll(nodePorts(spec));
        Map<String, Long> byName = new HashMap<>();
        objects(old, "ports").forEach(port -> byName.put(text(port, "name"), number(port, "nodePort")));
        for (ObjectNode port : objects(spec, "ports")) {
            long oldPort = byName.getOrDefault(text(port, "name"), 0L);
            if (number(port, "nodePort") == 0 && oldPort != 0 && !used.contains(oldPort)) {
                putNumber(port, "nodePort", oldPort);
            }
        }
    }

    private static void dropClusterIp(ObjectNode old, ObjectNode spec) {
        if (!needsClusterIp(old) || needsClusterIp(spec)) {
            return;
        }
        if (nullSafeEquals(at(old, "clusterIP"), at(spec, "clusterIP"))
                && nullSafeEquals(at(old, "clusterIPs"), at(spec, "clusterIPs"))) {
            spec.remove(List.of("clusterIP", "clusterIPs"));
        }
        for (String field : List.of("ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy")) {
            if (nullSafeEquals(at(old, field), at(spec, field))) {
                spec.remove(field);
            }
        }
    }

    private static Set<Long> nodePorts(ObjectNode spec) {
        Set<Long> ports = new HashSet<>();
        objects(spec, "ports").forEach(port -> ports.add(number(port, "nodePort")));
        ports.remove(0L);
        return ports;
    }

    private static boolean needsClusterIp(ObjectNode spec) {
        return !text(spec, "type").equals("ExternalName");
    }

    private static boolean needsNodePorts(ObjectNode spec) {
        boolean declined = has(spec, "allocateLoadBalancerNodePorts") && !flag(spec, "allocateLoadBalancerNodePorts");
        return text(spec, "type").equals("NodePort") || (text(spec, "type").equals("LoadBalancer") && !declined);
    }
}
