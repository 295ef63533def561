package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.decision.Help;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What was found on nodes for pods of one kin, so that the next of them looks only where something changed. Shared are
 * pods to whom it matters only what is on the node itself, and who have neither a hold nor a nomination of their own; what
 * others demand of their neighbours is known by their coming and going.
 */
final class Findings {
    private static final int KINS = 16;

    /**
     * What a node has for a pod.
     *
     * @param sacrifice whom it would have to send away, if that would help
     * @param reasons else why it would not
     * @param later the kinds of events that might change that
     * @param staying who would have to go, but cannot be sent away
     */
    record Finding(Optional<Sacrifice> sacrifice, List<String> reasons, Set<Hint> later, List<Pod> staying) {
        static Finding of(Sacrifice sacrifice) {
            return new Finding(Optional.of(sacrifice), List.of(), Set.of(), List.of());
        }

        static Finding none(String reason) {
            return new Finding(Optional.empty(), List.of(reason), Set.of(), List.of());
        }

        static Finding none(List<Veto> left) {
            return new Finding(
                    Optional.empty(),
                    left.stream().map(Veto::words).distinct().toList(),
                    Help.lifting(left),
                    List.of());
        }

        static Finding staying(String reason, List<Pod> pods) {
            return new Finding(Optional.empty(), List.of(reason), Set.of(), pods);
        }
    }

    /** Pods of one kin are the same to every node. */
    private record Kin(String namespace, Labels labels, PodShape shape, int priority, String schedulerName) {
        static Kin of(Pod pod) {
            return new Kin(pod.namespace(), pod.labels(), pod.shape(), pod.priority(), pod.schedulerName());
        }
    }

    private record Kept(long generation, Finding finding) {}

    /** What is known for one kin, by slot. */
    static final class Page {
        private final List<Optional<Kept>> slots = new ArrayList<>();

        Finding on(NodeState state, Supplier<Finding> fresh) {
            while (slots.size() <= state.slot()) {
                slots.add(Optional.empty());
            }
            Optional<Kept> kept = slots.get(state.slot()).filter(known -> known.generation == state.generation());
            if (kept.isPresent()) {
                return kept.get().finding;
            }
            Finding found = fresh.get();
            slots.set(state.slot(), Optional.of(new Kept(state.generation(), found)));
            return found;
        }
    }

    private final Map<Kin, Page> pages = new LinkedHashMap<>(KINS, 0.75f, true);
    private final Map<Integer, Node> nodes = new LinkedHashMap<>();
    private long version = -1;
    private long rules = -1;

    /**
     * What is known for pods like this one as things are; empty where it must be found anew.
     *
     * @param rulesNow the generation of what else says who may be sent away
     */
    Optional<Page> of(Pod pod, LedgerView ledger, long rulesNow) {
        PodShape shape = pod.shape();
        boolean alone = pod.plain()
                && shape.spread().isEmpty()
                && shape.podAffinity().near().isEmpty()
                && shape.podAffinity().apart().isEmpty()
                && ledger.rulesFor(pod).isEmpty();
        if (!alone) {
            return Optional.empty();
        }
        forget(ledger, rulesNow);
        Page page = pages.computeIfAbsent(Kin.of(pod), kin -> new Page());
        if (pages.size() > KINS) {
            pages.remove(pages.keySet().iterator().next());
        }
        return Optional.of(page);
    }

    /** Forgets everything when something changed that matters to more than the node where it did. */
    private void forget(LedgerView ledger, long rulesNow) {
        FarReaching news = new FarReaching(ledger);
        boolean told = version >= 0 && ledger.changesSince(version, news);
        if (!told || news.any || rules != rulesNow) {
            pages.clear();
            nodes.clear();
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                int at = slot;
                ledger.nodeAt(slot).ifPresent(state -> nodes.put(at, state.node()));
            }
        }
        version = ledger.version();
        rules = rulesNow;
    }

    private final class FarReaching implements LedgerView.Changes {
        private final LedgerView ledger;
        private boolean any;

        private FarReaching(LedgerView ledger) {
            this.ledger = ledger;
        }

        /** A node in another zone takes the demands of its pods along. */
        @Override
        public void nodeChanged(int slot) {
            Optional<Labels> now = ledger.nodeAt(slot).map(state -> state.node().labels());
            any |= !now.equals(Optional.ofNullable(nodes.get(slot)).map(Node::labels));
        }

        @Override
        public void podArrived(int slot, Pod pod) {
            any |= !pod.shape().podAffinity().apart().isEmpty();
        }

        @Override
        public void podLeft(int slot, Pod pod) {
            any |= !pod.shape().podAffinity().apart().isEmpty();
        }

        @Override
        public void workloadsChanged(String namespace) {
            // They make pods wish to be spread, and wishes refuse no node.
        }

        @Override
        public void namespacesChanged() {
            any = true;
        }
    }
}
