package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.config.Config;
import dev.berth.app.config.DiagnosticsSettings;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.http.RequestInterceptor;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.testkit.contract.Eventually;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The clock of Berth's machine is a minute off that of the API server. */
@Timeout(180)
class SkewedClockTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    /** Far less than the skew. The first answers of a slow server tell its time to within seconds alone. */
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    private static final RestMapping RETURNS =
            new RestMapping("scheduling.godel.kubewharf.io", "v1alpha1", "reservations", "Reservation", true);
    private static final Config CONFIG = FaultyCluster.CONFIG
            .withDoors(FaultyCluster.CONFIG.doors().withGodelReservationTtl(TTL))
            .withDiagnostics(DiagnosticsSettings.onPort(0));

    @ParameterizedTest
    @CsvSource({"60, ahead of", "-60, behind"})
    void aReturnPlaceIsKeptForItsTtlAndTheSkewIsReported(int secondsOff, String direction) throws Exception {
        InstantSource machine = () -> InstantSource.system().instant().plusSeconds(secondsOff);
        try (FaultyCluster cluster = new FaultyCluster(RequestInterceptor.NONE, machine, CONFIG)) {
            cluster.berth().awaitReady(2);
            createPodThatReturns(cluster);
            cluster.create("filler", "8");
            Eventually.holds(() -> assertThat(cluster.pods().values())
                    .filteredOn(place -> place.endsWith(" Running"))
                    .hasSize(2));

            cluster.delete("left");
            Instant made = Eventually.get(() -> {
                List<JsonNode> places = godelReservations(cluster);
                assertThat(places).hasSize(1);
                return Instant.parse(
                        places.get(0).at("/metadata/creationTimestamp").asText());
            });
            cluster.create("stranger", "6");
            Eventually.holds(
                    () -> assertThat(cluster.unschedulableMessage("stranger")).contains("Insufficient cpu"));
            Eventually.holds(() -> assertThat(godelReservations(cluster)).isEmpty());
            assertThat(Duration.between(made, Instant.now()))
                    .as("how long the place was kept")
                    .isBetween(TTL.minus(TOLERANCE), TTL.plusSeconds(20));
            Eventually.holds(() -> assertThat(cluster.pods().get("stranger"))
                    .as("the pods are %s", cluster.client().list(RestMapping.PODS, ListScope.inNamespace("default")))
                    .endsWith(" Running"));
            assertThat(readiness(cluster))
                    .contains(
                            "[+]clock ok: the clock of this machine is", "s " + direction + " that of the API server");
        }
    }

    private static List<JsonNode> godelReservations(FaultyCluster cluster) {
        return List.copyOf(cluster.client().list(RETURNS, ListScope.inNamespace("default")));
    }

    private static void createPodThatReturns(FaultyCluster cluster) {
        cluster.client().create(RestMapping.PODS, JsonText.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"left","namespace":"default","annotations":{
                  "godel.bytedance.com/reservation":"true","godel.bytedance.com/reservation-index":"here"}},
                 "spec":{"schedulerName":"berth-scheduler","terminationGracePeriodSeconds":0,
                  "containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"6"}}}]}}
                """));
    }

    private static String readiness(FaultyCluster cluster) throws Exception {
        URI verbose = URI.create(cluster.berth().diagnosticsUrl().orElseThrow() + "/readyz?verbose");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(verbose).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
