package dev.berth.app.scenario.stage;

import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;

/**
 * A pod that both nodes of its scene refuse for the same reason, and that sleeps through what cannot help it. One who
 * is tried again says other words, because one of the nodes goes meanwhile, which helps nobody and wakes nobody. Another
 * pod that is refused later and woken later is bound in the end: whoever was woken before has been tried by then.
 */
public final class Sleeper {
    /** The nodes: one that stays and one that goes. */
    public static final String STAYING = "staying";

    public static final String LEAVING = "leaving";

    private static final String LATER = "later";

    private final Scene scene;
    private final String pod;
    private final String words;

    private Sleeper(Scene scene, String pod, String words) {
        this.scene = scene;
        this.pod = pod;
        this.words = words;
    }

    /**
     * Makes the pod, and waits until it is refused.
     *
     * @param reason why each of the two nodes refuses it, such as {@code node(s) had no available volume zone}
     */
    public static Sleeper asleep(Scene scene, PodText pod, String reason) {
        scene.pod(pod);
        Sleeper sleeper = new Sleeper(scene, pod.name(), "0/2 nodes are available: 2 %s.".formatted(reason));
        Eventually.holds(() -> assertThat(scene.get(sleeper.pod).path("status").findValuesAsText("message"))
                .anySatisfy(message -> assertThat(message).startsWith(sleeper.words)));
        return sleeper;
    }

    /** Nobody is woken by this. */
    public void sleepsThrough(Runnable nothing) {
        scene.pod(aPod(LATER).asking("cpu=100"));
        assertThat(scene.whyPending(LATER)).startsWith("0/2 nodes are available: 2 Insufficient cpu.");
        scene.api().delete("/api/v1/nodes/" + LEAVING).expect(200);

        nothing.run();
        scene.patch(
                "/api/v1/nodes/" + STAYING + "/status",
                "status: {capacity: {cpu: \"200\"}, allocatable: {cpu: \"200\"}}");
        assertThat(scene.nodeOf(LATER)).isEqualTo(STAYING);
        assertWords();
    }

    private void assertWords() {
        assertThat(scene.whyPending(pod)).startsWith(words);
    }
}
