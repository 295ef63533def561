package dev.berth.app.scenario.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** One line of a table: the nodes and pods that are there, the pod that comes, and what must become of it. */
public final class Play {
    private final String name;
    private final List<NodeText> nodes = new ArrayList<>();
    private final List<PodText> there = new ArrayList<>();
    private final List<PodText> coming = new ArrayList<>();
    private final Set<String> good = new TreeSet<>();
    private String refusal = "";
    private String harm = "";

    private Play(String name) {
        this.name = name;
    }

    /** What happens, as a sentence. */
    public static Play that(String name) {
        return new Play(name);
    }

    public Play on(NodeText... more) {
        nodes.addAll(List.of(more));
        return this;
    }

    public Play on(List<NodeText> more) {
        nodes.addAll(more);
        return this;
    }

    /** Pods that are on their nodes already. */
    public Play beside(PodText... more) {
        there.addAll(List.of(more));
        return this;
    }

    public Play beside(List<PodText> more) {
        there.addAll(more);
        return this;
    }

    /** The pod that is to be placed. */
    public Play comes(PodText pod) {
        coming.add(pod);
        return this;
    }

    /** It goes to one of these nodes. */
    public Play goesTo(String... names) {
        good.addAll(List.of(names));
        return this;
    }

    /** No node takes it, for these reasons, such as {@code 2 node(s) were unschedulable}. */
    public Play isRefused(String reasons) {
        refusal = reasons;
        return this;
    }

    /** What people would suffer if it went otherwise. */
    public Play lest(String suffering) {
        harm = suffering;
        return this;
    }

    /** Plays it; where it goes otherwise, says what was to happen and who suffers. */
    public void play(Scene scene) {
        try {
            scene.nodes(nodes.toArray(NodeText[]::new));
            scene.pods(there);
            coming.forEach(pod -> playOne(scene, pod));
        } catch (AssertionError otherwise) {
            throw new AssertionError("%s, lest %s: %s".formatted(name, harm, otherwise.getMessage()), otherwise);
        }
    }

    private void playOne(Scene scene, PodText pod) {
        scene.pod(pod);
        if (refusal.isEmpty()) {
            assertThat(scene.nodeOf(pod.name())).isIn(good);
        } else {
            assertThat(scene.whyPending(pod.name()))
                    .startsWith("0/%d nodes are available: %s.".formatted(nodes.size(), refusal));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
