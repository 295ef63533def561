package dev.berth.e2e.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.ManagedProcess;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Two processes of Berth that share a lease, of which the leader is killed: it lets go of nothing and says goodbye to
 * nobody.
 */
final class LeaderTakeover implements AutoCloseable {
    private static final int PODS = 40;
    private static final String NAMESPACE = "takeover";
    private static final String CONFIG = """
            schedulerNames: [takeover-scheduler]
            leaderElection: {leaseDuration: 8s, renewDeadline: 5s, retryPeriod: 1s}
            """;

    private final RealControlPlane plane;
    private final Kubectl kubectl;
    private final Path config;
    private final ManagedProcess first;
    private final ManagedProcess second;
    private final long transitions;
    private Map<String, String> placedByFirst = Map.of();

    LeaderTakeover(RealControlPlane plane, Path folder) throws IOException {
        this.plane = plane;
        this.kubectl = plane.kubectl();
        this.config = Files.writeString(folder.resolve("takeover.yaml"), CONFIG);
        kubectl.run("create namespace " + NAMESPACE).ok();
        this.first = startReplica("berth-first");
        Eventually.holds(
                () -> assertThat(first.readLog()).contains("Berth is the leader since ", "(lease kube-system/berth, "));
        this.transitions = Long.parseLong(lease("{.spec.leaseTransitions}"));
        this.second = startReplica("berth-second");
    }

    private ManagedProcess startReplica(String name) {
        return plane.startProcess(name, BerthProcess.command(plane.kubeconfig(), config));
    }

    void awaitOneLeader() {
        Eventually.holds(() ->
                assertThat(second.readLog()).contains("Berth is standby: ").contains("-%d-".formatted(first.pid())));
        assertThat(second.readLog()).doesNotContain("is the leader since");
    }

    /** One pod waits for a node with a label, one will be deleted before it finds one, and many are placed. */
    void createPods() {
        apply(pod("waits", "nodeSelector: {takeover: here}"));
        apply(pod("given-up", "nodeSelector: {takeover: nowhere}"));
        Eventually.holds(() -> assertThat(pods("{.status.conditions[*].reason}"))
                .hasSize(2)
                .allMatch(reason -> reason.equals("Unschedulable")));
        apply("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: many, namespace: takeover}
                spec:
                  replicas: %d
                  selector: {matchLabels: {app: many}}
                  template:
                    metadata: {labels: {app: many}}
                    spec:
                      schedulerName: takeover-scheduler
                      containers: [{name: c, image: nginx}]
                """.formatted(PODS));
        Eventually.holds(() -> assertThat(nodesByPod()).isNotEmpty());
    }

    void killLeader() {
        first.close();
        placedByFirst = nodesByPod();
        assertThat(placedByFirst).isNotEmpty();
    }

    void changePodsWithoutLeader() {
        String deleted = placedByFirst.keySet().iterator().next();
        kubectl.run("delete pod %s given-up -n %s --grace-period=0 --force".formatted(deleted, NAMESPACE))
                .ok();
        placedByFirst = new TreeMap<>(placedByFirst);
        placedByFirst.remove(deleted);
        apply(pod("late", ""));
        kubectl.run("label node node-1 takeover=here").ok();
        assertThat(second.readLog()).as("the lease is not over yet").doesNotContain("is the leader since");
    }

    void assertStandbyTakesOver() {
        Eventually.holds(() -> assertThat(second.readLog()).contains("Berth is the leader since "));
        Eventually.holds(() -> assertThat(nodesByPod()).hasSize(PODS + 2));
        Map<String, String> places = nodesByPod();
        assertThat(places).containsAllEntriesOf(placedByFirst);
        assertThat(places).containsEntry("waits", "node-1").containsKey("late").doesNotContainKey("given-up");
        kubectl.run("wait pod --all -n %s --for=condition=Ready --timeout=30s".formatted(NAMESPACE))
                .ok();
        Eventually.holds(() ->
                assertThat(podsWithScheduledEvents()).contains("late", "waits").doesNotHaveDuplicates());
        assertThat(Long.parseLong(lease("{.spec.leaseTransitions}"))).isEqualTo(transitions + 1);
        assertThat(lease("{.spec.holderIdentity}")).contains("-%d-".formatted(second.pid()));
        assertThat(second.readLog()).doesNotContain("ERROR", "is no longer the leader");
    }

    @Override
    public void close() {
        first.close();
        second.close();
        kubectl.run("label node node-1 takeover-").ok();
        kubectl.run("delete namespace %s --wait=false".formatted(NAMESPACE)).ok();
    }

    /** The pods that have a node, and which. */
    private Map<String, String> nodesByPod() {
        Map<String, String> places = new TreeMap<>();
        for (String line : pods("{.metadata.name} {.spec.nodeName}")) {
            int blank = line.indexOf(' ');
            if (blank < line.length() - 1) {
                places.put(line.substring(0, blank), line.substring(blank + 1));
            }
        }
        return places;
    }

    /** A line for each pod. */
    private List<String> pods(String fields) {
        String each = "{range .items[*]}%s{\"\\n\"}{end}".formatted(fields);
        return kubectl.runArguments("", "get", "pods", "-n", NAMESPACE, "-o", "jsonpath=" + each)
                .ok()
                .lines();
    }

    /** The pods that were said to be placed, as often as that was said. */
    private List<String> podsWithScheduledEvents() {
        String each = "{range .items[*]}{.involvedObject.name}{\"\\n\"}{end}";
        return kubectl.runArguments(
                        "",
                        "get",
                        "events",
                        "-n",
                        NAMESPACE,
                        "--field-selector",
                        "reason=Scheduled",
                        "-o",
                        "jsonpath=" + each)
                .ok()
                .lines();
    }

    private String lease(String field) {
        return kubectl.runArguments("", "get", "lease", "berth", "-n", "kube-system", "-o", "jsonpath=" + field)
                .ok()
                .out();
    }

    private void apply(String manifest) {
        kubectl.run("apply -f -", manifest).ok();
    }

    private static String pod(String name, String more) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: %s, namespace: takeover}
                spec:
                  schedulerName: takeover-scheduler
                  containers: [{name: c, image: nginx}]
                  %s
                """.formatted(name, more);
    }
}
