package dev.berth.app.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.time.TaskTimer;
import dev.berth.sandbox.SandboxApiServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Berth that serves default-scheduler warns of a kube-scheduler that runs beside it. */
@Timeout(180)
class KubeSchedulerConflictCheckTest {
    private static final Set<String> BOTH = Set.of("berth-scheduler", "default-scheduler");

    private SandboxApiServer server;
    private ApiClient client;
    private final Instant renewed = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void start() throws IOException {
        server = SandboxApiServer.start(SandboxApiServer.Options.of(InstantSource.system(), new SplittableRandom(1)));
        ClientConfig access =
                ClientConfig.withBearerToken(URI.create(server.url()), server.caCertificatePem(), server.token());
        client = new ApiClient(access, ConnectionSettings.DEFAULT, "test");
    }

    @AfterEach
    void end() {
        client.close();
        server.close();
    }

    private void kubeSchedulerRenewsItsLease() {
        String json = """
                {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"kube-scheduler"},
                 "spec":{"holderIdentity":"host-1_uid","leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.000000Z"}}""";
        BodyResponse bodyResponse = (BodyResponse) server.api()
                .handle(RestRequest.of("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases")
                        .withBody("application/json", json.getBytes(StandardCharsets.UTF_8)));
        assertThat(bodyResponse.code()).isEqualTo(201);
    }

    private KubeSchedulerConflictCheck after(Duration time, Set<String> served) {
        return new KubeSchedulerConflictCheck(client, () -> served, InstantSource.fixed(renewed.plus(time)));
    }

    @Test
    void aRenewedKubeSchedulerLeaseIsReportedIfBerthServesDefaultScheduler() throws Exception {
        kubeSchedulerRenewsItsLease();
        KubeSchedulerConflictCheck soon = after(Duration.ofSeconds(2), BOTH);
        assertThat(soon.healthStatus().message())
                .as("the first answer")
                .isEqualTo(
                        "host-1_uid renews Lease kube-system/kube-scheduler: a kube-scheduler runs in this cluster. If it"
                                + " serves default-scheduler, both bind the same pods. Stop kube-scheduler, or remove"
                                + " default-scheduler from schedulerNames in Berth's configuration");
        assertThat(soon.healthStatus().healthy()).isTrue();
    }

    @Test
    void aKubeSchedulerThatStartsAfterBerthIsReportedWithin30Seconds() throws Exception {
        List<Runnable> next = new ArrayList<>();
        KubeSchedulerConflictCheck unasked = after(Duration.ZERO, BOTH);
        unasked.start((delay, task) -> {
            assertThat(delay).isEqualTo(Duration.ofSeconds(30));
            next.add(task);
            return TaskTimer.ScheduledTask.NONE;
        });
        assertThat(unasked.healthStatus().message()).isEmpty();
        kubeSchedulerRenewsItsLease();
        next.remove(0).run();
        // The clock stands still, so the answer is that of the look before.
        assertThat(unasked.healthStatus().message()).startsWith("host-1_uid renews Lease");
        assertThat(next).as("the next look").hasSize(1);
    }

    @Test
    void noWarningWithoutALeaseWithAnExpiredLeaseOrWithOtherNames() throws Exception {
        KubeSchedulerConflictCheck without = after(Duration.ZERO, BOTH);
        without.refresh().toCompletableFuture().get();
        assertThat(without.healthStatus().message()).isEmpty();
        kubeSchedulerRenewsItsLease();
        KubeSchedulerConflictCheck late = after(Duration.ofMinutes(1), BOTH);
        late.refresh().toCompletableFuture().get();
        assertThat(late.healthStatus().message()).isEmpty();
        KubeSchedulerConflictCheck others = after(Duration.ZERO, Set.of("berth-scheduler"));
        others.refresh().toCompletableFuture().get();
        assertThat(others.healthStatus().message()).isEmpty();
    }
}
