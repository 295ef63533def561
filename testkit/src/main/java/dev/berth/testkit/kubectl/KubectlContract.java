package dev.berth.testkit.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.Kubectl.Output;
import dev.berth.testkit.controlplane.KubectlFollowing;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A person's first hour with kubectl. Whoever extends this gives a cluster of three nodes, {@code node-0} to
 * {@code node-2}, with 8 cpus each, controllers for the built-in workloads, a scheduler that serves
 * {@code default-scheduler}, and nobody else's pods.
 */
@Timeout(180)
public abstract class KubectlContract {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String ROLLED_OUT = "deployment \"web\" successfully rolled out";

    private String namespace = "";

    /** kubectl with an administrator's access to the cluster. */
    protected abstract Kubectl kubectl();

    /** Waits for the three nodes, as a person does who has just started a cluster. */
    protected final void awaitNodesReady() {
        Eventually.holds(
                () -> assertThat(kubectl().run("get nodes -o name").ok().lines())
                        .containsExactly("node/node-0", "node/node-1", "node/node-2"));
        kubectl().run("wait node --all --for=condition=Ready --timeout=60s").ok();
    }

    @BeforeEach
    final void createANamespace() {
        namespace = "hour-" + COUNT.incrementAndGet();
        assertThat(kubectl().run("create namespace " + namespace).ok().out())
                .isEqualTo("namespace/%s created\n".formatted(namespace));
    }

    @AfterEach
    final void deleteTheNamespace() {
        kubectl()
                .run("delete namespace %s --wait=false --ignore-not-found".formatted(namespace))
                .ok();
    }

    @Test
    void nodesAndPodsOfAllNamespacesAreShown() {
        deploy(2);

        Output all = kubectl().run("get nodes,pods -A").ok();

        assertThat(all.lines()).anyMatch(line -> line.matches("NAME +STATUS +ROLES +AGE +VERSION"));
        assertThat(all.lines()).anyMatch(line -> line.matches("node/node-0 +Ready +\\S+ +\\d\\S* +v1\\.\\S+"));
        assertThat(all.lines()).anyMatch(line -> line.matches("NAMESPACE +NAME +READY +STATUS +RESTARTS +AGE"));
        assertThat(all.lines()).anyMatch(line -> line.matches(namespace + " +pod/web-\\S+ +1/1 +Running +0 +\\d\\S*"));
    }

    @Test
    void aDeploymentOfTwentyRuns() {
        assertThat(type("create deployment web --image=nginx --replicas=20")
                        .ok()
                        .out())
                .isEqualTo("deployment.apps/web created\n");

        assertThat(type("rollout status deployment/web --timeout=120s").ok().out())
                .endsWith(ROLLED_OUT + "\n");
        assertThat(type("get deployment web --no-headers").ok().out()).matches("web +20/20 +20 +20 +\\S+\\n");
        assertThat(nodesOf(pods())).containsOnly("node-0", "node-1", "node-2").hasSize(20);
    }

    @Test
    void aDeploymentIsScaledUpAndDown() {
        deploy(1);

        assertThat(type("scale deployment web --replicas=4").ok().out()).isEqualTo("deployment.apps/web scaled\n");
        rolledOut();
        assertThat(pods()).hasSize(4);
        type("scale deployment web --replicas=0").ok();
        Eventually.holds(() -> assertThat(pods()).isEmpty());
        assertThat(type("scale deployment web --current-replicas=5 --replicas=1")
                        .refused()
                        .err())
                .contains("Expected replicas to be 5, was 0");
    }

    @Test
    void aRolloutIsRestartedAndUndone() {
        deploy(3);
        List<String> before = pods();

        assertThat(type("rollout restart deployment/web").ok().out()).isEqualTo("deployment.apps/web restarted\n");
        rolledOut();
        Eventually.holds(() -> assertThat(pods()).hasSize(3).doesNotContainAnyElementsOf(before));
        type("set image deployment/web nginx=nginx:2").ok();
        rolledOut();
        assertThat(type("rollout history deployment/web").ok().lines())
                .contains("1         <none>", "3         <none>");
        assertThat(type("rollout undo deployment/web").ok().out()).isEqualTo("deployment.apps/web rolled back\n");
        rolledOut();
        assertThat(type("get deployment web -o jsonpath={.spec.template.spec.containers[0].image}")
                        .ok()
                        .out())
                .isEqualTo("nginx");
    }

    @Test
    void podsAreDescribed() {
        deploy(1);

        Output described = type("describe pods").ok();

        assertThat(described.lines())
                .anyMatch(line -> line.matches("Name: +web-\\S+"))
                .anyMatch(line -> line.matches("Namespace: +" + namespace))
                .anyMatch(line -> line.matches("Node: +node-[0-2](/\\S+)?"))
                .anyMatch(line -> line.matches("Status: +Running"))
                .anyMatch(line -> line.matches("Controlled By: +ReplicaSet/web-\\S+"))
                .anyMatch(line -> line.matches(" +PodScheduled +True *"));
        Eventually.holds(() -> assertThat(type("describe pods").ok().lines())
                .anyMatch(line ->
                        line.matches(" +Normal +Scheduled +\\S+ +\\S+ +Successfully assigned %s/web-\\S+ to node-[0-2]"
                                .formatted(namespace))));
    }

    @Test
    void nodesAreDescribed() {
        deploy(3);

        Output described = kubectl().run("describe nodes").ok();

        assertThat(described.lines())
                .anyMatch(line -> line.matches("Name: +node-0"))
                .anyMatch(line -> line.matches("Unschedulable: +false"))
                .anyMatch(line -> line.matches(" +cpu: +8"))
                .anyMatch(line -> line.matches(" +Ready +True .*"))
                .anyMatch(line -> line.matches("Non-terminated Pods: +\\(\\d+ in total\\)"))
                .anyMatch(line -> line.matches(" +%s +web-\\S+ +0 \\(0%%\\) .*".formatted(namespace)));
    }

    @Test
    void aManifestIsAppliedTwiceAndThenChanged() {
        String manifest = """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: web}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec:
                      containers:
                      - {name: nginx, image: nginx, resources: {requests: {cpu: 100m}}}
                """;

        assertThat(type("apply -f -", manifest).ok().out()).isEqualTo("deployment.apps/web created\n");
        assertThat(type("apply -f -", manifest).ok().out()).isEqualTo("deployment.apps/web unchanged\n");
        assertThat(type("apply -f -", manifest.replace("100m", "200m")).ok().out())
                .isEqualTo("deployment.apps/web configured\n");
        rolledOut();
        assertThat(type("get deployment web -o jsonpath={.spec.template.spec.containers[0].resources.requests.cpu}")
                        .ok()
                        .out())
                .isEqualTo("200m");
    }

    @Test
    void anObjectIsPatchedLabelledAndAnnotated() {
        type("create configmap facts --from-literal=a=b").ok();

        assertThat(type("patch configmap facts -p {\"data\":{\"a\":\"c\"}}")
                        .ok()
                        .out())
                .isEqualTo("configmap/facts patched\n");
        assertThat(type("patch configmap facts --type=json -p [{\"op\":\"add\",\"path\":\"/data/d\",\"value\":\"e\"}]")
                        .ok()
                        .out())
                .isEqualTo("configmap/facts patched\n");
        assertThat(type("label configmap facts tier=web").ok().out()).isEqualTo("configmap/facts labeled\n");
        assertThat(type("label configmap facts tier=data").refused().err())
                .contains("'tier' already has a value (web), and --overwrite is false");
        assertThat(type("annotate configmap facts note=seen").ok().out()).isEqualTo("configmap/facts annotated\n");
        assertThat(type("get configmap -l tier=web -o jsonpath={.items[0].data}{.items[0].metadata.annotations.note}")
                        .ok()
                        .out())
                .isEqualTo("{\"a\":\"c\",\"d\":\"e\"}seen");
    }

    @Test
    void aNodeIsCordonedDrainedAndUncordoned() {
        deploy(6);
        try {
            assertThat(kubectl().run("cordon node-1").ok().out()).isEqualTo("node/node-1 cordoned\n");
            assertThat(kubectl().run("get node node-1 --no-headers").ok().out()).contains("Ready,SchedulingDisabled");
            Output drained = kubectl().run("drain node-1 --timeout=90s").ok();
            assertThat(drained.lines())
                    .contains("node/node-1 already cordoned")
                    .last()
                    .isEqualTo("node/node-1 drained");
            rolledOut();
            assertThat(nodesOf(pods())).hasSize(6).doesNotContain("node-1");
        } finally {
            kubectl().run("uncordon node-1").ok();
        }
        assertThat(kubectl().run("get node node-1 --no-headers").ok().out()).doesNotContain("SchedulingDisabled");
    }

    @Test
    void aDrainHeedsADisruptionBudget() {
        deploy(1);
        type("create poddisruptionbudget keep --selector=app=web --min-available=1")
                .ok();
        Eventually.holds(() -> assertThat(type("get pdb keep -o jsonpath={.status.currentHealthy}")
                        .ok()
                        .out())
                .isEqualTo("1"));
        String node = nodesOf(pods()).get(0);
        try {
            assertThat(kubectl()
                            .run("drain %s --timeout=3s".formatted(node))
                            .refused()
                            .err())
                    .contains("Cannot evict pod as it would violate the pod's disruption budget.");
        } finally {
            kubectl().run("uncordon " + node).ok();
        }
    }

    @Test
    void aNamespaceIsDeletedWithAllItHolds() {
        deploy(2);

        assertThat(kubectl()
                        .run("delete namespace %s --timeout=100s".formatted(namespace))
                        .ok()
                        .out())
                .startsWith("namespace \"%s\" deleted".formatted(namespace));

        assertThat(kubectl().run("get namespace " + namespace).refused().err())
                .isEqualTo("Error from server (NotFound): namespaces \"%s\" not found\n".formatted(namespace));
    }

    @Test
    void podsAreFollowedAsTheyChange() {
        type("run first --image=nginx").ok();
        try (KubectlFollowing following = kubectl().follow("get pods -w --output-watch-events -n " + namespace)) {
            // Only what happens after kubectl has begun to look is sure to be seen step by step.
            following.awaitLine(line -> line.matches("ADDED +first .*"));
            type("run one --image=nginx").ok();
            following.awaitLine(line -> line.matches("ADDED +one +0/1 +Pending .*"));
            following.awaitLine(line -> line.matches("MODIFIED +one +1/1 +Running .*"));
            assertThat(type("delete pod one").ok().out()).startsWith("pod \"one\" deleted");
            following.awaitLine(line -> line.matches("DELETED +one .*"));
        }
    }

    @Test
    void eventsAreShown() {
        type("run one --image=nginx").ok();
        type("wait pod/one --for=condition=Ready --timeout=60s").ok();

        Eventually.holds(() -> assertThat(type("get events").ok().lines())
                .anyMatch(line -> line.matches("LAST SEEN +TYPE +REASON +OBJECT +MESSAGE"))
                .anyMatch(line ->
                        line.matches("\\S+ +Normal +Scheduled +pod/one +Successfully assigned %s/one to node-[0-2]"
                                .formatted(namespace))));
        assertThat(type("get events --field-selector involvedObject.name=nobody")
                        .ok()
                        .err())
                .contains("No resources found");
    }

    @Test
    void podsAreSelectedByField() {
        deploy(6);

        List<String> there = type("get pods --no-headers -o name --field-selector spec.nodeName=node-2")
                .ok()
                .lines();

        assertThat(there).isNotEmpty().hasSizeLessThan(6);
        assertThat(type("get pods -o name --field-selector status.phase=Running")
                        .ok()
                        .lines())
                .hasSize(6);
        assertThat(type("get pods -o name --field-selector status.phase!=Running")
                        .ok()
                        .lines())
                .isEmpty();
        assertThat(type("get pods --field-selector spec.colour=red").refused().err())
                .contains("field label not supported: spec.colour");
    }

    @Test
    void apiResourcesAreListed() {
        List<String> lines = kubectl().run("api-resources").ok().lines();

        assertThat(lines.get(0)).matches("NAME +SHORTNAMES +APIVERSION +NAMESPACED +KIND");
        assertThat(lines)
                .anyMatch(line -> line.matches("pods +po +v1 +true +Pod"))
                .anyMatch(line -> line.matches("nodes +no +v1 +false +Node"))
                .anyMatch(line -> line.matches("deployments +deploy +apps/v1 +true +Deployment"))
                .anyMatch(line -> line.matches("leases +coordination.k8s.io/v1 +true +Lease"));
    }

    @Test
    void aMisspeltFieldIsNamed() {
        Output refused = type("apply -f -", """
                        apiVersion: apps/v1
                        kind: Deployment
                        metadata: {name: web}
                        spec:
                          replicsa: 3
                          selector: {matchLabels: {app: web}}
                          template:
                            metadata: {labels: {app: web}}
                            spec: {containers: [{name: nginx, image: nginx}]}
                        """).refused();

        assertThat(refused.err()).contains("strict decoding error: unknown field \"spec.replicsa\"");
    }

    @Test
    void aPodThatFitsNowhereWaitsAndSaysWhy() {
        type("apply -f -", """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: big}
                        spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: 100}}}]}
                        """).ok();

        Eventually.holds(() -> assertThat(type("describe pod big").ok().lines())
                .anyMatch(line ->
                        line.matches(" +Warning +FailedScheduling +.* 0/3 nodes are available: .*Insufficient cpu.*")));
        assertThat(type("get pod big --no-headers").ok().out()).matches("big +0/1 +Pending +0 +\\S+\\n");
        assertThat(type("get pod big -o jsonpath={.status.conditions[?(@.type==\"PodScheduled\")].reason}")
                        .ok()
                        .out())
                .isEqualTo("Unschedulable");
    }

    @Test
    void aTaintKeepsPodsAway() {
        try {
            assertThat(kubectl()
                            .run("taint nodes node-0 node-2 keep=out:NoSchedule")
                            .ok()
                            .lines())
                    .containsExactly("node/node-0 tainted", "node/node-2 tainted");
            deploy(3);

            assertThat(nodesOf(pods())).containsOnly("node-1");
        } finally {
            kubectl().run("taint nodes node-0 node-2 keep-").ok();
        }
    }

    @Test
    void whatKubectlCreatesIsThere() {
        type("create configmap c --from-literal=a=b").ok();
        type("create secret generic s --from-literal=a=b").ok();
        type("create serviceaccount sa").ok();
        type("create role r --verb=get --resource=pods").ok();
        type("create rolebinding rb --role=r --serviceaccount=%s:sa".formatted(namespace))
                .ok();
        type("create service clusterip svc --tcp=80:80").ok();
        type("create quota q --hard=pods=10").ok();
        deploy(1);
        assertThat(type("expose deployment web --port=80").ok().out()).isEqualTo("service/web exposed\n");

        assertThat(type("get configmap/c secret/s sa/sa role/r rolebinding/rb svc/svc svc/web -o name")
                        .ok()
                        .lines())
                .containsExactly(
                        "configmap/c",
                        "secret/s",
                        "serviceaccount/sa",
                        "role.rbac.authorization.k8s.io/r",
                        "rolebinding.rbac.authorization.k8s.io/rb",
                        "service/svc",
                        "service/web");
    }

    @Test
    void aStatefulSetRunsInOrder() {
        type("apply -f -", """
                        apiVersion: apps/v1
                        kind: StatefulSet
                        metadata: {name: db}
                        spec:
                          replicas: 2
                          serviceName: db
                          selector: {matchLabels: {app: db}}
                          template:
                            metadata: {labels: {app: db}}
                            spec: {containers: [{name: main, image: postgres}]}
                        """).ok();

        type("rollout status statefulset/db --timeout=90s").ok();

        assertThat(pods()).containsExactly("pod/db-0", "pod/db-1");
        String before = uid("db-0");
        type("delete pod db-0").ok();
        Eventually.holds(() -> assertThat(uid("db-0")).isNotEmpty().isNotEqualTo(before));
    }

    @Test
    void aDeletedDeploymentTakesItsPodsAlong() {
        deploy(2);

        assertThat(type("delete deployment web").ok().out()).startsWith("deployment.apps \"web\" deleted");

        Eventually.holds(() -> assertThat(pods()).isEmpty());
    }

    private Output type(String line) {
        return kubectl().run(line + " -n " + namespace);
    }

    private Output type(String line, String input) {
        return kubectl().run(line + " -n " + namespace, input);
    }

    private void deploy(int replicas) {
        type("create deployment web --image=nginx --replicas=" + replicas).ok();
        rolledOut();
    }

    private void rolledOut() {
        assertThat(type("rollout status deployment/web --timeout=120s").ok().out())
                .endsWith(ROLLED_OUT + "\n");
    }

    private List<String> pods() {
        return type("get pods -o name").ok().lines();
    }

    private List<String> nodesOf(List<String> pods) {
        String template = "jsonpath={range.items[*]}{.spec.nodeName}{\"\\n\"}{end}";
        List<String> nodes = kubectl()
                .call("", "get", "pods", "-n", namespace, "-o", template.replace("range.", "range ."))
                .ok()
                .lines();
        assertThat(nodes).hasSameSizeAs(pods);
        return nodes;
    }

    private String uid(String pod) {
        return kubectl()
                .run("get pod %s -n %s --ignore-not-found -o jsonpath={.metadata.uid}".formatted(pod, namespace))
                .ok()
                .out();
    }
}
