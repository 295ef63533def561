package dev.berth.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.up.LocalCluster;
import dev.berth.app.up.NodeSize;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Request;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.http2.Limits;
import dev.berth.kubernetes.time.Timer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Berth that serves default-scheduler warns of a kube-scheduler that runs beside it. */
@Timeout(180)
class DefaultSchedulerTest {
    private static final Set<String> BOTH = Set.of("berth-scheduler", "default-scheduler");

    private LocalCluster.Running cluster;
    private ApiClient client;
    private final Instant renewed = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void start() throws InterruptedException {
        cluster = LocalCluster.start(LocalCluster.Plan.of(1, new NodeSize("8", "32Gi", 110)), InstantSource.system());
        ClusterAccess access = ClusterAccess.byToken(
                URI.create(cluster.url()),
                cluster.server().authorityPem(),
                cluster.server().token());
        client = new ApiClient(access, Limits.DEFAULT, "test");
    }

    @AfterEach
    void end() {
        client.close();
        cluster.close();
    }

    private void kubeSchedulerRenewsItsLease() {
        String json = """
                {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"kube-scheduler"},
                 "spec":{"holderIdentity":"host-1_uid","leaseDurationSeconds":15,"renewTime":"2026-01-01T00:00:00.000000Z"}}""";
        Answer answer = (Answer) cluster.server()
                .api()
                .handle(Request.of("POST", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases")
                        .body("application/json", json.getBytes(StandardCharsets.UTF_8)));
        assertThat(answer.code()).isEqualTo(201);
    }

    private DefaultScheduler after(Duration time, Set<String> served) {
        return new DefaultScheduler(client, () -> served, InstantSource.fixed(renewed.plus(time)));
    }

    @Test
    void aBerthThatServesDefaultSchedulerNamesTheKubeSchedulerThatRenewsItsLease() throws Exception {
        kubeSchedulerRenewsItsLease();
        DefaultScheduler soon = after(Duration.ofSeconds(2), BOTH);
        assertThat(soon.finding().words())
                .as("the first answer")
                .isEqualTo(
                        "host-1_uid renews Lease kube-system/kube-scheduler: a kube-scheduler runs beside Berth. If it"
                                + " serves default-scheduler, both bind the same pods. Stop kube-scheduler, or remove"
                                + " default-scheduler from schedulerNames in Berth's configuration");
        assertThat(soon.finding().well()).isTrue();
    }

    @Test
    void aKubeSchedulerThatStartsAfterBerthIsReportedWithin30Seconds() throws Exception {
        List<Runnable> next = new ArrayList<>();
        DefaultScheduler unasked = after(Duration.ZERO, BOTH);
        unasked.start((delay, task) -> {
            assertThat(delay).isEqualTo(Duration.ofSeconds(30));
            next.add(task);
            return Timer.Task.NONE;
        });
        assertThat(unasked.finding().words()).isEmpty();
        kubeSchedulerRenewsItsLease();
        next.remove(0).run();
        // The clock stands still, so the answer is that of the look before.
        assertThat(unasked.finding().words()).startsWith("host-1_uid renews Lease");
        assertThat(next).as("the next look").hasSize(1);
    }

    @Test
    void withoutSuchALeaseOrWithAnOldOneOrUnderOtherNamesThereIsNoWarning() throws Exception {
        DefaultScheduler without = after(Duration.ZERO, BOTH);
        without.look().toCompletableFuture().get();
        assertThat(without.finding().words()).isEmpty();
        kubeSchedulerRenewsItsLease();
        DefaultScheduler late = after(Duration.ofMinutes(1), BOTH);
        late.look().toCompletableFuture().get();
        assertThat(late.finding().words()).isEmpty();
        DefaultScheduler others = after(Duration.ZERO, Set.of("berth-scheduler"));
        others.look().toCompletableFuture().get();
        assertThat(others.finding().words()).isEmpty();
    }
}
