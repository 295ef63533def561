package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.config.DoorName;
import dev.berth.app.config.DoorSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Access;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Berths with different configurations on one cluster are one Berth with standbys. */
@OnRealControlPlane
@Timeout(240)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SeveralBerthsOnRealTest {
    private final RealCluster cluster = RealCluster.start(NodePlan.nodes(1, "8", "32Gi", 110), InstantSource.system());
    private final Kubectl kubectl = cluster.plane().kubectl();
    private final List<Berth> started = new ArrayList<>();
    private final List<String> said = Collections.synchronizedList(new ArrayList<>());

    @AfterAll
    void end() {
        started.forEach(Berth::close);
        cluster.close();
    }

    @Test
    void berthsWithDifferentNamesShareOneLedgerAndServeAllNames(@TempDir Path folder) throws Exception {
        DoorName.RESERVATION
                .kinds()
                .forEach(kind -> kubectl.run("apply -f -", kind.yaml()).ok());
        Berth alpha = start("alpha", configured(Set.of("alpha-scheduler")));
        Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("alpha is at work")));
        Eventually.holds(() -> reservation("unserved", "gamma-scheduler", "1"));

        // Another Berth's names are served, and no pod is placed in room that is held for the first one's.
        Eventually.holds(() -> reservation("held", "alpha-scheduler", "7"));
        Eventually.holds(
                () -> assertThat(get("reservation held", "{.status.phase}")).isEqualTo("Available"));
        start("beta", configured(Set.of("beta-scheduler")));
        pod("large", "beta-scheduler", "6");
        pod("small", "beta-scheduler", "500m");
        Eventually.holds(() -> assertThat(get("pod small", "{.spec.nodeName}")).isEqualTo("node-0"));
        Eventually.holds(() ->
                assertThat(get("pod large", "{.status.conditions[0].message}")).contains("Reservation held"));
        assertThat(said).anyMatch(words -> words.contains("beta is standby: "));

        // What contradicts is rejected at start.
        Berth contradicting = start(
                "other",
                ConfigFile.read(Files.writeString(folder.resolve("berth.yaml"), """
                profiles:
                - schedulerName: alpha-scheduler
                  plugins: {score: {disabled: [{name: ImageLocality}]}}
                """))
                        .withDoors(doors()));
        assertThat(contradicting.broken().get(30, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(
                        UserError.class, error -> assertThat(error.exitCode()).isEqualTo(2))
                .hasMessageContaining("(lease berth-member-0)")
                .hasMessageContaining("the profile of scheduler (alpha-scheduler) differs");

        // The standby takes over, and serves the names of the one that ended for a while.
        alpha.close();
        started.remove(alpha);
        Eventually.holds(() -> assertThat(said).anyMatch(words -> words.startsWith("beta is at work")));
        pod("late", "alpha-scheduler", "100m");
        Eventually.holds(() -> assertThat(get("pod late", "{.spec.nodeName}")).isEqualTo("node-0"));
        assertThat(get("pod large", "{.spec.nodeName}")).isEmpty();

        // A reservation that no Berth serves has been told.
        Eventually.holds(() -> assertThat(
                        get("reservation unserved", "{.status.conditions[0].reason} {.status.conditions[0].message}"))
                .startsWith("SchedulerNotServed no Berth serves schedulerName (gamma-scheduler)")
                .contains("alpha-scheduler, beta-scheduler"));
        start("gamma", configured(Set.of("gamma-scheduler")));
        kubectl.run("delete reservation held").ok();
        Eventually.holds(
                () -> assertThat(get("reservation unserved", "{.status.phase}")).isEqualTo("Available"));
    }

    private Config configured(Set<String> names) {
        return Config.DEFAULT.withSchedulerNames(names).withDoors(doors());
    }

    private static DoorSettings doors() {
        return DoorSettings.DEFAULT.without(Set.of(DoorName.RETURN, DoorName.RESERVE, DoorName.DEVICES));
    }

    private Berth start(String name, Config config) throws IOException {
        Access access = cluster.plane().access();
        Berth berth = Berth.start(
                ClusterAccess.byToken(access.url(), access.caPem(), access.token()),
                config,
                InstantSource.system(),
                words -> said.add(name + " " + words));
        started.add(berth);
        return berth;
    }

    private void reservation(String name, String scheduler, String cpu) {
        kubectl.run("apply -f -", """
                apiVersion: scheduling.koordinator.sh/v1alpha1
                kind: Reservation
                metadata: {name: %s}
                spec:
                  template:
                    spec:
                      schedulerName: %s
                      containers: [{name: c, resources: {requests: {cpu: "%s"}}}]
                  owners: [{labelSelector: {matchLabels: {app: none}}}]
                """.formatted(name, scheduler, cpu)).ok();
    }

    private void pod(String name, String scheduler, String cpu) {
        kubectl.run("apply -f -", """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s}
                spec:
                  schedulerName: %s
                  containers: [{name: c, image: nginx, resources: {requests: {cpu: "%s"}}}]
                """.formatted(name, scheduler, cpu)).ok();
    }

    private String get(String object, String field) {
        int blank = object.indexOf(' ');
        return kubectl.call(
                        "", "get", object.substring(0, blank), object.substring(blank + 1), "-o", "jsonpath=" + field)
                .ok()
                .out();
    }
}
