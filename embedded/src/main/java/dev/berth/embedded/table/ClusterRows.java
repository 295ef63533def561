package dev.berth.embedded.table;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.map;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What is printed of the remaining kinds. */
final class ClusterRows {
    static final List<Column> NAME_AND_AGE = Column.of("Name", "Age");
    static final List<Column> NAMESPACE = Column.of("Name", "Status", "Age");
    static final List<Column> CONFIG_MAP = Column.of("Name", "Data", "Age");
    static final List<Column> SECRET = Column.of("Name", "Type", "Data", "Age");
    static final List<Column> SERVICE_ACCOUNT = Column.of("Name", "Age");
    static final List<Column> LEASE = Column.of("Name", "Holder", "Age");
    static final List<Column> PRIORITY_CLASS =
            Column.of("Name", "Value:integer", "Global-Default:boolean", "Age", "PreemptionPolicy");
    static final List<Column> DISRUPTION_BUDGET =
            Column.of("Name", "Min Available", "Max Unavailable", "Allowed Disruptions:integer", "Age");
    static final List<Column> ROLE_BINDING = Column.of("Name", "Role", "Age", "Users+", "Groups+", "ServiceAccounts+");
    static final List<Column> WEBHOOKS = Column.of("Name", "Webhooks:integer", "Age");
    static final List<Column> RUNTIME_CLASS = Column.of("Name", "Handler", "Age");
    static final List<Column> RESOURCE_QUOTA = Column.of("Name", "Request", "Limit", "Age");
    static final List<Column> API_SERVICE = Column.of("Name", "Service", "Available", "Age");
    static final List<Column> SCALE = Column.of("Name", "Desired:integer", "Available:integer", "Age");

    private ClusterRows() {}

    static List<JsonNode> nameAndAge(ObjectNode object, Instant now) {
        return new Cells(object, now).name().age().list();
    }

    static List<JsonNode> namespace(ObjectNode namespace, Instant now) {
        return new Cells(namespace, now).name().textAt("status", "phase").age().list();
    }

    static List<JsonNode> configMap(ObjectNode config, Instant now) {
        int entries = at(config, "data").size() + at(config, "binaryData").size();
        return new Cells(config, now).name().number(entries).age().list();
    }

    static List<JsonNode> secret(ObjectNode secret, Instant now) {
        return new Cells(secret, now)
                .name()
                .textAt("type")
                .number(at(secret, "data").size())
                .age()
                .list();
    }

    static List<JsonNode> lease(ObjectNode lease, Instant now) {
        return new Cells(lease, now)
                .name()
                .textAt("spec", "holderIdentity")
                .age()
                .list();
    }

    static List<JsonNode> priorityClass(ObjectNode priority, Instant now) {
        return new Cells(priority, now)
                .name()
                .numberAt("value")
                .flag(flag(priority, "globalDefault"))
                .age()
                .textAt("preemptionPolicy")
                .list();
    }

    static List<JsonNode> disruptionBudget(ObjectNode budget, Instant now) {
        return new Cells(budget, now)
                .name()
                .textOr("N/A", "spec", "minAvailable")
                .textOr("N/A", "spec", "maxUnavailable")
                .numberAt("status", "disruptionsAllowed")
                .age()
                .list();
    }

    static List<JsonNode> roleBinding(ObjectNode binding, Instant now) {
        return new Cells(binding, now)
                .name()
                .text(text(binding, "roleRef", "kind") + "/" + text(binding, "roleRef", "name"))
                .age()
                .text(subjects(binding, "User"))
                .text(subjects(binding, "Group"))
                .text(subjects(binding, "ServiceAccount"))
                .list();
    }

    private static String subjects(ObjectNode binding, String kind) {
        return objects(binding, "subjects").stream()
                .filter(subject -> text(subject, "kind").equals(kind))
                .map(subject -> kind.equals("ServiceAccount")
                        ? text(subject, "namespace") + "/" + text(subject, "name")
                        : text(subject, "name"))
                .collect(Collectors.joining(", "));
    }

    static List<JsonNode> webhooks(ObjectNode configuration, Instant now) {
        return new Cells(configuration, now)
                .name()
                .number(items(configuration, "webhooks").size())
                .age()
                .list();
    }

    static List<JsonNode> runtimeClass(ObjectNode runtime, Instant now) {
        return new Cells(runtime, now).name().textAt("handler").age().list();
    }

    static List<JsonNode> resourceQuota(ObjectNode quota, Instant now) {
        Map<String, String> hard = new TreeMap<>(map(quota, "status", "hard"));
        return new Cells(quota, now)
                .name()
                .text(quotas(quota, hard, false))
                .text(quotas(quota, hard, true))
                .age()
                .list();
    }

    private static String quotas(ObjectNode quota, Map<String, String> hard, boolean limits) {
        return hard.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("limits.") == limits)
                .map(entry -> entry.getKey() + ": "
                        + at(quota, "status", "used", entry.getKey()).asText("0") + "/" + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    static List<JsonNode> apiService(ObjectNode api, Instant now) {
        String service = has(api, "spec", "service")
                ? text(api, "spec", "service", "namespace") + "/" + text(api, "spec", "service", "name")
                : "Local";
        String available = "Unknown";
        for (ObjectNode condition : objects(api, "status", "conditions")) {
            if (text(condition, "type").equals("Available")) {
                boolean good = text(condition, "status").equals("True");
                available = good ? "True" : text(condition, "status") + " (" + text(condition, "reason") + ")";
            }
        }
        return new Cells(api, now).name().text(service).text(available).age().list();
    }

    static List<JsonNode> scale(ObjectNode scale, Instant now) {
        return new Cells(scale, now)
                .name()
                .numberAt("spec", "replicas")
                .numberAt("status", "replicas")
                .age()
                .list();
    }
}
