package dev.berth.core.twin;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.invariant.Differences;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Absence;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** A ledger and its twin to which the same things happen. */
final class World {
    /** Small, so that the follower, who does not look after each step, sometimes comes too late. */
    private static final int LOGGED_CHANGES = 8;

    private final Ledger ledger = new Ledger(LOGGED_CHANGES);
    private final SlowLedger twin = new SlowLedger();
    private final LogFollower follower = new LogFollower(ledger);
    private Snapshot lastLook = ledger.snapshot();
    private LedgerFacts factsAtLastLook = lastLook.facts();

    SlowLedger twin() {
        return twin;
    }

    /** Takes the step on both sides; what is wrong afterwards, in words. */
    List<String> take(Step step) {
        List<String> problems = new ArrayList<>();
        try {
            happen(step, problems);
            problems.addAll(LedgerComparison.differences(ledger, twin));
            if (step instanceof Step.Look || step instanceof Step.Rebuild) {
                problems.addAll(follower.follow());
            }
        } catch (RuntimeException bug) {
            problems.add("threw " + bug);
        }
        return problems;
    }

    private void happen(Step step, List<String> problems) {
        if (step instanceof Step.PutNode it) {
            compare("ended holds", ledger.put(it.node()), twin.put(it.node()), problems);
        } else if (step instanceof Step.RemoveNode it) {
            compare("ended holds", ledger.removeNode(it.uid()), twin.removeNode(it.uid()), problems);
        } else if (step instanceof Step.PutPod it) {
            ledger.put(it.pod());
            twin.put(it.pod());
        } else if (step instanceof Step.RemovePod it) {
            compare("the pod that went", ledger.removePod(it.uid()), twin.pod(it.uid()), problems);
            twin.removePod(it.uid());
        } else if (step instanceof Step.PutWorkload it) {
            ledger.put(it.workload());
            twin.put(it.workload());
        } else if (step instanceof Step.RemoveWorkload it) {
            ledger.remove(it.key());
            twin.remove(it.key());
        } else if (step instanceof Step.PutNamespace it) {
            ledger.put(it.namespace());
            twin.put(it.namespace());
        } else if (step instanceof Step.RemoveNamespace it) {
            ledger.removeNamespace(it.name());
            twin.removeNamespace(it.name());
        } else if (step instanceof Step.PutHold it) {
            ledger.put(it.hold());
            twin.put(it.hold());
        } else if (step instanceof Step.RemoveHold it) {
            compare("the hold that went", ledger.removeHold(it.id()), twin.hold(it.id()), problems);
            twin.removeHold(it.id());
        } else {
            happenLater(step, problems);
        }
    }

    private void happenLater(Step step, List<String> problems) {
        if (step instanceof Step.Assume it) {
            assume(it, problems);
        } else if (step instanceof Step.Forget it) {
            compare("what was assumed", ledger.forget(it.pod()), twin.assumption(it.pod()), problems);
            twin.forget(it.pod());
        } else if (step instanceof Step.Expire it) {
            expire(it, problems);
        } else if (step instanceof Step.Look) {
            look(problems);
            thinkAway(problems);
        } else if (step instanceof Step.Rebuild it) {
            rebuild(new Random(it.seed()), problems);
        }
    }

    private void assume(Step.Assume step, List<String> problems) {
        boolean allowed = twin.mayAssume(step.pod(), step.node(), step.hold());
        try {
            ledger.assume(step.pod(), step.node(), step.hold(), twin.recordOf(step.hold()));
            if (allowed) {
                twin.assume(step.pod(), step.node(), step.hold());
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
        boolean same = twin.assumption(step.pod())
                .filter(known -> known.hold().equals(step.hold()))
                .filter(known -> twin.nodes().stream()
                        .anyMatch(node ->
                                node.uid().equals(step.node()) && node.name().equals(known.nodeName())))
                .isPresent();
        return same ? List.of() : List.of("assumed what should be refused");
    }

    private void expire(Step.Expire step, List<String> problems) {
        compare("next deadline", ledger.nextDeadline(), twin.nextDeadline(), problems);
        List<Hold> due = ledger.expiredAt(step.now());
        compare("holds that are due", due, twin.expiredAt(step.now()), problems);
        for (Hold hold : due) {
            ledger.removeHold(hold.id());
            twin.removeHold(hold.id());
        }
    }

    private void look(List<String> problems) {
        List<Hold> homeless = twin.holds().stream()
                .filter(hold -> twin.nodeOf(hold).isEmpty())
                .sorted(Comparator.comparing(Hold::id))
                .toList();
        compare("holds without node", ledger.holdsWithoutNode(), homeless, problems);
        Snapshot now = ledger.snapshot();
        problems.addAll(LedgerComparison.differences(now, twin));
        Invariants.check(now).forEach(violation -> problems.add(violation.toString()));
        Invariants.between(lastLook, now).forEach(violation -> problems.add(violation.toString()));
        Invariants.rebuilt(lastLook).forEach(violation -> problems.add("the last snapshot: " + violation));
        compare("facts of the last snapshot", lastLook.facts(), factsAtLastLook, problems);
        lastLook = now;
        factsAtLastLook = now.facts();
    }

    /** On each node half of the pods and some of the holds are thought away: half, so that each is gone and there at times. */
    private void thinkAway(List<String> problems) {
        Random random = new Random(ledger.version());
        for (Node node : twin.nodes()) {
            NodeState state = ledger.node(node.name()).orElseThrow();
            Absence absent = new Absence(
                    state.pods().stream()
                            .map(Pod::uid)
                            .filter(pod -> random.nextBoolean())
                            .collect(Collectors.toSet()),
                    state.holds().stream()
                            .filter(hold -> random.nextInt(3) == 0)
                            .collect(Collectors.toSet()));
            LedgerComparison.differences(ledger.without(node.name(), absent).orElseThrow(), twin.without(absent))
                    .forEach(words -> problems.add("without %s on %s: %s".formatted(absent, node.name(), words)));
        }
    }

    private void rebuild(Random random, List<String> problems) {
        LedgerFacts facts = twin.facts();
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
        Differences.between(ledger.snapshot(), fresh.snapshot()).forEach(words -> problems.add("rebuilt: " + words));
    }

    private static void compare(String what, Object mine, Object theirs, List<String> problems) {
        if (!mine.equals(theirs)) {
            problems.add("%s: ledger says (%s), twin says (%s)".formatted(what, mine, theirs));
        }
    }
}
