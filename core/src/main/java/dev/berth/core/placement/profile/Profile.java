package dev.berth.core.placement.profile;

import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.placement.score.ScoreWeights;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * By which rules and wishes some pods are placed.
 *
 * @param rules those of the rules that may be left out which are in force
 * @param weights what each score counts; 0 leaves it out
 * @param added what is demanded and wished of nodes on top of what the pod says
 */
public record Profile(
        Set<Rule> rules,
        ScoreWeights weights,
        ResourceScoring resources,
        SpreadDefaults spread,
        PodAffinityScoring podAffinity,
        NodeAffinity added,
        Afterwards afterwards) {
    /** As kube-scheduler 1.36 has it where nothing is said. */
    public static final Profile DEFAULT = new Profile(
            Rule.ALL,
            ScoreWeights.DEFAULT,
            ResourceScoring.USUAL,
            SpreadDefaults.SYSTEM,
            PodAffinityScoring.USUAL,
            NodeAffinity.NONE,
            Afterwards.USUAL);

    public Profile {
        Set<Rule> ordered = EnumSet.noneOf(Rule.class);
        ordered.addAll(rules);
        rules = Collections.unmodifiableSet(ordered);
    }

    public boolean enforces(Rule rule) {
        return rules.contains(rule);
    }

    public Profile without(Rule rule) {
        Set<Rule> rest = EnumSet.noneOf(Rule.class);
        rest.addAll(rules);
        rest.remove(rule);
        return new Profile(rest, weights, resources, spread, podAffinity, added, afterwards);
    }

    public Profile withWeights(ScoreWeights other) {
        return new Profile(rules, other, resources, spread, podAffinity, added, afterwards);
    }

    public Profile withResources(ResourceScoring other) {
        return new Profile(rules, weights, other, spread, podAffinity, added, afterwards);
    }

    public Profile withSpread(SpreadDefaults other) {
        return new Profile(rules, weights, resources, other, podAffinity, added, afterwards);
    }

    public Profile withPodAffinity(PodAffinityScoring other) {
        return new Profile(rules, weights, resources, spread, other, added, afterwards);
    }

    public Profile withAdded(NodeAffinity other) {
        return new Profile(rules, weights, resources, spread, podAffinity, other, afterwards);
    }

    public Profile withAfterwards(Afterwards other) {
        return new Profile(rules, weights, resources, spread, podAffinity, added, other);
    }
}
