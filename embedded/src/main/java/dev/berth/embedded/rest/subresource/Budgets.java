package dev.berth.embedded.rest.subresource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.ApiFailure;
import dev.berth.embedded.rest.ApiStatus;
import dev.berth.embedded.rest.select.LabelSelector;
import dev.berth.embedded.rest.select.SelectorSyntaxException;
import dev.berth.embedded.rest.target.Backend;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.time.Duration;
import java.util.List;

/** The disruption budgets that protect pods from being evicted, and the spending of them. */
final class Budgets {

    private static final ResourceId BUDGETS = new ResourceId("policy", "poddisruptionbudgets");
    private static final int MOST_UNCONFIRMED = 2_000;
    private static final String REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget.";

    private final Backend backend;
    private final Shelf shelf;

    Budgets(Backend backend) {
        this.backend = backend;
        this.shelf = backend.store().shelf(BUDGETS);
    }

    /** Takes one disruption from the budget of a running pod; refused when it has none left. */
    void spend(Stored pod, boolean dryRun) {
        while (true) {
            List<Stored> matching = shelf.snapshot().list(pod.key().namespace()).stream()
                    .filter(budget -> protects(budget.tree(), pod.tree()))
                    .toList();
            if (matching.isEmpty()) {
                return;
            }
            if (matching.size() > 1) {
                throw new ApiFailure(ApiStatus.unexplained("This pod has more than one PodDisruptionBudget, which the"
                        + " eviction subresource does not support."));
            }
            Stored budget = matching.get(0);
            if (costsNothing(budget.tree(), pod.tree())) {
                return;
            }
            ObjectNode spent = spent(budget, pod.key().name());
            if (dryRun || shelf.replace(budget, spent).isPresent()) {
                return;
            }
        }
    }

    private static boolean protects(ObjectNode budget, ObjectNode pod) {
        if (!budget.path("spec").has("selector")) {
            return false;
        }
        try {
            return LabelSelector.from(budget.path("spec").path("selector")).matches(Meta.labels(pod));
        } catch (SelectorSyntaxException impossible) {
            throw new IllegalStateException("a stored selector cannot be read", impossible);
        }
    }

    /** A pod that is not ready may go where the budget says so, or where enough others are healthy. */
    private static boolean costsNothing(ObjectNode budget, ObjectNode pod) {
        boolean ready = Trees.objects(pod, "status", "conditions").stream()
                .anyMatch(each -> Trees.text(each, "type").equals("Ready")
                        && Trees.text(each, "status").equals("True"));
        if (ready) {
            return false;
        }
        long desired = Trees.number(budget, "status", "desiredHealthy");
        return Trees.text(budget, "spec", "unhealthyPodEvictionPolicy").equals("AlwaysAllow")
                || (desired > 0 && Trees.number(budget, "status", "currentHealthy") >= desired);
    }

    private ObjectNode spent(Stored budget, String podName) {
        ObjectNode tree = budget.tree();
        String name = budget.key().name();
        if (Trees.number(tree, "status", "observedGeneration") < Meta.generation(tree)) {
            throw new ApiFailure(ApiStatus.tooManyRequests(REFUSAL, Duration.ofSeconds(10))
                    .cause(
                            "DisruptionBudget",
                            "The disruption budget " + name + " is still being processed by the server."));
        }
        long allowed = Trees.number(tree, "status", "disruptionsAllowed");
        if (allowed < 0) {
            throw forbidden(name, "pdb disruptions allowed is negative");
        }
        if (tree.path("status").path("disruptedPods").size() > MOST_UNCONFIRMED) {
            throw forbidden(name, "DisruptedPods map too big - too many evictions not confirmed by PDB controller");
        }
        if (allowed == 0) {
            throw new ApiFailure(ApiStatus.tooManyRequests(REFUSAL, Duration.ZERO)
                    .cause(
                            "DisruptionBudget",
                            "The disruption budget " + name + " needs "
                                    + Trees.number(tree, "status", "desiredHealthy") + " healthy pods and has "
                                    + Trees.number(tree, "status", "currentHealthy") + " currently"));
        }
        ObjectNode own = Meta.shallowCopy(tree);
        own.set("status", tree.path("status").deepCopy());
        ObjectNode status = Trees.child(own, "status");
        status.put("disruptionsAllowed", (int) (allowed - 1));
        Trees.child(status, "disruptedPods")
                .put(podName, Meta.time(backend.births().now()));
        return own;
    }

    private static ApiFailure forbidden(String name, String why) {
        return new ApiFailure(ApiStatus.forbidden(new ResourceId("policy", "poddisruptionbudget"), name, why));
    }
}
