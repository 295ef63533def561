package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/** The columns and cells of Namespaces, ConfigMaps, Secrets, Leases and other cluster kinds. */
final class ClusterPrinters {
    static final List<TableColumn> NAME_AND_AGE = TableColumn.parseAll("Name", "Age");
    static final List<TableColumn> NAMESPACE = TableColumn.parseAll("Name", "Status", "Age");
    static final List<TableColumn> CONFIG_MAP = TableColumn.parseAll("Name", "Data", "Age");
    static final List<TableColumn> SECRET = TableColumn.parseAll("Name", "Type", "Data", "Age");
    static final List<TableColumn> SERVICE_ACCOUNT = TableColumn.parseAll("Name", "Age");
    static final List<TableColumn> LEASE = TableColumn.parseAll("Name", "Holder", "Age");
    static final List<TableColumn> PRIORITY_CLASS =
            TableColumn.parseAll("Name", "Value:integer", "Global-Default:boolean", "Age", "PreemptionPolicy");
    static final List<TableColumn> DISRUPTION_BUDGET =
            TableColumn.parseAll("Name", "Min Available", "Max Unavailable", "Allowed Disruptions:integer", "Age");
    static final List<TableColumn> ROLE_BINDING =
            TableColumn.parseAll("Name", "Role", "Age", "Users+", "Groups+", "ServiceAccounts+");
    static final List<TableColumn> WEBHOOKS = TableColumn.parseAll("Name", "Webhooks:integer", "Age");
    static final List<TableColumn> ADMISSION_POLICY =
            TableColumn.parseAll("Name", "Validations:integer", "ParamKind", "Age");
    static final List<TableColumn> POLICY_BINDING = TableColumn.parseAll("Name", "PolicyName", "ParamRef", "Age");
    static final List<TableColumn> API_SERVICE = TableColumn.parseAll("Name", "Service", "Available", "Age");
    static final List<TableColumn> SCALE = TableColumn.parseAll("Name", "Desired:integer", "Available:integer", "Age");

    private ClusterPrinters() {}

    static List<JsonNode> nameAndAge(ObjectNode object, Instant now) {
        return new RowBuilder(object, now).name().age().build();
    }

    static List<JsonNode> namespace(ObjectNode namespace, Instant now) {
        return new RowBuilder(namespace, now)
                .name()
                .textAt("status", "phase")
                .age()
                .build();
    }

    static List<JsonNode> configMap(ObjectNode config, Instant now) {
        int entries = at(config, "data").size() + at(config, "binaryData").size();
        return new RowBuilder(config, now).name().number(entries).age().build();
    }

    static List<JsonNode> secret(ObjectNode secret, Instant now) {
        return new RowBuilder(secret, now)
                .name()
                .textAt("type")
                .number(at(secret, "data").size())
                .age()
                .build();
    }

    static List<JsonNode> lease(ObjectNode lease, Instant now) {
        return new RowBuilder(lease, now)
                .name()
                .textAt("spec", "holderIdentity")
                .age()
                .build();
    }

    static List<JsonNode> priorityClass(ObjectNode priority, Instant now) {
        return new RowBuilder(priority, now)
                .name()
                .numberAt("value")
                .flag(flag(priority, "globalDefault"))
                .age()
                .textAt("preemptionPolicy")
                .build();
    }

    static List<JsonNode> disruptionBudget(ObjectNode budget, Instant now) {
        return new RowBuilder(budget, now)
                .name()
                .textOr("N/A", "spec", "minAvailable")
                .textOr("N/A", "spec", "maxUnavailable")
                .numberAt("status", "disruptionsAllowed")
                .age()
                .build();
    }

    static List<JsonNode> roleBinding(ObjectNode binding, Instant now) {
        return new RowBuilder(binding, now)
                .name()
                .text(text(binding, "roleRef", "kind") + "/" + text(binding, "roleRef", "name"))
                .age()
                .text(subjects(binding, "User"))
                .text(subjects(binding, "Group"))
                .text(subjects(binding, "ServiceAccount"))
                .build();
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
        return new RowBuilder(configuration, now)
                .name()
                .number(items(configuration, "webhooks").size())
                .age()
                .build();
    }

    static List<JsonNode> admissionPolicy(ObjectNode policy, Instant now) {
        String paramKind = has(policy, "spec", "paramKind")
                ? text(policy, "spec", "paramKind", "apiVersion") + "/" + text(policy, "spec", "paramKind", "kind")
                : "<unset>";
        return new RowBuilder(policy, now)
                .name()
                .number(items(policy, "spec", "validations").size())
                .text(paramKind)
                .age()
                .build();
    }

    static List<JsonNode> policyBinding(ObjectNode binding, Instant now) {
        String namespace = text(binding, "spec", "paramRef", "namespace");
        String name = text(binding, "spec", "paramRef", "name");
        String paramRef = !has(binding, "spec", "paramRef")
                ? "<unset>"
                : (namespace.isEmpty() ? "*" : namespace) + "/" + (name.isEmpty() ? "*" : name);
        return new RowBuilder(binding, now)
                .name()
                .text(text(binding, "spec", "policyName"))
                .text(paramRef)
                .age()
                .build();
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
        return new RowBuilder(api, now)
                .name()
                .text(service)
                .text(available)
                .age()
                .build();
    }

    static List<JsonNode> scale(ObjectNode scale, Instant now) {
        return new RowBuilder(scale, now)
                .name()
                .numberAt("spec", "replicas")
                .numberAt("status", "replicas")
                .age()
                .build();
    }
}
