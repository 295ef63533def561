package dev.berth.embedded.kubelet.life;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Timestamps;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes down a pod's life as the status that a kubelet reports. */
public final class PodStatus {
    private final ObjectNode pod;
    private final PodRun run;
    private final Instant now;
    private final boolean ready;

    public PodStatus(ObjectNode pod, PodRun run, boolean ready, Instant now) {
        this.pod = pod;
        this.run = run;
        this.ready = ready;
        this.now = now;
    }

    /** A patch of the status; fields that must not stay are null in it. */
    public ObjectNode patch(String nodeAddress) {
        ObjectNode status = Json.object();
        observed(status);
        status.put("phase", phase());
        run.failure().ifPresent(reason -> status.put("reason", reason).put("message", "The pod was told to fail."));
        status.put("startTime", Timestamps.seconds(run.admittedAt()));
        status.put("hostIP", nodeAddress);
        status.putArray("hostIPs").addObject().put("ip", nodeAddress);
        if (run.stage() != PodRun.Stage.STARTING
                || !Json.text(pod, "status", "podIP").isEmpty()) {
            status.put("podIP", run.address());
            status.putArray("podIPs").addObject().put("ip", run.address());
        }
        conditions(status);
        List<ObjectNode> inits = Json.objects(pod, "spec", "initContainers");
        if (!inits.isEmpty()) {
            ArrayNode statuses = status.putArray("initContainerStatuses");
            inits.forEach(container -> statuses.add(initContainer(container)));
        }
        ArrayNode statuses = status.putArray("containerStatuses");
        Json.objects(pod, "spec", "containers").forEach(container -> statuses.add(container(container)));
        return status;
    }

    /** What a kubelet says of a pod that it does not take in. */
    public static ObjectNode failure(String reason, String message, Instant now) {
        return Json.object()
                .put("phase", "Failed")
                .put("reason", reason)
                .put("message", message)
                .put("startTime", Timestamps.seconds(now));
    }

    private String phase() {
        return switch (run.stage()) {
            case STARTING -> "Pending";
            case RUNNING, BACKING_OFF -> "Running";
            case ENDED -> failed() ? "Failed" : "Succeeded";
        };
    }

    private boolean failed() {
        return run.failure().isPresent()
                || run.exit().filter(exit -> exit.code() != 0).isPresent();
    }

    private void conditions(ObjectNode status) {
        ArrayNode list = status.putArray("conditions");
        boolean started = run.stage() != PodRun.Stage.STARTING;
        boolean over = run.stage() == PodRun.Stage.ENDED;
        String end = failed() ? "PodFailed" : "PodCompleted";
        list.add(condition("PodReadyToStartContainers", started && !over, "", ""));
        if (started || initNames().isEmpty()) {
            list.add(condition("Initialized", true, over && !failed() ? "PodCompleted" : "", ""));
        } else {
            list.add(condition(
                    "Initialized",
                    false,
                    "ContainersNotInitialized",
                    "containers with incomplete status: " + bracketed(initNames())));
        }
        boolean containersReady = run.stage() == PodRun.Stage.RUNNING && ready;
        String reason = containersReady ? "" : over ? end : "ContainersNotReady";
        String message = containersReady || over ? "" : "containers with unready status: " + bracketed(names());
        list.add(condition("ContainersReady", containersReady, reason, message));
        if (containersReady && !gatesMissing().isEmpty()) {
            list.add(condition("Ready", false, "ReadinessGatesNotReady", String.join(", ", gatesMissing())));
        } else {
            list.add(condition("Ready", containersReady, reason, message));
        }
        list.add(condition("PodScheduled", true, "", ""));
    }

    private List<String> gatesMissing() {
        List<String> missing = new ArrayList<>();
        for (JsonNode gate : Json.at(pod, "spec", "readinessGates")) {
            String type = Json.text(gate, "conditionType");
            Optional<ObjectNode> condition = Conditions.of(pod, type);
            if (condition.isEmpty()) {
                missing.add("corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(type));
            } else if (!Conditions.is(condition.get(), "True")) {
                missing.add("the status of pod readiness gate \"%s\" is not \"True\", but %s"
                        .formatted(type, Json.text(condition.get(), "status")));
            }
        }
        return missing;
    }

    private ObjectNode condition(String type, boolean holds, String reason, String message) {
        String value = holds ? "True" : "False";
        String since = Conditions.of(pod, type)
                .filter(before -> Conditions.is(before, value))
                .map(before -> Json.text(before, "lastTransitionTime"))
                .filter(time -> !time.isEmpty())
                .orElseGet(() -> Timestamps.seconds(now));
        ObjectNode condition = Json.object().put("type", type).put("status", value);
        observed(condition);
        condition.put("lastTransitionTime", since);
        condition.put("reason", reason.isEmpty() ? null : reason);
        condition.put("message", message.isEmpty() ? null : message);
        return condition;
    }

    /** Pods of an API server that does not count their changes cannot say which one was seen: it would be dropped. */
    private void observed(ObjectNode of) {
        if (Meta.generation(pod) > 0) {
            of.put("observedGeneration", Meta.generation(pod));
        }
    }

    private List<String> names() {
        return Json.objects(pod, "spec", "containers").stream()
                .map(each -> Json.text(each, "name"))
                .toList();
    }

    private List<String> initNames() {
        return Json.objects(pod, "spec", "initContainers").stream()
                .map(each -> Json.text(each, "name"))
                .toList();
    }

    private static String bracketed(List<String> names) {
        return "[" + String.join(" ", names) + "]";
    }

    private ObjectNode container(ObjectNode container) {
        return switch (run.stage()) {
            case STARTING ->
                new ContainerStatus(run, container)
                        .waiting(initNames().isEmpty() ? "ContainerCreating" : "PodInitializing", "");
            case RUNNING -> new ContainerStatus(run, container).running(run.since(), ready);
            case BACKING_OFF -> new ContainerStatus(run, container).backingOff(Meta.namespace(pod), Meta.name(pod));
            case ENDED -> new ContainerStatus(run, container).ended();
        };
    }

    private ObjectNode initContainer(ObjectNode container) {
        boolean sidecar = Json.text(container, "restartPolicy").equals("Always");
        ContainerStatus status = new ContainerStatus(run, container);
        if (run.stage() == PodRun.Stage.STARTING) {
            return status.waiting("PodInitializing", "");
        }
        if (sidecar) {
            return run.stage() == PodRun.Stage.ENDED ? status.ended() : status.running(run.admittedAt(), true);
        }
        return status.completed(run.admittedAt());
    }
}
