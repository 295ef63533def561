package dev.berth.e2e.pages.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.Scenario;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Koordinator's end-to-end scenarios of host ports, anti-affinity and topology spread. */
final class NeighbourScenariosPageTest extends ScenarioPage {
    private static final String PORT = "ports: [{containerPort: 80, hostPort: 54321}]";
    private static final String TWO_PORTS =
            "ports: [{containerPort: 80, hostPort: 54321}, {containerPort: 81, hostPort: 54322}]";
    private static final String APART = ON_NODE_0 + """

            affinity:
              podAntiAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                - labelSelector: {matchLabels: {group: apart}}
                  topologyKey: kubernetes.io/hostname
            """;
    private static final String SPREAD = """
            affinity:
              nodeAffinity:
                requiredDuringSchedulingIgnoredDuringExecution:
                  nodeSelectorTerms:
                  - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [node-0, node-1]}]
            topologySpreadConstraints:
            - maxSkew: 1
              topologyKey: kubernetes.io/hostname
              whenUnsatisfiable: DoNotSchedule
              labelSelector: {matchLabels: {group: spread}}
            """;

    @ParameterizedTest
    @Scenario({101, 102})
    @ValueSource(booleans = {true, false})
    void aHostPortIsForTheFirstOwner(boolean once) {
        createAvailable(reservationYaml("port", "", "allocateOnce: " + once, ON_NODE_0, PORT));
        create(podYaml("first", "labels: {app: port}", ON_NODE_0, PORT));
        assertThat(awaitRunning("first")).isEqualTo("node-0");
        create(podYaml("second", "labels: {app: port}", ON_NODE_0, PORT));
        assertThat(unschedulableMessage("second")).contains("free ports");
        awaitOwners("port", "first");
    }

    @Test
    @Scenario(103)
    void anOwnerThatNeedsTheUsedPortTooRunsElsewhere() {
        createAvailable(reservationYaml("ports", "", SHARED, ON_NODE_0, TWO_PORTS));
        create(podYaml("a", "labels: {app: ports}", ON_NODE_0, PORT));
        assertThat(awaitRunning("a")).isEqualTo("node-0");
        create(podYaml("b", "labels: {app: ports}", "", TWO_PORTS));
        assertThat(awaitRunning("b")).isNotEqualTo("node-0");
        awaitOwners("ports", "a");
    }

    @Test
    @Scenario({106, 107})
    void theAntiAffinityOfAReservationIsForAllPodsButItsOwners() {
        createAvailable(reservationYaml("apart", "group: apart", SHARED, APART, requests("cpu: 1")));
        create(podYaml("stranger", "labels: {group: apart}", APART, requests("cpu: 1")));
        assertThat(unschedulableMessage("stranger")).contains("anti-affinity");
        create(podYaml("owner", "labels: {group: apart, app: apart}", APART, requests("cpu: 1")));
        assertThat(awaitRunning("owner")).isEqualTo("node-0");
        awaitOwners("apart", "owner");
    }

    @Test
    @Scenario(108)
    void fourOwnersSpreadOverTwoNodesAndOneOfThemUsesTheReservation() {
        createAvailable(
                reservationYaml("spread", "group: spread", "allocateOnce: true", ON_NODE_0, requests("cpu: 1")));
        List<String> names = List.of("s1", "s2", "s3", "s4");
        names.forEach(
                name -> create(podYaml(name, "labels: {group: spread, app: spread}", SPREAD, requests("cpu: 1"))));
        List<String> nodes = names.stream().map(this::awaitRunning).sorted().toList();
        assertThat(nodes).containsExactly("node-0", "node-0", "node-1", "node-1");
        assertThat(Stream.of("s1", "s2", "s3", "s4")
                        .filter(name -> !allocatedReservation(name).isEmpty()))
                .hasSize(1);
    }
}
