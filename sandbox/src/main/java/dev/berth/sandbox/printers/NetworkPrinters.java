package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.at;
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

/** The columns and cells of Services. */
final class NetworkPrinters {
    static final List<TableColumn> SERVICE =
            TableColumn.parseAll("Name", "Type", "Cluster-IP", "External-IP", "Port(s)", "Age", "Selector+");

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
}
