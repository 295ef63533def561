package dev.berth.sandbox.endpoints.subresource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import dev.berth.sandbox.endpoints.request.HandlerContext;
import dev.berth.sandbox.storage.GroupResource;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.storage.ResourceStorage;
import dev.berth.sandbox.storage.StoredObject;
import dev.berth.sandbox.unstructured.LabelSelectorReader;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Duration;
import java.util.List;

/** The PodDisruptionBudgets of pods, and how evictions use them. */
final class EvictionBudgets {

    private static final GroupResource BUDGETS = new GroupResource("policy", "poddisruptionbudgets");
    private static final int MAX_DISRUPTED_PODS = 2_000;
    private static final String DENIED_MESSAGE = "Cannot evict pod as it would violate the pod's disruption budget.";

    private final HandlerContext handlerContext;
    private final ResourceStorage resourceStorage;

    EvictionBudgets(HandlerContext handlerContext) {
        this.handlerContext = handlerContext;
        this.resourceStorage = handlerContext.store().resource(BUDGETS);
    }

    /** Uses one disruption of the budget of a running pod; rejects the eviction when none is left. */
    void checkAndDecrement(StoredObject pod, boolean dryRun) {
        while (true) {
            List<StoredObject> matching = resourceStorage
                    .snapshot()
                    .list(pod.key().namespace())
                    .stream()
                    .filter(budget -> protects(budget.tree(), pod.tree()))
                    .toList();
            if (matching.isEmpty()) {
                return;
            }
            if (matching.size() > 1) {
                throw new ApiStatusException(
                        ApiStatus.unknownError("This pod has more than one PodDisruptionBudget, which the"
                                + " eviction subresource does not support."));
            }
            StoredObject budget = matching.get(0);
            if (isUnhealthyPodEvictable(budget.tree(), pod.tree())) {
                return;
            }
            ObjectNode spent = decrement(budget, pod.key().name());
            if (dryRun || resourceStorage.replace(budget, spent).isPresent()) {
                return;
            }
        }
    }

    private static boolean protects(ObjectNode budget, ObjectNode pod) {
        if (!budget.path("spec").has("selector")) {
            return false;
        }
        return LabelSelectorReader.read(budget.path("spec").path("selector"))
                .matches(Labels.of(ObjectMetaReader.labels(pod)));
    }

    /** A pod that is not ready may be evicted if the policy allows it or enough other pods are healthy. */
    private static boolean isUnhealthyPodEvictable(ObjectNode budget, ObjectNode pod) {
        boolean ready = NestedFields.objects(pod, "status", "conditions").stream()
                .anyMatch(each -> NestedFields.text(each, "type").equals("Ready")
                        && NestedFields.text(each, "status").equals("True"));
        if (ready) {
            return false;
        }
        long desired = NestedFields.number(budget, "status", "desiredHealthy");
        return NestedFields.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                || (desired > 0 && NestedFields.number(budget, "status", "currentHealthy") >= desired);
    }

    private ObjectNode decrement(StoredObject budget, String podName) {
        ObjectNode tree = budget.tree();
        String name = budget.key().name();
        if (NestedFields.number(tree, "status", "observedGeneration") < ObjectMetaReader.generation(tree)) {
            throw new ApiStatusException(ApiStatus.tooManyRequests(DENIED_MESSAGE, Duration.ofSeconds(10))
                    .withCause(
                            "DisruptionBudget",
                            "The disruption budget " + name + " is still being processed by the server."));
        }
        long allowed = NestedFields.number(tree, "status", "disruptionsAllowed");
        if (allowed < 0) {
            throw forbidden(name, "pdb disruptions allowed is negative");
        }
        if (tree.path("status").path("disruptedPods").size() > MAX_DISRUPTED_PODS) {
            throw forbidden(name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
        }
        if (allowed == 0) {
            throw new ApiStatusException(ApiStatus.tooManyRequests(DENIED_MESSAGE, Duration.ZERO)
                    .withCause(
                            "DisruptionBudget",
                            "The disruption budget " + name + " needs "
                                    + NestedFields.number(tree, "status", "desiredHealthy") + " healthy pods and has "
                                    + NestedFields.number(tree, "status", "currentHealthy") + " currently"));
        }
        ObjectNode mutable = ObjectMetaEditor.shallowCopy(tree);
        mutable.set("status", tree.path("status").deepCopy());
        ObjectNode status = NestedFields.getOrCreateObject(mutable, "status");
        status.put("disruptionsAllowed", (int) (allowed - 1));
        NestedFields.getOrCreateObject(status, "disruptedPods")
                .put(
                        podName,
                        TimestampFormat.formatTime(
                                handlerContext.systemFieldGenerator().now()));
        return mutable;
    }

    private static ApiStatusException forbidden(String name, String why) {
        return new ApiStatusException(
                ApiStatus.forbidden(new GroupResource("policy", "poddisruptionbudget"), name, why));
    }
}
