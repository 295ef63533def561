package dev.berth.sandbox.printers;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns and cells of Pods. The Status column shows the phase or a more specific reason, such as the waiting
 * reason of a container, the state of the init containers or the deletion.
 */
final class PodPrinter {
    static final List<TableColumn> COLUMNS = TableColumn.parseAll(
            "Name", "Ready", "Status", "Restarts", "Age", "IP+", "Node+", "Nominated Node+", "Readiness Gates+");

    private final ObjectNode pod;
    private final Set<String> sidecars = new HashSet<>();
    private int ready;
    private long restarts;
    private String lastRestart = "";
    private long sidecarRestarts;
    private String lastSidecarRestart = "";
    private String status;

    private PodPrinter(ObjectNode pod) {
        this.pod = pod;
        this.status = text(pod, "status", "phase");
        objects(pod, "spec", "initContainers").stream()
                .filter(container -> text(container, "restartPolicy").equals("Always"))
                .forEach(container -> sidecars.add(text(container, "name")));
    }

    static List<JsonNode> cells(ObjectNode pod, Instant now) {
        return new PodPrinter(pod).cells(now);
    }

    /** Adds the condition Completed to the row of a finished pod. Clients can use it to colour or hide the row. */
    static void addRowConditions(ObjectNode row, ObjectNode pod) {
        String phase = text(pod, "status", "phase");
        if (phase.equals("Succeeded") || phase.equals("Failed")) {
            row.putArray("conditions")
                    .addObject()
                    .put("type", "Completed")
                    .put("status", "True")
                    .put("reason", phase)
                    .put("message", phase.equals("Failed") ? "The pod failed." : "The pod has completed successfully.");
        }
    }

    private List<JsonNode> cells(Instant now) {
        if (!text(pod, "status", "reason").isEmpty()) {
            status = text(pod, "status", "reason");
        }
        boolean gated = objects(pod, "status", "conditions").stream()
                .anyMatch(condition -> text(condition, "type").equals("PodScheduled")
                        && text(condition, "reason").equals("SchedulingGated"));
        if (gated) {
            status = "SchedulingGated";
        }
        boolean initializing = initContainers();
        if (!initializing || isTrue("Initialized")) {
            restarts = sidecarRestarts;
            lastRestart = lastSidecarRestart;
            containers();
        }
        deletion();
        int all = objects(pod, "spec", "containers").size() + sidecars.size();
        return new RowBuilder(pod, now)
                .name()
                .text(ready + "/" + all)
                .text(status)
                .text(restarts(now))
                .age()
                .text(address())
                .textOr(RowBuilder.NONE, "spec", "nodeName")
                .textOr(RowBuilder.NONE, "status", "nominatedNodeName")
                .text(gates())
                .build();
    }

    private String restarts(Instant now) {
        boolean dated = restarts != 0 && !lastRestart.isEmpty();
        return dated ? restarts + " (" + HumanDuration.since(lastRestart, now) + " ago)" : Long.toString(restarts);
    }

    /** Evaluates the init containers. Returns whether the pod is still initializing. */
    private boolean initContainers() {
        List<ObjectNode> statuses = objects(pod, "status", "initContainerStatuses");
        for (int i = 0; i < statuses.size(); i++) {
            ObjectNode container = statuses.get(i);
            boolean sidecar = sidecars.contains(text(container, "name"));
            countInitRestarts(container, sidecar);
            boolean succeeded =
                    has(container, "state", "terminated") && number(container, "state", "terminated", "exitCode") == 0;
            if (succeeded) {
                continue;
            }
            if (sidecar && flag(container, "started")) {
                ready += flag(container, "ready") ? 1 : 0;
                continue;
            }
            status = "Init:" + initStatus(container, i);
            return true;
        }
        return false;
    }

    private void countInitRestarts(ObjectNode container, boolean sidecar) {
        String finished = text(container, "lastState", "terminated", "finishedAt");
        restarts += number(container, "restartCount");
        lastRestart = later(lastRestart, finished);
        if (sidecar) {
            sidecarRestarts += number(container, "restartCount");
            lastSidecarRestart = later(lastSidecarRestart, finished);
        }
    }

    private String initStatus(ObjectNode container, int index) {
        if (has(container, "state", "terminated")) {
            return terminatedReason(at(container, "state", "terminated"));
        }
        String waiting = text(container, "state", "waiting", "reason");
        if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
            return waiting;
        }
        return index + "/" + objects(pod, "spec", "initContainers").size();
    }

    private static String terminatedReason(JsonNode terminated) {
        String reason = text(terminated, "reason");
        if (!reason.isEmpty()) {
            return reason;
        }
        long signal = number(terminated, "signal");
        return signal != 0 ? "Signal:" + signal : "ExitCode:" + number(terminated, "exitCode");
    }

    private void containers() {
        boolean running = false;
        String failure = "";
        List<ObjectNode> statuses = objects(pod, "status", "containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            ObjectNode container = statuses.get(i);
            restarts += number(container, "restartCount");
            lastRestart = later(lastRestart, text(container, "lastState", "terminated", "finishedAt"));
            if (!text(container, "state", "waiting", "reason").isEmpty()) {
                status = text(container, "state", "waiting", "reason");
            } else if (has(container, "state", "terminated")) {
                status = terminatedReason(at(container, "state", "terminated"));
                failure = number(container, "state", "terminated", "exitCode") != 0 ? status : failure;
            } else if (flag(container, "ready") && has(container, "state", "running")) {
                running = true;
                ready++;
            }
        }
        if (status.equals("Completed")) {
            completed(running, failure);
        }
    }

    /** Corrects the status Completed if other containers of the pod still run or failed. */
    private void completed(boolean running, String failure) {
        if (running && isTrue("Ready")) {
            status = "Running";
        } else if (!failure.isEmpty()) {
            status = failure;
        } else if (running) {
            status = "NotReady";
        }
    }

    private void deletion() {
        if (!has(pod, "metadata", "deletionTimestamp")) {
            return;
        }
        String phase = text(pod, "status", "phase");
        if (text(pod, "status", "reason").equals("NodeLost")) {
            status = "Unknown";
        } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
            status = "Terminating";
        }
    }

    private boolean isTrue(String type) {
        return objects(pod, "status", "conditions").stream()
                .anyMatch(condition -> text(condition, "type").equals(type)
                        && text(condition, "status").equals("True"));
    }

    private static String later(String a, String b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private String address() {
        List<ObjectNode> all = objects(pod, "status", "podIPs");
        String first = all.isEmpty() ? "" : text(all.get(0), "ip");
        return first.isEmpty() ? RowBuilder.NONE : first;
    }

    private String gates() {
        List<ObjectNode> gates = objects(pod, "spec", "readinessGates");
        if (gates.isEmpty()) {
            return RowBuilder.NONE;
        }
        long satisfied = gates.stream()
                .filter(gate -> isTrue(text(gate, "conditionType")))
                .count();
        return satisfied + "/" + gates.size();
    }
}
