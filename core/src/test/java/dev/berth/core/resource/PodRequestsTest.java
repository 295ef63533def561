package dev.berth.core.resource;

import static dev.berth.core.testing.Amounts.amounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.resource.PodResources.Container;
import dev.berth.core.resource.PodResources.Reported;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodRequestsTest {
    @Test
    void containerRequestsAreAddedAndOfInitContainersTheLargestCounts() {
        PodResources pod = new PodResources(
                List.of(asking("cpu=1"), asking("cpu=500m,memory=1Gi")),
                List.of(asking("cpu=2"), asking("cpu=1,memory=3Gi")),
                Map.of(),
                Map.of(),
                Optional.empty(),
                false);

        assertThat(PodRequests.of(pod).requests()).isEqualTo(amounts("2 cpu", "3Gi memory"));
    }

    @Test
    void aSidecarRunsTogetherWithTheContainersAndTheInitContainersAfterIt() {
        Container sidecar = new Container(quantities("cpu=1"), true, Optional.empty());
        PodResources pod = new PodResources(
                List.of(asking("cpu=1")),
                List.of(asking("cpu=2500m"), sidecar, asking("cpu=2")),
                Map.of(),
                Map.of(),
                Optional.empty(),
                false);

        assertThat(PodRequests.of(pod).requests()).isEqualTo(amounts("3 cpu"));
    }

    @Test
    void podLevelRequestsReplaceThoseOfContainersAndOverheadIsAdded() {
        PodResources pod = new PodResources(
                List.of(asking("cpu=1,example.com/gpu=1")),
                List.of(),
                quantities("cpu=4"),
                quantities("cpu=250m"),
                Optional.empty(),
                false);

        PodRequests requests = PodRequests.of(pod);
        assertThat(requests.requests()).isEqualTo(amounts("4250m cpu", "1 example.com/gpu"));
        assertThat(requests.scoring()).isEqualTo(amounts("4250m cpu", "200Mi memory"));
        assertThat(requests.scoringWhenPlaced()).isEqualTo(amounts("1250m cpu", "200Mi memory"));
    }

    @Test
    void aContainerWithoutRequestsCountsOnlyInScores() {
        PodRequests requests =
                PodRequests.of(PodResources.of(List.of(asking(""), asking("cpu=0"), asking("memory=1Gi"))));

        assertThat(requests.requests()).isEqualTo(amounts("1Gi memory"));
        assertThat(requests.scoring()).isEqualTo(amounts("200m cpu", "1424Mi memory"));
        assertThat(requests.scoringWhenPlaced()).isEqualTo(requests.scoring());
    }

    @Test
    void duringAResizeTheLargestRequestCountsUnlessTheResizeIsInfeasible() {
        Reported reported = new Reported(quantities("cpu=2"), quantities("cpu=3"));
        Container growing = new Container(quantities("cpu=8"), false, Optional.of(reported));

        assertThat(PodRequests.of(PodResources.of(List.of(growing))).requests()).isEqualTo(amounts("8 cpu"));
        PodResources infeasible =
                new PodResources(List.of(growing), List.of(), Map.of(), Map.of(), Optional.empty(), true);
        assertThat(PodRequests.of(infeasible).requests()).isEqualTo(amounts("3 cpu"));
    }

    @Test
    void fractionsAreAddedUpBeforeTheyAreRoundedUp() {
        PodResources pod = PodResources.of(List.of(asking("memory=500m"), asking("memory=500m")));

        assertThat(PodRequests.of(pod).requests().get(ResourceName.MEMORY)).isEqualTo(1);
    }

    @Test
    void requestsThatOverflowAreCapped() {
        PodResources pod = PodResources.of(List.of(asking("memory=7Ei,cpu=9E"), asking("memory=7Ei,cpu=9E")));

        assertThat(PodRequests.of(pod).requests().get(ResourceName.MEMORY)).isEqualTo(Long.MAX_VALUE);
        assertThat(PodRequests.of(pod).requests().get(ResourceName.CPU)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void podRequestsEqualThoseThatKubernetesComputes() {
        RecordedPod pod = new RecordedPod();
        int compared = 0;
        for (String line : RecordedKubernetesResults.lines("pod-requests.txt")) {
            int space = line.indexOf(' ');
            String word = space < 0 ? line : line.substring(0, space);
            String rest = space < 0 ? "" : line.substring(space + 1);
            switch (word) {
                case "pod" -> pod = new RecordedPod();
                case "requests" -> {
                    assertThat(pod.answer().requests()).as("pod %d", compared).isEqualTo(counts(rest));
                    compared++;
                }
                case "scoring" ->
                    assertThat(pod.answer().scoring()).as("pod %d", compared).isEqualTo(counts(rest));
                case "placed" ->
                    assertThat(pod.answer().scoringWhenPlaced())
                            .as("pod %d", compared)
                            .isEqualTo(counts(rest));
                default -> pod.read(word, rest);
            }
        }
        assertThat(compared).isGreaterThanOrEqualTo(100);
    }

    /** Collects the lines that describe one pod. */
    private static final class RecordedPod {
        private final List<Container> containers = new ArrayList<>();
        private final List<Container> inits = new ArrayList<>();
        private Map<ResourceName, Quantity> own = Map.of();
        private Map<ResourceName, Quantity> overhead = Map.of();
        private Map<ResourceName, Quantity> actuated = Map.of();
        private Optional<Reported> reported = Optional.empty();
        private boolean infeasible;
        private String last = "";

        void read(String word, String rest) {
            switch (word) {
                case "container" -> containers.add(asking(rest));
                case "init", "sidecar" ->
                    inits.add(new Container(quantities(rest), word.equals("sidecar"), Optional.empty()));
                case "own" -> own = quantities(rest);
                case "overhead" -> overhead = quantities(rest);
                case "infeasible" -> infeasible = true;
                case "actuated" -> actuated = quantities(rest);
                case "allocated" -> report(new Reported(actuated, quantities(rest)));
                default -> throw new IllegalStateException("recorded line (%s %s)".formatted(word, rest));
            }
            last = word.equals("actuated") ? last : word;
        }

        private void report(Reported what) {
            List<Container> list = last.equals("container") ? containers : inits;
            if (last.equals("own")) {
                reported = Optional.of(what);
            } else {
                Container bare = list.remove(list.size() - 1);
                list.add(new Container(bare.requests(), bare.restartable(), Optional.of(what)));
            }
        }

        PodRequests answer() {
            return PodRequests.of(new PodResources(containers, inits, own, overhead, reported, infeasible));
        }
    }

    private static Container asking(String words) {
        return Container.requesting(quantities(words));
    }

    private static Map<ResourceName, Quantity> quantities(String words) {
        Map<ResourceName, Quantity> map = new HashMap<>();
        if (!words.isEmpty()) {
            for (String word : words.split(",", -1)) {
                int equals = word.indexOf('=');
                map.put(new ResourceName(word.substring(0, equals)), Quantity.parse(word.substring(equals + 1)));
            }
        }
        return map;
    }

    private static Resources counts(String words) {
        Resources sum = Resources.NONE;
        for (String word : words.split(",", -1)) {
            int equals = word.indexOf('=');
            sum = sum.with(new ResourceName(word.substring(0, equals)), Long.parseLong(word.substring(equals + 1)));
        }
        return sum;
    }
}
