package dev.berth.kubernetes.door.preemption;

import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.door.preemption.PreemptionFact;
import dev.berth.core.door.preemption.PreemptionWrite;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.watch.KindPath;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;

/** What preemption reads and how its writes look on the wire. */
public final class Preemptions {
    private static final KindPath BUDGETS =
            new KindPath("poddisruptionbudgets", "PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets");
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

    private Preemptions() {}

    public static DoorFeeds feeds() {
        ObjectFeed<?> budgets = new ObjectFeed<>(
                BUDGETS, new BudgetProjection(), PreemptionFact.BudgetSeen::new, PreemptionFact.BudgetGone::new);
        return new DoorFeeds(List.of(budgets), List.of());
    }

    public static void addForms(ObjectForms forms) {
        forms.with(PreemptionWrite.Nominate.class, Preemptions::nominate)
                .with(PreemptionWrite.Mark.class, Preemptions::mark)
                .with(PreemptionWrite.Delete.class, Preemptions::delete);
    }

    static ObjectRequest nominate(PreemptionWrite.Nominate nominate) {
        Object node = nominate.node().isEmpty() ? Tree.NULL : nominate.node();
        Tree patch = uid(nominate.pod()).with(node, "status", "nominatedNodeName");
        return ObjectRequest.strategicMerge(path(nominate.pod()) + "/status", patch);
    }

    /** The condition by which disruptions are told from failures, as kube-scheduler sets it. */
    static ObjectRequest mark(PreemptionWrite.Mark mark) {
        Map<String, Object> condition = Map.of(
                "type",
                "DisruptionTarget",
                "status",
                "True",
                "reason",
                "PreemptionByScheduler",
                "message",
                mark.message(),
                "lastTransitionTime",
                SECONDS.format(mark.at()));
        Tree patch = uid(mark.victim()).with(List.of(condition), "status", "conditions");
        return ObjectRequest.strategicMerge(path(mark.victim()) + "/status", patch);
    }

    static ObjectRequest delete(PreemptionWrite.Delete delete) {
        return ObjectRequest.delete(path(delete.victim()), delete.victim().uid().value());
    }

    /** A precondition of the patch. */
    private static Tree uid(PodRef pod) {
        return Tree.EMPTY.with(pod.uid().value(), "metadata", "uid");
    }

    private static String path(PodRef pod) {
        return "/api/v1/namespaces/%s/pods/%s".formatted(pod.namespace(), pod.name());
    }
}
