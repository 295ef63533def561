package dev.berth.testkit.integration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.leaderelection.LeaderCallbacks;
import dev.berth.kubernetes.leaderelection.LeaderElectionSettings;
import dev.berth.kubernetes.leaderelection.LeaderElector;
import dev.berth.kubernetes.time.Clocks;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two replicas and a lease on a server. */
abstract class ElectionContract extends ApiServerContract {
    private final List<Replica> replicas = new ArrayList<>();

    @AfterEach
    void closeReplicas() {
        replicas.forEach(Replica::close);
    }

    @Test
    void theStandbyTakesOverAStoppedLeaderWithItsResumeVersion() throws Exception {
        Replica one = replica("one");
        Eventually.holds(() -> assertThat(one.leads()).isTrue());
        Replica two = replica("two");
        Eventually.holds(() -> assertThat(two.diary).containsExactly("other: one"));
        one.durable = Optional.of("4711");
        one.election.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(one.leads()).isFalse();
        Eventually.holds(() -> assertThat(two.diary).containsExactly("other: one", "leading after 4711"));
        Eventually.holds(() -> assertThat(two.leads()).isTrue());
        ApiResponse lease = api.get(testNamespace.path("coordination.k8s.io/v1", "leases/berth"))
                .expect(200);
        assertThat(lease.at("/spec/holderIdentity")).isEqualTo("two");
        assertThat(lease.at("/spec/leaseTransitions")).isEqualTo("1");
        assertThat(lease.at("/metadata/annotations/berth.dev~1resume-version")).isEqualTo("4711");
    }

    @Test
    void theStandbyTakesOverWhenTheLeaseExpires() {
        Replica one = replica("one", Duration.ofSeconds(3), Duration.ofSeconds(2));
        Eventually.holds(() -> assertThat(one.leads()).isTrue());
        Replica two = replica("two");
        one.close();
        Eventually.holds(() -> assertThat(two.leads()).isTrue());
        Eventually.holds(() -> assertThat(two.diary).last().asString().startsWith("leading"));
    }

    @Test
    void aLeaseTakenByAnotherEndsLeadershipAtOnce() {
        Replica one = replica("one");
        Eventually.holds(() -> assertThat(one.leads()).isTrue());
        String path = testNamespace.path("coordination.k8s.io/v1", "leases/berth");
        api.patch(path, "application/merge-patch+json", "{\"spec\":{\"holderIdentity\":\"thief\"}}")
                .expect(200);
        Eventually.holds(() -> assertThat(one.diary).contains("lost: thief holds the lease"));
        assertThat(one.leads()).isFalse();
    }

    @Test
    void aDeletedLeaseIsRecreated() {
        Replica one = replica("one");
        Eventually.holds(() -> assertThat(one.leads()).isTrue());
        String path = testNamespace.path("coordination.k8s.io/v1", "leases/berth");
        String before = api.get(path).expect(200).uid();
        api.delete(path).expect(200);
        Eventually.holds(() -> {
            ApiResponse lease = api.get(path).expect(200);
            assertThat(lease.uid()).isNotEqualTo(before);
            assertThat(lease.at("/spec/holderIdentity")).isEqualTo("one");
        });
        assertThat(one.diary).containsExactly("leading after nothing");
        assertThat(one.leads()).isTrue();
    }

    @Test
    void aStaleUpdateOfADeletedLeaseConflicts() {
        String leases = testNamespace.path("coordination.k8s.io/v1", "leases");
        ApiResponse read = api.post(leases, JsonText.parse("""
                        {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"gone"}}""")).expect(201);
        api.delete(leases + "/gone").expect(200);
        api.put(leases + "/gone", read.json()).expectFailure(409, "Conflict");
    }

    /** One whose lease outlasts what a slow machine does to it. */
    private Replica replica(String name) {
        return replica(name, Duration.ofSeconds(15), Duration.ofSeconds(10));
    }

    private Replica replica(String name, Duration leaseDuration, Duration renewDeadline) {
        Replica replica = new Replica(name, leaseDuration, renewDeadline);
        replicas.add(replica);
        replica.election.start();
        return replica;
    }

    private final class Replica implements LeaderCallbacks, AutoCloseable {
        private final BerthApiSide berthApiSide = new BerthApiSide(server.access());
        private final List<String> diary = new CopyOnWriteArrayList<>();
        private volatile Optional<String> durable = Optional.empty();
        private final LeaderElector election;

        private Replica(String name, Duration leaseDuration, Duration renewDeadline) {
            LeaderElectionSettings settings = new LeaderElectionSettings(
                    testNamespace.namespace(),
                    "berth",
                    name,
                    leaseDuration,
                    renewDeadline,
                    Duration.ofMillis(250),
                    Duration.ofMillis(500));
            election = LeaderElector.forApiServer(
                    berthApiSide.api, settings, new Clocks(BerthApiSide.CLOCK, System::nanoTime), () -> durable, this);
        }

        private boolean leads() {
            return election.holdsLeaseFor(Duration.ofMillis(100));
        }

        @Override
        public void onStartedLeading(Optional<String> durableVersion) {
            diary.add("leading after " + durableVersion.orElse("nothing"));
        }

        @Override
        public void onStoppedLeading(String why) {
            diary.add("lost: " + why);
        }

        @Override
        public void onNewLeader(String identity) {
            diary.add("other: " + identity);
        }

        @Override
        public void close() {
            berthApiSide.close();
        }
    }
}
