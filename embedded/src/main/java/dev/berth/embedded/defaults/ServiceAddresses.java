package dev.berth.embedded.defaults;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.child;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.keep;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.putNumber;
import static dev.berth.embedded.tree.Trees.same;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.schema.GroupVersionKind;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The addresses and node ports of a service: given once, kept through updates, dropped when its type needs none. */
public final class ServiceAddresses {
    private static final GroupVersionKind SERVICE = new GroupVersionKind("", "v1", "Service");

    private ServiceAddresses() {}

    /** Gives a valid service what it needs and has not: a cluster address, and a node port for each port. */
    public static void assign(ObjectNode service, Supplier<String> freeAddress, IntSupplier freeNodePort) {
        ObjectNode spec = child(service, "spec");
        if (needsAddress(spec)) {
            if (text(spec, "clusterIP").isEmpty()) {
                spec.put("clusterIP", freeAddress.get());
            }
            normalize(service);
            nameFamilies(spec);
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

    private static void nameFamilies(ObjectNode spec) {
        boolean headless = text(spec, "clusterIP").equals("None");
        boolean open = headless && object(spec, "selector").isEmpty();
        if (items(spec, "ipFamilies").isEmpty()) {
            String family = text(spec, "clusterIP").contains(":") ? "IPv6" : "IPv4";
            spec.putArray("ipFamilies").add(family);
            if (open && !has(spec, "ipFamilyPolicy")) {
                spec.withArray("ipFamilies").add("IPv6");
                spec.put("ipFamilyPolicy", "RequireDualStack");
            }
        }
        if (!has(spec, "ipFamilyPolicy")) {
            spec.put("ipFamilyPolicy", "SingleStack");
        }
    }

    /** The single address and the first of the list are one. */
    static void normalize(ObjectNode service) {
        ObjectNode spec = child(service, "spec");
        String address = text(spec, "clusterIP");
        List<String> all = texts(spec, "clusterIPs");
        if (!address.isEmpty() && all.isEmpty()) {
            spec.putArray("clusterIPs").add(address);
        } else if (address.isEmpty() && !all.isEmpty()) {
            spec.put("clusterIP", all.get(0));
        }
    }

    static void onUpdate(ObjectNode before, ObjectNode after) {
        ObjectNode old = child(before, "spec");
        ObjectNode spec = child(after, "spec");
        if (needsAddress(old) && needsAddress(spec)) {
            keepAddress(old, spec);
        }
        if (needsNodePorts(old) && needsNodePorts(spec)) {
            keepNodePorts(old, spec);
        }
        dropAddress(old, spec);
        dropNodePorts(old, spec);
        dropExternal(old, spec);
        if (!text(spec, "type").equals("LoadBalancer")) {
            child(after, "status").remove("loadBalancer");
        }
        normalize(after);
    }

    private static void keepAddress(ObjectNode old, ObjectNode spec) {
        if (text(spec, "clusterIP").isEmpty()) {
            keep(old, spec, "clusterIP");
        }
        if (items(spec, "clusterIPs").isEmpty()) {
            keep(old, spec, "clusterIPs");
        }
        for (String field : List.of("ipFamilies", "ipFamilyPolicy")) {
            if (!has(spec, field)) {
                keep(old, spec, field);
            }
        }
    }

    private static void keepNodePorts(ObjectNode old, ObjectNode spec) {
        Set<Long> used = nodePorts(old);
        used.retainAll(nodePorts(spec));
        Map<String, Long> byName = new HashMap<>();
        objects(old, "ports").forEach(port -> byName.put(text(port, "name"), number(port, "nodePort")));
        for (ObjectNode port : objects(spec, "ports")) {
            long known = byName.getOrDefault(text(port, "name"), 0L);
            if (number(port, "nodePort") == 0 && known != 0 && !used.contains(known)) {
                putNumber(port, "nodePort", known);
            }
        }
    }

    private static void dropAddress(ObjectNode old, ObjectNode spec) {
        if (!needsAddress(old) || needsAddress(spec)) {
            return;
        }
        if (same(at(old, "clusterIP"), at(spec, "clusterIP")) && same(at(old, "clusterIPs"), at(spec, "clusterIPs"))) {
            spec.remove(List.of("clusterIP", "clusterIPs"));
        }
        for (String field : List.of("ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy")) {
            if (same(at(old, field), at(spec, field))) {
                spec.remove(field);
            }
        }
    }

    private static void dropNodePorts(ObjectNode old, ObjectNode spec) {
        boolean hadPorts = isOpened(old);
        if (hadPorts && !isOpened(spec) && nodePorts(old).containsAll(nodePorts(spec))) {
            objects(spec, "ports").forEach(port -> port.remove("nodePort"));
        }
    }

    private static void dropExternal(ObjectNode old, ObjectNode spec) {
        boolean balanced = text(spec, "type").equals("LoadBalancer");
        if (text(old, "type").equals("LoadBalancer") && !balanced) {
            for (String field : List.of("allocateLoadBalancerNodePorts", "loadBalancerClass")) {
                if (same(at(old, field), at(spec, field))) {
                    spec.remove(field);
                }
            }
        }
        boolean wasOpen = isOpened(old) || !items(old, "externalIPs").isEmpty();
        boolean isOpen = isOpened(spec) || !items(spec, "externalIPs").isEmpty();
        if (wasOpen && !isOpen && same(at(old, "externalTrafficPolicy"), at(spec, "externalTrafficPolicy"))) {
            spec.remove("externalTrafficPolicy");
        }
    }

    private static Set<Long> nodePorts(ObjectNode spec) {
        Set<Long> ports = new HashSet<>();
        objects(spec, "ports").forEach(port -> ports.add(number(port, "nodePort")));
        ports.remove(0L);
        return ports;
    }

    private static boolean needsAddress(ObjectNode spec) {
        return !text(spec, "type").equals("ExternalName");
    }

    private static boolean isOpened(ObjectNode spec) {
        String type = text(spec, "type");
        return type.equals("NodePort") || type.equals("LoadBalancer");
    }

    private static boolean needsNodePorts(ObjectNode spec) {
        boolean declined = has(spec, "allocateLoadBalancerNodePorts") && !flag(spec, "allocateLoadBalancerNodePorts");
        return text(spec, "type").equals("NodePort") || (text(spec, "type").equals("LoadBalancer") && !declined);
    }
}
