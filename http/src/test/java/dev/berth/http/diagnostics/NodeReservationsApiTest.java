package dev.berth.http.diagnostics;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.Amounts;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Koordinator's debug API. */
class NodeReservationsApiTest {
    private static final String PATH = "/apis/v1/plugins/Reservation/";

    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();
    private final Ledger ledger = new Ledger();

    @Test
    void theReservationsOfANodeAreListedAndHoldsOfOtherDoorsAreNot() throws Exception {
        NodeUid node = aNode("n1").build().uid();
        ledger.put(aNode("n1").with("8 cpu", "16Gi memory").build());
        ledger.put(
                Hold.builder(new HoldId("koordinator/u1"), node, new Origin(Origin.DoorId.KOORDINATOR, "Reservation r"))
                        .size(Amounts.amounts("4 cpu"))
                        .policy(new AllocatePolicy.Restricted(Set.of(ResourceName.CPU), Amounts.amounts("1 cpu")))
                        .ports(List.of(new HostPort("TCP", "0.0.0.0", 80)))
                        .owners(List.of(Owner.ofLabels(LabelSelector.of(Labels.of("app", "web")))))
                        .build());
        ledger.put(Hold.builder(new HoldId("godel/x"), node, new Origin(Origin.DoorId.GODEL, "x"))
                .size(Amounts.amounts("1 cpu"))
                .owners(List.of(Owner.ofLabels(LabelSelector.of(Labels.of("app", "web")))))
                .build());
        HttpResponse<String> response = get("nodeReservations/n1");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .startsWith("{\"items\":[{\"name\":\"r\",\"uid\":\"u1\",\"kind\":\"Reservation\",\"available\":true,")
                .contains(
                        "\"allocatable\":{\"cpu\":\"4\"},\"reserved\":{\"cpu\":\"1\"},\"allocated\":{\"cpu\":\"0\"}",
                        "\"ports\":[{\"protocol\":\"TCP\",\"hostIP\":\"0.0.0.0\",\"hostPort\":80}]",
                        "\"availableResource\":{\"cpu\":\"3\"}",
                        "\"owners\":[{\"labelSelector\":{\"matchLabels\":{\"app\":\"web\"},\"matchExpressions\":[]}}]",
                        "\"allocatePolicy\":\"Restricted\",\"assignedPods\":[]")
                .doesNotContain("godel");
    }

    @Test
    void thePodsThatUseAReservationOrAreTakenOverByItAreAssignedPods() throws Exception {
        ledger.put(aNode("n1").with("8 cpu", "16Gi memory").build());
        ledger.put(
                aPod("owner").on("n1").asking("1 cpu").using("koordinator/u1").build());
        ledger.put(aPod("taken-over").on("n1").asking("2 cpu").build());
        ledger.put(aPod("ended").asking("2 cpu").build());
        ledger.put(Hold.builder(
                        new HoldId("koordinator/u1"),
                        aNode("n1").build().uid(),
                        new Origin(Origin.DoorId.KOORDINATOR, "Reservation r"))
                .size(Amounts.amounts("4 cpu"))
                .owners(List.of(Owner.ofController(new Owner.ControllerMatch(
                        Optional.of("apps/v1"),
                        Optional.of("StatefulSet"),
                        Optional.of("default"),
                        Optional.of("db"),
                        Optional.empty(),
                        Optional.of(true)))))
                .listedUsers(Set.of(new PodUid("owner")))
                .backers(Set.of(new PodUid("taken-over"), new PodUid("ended")))
                .build());
        assertThat(get("nodeReservations/n1").body())
                .contains(
                        "\"allocated\":{\"cpu\":\"3\"}",
                        "\"availableResource\":{\"cpu\":\"1\"}",
                        "\"owners\":[{\"controller\":{\"apiVersion\":\"apps/v1\",\"kind\":\"StatefulSet\","
                                + "\"namespace\":\"default\",\"name\":\"db\",\"controller\":true}}]",
                        "\"assignedPods\":[{\"namespace\":\"default\",\"name\":\"owner\",\"uid\":\"owner\"},"
                                + "{\"namespace\":\"default\",\"name\":\"taken-over\",\"uid\":\"taken-over\"}]");
    }

    @Test
    void anUnknownNodeIsNotFound() throws Exception {
        HttpResponse<String> response = get("nodeReservations/nobody");
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains("node (nobody) is not known");
        assertThat(get("nodeReservations/").statusCode()).isEqualTo(404);
        assertThat(get("nodeReservations/a/b").statusCode()).isEqualTo(404);
    }

    @Test
    void theSelectorIndexIsReportedAsDisabled() throws Exception {
        assertThat(get("reservationSelectorIndex?detail=true").body()).isEqualTo("{\"enabled\":false}");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        Router router = new NodeReservationsApi(ledger::snapshot).registerOn(new Router());
        try (HttpListener listener = HttpListener.start(
                "test-reservations",
                ListenerSettings.of(ListenerSettings.LOOPBACK, 0),
                router,
                new ByteBudget(10_000_000))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(listener.url() + PATH + path))
                    .timeout(Duration.ofSeconds(30))
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }
}
