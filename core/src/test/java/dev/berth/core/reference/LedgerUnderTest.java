package dev.berth.core.reference;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.invariant.SnapshotDifferences;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.ledger.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** A ledger and the reference ledger with the same history. */
final class LedgerUnderTest {
    /** Small, so that a follower that does not read after each step is sometimes too late. */
    private static final int LOGGED_CHANGES = 8;

    private final Ledger ledger = new Ledger(LOGGED_CHANGES);
    private final ReferenceLedger reference = new ReferenceLedger();
    private final ChangeLogFollower follower = new ChangeLogFollower(ledger);
    private Snapshot lastSnapshot = ledger.snapshot();
    private LedgerFacts factsOfLastSnapshot = lastSnapshot.facts();

    ReferenceLedger reference() {
        return reference;
    }

    /** Applies the step to both. Returns the differences. */
    List<String> apply(Step step) {
        List<String> problems = new ArrayList<>();
        try {
            applyChange(step, problems);
            problems.addAll(LedgerComparison.differences(ledger, reference));
            if (step instanceof Step.TakeSnapshot || step instanceof Step.Rebuild) {
                problems.addAll(follower.follow());
            }
        } catch (RuntimeException bug) {
            problems.add("threw " + bug);
        }
        return problems;
    }

    private void applyChange(Step step, List<String> problems) {
        if (step instanceof Step.PutNode it) {
            compare("ended holds", ledger.put(it.node()), reference.put(it.node()), problems);
        } else if (step instanceof Step.RemoveNode it) {
            compare("ended holds", ledger.removeNode(it.uid()), reference.removeNode(it.uid()), problems);
        } else if (step instanceof Step.PutPod it) {
            ledger.put(it.pod());
            reference.put(it.pod());
        } else if (step instanceof Step.RemovePod it) {
            compare("the pod that went", ledger.removePod(it.uid()), reference.pod(it.uid()), problems);
            reference.removePod(it.uid());
        } else if (step instanceof Step.PutWorkload it) {
            ledger.put(it.workload());
            reference.put(it.workload());
        } else if (step instanceof Step.RemoveWorkload it) {
            ledger.remove(it.key());
            reference.remove(it.key());
        } else if (step instanceof Step.PutNamespace it) {
            ledger.put(it.namespace());
            reference.put(it.namespace());
        } else if (step instanceof Step.RemoveNamespace it) {
            ledger.removeNamespace(it.name());
            reference.removeNamespace(it.name());
        } else if (step instanceof Step.PutHold it) {
            ledger.put(it.hold());
            reference.put(it.hold());
        } else if (step instanceof Step.RemoveHold it) {
            compare("the hold that went", ledger.removeHold(it.id()), reference.hold(it.id()), problems);
            reference.removeHold(it.id());
        } else {
            applyOther(step, problems);
        }
    }

    private void applyOther(Step step, List<String> problems) {
        if (step instanceof Step.Assume it) {
            assume(it, problems);
        } else if (step instanceof Step.Forget it) {
            compare("what was assumed", ledger.forget(it.pod()), reference.assumption(it.pod()), problems);
            reference.forget(it.pod());
        } else if (step instanceof Step.Expire it) {
            expire(it, problems);
        } else if (step instanceof Step.TakeSnapshot) {
            checkSnapshot(problems);
            checkSimulatedRemovals(problems);
        } else if (step instanceof Step.Rebuild it) {
            rebuild(new Random(it.seed()), problems);
        }
    }

    private void assume(Step.Assume step, List<String> problems) {
        boolean allowed = reference.mayAssume(step.pod(), step.node(), step.hold());
        try {
            ledger.assume(step.pod(), step.node(), step.hold(), reference.bindAnnotationsFor(step.hold()));
            if (allowed) {
                reference.assume(step.pod(), step.node(), step.hold());
            } else {
                problems.addAll(repeated(step));
            }
        } catch (IllegalStateException refused) {
            if (allowed) {
                problems.add("refused to assume: " + refused.getMessage());
            }
        }
    }

    /** What is assumed already may be assumed again, and nothing changes; anything else must be refused. */
    private List<String> repeated(Step.Assume step) {
        boolean same = reference
                .assumption(step.pod())
                .filter(known -> known.hold().equals(step.hold()))
                .filter(known -> reference.nodes().stream()
                        .anyMatch(node ->
                                node.uid().equals(step.node()) && node.name().equals(known.nodeName())))
                .isPresent();
        return same ? List.of() : List.of("assumed what should be refused");
    }

    private void expire(Step.Expire step, List<String> problems) {
        compare("next deadline", ledger.nextDeadline(), reference.nextDeadline(), problems);
        List<Hold> due = ledger.expiredAt(step.now());
        compare("holds that are due", due, reference.expiredAt(step.now()), problems);
        for (Hold hold : due) {
            ledger.removeHold(hold.id());
            reference.removeHold(hold.id());
        }
    }

    private void checkSnapshot(List<String> problems) {
        List<Hold> withoutNode = reference.holds().stream()
                .filter(hold -> reference.nodeOf(hold).isEmpty())
                .sorted(Comparator.comparing(Hold::id))
                .toList();
        compare("holds without node", ledger.holdsWithoutNode(), withoutNode, problems);
        Snapshot now = ledger.snapshot();
        problems.addAll(LedgerComparison.differences(now, reference));
        Invariants.check(now).forEach(violation -> problems.add(violation.toString()));
        Invariants.checkTransition(lastSnapshot, now).forEach(violation -> problems.add(violation.toString()));
        Invariants.checkRebuilt(lastSnapshot).forEach(violation -> problems.add("the last snapshot: " + violation));
        compare("facts of the last snapshot", lastSnapshot.facts(), factsOfLastSnapshot, problems);
        lastSnapshot = now;
        factsOfLastSnapshot = now.facts();
    }

    /** On each node half of the pods and some of the holds are thought away: half, so that each is gone and there at times. */
    private void checkSimulatedRemovals(List<String> problems) {
        Random random = new Random(ledger.version());
        for (Node node : reference.nodes()) {
            NodeState state = ledger.node(node.name()).orElseThrow();
            Removals removals = new Removals(
                    state.pods().stream()
                            .map(Pod::uid)
                            .filter(pod -> random.nextBoolean())
                            .collect(Collectors.toSet()),
                    state.holds().stream()
                            .filter(hold -> random.nextInt(3) == 0)
                            .collect(Collectors.toSet()));
            LedgerComparison.differences(
                            ledger.simulateWithout(node.name(), removals).orElseThrow(), reference.without(removals))
                    .forEach(words -> problems.add("without %s on %s: %s".formatted(removals, node.name(), words)));
        }
    }

    private void rebuild(Random random, List<String> problems) {
        LedgerFacts facts = reference.facts();
        compare("facts", ledger.facts(), facts, problems);
        Ledger fresh = new Ledger();
        List<Runnable> news = new ArrayList<>();
        facts.nodes().forEach(node -> news.add(() -> fresh.put(node)));
        facts.pods().forEach(pod -> news.add(() -> fresh.put(pod)));
        facts.holds().forEach(hold -> news.add(() -> fresh.put(hold)));
        facts.workloads().forEach(workload -> news.add(() -> fresh.put(workload)));
        facts.namespaces().forEach(namespace -> news.add(() -> fresh.put(namespace)));
        Collections.shuffle(news, random);
        news.forEach(Runnable::run);
        facts.assumptions().forEach(fresh::assume);
        facts.confirmed().forEach(fresh::confirm);
        SnapshotDifferences.between(ledger.snapshot(), fresh.snapshot())
                .forEach(words -> problems.add("rebuilt: " + words));
    }

    private static void compare(String what, Object mine, Object theirs, List<String> problems) {
        if (!mine.equals(theirs)) {
            problems.add("%s: ledger says (%s), reference says (%s)".formatted(what, mine, theirs));
        }
    }
}
