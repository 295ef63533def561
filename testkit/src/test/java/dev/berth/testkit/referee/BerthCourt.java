package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Fact;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.NodeVerdict;
import dev.berth.core.placement.Placement;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What Berth says of the pods of one trial. */
final class BerthCourt {
    private final Reading reading = new Reading();
    private final Bench bench = new Bench();
    private final Map<String, Fact> known = new LinkedHashMap<>();
    private final Map<String, ObjectNode> present = new LinkedHashMap<>();

    void tell(ObjectNode object) {
        Fact fact = reading.seen(object);
        known.put(Objects.uid(object), fact);
        present.put(Objects.uid(object), object);
        bench.learn(fact);
    }

    void forget(ObjectNode object) {
        known.remove(Objects.uid(object));
        present.remove(Objects.uid(object));
        bench.learn(reading.gone(object));
    }

    /** The objects that there are. */
    Collection<ObjectNode> present() {
        return present.values();
    }

    /** What Berth says of the pod; where it would put it is {@link Ruling#bound}. */
    Ruling rule(ObjectNode probe) {
        Pod pod = reading.pod(probe);
        Placement placement = bench.placer.place(pod);
        if (placement instanceof Placement.Refused) {
            return refused(pod);
        }
        SortedMap<String, Long> feasible = new TreeMap<>();
        for (NodeVerdict verdict : bench.placer.explain(pod, HoldUse.PREFERRED)) {
            verdict.score().ifPresent(score -> feasible.put(verdict.node(), score));
        }
        return Ruling.placed(feasible, ((Placement.Placed) placement).nodeName());
    }

    /** A pod that sends others away would leave traces: that is asked of a Berth of its own. */
    private Ruling refused(Pod pod) {
        Bench another = new Bench();
        known.values().forEach(another::learn);
        return another.refuse(pod);
    }
}
