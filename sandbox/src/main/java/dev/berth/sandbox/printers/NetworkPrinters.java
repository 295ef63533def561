package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What is printed of services and what belongs to them. */
final class NetworkPrinters {
    static final List<TableColumn> SERVICE =
            TableColumn.parseAll("Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "Selector+");
    static final List<TableColumn> ENDPOINTS = TableColumn.parseAll("Name", "Endpoints", "Age");
    static final List<TableColumn> ENDPOINT_SLICE =
            TableColumn.parseAll("Name", "AddressType", "Ports", "Endpoints", "Age");
    static final List<TableColumn> INGRESS = TableColumn.parseAll("Name", "Class", "Hosts", "Address", "Ports", "Age");
    static final List<TableColumn> INGRESS_CLASS = TableColumn.parseAll("Name", "Controller", "Parameters", "Age");
    static final List<TableColumn> NETWORK_POLICY = TableColumn.parseAll("Name", "Pod-Selector", "Age");

    private static final int MAX_SHOWN = 3;

    private NetworkPrinters() {}

    static List<JsonNode> service(ObjectNode service, Instant now) {
        List<String> addresses = texts(service, "spec", "clusterIPs");
        String ports = objects(service, "spec", "ports").stream()
                .map(NetworkPrinters::port)
                .collect(Collectors.joining(","));
        return new RowBuilder(service, now)
                .name()
                .textAt("spec", "type")
                .text(addresses.isEmpty() ? RowBuilder.NONE : addresses.get(0))
                .text(external(service))
                .text(ports.isEmpty() ? RowBuilder.NONE : ports)
                .age()
                .text(SelectorFormatter.formatLabels(at(service, "spec", "selector")))
                .build();
    }

    private static String port(ObjectNode port) {
        long node = number(port, "nodePort");
        return number(port, "port") + (node > 0 ? ":" + node : "") + "/" + text(port, "protocol");
    }

    private static String external(ObjectNode service) {
        List<String> addresses = new ArrayList<>();
        String defaultValue = RowBuilder.NONE;
        switch (text(service, "spec", "type")) {
            case "ExternalName" -> {
                return text(service, "spec", "externalName");
            }
            case "LoadBalancer" -> {
                addresses.addAll(balancers(service));
                defaultValue = "<pending>";
            }
            case "ClusterIP", "NodePort" -> {}
            default -> {
                return "<unknown>";
            }
        }
        addresses.addAll(texts(service, "spec", "externalIPs"));
        return addresses.isEmpty() ? defaultValue : String.join(",", addresses);
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
        String shown = objects(endpoints, "subsets").isEmpty() ? RowBuilder.NONE : shortened(all);
        return new RowBuilder(endpoints, now).name().text(shown).age().build();
    }

    private static String joined(String address, long port) {
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    }

    private static String shortened(List<String> all) {
        if (all.size() <= MAX_SHOWN) {
            return String.join(",", all);
        }
        return String.join(",", all.subList(0, MAX_SHOWN)) + " + " + (all.size() - MAX_SHOWN) + " more...";
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
        return new RowBuilder(slice, now)
                .name()
                .textAt("addressType")
                .text(shortenedOrUnset(ports))
                .text(shortenedOrUnset(addresses))
                .age()
                .build();
    }

    static List<JsonNode> ingress(ObjectNode ingress, Instant now) {
        List<ObjectNode> rules = objects(ingress, "spec", "rules");
        List<String> hosts = rules.stream()
                .map(rule -> text(rule, "host"))
                .filter(host -> !host.isEmpty())
                .toList();
        return new RowBuilder(ingress, now)
                .name()
                .textOr(RowBuilder.NONE, "spec", "ingressClassName")
                .text(hosts.isEmpty() ? "*" : shortened(hosts))
                .text(String.join(",", balancers(ingress)))
                .text(items(ingress, "spec", "tls").isEmpty() ? "80" : "80, 443")
                .age()
                .build();
    }

    static List<JsonNode> ingressClass(ObjectNode ingressClass, Instant now) {
        JsonNode parameters = at(ingressClass, "spec", "parameters");
        String group = text(parameters, "apiGroup");
        String shown = parameters.isMissingNode()
                ? RowBuilder.NONE
                : text(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/" + text(parameters, "name");
        String name = text(ingressClass, "metadata", "name");
        boolean chosen = text(ingressClass, "metadata", "annotations", "ingressclass.kubernetes.io/is-default-class")
                .equals("true");
        return new RowBuilder(ingressClass, now)
                .text(chosen ? name + " (default)" : name)
                .textAt("spec", "controller")
                .text(shown)
                .age()
                .build();
    }

    static List<JsonNode> networkPolicy(ObjectNode policy, Instant now) {
        return new RowBuilder(policy, now)
                .name()
                .text(SelectorFormatter.formatOrNone(at(policy, "spec", "podSelector")))
                .age()
                .build();
    }
}
