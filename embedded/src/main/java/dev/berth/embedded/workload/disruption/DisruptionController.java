package dev.berth.embedded.workload.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.LabelSelector;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.client.object.Timestamps;
import dev.berth.embedded.workload.control.Workspace;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps the status of PodDisruptionBudgets, by which the server grants or refuses evictions. */
public final class DisruptionController implements Reconciler<ObjectKey> {
    /** How long an eviction that the server granted may take until the pod is seen to go. */
    private static final Duration EVICTION_TIMEOUT = Duration.ofMinutes(2);

    private final Workspace workspace;
    private final Cache budgets;
    private final Cache pods;

    private DisruptionController(Workspace workspace) {
        this.workspace = workspace;
        this.budgets = workspace.mirrors().of(Resource.BUDGETS);
        this.pods = workspace.mirrors().of(Resource.PODS);
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        DisruptionController reconciler = new DisruptionController(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.budgets.listen(
                (before, after) -> after.or(() -> before).map(ObjectKey::of).ifPresent(controller::enqueue));
        reconciler.pods.listen((before, after) -> {
            before.ifPresent(pod -> reconciler.enqueueBudgetsOf(pod, controller));
            after.ifPresent(pod -> reconciler.enqueueBudgetsOf(pod, controller));
        });
        // What a controller is asked to keep counts, not only the pods that are there.
        for (Resource scaled : List.of(Resource.DEPLOYMENTS, Resource.REPLICA_SETS, Resource.STATEFUL_SETS)) {
            workspace
                    .mirrors()
                    .of(scaled)
                    .listen((before, after) -> after.filter(
                                    owner -> before.isEmpty() || replicas(before.get()) != replicas(owner))
                            .ifPresent(owner -> reconciler
                                    .budgets
                                    .in(Meta.namespace(owner))
                                    .forEach(budget -> controller.enqueue(ObjectKey.of(budget)))));
        }
        return controller;
    }

    private static int replicas(ObjectNode owner) {
        return Json.number(owner, 1, "spec", "replicas");
    }

    private void enqueueBudgetsOf(ObjectNode pod, Controller<ObjectKey> controller) {
        for (ObjectNode budget : budgets.in(Meta.namespace(pod))) {
            if (selects(budget, pod)) {
                controller.enqueue(ObjectKey.of(budget));
            }
        }
    }

    /** An absent selector selects nothing, an empty one everything in the namespace. */
    private static boolean selects(ObjectNode budget, ObjectNode pod) {
        JsonNode selector = Json.at(budget, "spec", "selector");
        return selector.isObject() && LabelSelector.of(selector).matches(Meta.labels(pod));
    }

    @Override
    public String name() {
        return "disruption-controller";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> budget = budgets.get(key);
        return budget.isEmpty() ? Optional.empty() : sync(budget.get());
    }

    private Optional<Instant> sync(ObjectNode budget) {
        List<ObjectNode> selected = pods.in(Meta.namespace(budget)).stream()
                .filter(pod -> selects(budget, pod))
                .toList();
        if (selected.isEmpty()) {
            workspace.normal(budget, "NoPods", "No matching pods found");
        }
        Map<String, Instant> evicted = evicted(budget, selected);
        try {
            ExpectedPods expected = ExpectedPods.of(budget, selected, workspace.mirrors());
            if (expected.unmanaged()) {
                warnOfUnmanaged(budget);
            }
            write(budget, status(budget, expected, healthy(selected, evicted), evicted));
        } catch (IllegalStateException e) {
            String message = String.valueOf(e.getMessage());
            workspace.warning(
                    budget,
                    "CalculateExpectedPodCountFailed",
                    "Failed to calculate the number of expected pods: " + message);
            write(budget, failed(budget, message));
        }
        return evicted.values().stream().min(Comparator.naturalOrder()).map(since -> since.plus(EVICTION_TIMEOUT));
    }

    private void warnOfUnmanaged(ObjectNode budget) {
        workspace.warning(
                budget,
                "UnmanagedPods",
                "Some pods of this PodDisruptionBudget belong to no controller, so its status cannot be calculated"
                        + " correctly. Set \".spec.minAvailable\" to a whole number to account for them.");
    }

    /** Pods whose eviction was granted and that are not gone yet. */
    private Map<String, Instant> evicted(ObjectNode budget, List<ObjectNode> selected) {
        JsonNode noted = Json.at(budget, "status", "disruptedPods");
        Map<String, Instant> pending = new TreeMap<>();
        for (ObjectNode pod : selected) {
            Optional<Instant> since = Timestamps.read(noted.path(Meta.name(pod)));
            if (since.isEmpty() || Meta.terminating(pod)) {
                continue;
            }
            if (since.get().plus(EVICTION_TIMEOUT).isBefore(workspace.now())) {
                workspace.warning(
                        pod,
                        "NotDeleted",
                        "Pod was expected by PDB %s/%s to be deleted but it wasn't"
                                .formatted(Meta.namespace(budget), Meta.name(budget)));
            } else {
                pending.put(Meta.name(pod), since.get());
            }
        }
        return pending;
    }

    private static int healthy(List<ObjectNode> selected, Map<String, Instant> evicted) {
        return (int) selected.stream()
                .filter(pod -> !Meta.terminating(pod) && !evicted.containsKey(Meta.name(pod)))
                .filter(Pods::ready)
                .count();
    }

    private ObjectNode status(ObjectNode budget, ExpectedPods expected, int healthy, Map<String, Instant> evicted) {
        int allowed = expected.expected() <= 0 ? 0 : Math.max(0, healthy - expected.desiredHealthy());
        ObjectNode status = Json.copyOf(budget, "status");
        status.put("observedGeneration", Meta.generation(budget));
        status.put("expectedPods", expected.expected());
        status.put("desiredHealthy", expected.desiredHealthy());
        status.put("currentHealthy", healthy);
        status.put("disruptionsAllowed", allowed);
        status.remove("disruptedPods");
        if (!evicted.isEmpty()) {
            ObjectNode noted = status.putObject("disruptedPods");
            evicted.forEach((name, since) -> noted.put(name, Timestamps.seconds(since)));
        }
        condition(status, allowed > 0 ? "True" : "False", allowed > 0 ? "SufficientPods" : "InsufficientPods", "");
        return status;
    }

    /** Nothing may be evicted while it is not known what may. */
    private ObjectNode failed(ObjectNode budget, String message) {
        ObjectNode status = Json.copyOf(budget, "status");
        status.put("disruptionsAllowed", 0);
        condition(status, "False", "SyncFailed", message);
        return status;
    }

    private void condition(ObjectNode status, String value, String reason, String message) {
        Optional<ObjectNode> before = Conditions.find(status, "DisruptionAllowed");
        String since = before.filter(found -> Conditions.is(found, value))
                .map(found -> Json.text(found, "lastTransitionTime"))
                .orElseGet(() -> Timestamps.seconds(workspace.now()));
        ObjectNode condition = Json.object().put("type", "DisruptionAllowed").put("status", value);
        condition.set("observedGeneration", status.path("observedGeneration"));
        condition.put("lastTransitionTime", since).put("reason", reason).put("message", message);
        Conditions.put(status, condition);
    }

    private void write(ObjectNode budget, ObjectNode status) {
        if (!Json.same(Json.at(budget, "status"), status)) {
            ObjectNode changed = Json.copy(budget);
            changed.set("status", status);
            workspace.writes().updateStatus(Resource.BUDGETS, changed);
        }
    }
}
