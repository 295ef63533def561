package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.GuardedProcess;
import dev.berth.testkit.controlplane.Kubectl;
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
final class Takeover implements AutoCloseable {
    private static final int PODS = 40;
    private static final String NAMESPACE = "takeover";
    private static final String CONFIG = """
            schedulerNames: [takeover-scheduler]
            leaderElection: {leaseDuration: 8s, renewDeadline: 5s, retryPeriod: 1s}
            """;

    private final RealControlPlane plane;
    private final Kubectl kubectl;
    private final Path config;
    private final GuardedProcess first;
    private final GuardedProcess second;
    private final long transitions;
    private Map<String, String> placedByTheFirst = Map.of();

    Takeover(RealControlPlane plane, Path folder) throws IOException {
        this.plane = plane;
        this.kubectl = plane.kubectl();
        this.config = Files.writeString(folder.resolve("takeover.yaml"), CONFIG);
        kubectl.run("create namespace " + NAMESPACE).ok();
        this.first = replica("berth-first");
        Eventually.holds(() -> assertThat(first.said()).contains("Berth leads since ", "(lease kube-system/berth, "));
        this.transitions = Long.parseLong(lease("{.spec.leaseTransitions}"));
        this.second = replica("berth-second");
    }

    private GuardedProcess replica(String name) {
        return plane.startBeside(name, BerthProcess.command(plane.kubeconfig(), config));
    }

    void twoReplicasOfWhichOneLeads() {
        Eventually.holds(
                () -> assertThat(second.said()).contains("Berth is standby: ").contains("-%d-".formatted(first.pid())));
        assertThat(second.said()).doesNotContain("leads since");
    }

    /** One pod waits for a node with a label, one will be deleted before it finds one, and many are placed. */
    void podsThatAreBeingPlaced() {
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
        Eventually.holds(() -> assertThat(places()).isNotEmpty());
    }

    void theLeaderIsKilled() {
        first.close();
        placedByTheFirst = places();
        assertThat(placedByTheFirst).isNotEmpty();
    }

    void podsComeAndGoWhileNobodyLeads() {
        String deleted = placedByTheFirst.keySet().iterator().next();
        kubectl.run("delete pod %s given-up -n %s --grace-period=0 --force".formatted(deleted, NAMESPACE))
                .ok();
        placedByTheFirst = new TreeMap<>(placedByTheFirst);
        placedByTheFirst.remove(deleted);
        apply(pod("late", ""));
        kubectl.run("label node node-1 takeover=here").ok();
        assertThat(second.said()).as("the lease is not over yet").doesNotContain("leads since");
    }

    void theOtherFollowsAndPlacesThemAll() {
        Eventually.holds(() -> assertThat(second.said()).contains("Berth leads since "));
        Eventually.holds(() -> assertThat(places()).hasSize(PODS + 2));
        Map<String, String> places = places();
        assertThat(places).containsAllEntriesOf(placedByTheFirst);
        assertThat(places).containsEntry("waits", "node-1").containsKey("late").doesNotContainKey("given-up");
        kubectl.run("wait pod --all -n %s --for=condition=Ready --timeout=30s".formatted(NAMESPACE))
                .ok();
        Eventually.holds(() -> assertThat(announced()).contains("late", "waits").doesNotHaveDuplicates());
        assertThat(Long.parseLong(lease("{.spec.leaseTransitions}"))).isEqualTo(transitions + 1);
        assertThat(lease("{.spec.holderIdentity}")).contains("-%d-".formatted(second.pid()));
        assertThat(second.said()).doesNotContain("ERROR", "leads no longer");
    }

    @Override
    public void close() {
        first.close();
        second.close();
        kubectl.run("label node node-1 takeover-").ok();
        kubectl.run("delete namespace %s --wait=false".formatted(NAMESPACE)).ok();
    }

    /** The pods that have a node, and which. */
    private Map<String, String> places() {
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
        return kubectl.call("", "get", "pods", "-n", NAMESPACE, "-o", "jsonpath=" + each)
                .ok()
                .lines();
    }

    /** The pods that were said to be placed, as often as that was said. */
    private List<String> announced() {
        String each = "{range .items[*]}{.involvedObject.name}{\"\\n\"}{end}";
        return kubectl.call(
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
        return kubectl.call("", "get", "lease", "berth", "-n", "kube-system", "-o", "jsonpath=" + field)
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
