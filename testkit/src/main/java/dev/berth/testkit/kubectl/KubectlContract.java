package dev.berth.testkit.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.Kubectl.Output;
import dev.berth.testkit.controlplane.RunningKubectl;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The commands of a user's first hour with kubectl. A subclass provides a cluster with three nodes, {@code node-0} to
 * {@code node-2}, with 8 cpus each, controllers for the built-in workloads, a scheduler that serves {@code
 * default-scheduler}, and no other pods.
 */
@Timeout(180)
public abstract class KubectlContract {

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final String ROLLED_OUT = "deployment \"web\" successfully rolled out";

    private String namespace = "";

    /** kubectl with an administrator's access to the cluster. */
    protected abstract Kubectl kubectl();

    /** Waits for the three nodes, as a user does after starting a cluster. */
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

    /** Pods of earlier tests end in the background, and a drain fails if it finds a pod without a controller. */
    private void awaitEndOfOtherPods() {
        Eventually.holds(() ->
                assertThat(kubectl().run("get pods -A -o name").ok().out()).isBlank());
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
        assertThat(run("create deployment web --image=nginx --replicas=20").ok().out())
                .isEqualTo("deployment.apps/web created\n");

        assertThat(run("rollout status deployment/web --timeout=120s").ok().out())
                .endsWith(ROLLED_OUT + "\n");
        assertThat(run("get deployment web --no-headers").ok().out()).matches("web +20/20 +20 +20 +\\S+\\n");
        assertThat(nodesOf(pods())).containsOnly("node-0", "node-1", "node-2").hasSize(20);
    }

    @Test
    void aDeploymentIsScaledUpAndDown() {
        deploy(1);

        assertThat(run("scale deployment web --replicas=4").ok().out()).isEqualTo("deployment.apps/web scaled\n");
        awaitRollout();
        assertThat(pods()).hasSize(4);
        run("scale deployment web --replicas=0").ok();
        Eventually.holds(() -> assertThat(pods()).isEmpty());
        assertThat(run("scale deployment web --current-replicas=5 --replicas=1")
                        .refused()
                        .err())
                .contains("Expected replicas to be 5, was 0");
    }

    @Test
    void aRolloutIsRestartedAndUndone() {
        deploy(3);
        List<String> before = pods();

        assertThat(run("rollout restart deployment/web").ok().out()).isEqualTo("deployment.apps/web restarted\n");
        awaitRollout();
        Eventually.holds(() -> assertThat(pods()).hasSize(3).doesNotContainAnyElementsOf(before));
        run("set image deployment/web nginx=nginx:2").ok();
        awaitRollout();
        assertThat(run("rollout history deployment/web").ok().lines()).contains("1         <none>", "3         <none>");
        assertThat(run("rollout undo deployment/web").ok().out()).isEqualTo("deployment.apps/web rolled back\n");
        awaitRollout();
        assertThat(run("get deployment web -o jsonpath={.spec.template.spec.containers[0].image}")
                        .ok()
                        .out())
                .isEqualTo("nginx");
    }

    @Test
    void podsAreDescribed() {
        deploy(1);

        Output described = run("describe pods").ok();

        assertThat(described.lines())
                .anyMatch(line -> line.matches("Name: +web-\\S+"))
                .anyMatch(line -> line.matches("Namespace: +" + namespace))
                .anyMatch(line -> line.matches("Node: +node-[0-2](/\\S+)?"))
                .anyMatch(line -> line.matches("Status: +Running"))
                .anyMatch(line -> line.matches("Controlled By: +ReplicaSet/web-\\S+"))
                .anyMatch(line -> line.matches(" +PodScheduled +True *"));
        Eventually.holds(() -> assertThat(run("describe pods").ok().lines())
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

        assertThat(run("apply -f -", manifest).ok().out()).isEqualTo("deployment.apps/web created\n");
        assertThat(run("apply -f -", manifest).ok().out()).isEqualTo("deployment.apps/web unchanged\n");
        assertThat(run("apply -f -", manifest.replace("100m", "200m")).ok().out())
                .isEqualTo("deployment.apps/web configured\n");
        awaitRollout();
        assertThat(run("get deployment web -o jsonpath={.spec.template.spec.containers[0].resources.requests.cpu}")
                        .ok()
                        .out())
                .isEqualTo("200m");
    }

    @Test
    void anObjectIsPatchedLabelledAndAnnotated() {
        run("create configmap facts --from-literal=a=b").ok();

        assertThat(run("patch configmap facts -p {\"data\":{\"a\":\"c\"}}").ok().out())
                .isEqualTo("configmap/facts patched\n");
        assertThat(run("patch configmap facts --type=json -p [{\"op\":\"add\",\"path\":\"/data/d\",\"value\":\"e\"}]")
                        .ok()
                        .out())
                .isEqualTo("configmap/facts patched\n");
        assertThat(run("label configmap facts tier=web").ok().out()).isEqualTo("configmap/facts labeled\n");
        assertThat(run("label configmap facts tier=data").refused().err())
                .contains("'tier' already has a value (web), and --overwrite is false");
        assertThat(run("annotate configmap facts note=seen").ok().out()).isEqualTo("configmap/facts annotated\n");
        assertThat(run("get configmap -l tier=web -o jsonpath={.items[0].data}{.items[0].metadata.annotations.note}")
                        .ok()
                        .out())
                .isEqualTo("{\"a\":\"c\",\"d\":\"e\"}seen");
    }

    @Test
    void aNodeIsCordonedDrainedAndUncordoned() {
        awaitEndOfOtherPods();
        deploy(6);
        try {
            assertThat(kubectl().run("cordon node-1").ok().out()).isEqualTo("node/node-1 cordoned\n");
            assertThat(kubectl().run("get node node-1 --no-headers").ok().out()).contains("Ready,SchedulingDisabled");
            Output drained = kubectl().run("drain node-1 --timeout=90s").ok();
            assertThat(drained.lines())
                    .contains("node/node-1 already cordoned")
                    .last()
                    .isEqualTo("node/node-1 drained");
            awaitRollout();
            assertThat(nodesOf(pods())).hasSize(6).doesNotContain("node-1");
        } finally {
            kubectl().run("uncordon node-1").ok();
        }
        assertThat(kubectl().run("get node node-1 --no-headers").ok().out()).doesNotContain("SchedulingDisabled");
    }

    @Test
    void aDrainRespectsAPodDisruptionBudget() {
        awaitEndOfOtherPods();
        deploy(1);
        run("create poddisruptionbudget keep --selector=app=web --min-available=1")
                .ok();
        Eventually.holds(() -> assertThat(run("get pdb keep -o jsonpath={.status.currentHealthy}")
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
    void aNamespaceIsDeletedWithItsContents() {
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
    void podChangesAreWatched() {
        run("run first --image=nginx").ok();
        try (RunningKubectl following = kubectl().follow("get pods -w --output-watch-events -n " + namespace)) {
            // Only events after kubectl has started to watch are certain to be shown one by one.
            following.awaitLine(line -> line.matches("ADDED +first .*"));
            run("run one --image=nginx").ok();
            following.awaitLine(line -> line.matches("ADDED +one +0/1 +Pending .*"));
            following.awaitLine(line -> line.matches("MODIFIED +one +1/1 +Running .*"));
            assertThat(run("delete pod one").ok().out()).startsWith("pod \"one\" deleted");
            following.awaitLine(line -> line.matches("DELETED +one .*"));
        }
    }

    @Test
    void eventsAreShown() {
        run("run one --image=nginx").ok();
        run("wait pod/one --for=condition=Ready --timeout=60s").ok();

        Eventually.holds(() -> assertThat(run("get events").ok().lines())
                .anyMatch(line -> line.matches("LAST SEEN +TYPE +REASON +OBJECT +MESSAGE"))
                .anyMatch(line ->
                        line.matches("\\S+ +Normal +Scheduled +pod/one +Successfully assigned %s/one to node-[0-2]"
                                .formatted(namespace))));
        assertThat(run("get events --field-selector involvedObject.name=nobody")
                        .ok()
                        .err())
                .contains("No resources found");
    }

    @Test
    void podsAreSelectedByField() {
        deploy(6);

        List<String> there = run("get pods --no-headers -o name --field-selector spec.nodeName=node-2")
                .ok()
                .lines();

        assertThat(there).isNotEmpty().hasSizeLessThan(6);
        assertThat(run("get pods -o name --field-selector status.phase=Running")
                        .ok()
                        .lines())
                .hasSize(6);
        assertThat(run("get pods -o name --field-selector status.phase!=Running")
                        .ok()
                        .lines())
                .isEmpty();
        assertThat(run("get pods --field-selector spec.colour=red").refused().err())
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
    void anUnknownFieldIsReported() {
        Output refused = run("apply -f -", """
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
    void anUnschedulablePodReportsWhy() {
        run("apply -f -", """
                        apiVersion: v1
                        kind: Pod
                        metadata: {name: big}
                        spec: {containers: [{name: main, image: nginx, resources: {requests: {cpu: 100}}}]}
                        """).ok();

        Eventually.holds(() -> assertThat(run("describe pod big").ok().lines())
                .anyMatch(line ->
                        line.matches(" +Warning +FailedScheduling +.* 0/3 nodes are available: .*Insufficient cpu.*")));
        assertThat(run("get pod big --no-headers").ok().out()).matches("big +0/1 +Pending +0 +\\S+\\n");
        assertThat(run("get pod big -o jsonpath={.status.conditions[?(@.type==\"PodScheduled\")].reason}")
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
    void objectsCreatedByKubectlExist() {
        run("create configmap c --from-literal=a=b").ok();
        run("create secret generic s --from-literal=a=b").ok();
        run("create serviceaccount sa").ok();
        run("create role r --verb=get --resource=pods").ok();
        run("create rolebinding rb --role=r --serviceaccount=%s:sa".formatted(namespace))
                .ok();
        run("create service clusterip svc --tcp=80:80").ok();
        deploy(1);
        assertThat(run("expose deployment web --port=80").ok().out()).isEqualTo("service/web exposed\n");

        assertThat(run("get configmap/c secret/s sa/sa role/r rolebinding/rb svc/svc svc/web -o name")
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
        run("apply -f -", """
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

        run("rollout status statefulset/db --timeout=90s").ok();

        assertThat(pods()).containsExactly("pod/db-0", "pod/db-1");
        String before = uid("db-0");
        run("delete pod db-0").ok();
        Eventually.holds(() -> assertThat(uid("db-0")).isNotEmpty().isNotEqualTo(before));
    }

    @Test
    void deletingADeploymentDeletesItsPods() {
        deploy(2);

        assertThat(run("delete deployment web").ok().out()).startsWith("deployment.apps \"web\" deleted");

        Eventually.holds(() -> assertThat(pods()).isEmpty());
    }

    private Output run(String line) {
        return kubectl().run(line + " -n " + namespace);
    }

    private Output run(String line, String input) {
        return kubectl().run(line + " -n " + namespace, input);
    }

    private void deploy(int replicas) {
        run("create deployment web --image=nginx --replicas=" + replicas).ok();
        awaitRollout();
    }

    private void awaitRollout() {
        assertThat(run("rollout status deployment/web --timeout=120s").ok().out())
                .endsWith(ROLLED_OUT + "\n");
    }

    private List<String> pods() {
        return run("get pods -o name").ok().lines();
    }

    private List<String> nodesOf(List<String> pods) {
        String template = "jsonpath={range.items[*]}{.spec.nodeName}{\"\\n\"}{end}";
        List<String> nodes = kubectl()
                .runArguments("", "get", "pods", "-n", namespace, "-o", template.replace("range.", "range ."))
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
