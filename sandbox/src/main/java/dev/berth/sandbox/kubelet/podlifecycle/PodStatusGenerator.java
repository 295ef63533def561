package dev.berth.sandbox.kubelet.podlifecycle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.StatusConditions;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Generates the status that a kubelet reports for a pod. */
public final class PodStatusGenerator {
    private final ObjectNode pod;
    private final PodRuntimeState run;
    private final Instant now;
    private final boolean ready;

    public PodStatusGenerator(ObjectNode pod, PodRuntimeState run, boolean ready, Instant now) {
        this.pod = pod;
        this.run = run;
        this.ready = ready;
        this.now = now;
    }

    /** A patch of the status; fields to remove are null. */
    public ObjectNode toPatch(String nodeAddress) {
        ObjectNode status = NestedFields.newObject();
        setObservedGeneration(status);
        status.put("phase", phase());
        run.failure()
                .ifPresent(reason -> status.put("reason", reason)
                        .put("message", "The annotation simulate.berth.dev/fail says that the pod fails."));
        status.put("startTime", TimestampFormat.formatTime(run.admittedAt()));
        status.put("hostIP", nodeAddress);
        status.putArray("hostIPs").addObject().put("ip", nodeAddress);
        if (run.stage() != PodRuntimeState.Stage.STARTING
                || !NestedFields.text(pod, "status", "podIP").isEmpty()) {
            status.put("podIP", run.address());
            status.putArray("podIPs").addObject().put("ip", run.address());
        }
        conditions(status);
        List<ObjectNode> inits = NestedFields.objects(pod, "spec", "initContainers");
        if (!inits.isEmpty()) {
            ArrayNode statuses = status.putArray("initContainerStatuses");
            inits.forEach(container -> statuses.add(initContainer(container)));
        }
        ArrayNode statuses = status.putArray("containerStatuses");
        NestedFields.objects(pod, "spec", "containers").forEach(container -> statuses.add(container(container)));
        return status;
    }

    /** The status of a pod that the kubelet rejects. */
    public static ObjectNode rejectedStatus(String reason, String message, Instant now) {
        return NestedFields.newObject()
                .put("phase", "Failed")
                .put("reason", reason)
                .put("message", message)
                .put("startTime", TimestampFormat.formatTime(now));
    }

    private String phase() {
        return switch (run.stage()) {
            case STARTING -> "Pending";
            case RUNNING, CRASH_LOOP_BACK_OFF -> "Running";
            case TERMINATED -> isFailed() ? "Failed" : "Succeeded";
        };
    }

    private boolean isFailed() {
        return run.failure().isPresent()
                || run.exit().filter(exit -> exit.code() != 0).isPresent();
    }

    private void conditions(ObjectNode status) {
        ArrayNode list = status.putArray("conditions");
        boolean started = run.stage() != PodRuntimeState.Stage.STARTING;
        boolean over = run.stage() == PodRuntimeState.Stage.TERMINATED;
        String end = isFailed() ? "PodFailed" : "PodCompleted";
        list.add(condition("PodReadyToStartContainers", started && !over, "", ""));
        if (started || initContainerNames().isEmpty()) {
            list.add(condition("Initialized", true, over && !isFailed() ? "PodCompleted" : "", ""));
        } else {
            list.add(condition(
                    "Initialized",
                    false,
                    "ContainersNotInitialized",
                    "containers with incomplete status: " + bracketed(initContainerNames())));
        }
        boolean containersReady = run.stage() == PodRuntimeState.Stage.RUNNING && ready;
        String reason = containersReady ? "" : over ? end : "ContainersNotReady";
        String message =
                containersReady || over ? "" : "containers with unready status: " + bracketed(containerNames());
        list.add(condition("ContainersReady", containersReady, reason, message));
        if (containersReady && !unmetReadinessGates().isEmpty()) {
            list.add(condition("Ready", false, "ReadinessGatesNotReady", String.join(", ", unmetReadinessGates())));
        } else {
            list.add(condition("Ready", containersReady, reason, message));
        }
        list.add(condition("PodScheduled", true, "", ""));
    }

    private List<String> unmetReadinessGates() {
        List<String> missing = new ArrayList<>();
        for (JsonNode gate : NestedFields.at(pod, "spec", "readinessGates")) {
            String type = NestedFields.text(gate, "conditionType");
            Optional<ObjectNode> condition = StatusConditions.findInObject(pod, type);
            if (condition.isEmpty()) {
                missing.add("corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(type));
            } else if (!StatusConditions.hasStatus(condition.get(), "True")) {
                missing.add("the status of pod readiness gate \"%s\" is not \"True\", but %s"
                        .formatted(type, NestedFields.text(condition.get(), "status")));
            }
        }
        return missing;
    }

    private ObjectNode condition(String type, boolean holds, String reason, String message) {
        String value = holds ? "True" : "False";
        String since = StatusConditions.findInObject(pod, type)
                .filter(before -> StatusConditions.hasStatus(before, value))
                .map(before -> NestedFields.text(before, "lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .orElseGet(() -> TimestampFormat.formatTime(now));
        ObjectNode condition = NestedFields.newObject().put("type", type).put("status", value);
        setObservedGeneration(condition);
        condition.put("lastTransitionTime", since);
        condition.put("reason", reason.isEmpty() ? null : reason);
        condition.put("message", message.isEmpty() ? null : message);
        return condition;
    }

    /** An older API server has no generation for pods and would drop the field. */
    private void setObservedGeneration(ObjectNode of) {
        if (ObjectMetaReader.generation(pod) > 0) {
            of.put("observedGeneration", ObjectMetaReader.generation(pod));
        }
    }

    private List<String> containerNames() {
        return NestedFields.objects(pod, "spec", "containers").stream()
                .map(each -> NestedFields.text(each, "name"))
                .toList();
    }

    private List<String> initContainerNames() {
        return NestedFields.objects(pod, "spec", "initContainers").stream()
                .map(each -> NestedFields.text(each, "name"))
                .toList();
    }

    private static String bracketed(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }

    private ObjectNode container(ObjectNode container) {
        return switch (run.stage()) {
            case STARTING ->
                new ContainerStatusBuilder(run, container)
                        .waiting(initContainerNames().isEmpty() ? "ContainerCreating" : "PodInitializing", "");
            case RUNNING -> new ContainerStatusBuilder(run, container).running(run.stageSince(), ready);
            case CRASH_LOOP_BACK_OFF ->
                new ContainerStatusBuilder(run, container)
                        .crashLoopBackOff(ObjectMetaReader.namespace(pod), ObjectMetaReader.name(pod));
            case TERMINATED -> new ContainerStatusBuilder(run, container).terminatedForGood();
        };
    }

    private ObjectNode initContainer(ObjectNode container) {
        boolean sidecar = NestedFields.text(container, "restartPolicy").equals("Always");
        ContainerStatusBuilder status = new ContainerStatusBuilder(run, container);
        if (run.stage() == PodRuntimeState.Stage.STARTING) {
            return status.waiting("PodInitializing", "");
        }
        if (sidecar) {
            return run.stage() == PodRuntimeState.Stage.TERMINATED
                    ? status.terminatedForGood()
                    : status.running(run.admittedAt(), true);
        }
        return status.completedInit(run.admittedAt());
    }
}
