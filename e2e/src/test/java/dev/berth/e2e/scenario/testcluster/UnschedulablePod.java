package dev.berth.e2e.scenario.testcluster;

import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;

/**
 * A pod that both nodes of its scene refuse for the same reason, and that sleeps through what cannot help it. One who
 * is tried again says other words, because one of the nodes goes meanwhile, which helps nobody and wakes nobody. Another
 * pod that is refused later and woken later is bound in the end: whoever was woken before has been tried by then.
 */
public final class UnschedulablePod {
    /** The nodes: one that stays and one that goes. */
    public static final String STAYING = "staying";

    public static final String LEAVING = "leaving";

    private static final String PROBE = "later";

    private final Scenario scenario;
    private final String pod;
    private final String message;

    private UnschedulablePod(Scenario scenario, String pod, String words) {
        this.scenario = scenario;
        this.pod = pod;
        this.message = words;
    }

    /**
     * Makes the pod, and waits until it is refused.
     *
     * @param reason why each of the two nodes refuses it, such as {@code node(s) had no available volume zone}
     */
    public static UnschedulablePod create(Scenario scenario, PodManifest pod, String reason) {
        scenario.pod(pod);
        UnschedulablePod unschedulablePod =
                new UnschedulablePod(scenario, pod.name(), "0/2 nodes are available: 2 %s.".formatted(reason));
        Eventually.holds(() -> assertThat(
                        scenario.get(unschedulablePod.pod).path("status").findValuesAsText("message"))
                .anySatisfy(message -> assertThat(message).startsWith(unschedulablePod.message)));
        return unschedulablePod;
    }

    /** Nobody is woken by this. */
    public void isNotRequeuedBy(Runnable nothing) {
        scenario.pod(aPod(PROBE).asking("cpu=100"));
        assertThat(scenario.unschedulableMessage(PROBE)).startsWith("0/2 nodes are available: 2 Insufficient cpu.");
        scenario.api().delete("/api/v1/nodes/" + LEAVING).expect(200);

        nothing.run();
        scenario.patch(
                "/api/v1/nodes/" + STAYING + "/status",
                "status: {capacity: {cpu: \"200\"}, allocatable: {cpu: \"200\"}}");
        assertThat(scenario.nodeOf(PROBE)).isEqualTo(STAYING);
        assertMessageUnchanged();
    }

    private void assertMessageUnchanged() {
        assertThat(scenario.unschedulableMessage(pod)).startsWith(message);
    }
}
