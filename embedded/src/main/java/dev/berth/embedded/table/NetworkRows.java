package dev.berth.embedded.table;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What is printed of services and what belongs to them. */
final class NetworkRows {
    static final List<Column> SERVICE =
            Column.of("Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "Selector+");
    static final List<Column> ENDPOINTS = Column.of("Name", "Endpoints", "Age");
    static final List<Column> ENDPOINT_SLICE = Column.of("Name", "AddressType", "Ports", "Endpoints", "Age");
    static final List<Column> INGRESS = Column.of("Name", "Class", "Hosts", "Address", "Ports", "Age");
    static final List<Column> INGRESS_CLASS = Column.of("Name", "Controller", "Parameters", "Age");
    static final List<Column> NETWORK_POLICY = Column.of("Name", "Pod-Selector", "Age");

    private static final int SHOWN = 3;

    private NetworkRows() {}

    static List<JsonNode> service(ObjectNode service, Instant now) {
        List<String> addresses = texts(service, "spec", "clusterIPs");
        String ports = objects(service, "spec", "ports").stream()
                .map(NetworkRows::port)
                .collect(Collectors.joining(","));
        return new Cells(service, now)
                .name()
                .textAt("spec", "type")
                .text(addresses.isEmpty() ? Cells.NONE : addresses.get(0))
                .text(external(service))
                .text(ports.isEmpty() ? Cells.NONE : ports)
                .age()
                .text(Selectors.labels(at(service, "spec", "selector")))
                .list();
    }

    private static String port(ObjectNode port) {
        long node = number(port, "nodePort");
        return number(port, "port") + (node > 0 ? ":" + node : "") + "/" + text(port, "protocol");
    }

    private static String external(ObjectNode service) {
        List<String> addresses = new ArrayList<>();
        String otherwise = Cells.NONE;
        switch (text(service, "spec", "type")) {
            case "ExternalName" -> {
                return text(service, "spec", "externalName");
            }
            case "LoadBalancer" -> {
                addresses.addAll(balancers(service));
                otherwise = "<pending>";
            }
            case "ClusterIP", "NodePort" -> {}
            default -> {
                return "<unknown>";
            }
        }
        addresses.addAll(texts(service, "spec", "externalIPs"));
        return addresses.isEmpty() ? otherwise : String.join(",", addresses);
    }

    private static Set<String> balancers(ObjectNode holder) {
        Set<String> addresses = new TreeSet<>();
        for (ObjectNode ingress : objects(holder, "status", "loadBalancer", "ingress")) {
            String address = text(ingress, "ip");
            addresses.add(address.isEmpty() ? text(ingress, "hostname") : address);
        }
        addresses.remove("");
        return addresses;
    }

    static List<JsonNode> endpoints(ObjectNode endpoints, Instant now) {
        List<String> all = new ArrayList<>();
        for (ObjectNode subset : objects(endpoints, "subsets")) {
            List<ObjectNode> ports = objects(subset, "ports");
            List<ObjectNode> addresses = objects(subset, "addresses");
            if (ports.isEmpty()) {
                addresses.forEach(address -> all.add(text(address, "ip")));
            }
            for (ObjectNode port : ports) {
                addresses.forEach(address -> all.add(joined(text(address, "ip"), number(port, "port"))));
            }
        }
        String shown = objects(endpoints, "subsets").isEmpty() ? Cells.NONE : shortened(all);
        return new Cells(endpoints, now).name().text(shown).age().list();
    }

    private static String joined(String address, long port) {
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    }

    private static String shortened(List<String> all) {
        if (all.size() <= SHOWN) {
            return String.join(",", all);
        }
        return String.join(",", all.subList(0, SHOWN)) + " + " + (all.size() - SHOWN) + " more...";
    }

    private static String shortenedOrUnset(List<String> all) {
        return all.isEmpty() ? "<unset>" : shortened(all);
    }

    static List<JsonNode> endpointSlice(ObjectNode slice, Instant now) {
        List<String> ports = objects(slice, "ports").stream()
                .map(port -> has(port, "port") ? Long.toString(number(port, "port")) : text(port, "name"))
                .map(port -> port.isEmpty() ? "*" : port)
                .toList();
        List<String> addresses = objects(slice, "endpoints").stream()
                .flatMap(endpoint -> texts(endpoint, "addresses").stream())
                .toList();
        return new Cells(slice, now)
                .name()
                .textAt("addressType")
                .text(shortenedOrUnset(ports))
                .text(shortenedOrUnset(addresses))
                .age()
                .list();
    }

    static List<JsonNode> ingress(ObjectNode ingress, Instant now) {
        List<ObjectNode> rules = objects(ingress, "spec", "rules");
        List<String> hosts = rules.stream()
                .map(rule -> text(rule, "host"))
                .filter(host -> !host.isEmpty())
                .toList();
        return new Cells(ingress, now)
                .name()
                .textOr(Cells.NONE, "spec", "ingressClassName")
                .text(hosts.isEmpty() ? "*" : shortened(hosts))
                .text(String.join(",", balancers(ingress)))
                .text(items(ingress, "spec", "tls").isEmpty() ? "80" : "80, 443")
                .age()
                .list();
    }

    static List<JsonNode> ingressClass(ObjectNode ingressClass, Instant now) {
        JsonNode parameters = at(ingressClass, "spec", "parameters");
        String group = text(parameters, "apiGroup");
        String shown = parameters.isMissingNode()
                ? Cells.NONE
                : text(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/" + text(parameters, "name");
        String name = text(ingressClass, "metadata", "name");
        boolean chosen = text(ingressClass, "metadata", "annotations", "ingressclass.kubernetes.io/is-default-class")
                .equals("true");
        return new Cells(ingressClass, now)
                .text(chosen ? name + " (default)" : name)
                .textAt("spec", "controller")
                .text(shown)
                .age()
                .list();
    }

    static List<JsonNode> networkPolicy(ObjectNode policy, Instant now) {
        return new Cells(policy, now)
                .name()
                .text(Selectors.orNone(at(policy, "spec", "podSelector")))
                .age()
                .list();
    }
}
