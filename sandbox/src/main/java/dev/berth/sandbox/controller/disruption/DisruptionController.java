package dev.berth.sandbox.controller.disruption;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.SemanticEquality;
import dev.berth.sandbox.unstructured.StatusConditions;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Computes the status of PodDisruptionBudgets. The API server allows or rejects evictions by this status. */
public final class DisruptionController implements KeyReconciler<NamespacedName> {
    /** How long an allowed eviction counts until the deletion of the pod is observed. */
    private static final Duration EVICTION_TIMEOUT = Duration.ofMinutes(2);

    private final ControllerContext controllerContext;
    private final InformerCache budgets;
    private final InformerCache pods;

    private DisruptionController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.budgets = controllerContext.cacheFor(RestMapping.POD_DISRUPTION_BUDGETS);
        this.pods = controllerContext.cacheFor(RestMapping.PODS);
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        DisruptionController reconciler = new DisruptionController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler, reconciler.budgets);
        reconciler.pods.addListener((before, after) -> {
            before.ifPresent(pod -> reconciler.enqueueBudgetsOf(pod, controller));
            after.ifPresent(pod -> reconciler.enqueueBudgetsOf(pod, controller));
        });
        // The replicas in the spec of a controller count, not only the existing pods.
        for (RestMapping scaled :
                List.of(RestMapping.DEPLOYMENTS, RestMapping.REPLICA_SETS, RestMapping.STATEFUL_SETS)) {
            controllerContext
                    .cacheFor(scaled)
                    .addListener((before, after) -> after.filter(
                                    owner -> before.isEmpty() || replicas(before.get()) != replicas(owner))
                            .ifPresent(owner -> reconciler
                                    .budgets
                                    .listNamespace(ObjectMetaReader.namespace(owner))
                                    .forEach(budget -> controller.enqueue(NamespacedName.of(budget)))));
        }
        return controller;
    }

    private static int replicas(ObjectNode owner) {
        return NestedFields.intValue(owner, 1, "spec", "replicas");
    }

    private void enqueueBudgetsOf(ObjectNode pod, Controller<NamespacedName> controller) {
        for (ObjectNode budget : budgets.listNamespace(ObjectMetaReader.namespace(pod))) {
            if (selects(budget, pod)) {
                controller.enqueue(NamespacedName.of(budget));
            }
        }
    }

    /** An absent selector selects nothing, an empty one everything in the namespace. */
    private static boolean selects(ObjectNode budget, ObjectNode pod) {
        JsonNode selector = NestedFields.at(budget, "spec", "selector");
        return selector.isObject()
                && LabelSelectorReader.read(selector).matches(Labels.of(ObjectMetaReader.labels(pod)));
    }

    @Override
    public String name() {
        return "disruption-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> budget = budgets.get(key);
        return budget.isEmpty() ? Optional.empty() : sync(budget.get());
    }

    private Optional<Instant> sync(ObjectNode budget) {
        List<ObjectNode> selected = pods.listNamespace(ObjectMetaReader.namespace(budget)).stream()
                .filter(pod -> selects(budget, pod))
                .toList();
        if (selected.isEmpty()) {
            controllerContext.recordNormal(budget, "NoPods", "No matching pods found");
        }
        Map<String, Instant> evicted = disruptedPods(budget, selected);
        try {
            ExpectedPods expected = ExpectedPods.compute(budget, selected, controllerContext.sharedInformerFactory());
            if (expected.unmanaged()) {
                warnOfUnmanaged(budget);
            }
            write(budget, status(budget, expected, countHealthyPods(selected, evicted), evicted));
        } catch (IllegalStateException e) {
            String message = String.valueOf(e.getMessage());
            controllerContext.recordWarning(
                    budget,
                    "CalculateExpectedPodCountFailed",
                    "Failed to calculate the number of expected pods: " + message);
            write(budget, failSafeStatus(budget, message));
        }
        return evicted.values().stream().min(Comparator.naturalOrder()).map(since -> since.plus(EVICTION_TIMEOUT));
    }

    private void warnOfUnmanaged(ObjectNode budget) {
        controllerContext.recordWarning(
                budget,
                "UnmanagedPods",
                "Some pods of this PodDisruptionBudget belong to no controller, so its status cannot be calculated"
                        + " correctly. Set \".spec.minAvailable\" to a whole number to account for them.");
    }

    /** Pods whose eviction was allowed and that still exist. */
    private Map<String, Instant> disruptedPods(ObjectNode budget, List<ObjectNode> selected) {
        JsonNode noted = NestedFields.at(budget, "status", "disruptedPods");
        Map<String, Instant> pending = new TreeMap<>();
        for (ObjectNode pod : selected) {
            Optional<Instant> since = TimestampFormat.parse(noted.path(ObjectMetaReader.name(pod)));
            if (since.isEmpty() || ObjectMetaReader.isTerminating(pod)) {
                continue;
            }
            if (since.get().plus(EVICTION_TIMEOUT).isBefore(controllerContext.now())) {
                controllerContext.recordWarning(
                        pod,
                        "NotDeleted",
                        "Pod was expected by PDB %s/%s to be deleted but it wasn't"
                                .formatted(ObjectMetaReader.namespace(budget), ObjectMetaReader.name(budget)));
            } else {
                pending.put(ObjectMetaReader.name(pod), since.get());
            }
        }
        return pending;
    }

    private static int countHealthyPods(List<ObjectNode> selected, Map<String, Instant> evicted) {
        return (int) selected.stream()
                .filter(pod -> !ObjectMetaReader.isTerminating(pod) && !evicted.containsKey(ObjectMetaReader.name(pod)))
                .filter(Pods::isReady)
                .count();
    }

    private ObjectNode status(ObjectNode budget, ExpectedPods expected, int healthy, Map<String, Instant> evicted) {
        int allowed = expected.expected() <= 0 ? 0 : Math.max(0, healthy - expected.desiredHealthy());
        ObjectNode status = NestedFields.copyOf(budget, "status");
        status.put("observedGeneration", ObjectMetaReader.generation(budget));
        status.put("expectedPods", expected.expected());
        status.put("desiredHealthy", expected.desiredHealthy());
        status.put("currentHealthy", healthy);
        status.put("disruptionsAllowed", allowed);
        status.remove("disruptedPods");
        if (!evicted.isEmpty()) {
            ObjectNode noted = status.putObject("disruptedPods");
            evicted.forEach((name, since) -> noted.put(name, TimestampFormat.formatTime(since)));
        }
        condition(status, allowed > 0 ? "True" : "False", allowed > 0 ? "SufficientPods" : "InsufficientPods", "");
        return status;
    }

    /** No eviction is allowed while the number is unknown. */
    private ObjectNode failSafeStatus(ObjectNode budget, String message) {
        ObjectNode status = NestedFields.copyOf(budget, "status");
        status.put("disruptionsAllowed", 0);
        condition(status, "False", "SyncFailed", message);
        return status;
    }

    private void condition(ObjectNode status, String value, String reason, String message) {
        Optional<ObjectNode> before = StatusConditions.findInStatus(status, "DisruptionAllowed");
        String since = before.filter(found -> StatusConditions.hasStatus(found, value))
                .map(found -> NestedFields.text(found, "lastTransitionTime"))
                .orElseGet(() -> TimestampFormat.formatTime(controllerContext.now()));
        ObjectNode condition =
                NestedFields.newObject().put("type", "DisruptionAllowed").put("status", value);
        condition.set("observedGeneration", status.path("observedGeneration"));
        condition.put("lastTransitionTime", since).put("reason", reason).put("message", message);
        StatusConditions.set(status, condition);
    }

    private void write(ObjectNode budget, ObjectNode status) {
        if (!SemanticEquality.areEqual(NestedFields.at(budget, "status"), status)) {
            ObjectNode changed = budget.deepCopy();
            changed.set("status", status);
            controllerContext.writeThroughClient().updateStatus(RestMapping.POD_DISRUPTION_BUDGETS, changed);
        }
    }
}
