package dev.berth.embedded.table;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.flag;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is printed of the workloads. */
final class WorkloadRows {
    static final List<Column> DEPLOYMENT =
            Column.of("Name", "Ready", "Up-to-date", "Available", "Age", "Containers+", "Images+", "Selector+");
    static final List<Column> REPLICAS = Column.of(
            "Name",
            "Desired:integer",
            "Current:integer",
            "Ready:integer",
            "Age",
            "Containers+",
            "Images+",
            "Selector+");
    static final List<Column> STATEFUL_SET = Column.of("Name", "Ready", "Age", "Containers+", "Images+");
    static final List<Column> DAEMON_SET = Column.of(
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
    static final List<Column> JOB =
            Column.of("Name", "Status", "Completions", "Duration", "Age", "Containers+", "Images+", "Selector+");
    static final List<Column> CRON_JOB = Column.of(
            "Name",
            "Schedule",
            "Timezone",
            "Suspend:boolean",
            "Active:integer",
            "Last Schedule",
            "Age",
            "Containers+",
            "Images+",
            "Selector+");
    static final List<Column> CONTROLLER_REVISION = Column.of("Name", "Controller", "Revision", "Age");
    static final List<Column> POD_TEMPLATE = Column.of("Name", "Containers", "Images", "Pod Labels");

    /** What a job's conditions say, the first that is true winning; between the first two and the rest stands its deletion. */
    private static final List<String> JOB_ENDS = List.of("Complete", "Failed");

    private static final List<String> JOB_STATES = List.of("Suspended", "FailureTarget", "SuccessCriteriaMet");

    private WorkloadRows() {}

    static List<JsonNode> deployment(ObjectNode deployment, Instant now) {
        Cells cells = new Cells(deployment, now)
                .name()
                .text(readyOf(deployment))
                .numberAt("status", "updatedReplicas")
                .numberAt("status", "availableReplicas")
                .age();
        return containers(cells, at(deployment, "spec", "template"))
                .text(Selectors.of(at(deployment, "spec", "selector")))
                .list();
    }

    private static String readyOf(ObjectNode workload) {
        return number(workload, "status", "readyReplicas") + "/" + number(workload, "spec", "replicas");
    }

    private static Cells containers(Cells cells, JsonNode template) {
        return cells.text(joined(template, "name")).text(joined(template, "image"));
    }

    private static String joined(JsonNode template, String field) {
        return objects(template, "spec", "containers").stream()
                .map(container -> text(container, field))
                .collect(Collectors.joining(","));
    }

    private static Cells replicas(ObjectNode set, Instant now) {
        Cells cells = new Cells(set, now)
                .name()
                .numberAt("spec", "replicas")
                .numberAt("status", "replicas")
                .numberAt("status", "readyReplicas")
                .age();
        return containers(cells, at(set, "spec", "template"));
    }

    static List<JsonNode> replicaSet(ObjectNode set, Instant now) {
        return replicas(set, now)
                .text(Selectors.orNone(at(set, "spec", "selector")))
                .list();
    }

    static List<JsonNode> replicationController(ObjectNode controller, Instant now) {
        return replicas(controller, now)
                .text(Selectors.labels(at(controller, "spec", "selector")))
                .list();
    }

    static List<JsonNode> statefulSet(ObjectNode set, Instant now) {
        Cells cells = new Cells(set, now).name().text(readyOf(set)).age();
        return containers(cells, at(set, "spec", "template")).list();
    }

    static List<JsonNode> daemonSet(ObjectNode set, Instant now) {
        Cells cells = new Cells(set, now)
                .name()
                .numberAt("status", "desiredNumberScheduled")
                .numberAt("status", "currentNumberScheduled")
                .numberAt("status", "numberReady")
                .numberAt("status", "updatedNumberScheduled")
                .numberAt("status", "numberAvailable")
                .text(Selectors.labels(at(set, "spec", "template", "spec", "nodeSelector")))
                .age();
        return containers(cells, at(set, "spec", "template"))
                .text(Selectors.orNone(at(set, "spec", "selector")))
                .list();
    }

    static List<JsonNode> job(ObjectNode job, Instant now) {
        Cells cells = new Cells(job, now)
                .name()
                .text(jobStatus(job))
                .text(completions(job))
                .text(duration(job, now))
                .age();
        return containers(cells, at(job, "spec", "template"))
                .text(Selectors.orNone(at(job, "spec", "selector")))
                .list();
    }

    private static String jobStatus(ObjectNode job) {
        for (String end : JOB_ENDS) {
            if (isTrue(job, end)) {
                return end;
            }
        }
        if (has(job, "metadata", "deletionTimestamp")) {
            return "Terminating";
        }
        return JOB_STATES.stream()
                .filter(state -> isTrue(job, state))
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
        return Ages.of(Duration.between(Instant.parse(start), until));
    }

    static List<JsonNode> cronJob(ObjectNode job, Instant now) {
        Cells cells = new Cells(job, now)
                .name()
                .textAt("spec", "schedule")
                .textOr(Cells.NONE, "spec", "timeZone")
                .text(flag(job, "spec", "suspend") ? "True" : "False")
                .number(items(job, "status", "active").size());
        boolean ran = has(job, "status", "lastScheduleTime");
        Cells more = (ran ? cells.ageAt("status", "lastScheduleTime") : cells.text(Cells.NONE)).age();
        return containers(more, at(job, "spec", "jobTemplate", "spec", "template"))
                .text(Selectors.orNone(at(job, "spec", "jobTemplate", "spec", "selector")))
                .list();
    }

    static List<JsonNode> controllerRevision(ObjectNode revision, Instant now) {
        String controller = objects(revision, "metadata", "ownerReferences").stream()
                .filter(owner -> flag(owner, "controller"))
                .map(WorkloadRows::owner)
                .findFirst()
                .orElse(Cells.NONE);
        return new Cells(revision, now)
                .name()
                .text(controller)
                .numberAt("revision")
                .age()
                .list();
    }

    private static String owner(ObjectNode owner) {
        String apiVersion = text(owner, "apiVersion");
        String group = apiVersion.contains("/") ? "." + apiVersion.substring(0, apiVersion.indexOf('/')) : "";
        return text(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + text(owner, "name");
    }

    static List<JsonNode> podTemplate(ObjectNode template, Instant now) {
        return containers(new Cells(template, now).name(), at(template, "template"))
                .text(Selectors.labels(at(template, "template", "metadata", "labels")))
                .list();
    }
}
