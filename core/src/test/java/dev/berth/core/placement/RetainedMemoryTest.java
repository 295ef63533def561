package dev.berth.core.placement;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.score.ScoreWeights;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is remembered of pods that are gone is bounded by its size: one tenant can write pods of more than a megabyte. */
class RetainedMemoryTest {
    private static final int KILOBYTE = 1_000;
    private static final int MOST_MEGABYTES = 40;
    private static final long CAPACITY = 8_000_000;

    private final Ledger ledger = new Ledger();

    @BeforeEach
    void aNodeWithAPodThatAvoidsOthers() {
        ledger.put(aNode("n1").with("8 cpu", "110 pods").labelled("zone", "a").build());
        PodAffinityTerm term = PodAffinityTerm.of("zone", LabelSelector.of(Labels.of("app", "x")));
        ledger.put(aPod("shy")
                .asking("1 cpu")
                .withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(), List.of(term), List.of())))
                .on("n1")
                .build());
    }

    /** Places pods one by one that nothing else refers to, and counts the megabytes that stay of them. */
    private static long megabytesLeft(Placer placer, int pods, int kilobytes, Function<String, Pod> build, Part part) {
        List<WeakReference<Object>> parts = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            Pod pod = build.apply(i + "x".repeat(kilobytes * KILOBYTE));
            placer.place(pod);
            placer.place(pod);
            parts.add(new WeakReference<>(part.of(pod)));
        }
        System.gc();
        long left = parts.stream().filter(it -> it.get() != null).count();
        return left * kilobytes * KILOBYTE / 1_000_000;
    }

    private interface Part {
        Object of(Pod pod);
    }

    @Test
    void cachedSpecsOfPlacedPodsAreEvictedBeyondTheCapacity() {
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT, CAPACITY);
        assertThat(megabytesLeft(placer, 1_000, 100, RetainedMemoryTest::withImage, Pod::spec))
                .isLessThan(MOST_MEGABYTES);
    }

    private static Pod withImage(String image) {
        return aPod("p")
                .asking("1 cpu")
                .withSpec(spec -> spec.images(List.of(image)))
                .build();
    }

    @Test
    void cachedSpecsOfRefusedPodsAreEvictedBeyondASize() {
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT, CAPACITY);
        assertThat(megabytesLeft(placer, 250, 400, RetainedMemoryTest::tooLarge, Pod::spec))
                .isLessThan(MOST_MEGABYTES);
    }

    private static Pod tooLarge(String image) {
        return aPod("p")
                .asking("9 cpu")
                .withSpec(spec -> spec.images(List.of(image)))
                .build();
    }

    @Test
    void cachedLabelsOfSelectedPodsAreEvictedBeyondASize() {
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT, CAPACITY);
        assertThat(megabytesLeft(
                        placer,
                        1_000,
                        100,
                        value -> aPod("p")
                                .asking("1 cpu")
                                .labelled("long", value)
                                .build(),
                        Pod::labels))
                .isLessThan(MOST_MEGABYTES);
    }
}
