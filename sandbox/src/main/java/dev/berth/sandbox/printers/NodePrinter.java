package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;

/** The columns and cells of Nodes. */
final class NodePrinter {
    static final List<TableColumn> COLUMNS = TableColumn.parseAll(
            "Name",
            "Status",
            "Roles",
            "Age",
            "Version",
            "Internal-IP+",
            "External-IP+",
            "OS-Image+",
            "Kernel-Version+",
            "Container-Runtime+");

    private static final String ROLE = "node-role.kubernetes.io/";

    private NodePrinter() {}

    static List<JsonNode> cells(ObjectNode node, Instant now) {
        String architecture = text(node, "status", "nodeInfo", "architecture");
        String kernel = text(node, "status", "nodeInfo", "kernelVersion");
        String suffix = architecture.isEmpty() ? "" : " (" + architecture + ")";
        return new RowBuilder(node, now)
                .name()
                .text(status(node))
                .text(roles(node))
                .age()
                .textAt("status", "nodeInfo", "kubeletVersion")
                .text(address(node, "InternalIP"))
                .text(address(node, "ExternalIP"))
                .textOr("<unknown>", "status", "nodeInfo", "osImage")
                .text((kernel.isEmpty() ? "<unknown>" : kernel) + suffix)
                .textOr("<unknown>", "status", "nodeInfo", "containerRuntimeVersion")
                .build();
    }

    private static String status(ObjectNode node) {
        String ready = "Unknown";
        for (ObjectNode condition : objects(node, "status", "conditions")) {
            if (text(condition, "type").equals("Ready")) {
                ready = text(condition, "status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return flag(node, "spec", "unschedulable") ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(ObjectNode node) {
        TreeSet<String> roles = new TreeSet<>();
        map(node, "metadata", "labels").forEach((key, value) -> {
            if (key.startsWith(ROLE)) {
                roles.add(key.substring(ROLE.length()));
            } else if (key.equals("kubernetes.io/role")) {
                roles.add(value);
            }
        });
        roles.remove("");
        return roles.isEmpty() ? RowBuilder.NONE : String.join(",", roles);
    }

    private static String address(ObjectNode node, String type) {
        return objects(node, "status", "addresses").stream()
                .filter(address -> text(address, "type").equals(type))
                .map(address -> text(address, "address"))
                .findFirst()
                .orElse(RowBuilder.NONE);
    }
}
