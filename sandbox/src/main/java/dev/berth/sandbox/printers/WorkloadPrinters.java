package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The columns and cells of workloads. */
final class WorkloadPrinters {
    static final List<TableColumn> DEPLOYMENT = TableColumn.parseAll(
            "Name", "Ready", "Up-to-date", "Available", "Age", "Containers+", "Images+", "Selector+");
    static final List<TableColumn> REPLICAS = TableColumn.parseAll(
            "Name",
            "Desired:integer",
            "Current:integer",
            "Ready:integer",
            "Age",
            "Containers+",
            "Images+",
            "Selector+");
    static final List<TableColumn> STATEFUL_SET =
            TableColumn.parseAll("Name", "Ready", "Age", "Containers+", "Images+");
    static final List<TableColumn> DAEMON_SET = TableColumn.parseAll(
            "Name",
            "Desired:integer",
            "Current:integer",
            "Ready:integer",
            "Up-to-date:integer",
            "Available:integer",
            "Node Selector",
            "Age",
            "Containers+",
            "Images+",
            "Selector+");
    static final List<TableColumn> JOB = TableColumn.parseAll(
            "Name", "Status", "Completions", "Duration", "Age", "Containers+", "Images+", "Selector+");
    static final List<TableColumn> CONTROLLER_REVISION = TableColumn.parseAll("Name", "Controller", "Revision", "Age");
    /** The conditions of a finished job. They take precedence over its deletion. */
    private static final List<String> FINISHED_CONDITIONS = List.of("Complete", "Failed");

    /** The conditions of an unfinished job, in the order of precedence. */
    private static final List<String> UNFINISHED_CONDITIONS =
            List.of("Suspended", "FailureTarget", "SuccessCriteriaMet");

    private WorkloadPrinters() {}

    static List<JsonNode> deployment(ObjectNode deployment, Instant now) {
        RowBuilder rowBuilder = new RowBuilder(deployment, now)
                .name()
                .text(readyOf(deployment))
                .numberAt("status", "updatedReplicas")
                .numberAt("status", "availableReplicas")
                .age();
        return containers(rowBuilder, at(deployment, "spec", "template"))
                .text(SelectorFormatter.format(at(deployment, "spec", "selector")))
                .build();
    }

    private static String readyOf(ObjectNode workload) {
        return number(workload, "status", "readyReplicas") + "/" + number(workload, "spec", "replicas");
    }

    private static RowBuilder containers(RowBuilder rowBuilder, JsonNode template) {
        return rowBuilder.text(joined(template, "name")).text(joined(template, "image"));
    }

    private static String joined(JsonNode template, String field) {
        return objects(template, "spec", "containers").stream()
                .map(container -> text(container, field))
                .collect(Collectors.joining(","));
    }

    private static RowBuilder replicas(ObjectNode set, Instant now) {
        RowBuilder rowBuilder = new RowBuilder(set, now)
                .name()
                .numberAt("spec", "replicas")
                .numberAt("status", "replicas")
                .numberAt("status", "readyReplicas")
                .age();
        return containers(rowBuilder, at(set, "spec", "template"));
    }

    static List<JsonNode> replicaSet(ObjectNode set, Instant now) {
        return replicas(set, now)
                .text(SelectorFormatter.formatOrNone(at(set, "spec", "selector")))
                .build();
    }

    static List<JsonNode> replicationController(ObjectNode controller, Instant now) {
        return replicas(controller, now)
                .text(SelectorFormatter.formatLabels(at(controller, "spec", "selector")))
                .build();
    }

    static List<JsonNode> statefulSet(ObjectNode set, Instant now) {
        RowBuilder rowBuilder =
                new RowBuilder(set, now).name().text(readyOf(set)).age();
        return containers(rowBuilder, at(set, "spec", "template")).build();
    }

    static List<JsonNode> daemonSet(ObjectNode set, Instant now) {
        RowBuilder rowBuilder = new RowBuilder(set, now)
                .name()
                .numberAt("status", "desiredNumberScheduled")
                .numberAt("status", "currentNumberScheduled")
                .numberAt("status", "numberReady")
                .numberAt("status", "updatedNumberScheduled")
                .numberAt("status", "numberAvailable")
                .text(SelectorFormatter.formatLabels(at(set, "spec", "template", "spec", "nodeSelector")))
                .age();
        return containers(rowBuilder, at(set, "spec", "template"))
                .text(SelectorFormatter.formatOrNone(at(set, "spec", "selector")))
                .build();
    }

    static List<JsonNode> job(ObjectNode job, Instant now) {
        RowBuilder rowBuilder = new RowBuilder(job, now)
                .name()
                .text(jobStatus(job))
                .text(completions(job))
                .text(duration(job, now))
                .age();
        return containers(rowBuilder, at(job, "spec", "template"))
                .text(SelectorFormatter.formatOrNone(at(job, "spec", "selector")))
                .build();
    }

    private static String jobStatus(ObjectNode job) {
        for (String condition : FINISHED_CONDITIONS) {
            if (isTrue(job, condition)) {
                return condition;
            }
        }
        if (has(job, "metadata", "deletionTimestamp")) {
            return "Terminating";
        }
        return UNFINISHED_CONDITIONS.stream()
                .filter(condition -> isTrue(job, condition))
                .findFirst()
                .orElse("Running");
    }

    private static boolean isTrue(ObjectNode job, String type) {
        return objects(job, "status", "conditions").stream()
                .anyMatch(condition -> text(condition, "type").equals(type)
                        && text(condition, "status").equals("True"));
    }

    private static String completions(ObjectNode job) {
        String done = number(job, "status", "succeeded") + "/";
        if (has(job, "spec", "completions")) {
            return done + number(job, "spec", "completions");
        }
        long parallelism = number(job, "spec", "parallelism");
        return parallelism > 1 ? done + "1 of " + parallelism : done + "1";
    }

    private static String duration(ObjectNode job, Instant now) {
        String start = text(job, "status", "startTime");
        String end = text(job, "status", "completionTime");
        if (start.isEmpty()) {
            return "";
        }
        Instant until = end.isEmpty() ? now : Instant.parse(end);
        return HumanDuration.format(Duration.between(Instant.parse(start), until));
    }

    static List<JsonNode> controllerRevision(ObjectNode revision, Instant now) {
        String controller = objects(revision, "metadata", "ownerReferences").stream()
                .filter(owner -> flag(owner, "controller"))
                .map(WorkloadPrinters::owner)
                .findFirst()
                .orElse(RowBuilder.NONE);
        return new RowBuilder(revision, now)
                .name()
                .text(controller)
                .numberAt("revision")
                .age()
                .build();
    }

    private static String owner(ObjectNode owner) {
        String apiVersion = text(owner, "apiVersion");
        String group = apiVersion.contains("/") ? "." + apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        return text(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + text(owner, "name");
    }
}
