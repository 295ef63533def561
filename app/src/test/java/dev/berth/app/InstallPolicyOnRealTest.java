package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The policies that {@code berth install} prints, on a real API server. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(240)
final class InstallPolicyOnRealTest {
    private static final String ANNOTATION = "scheduling.koordinator.sh/reserve-pod";
    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, annotations: {%s: "true"}}
            spec: {containers: [{name: c, image: nginx}]}
            """;

    private static final String IGNORED = "scheduling.koordinator.sh/reservation-ignored";
    private static final String AS_TENANT = "--as=tenant ";
    private static final String LABELLED_POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, labels: {%s: "true"}}
            spec: {containers: [{name: c, image: nginx}]}
            """;

    /** A user who may do with pods what the built-in role edit allows, and write their status. */
    private static final String TENANT = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: tenant}
            rules: [{apiGroups: [""], resources: [pods, pods/status], verbs: [get, list, create, update, patch, delete]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata: {name: tenant}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: tenant}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: tenant}]
            """;

    private static final String PERMISSION = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: ignores-reservations, namespace: default}
            rules: [{apiGroups: [scheduling.koordinator.sh], resources: [reservations], verbs: [ignore]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: ignores-reservations, namespace: default}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: ignores-reservations}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: tenant}]
            """;

    @Test
    void aPodCannotGetTheAnnotationOfReservePodsButOneThatHasItCanBeChanged() throws IOException {
        try (RealCluster cluster = RealCluster.start(NodePool.of(1, "8", "32Gi", 110), InstantSource.system())) {
            Kubectl kubectl = cluster.controlPlane().kubectl();
            kubectl.run("create -f -", POD.formatted("before", ANNOTATION)).ok();
            kubectl.run("create -f -", POD.formatted("usual", "other")).ok();
            kubectl.run(patchOfStatus("before", "annotations", ANNOTATION + "-2"))
                    .ok();
            assertThat(kubectl.run("get pod before -o jsonpath={.metadata.annotations}")
                            .ok()
                            .out())
                    .as("a write of pods/status changes annotations")
                    .contains(ANNOTATION + "-2");
            kubectl.run("apply -f -", printed("install")).ok();

            // The API server applies a new policy after some time.
            Eventually.holds(() -> assertThat(
                            kubectl.run("create --dry-run=server -f -", POD.formatted("new", ANNOTATION))
                                    .refused()
                                    .err())
                    .contains("the annotation scheduling.koordinator.sh/reserve-pod must not be on a pod"));
            assertThat(kubectl.run("annotate pod usual %s=false".formatted(ANNOTATION))
                            .refused()
                            .err())
                    .contains("berth-reserve-pod");
            assertThat(kubectl.run(patchOfStatus("usual", "annotations", ANNOTATION))
                            .refused()
                            .err())
                    .contains("berth-reserve-pod");
            kubectl.run(patchOfStatus("before", "annotations", "by-status")).ok();
            kubectl.run("annotate pod usual some=thing").ok();
            kubectl.run("label pod before some=thing").ok();
            kubectl.run("annotate pod before %s-".formatted(ANNOTATION)).ok();
            assertThat(kubectl.run("annotate pod before %s=true".formatted(ANNOTATION))
                            .refused()
                            .err())
                    .contains("berth-reserve-pod");
            kubectl.run("create -f -", POD.formatted("next", "other")).ok();

            // kubectl would wait until all objects are gone, and the CustomResourceDefinitions have a finalizer.
            kubectl.run("delete --wait=false -f -", printed("install")).ok();
            Eventually.holds(() -> kubectl.run("create --dry-run=server -f -", POD.formatted("new", ANNOTATION))
                    .ok());
        }
    }

    @Test
    void onlyAUserWithThePermissionCanSetTheLabelByWhichAPodIgnoresReservations() throws IOException {
        try (RealCluster cluster = RealCluster.start(NodePool.of(1, "8", "32Gi", 110), InstantSource.system())) {
            Kubectl kubectl = cluster.controlPlane().kubectl();
            kubectl.run("create namespace team-a").ok();
            kubectl.run("create -f -", LABELLED_POD.formatted("before", IGNORED))
                    .ok();
            kubectl.run("create -f -", LABELLED_POD.formatted("usual", "other")).ok();
            kubectl.run("apply -f -", TENANT).ok();
            kubectl.run("apply -f -", printed("install")).ok();

            Eventually.holds(
                    () -> assertThat(kubectl.run(
                                            AS_TENANT + "create --dry-run=server -f -",
                                            LABELLED_POD.formatted("new", IGNORED))
                                    .refused()
                                    .err())
                            .contains(
                                    "user tenant needs the verb ignore on reservations.scheduling.koordinator.sh in namespace default"));
            assertThat(kubectl.run(AS_TENANT + "label pod usual %s=true".formatted(IGNORED))
                            .refused()
                            .err())
                    .contains("berth-reservation-ignored");
            assertThat(kubectl.run(AS_TENANT + patchOfStatus("usual", "labels", IGNORED))
                            .refused()
                            .err())
                    .contains("berth-reservation-ignored");
            kubectl.run(AS_TENANT + patchOfStatus("before", "labels", "by-status"))
                    .ok();
            kubectl.run(AS_TENANT + "label pod usual %s=false".formatted(IGNORED))
                    .ok();
            kubectl.run(AS_TENANT + "label pod before some=thing").ok();
            kubectl.run(AS_TENANT + "create -f -", LABELLED_POD.formatted("next", "other"))
                    .ok();
            // The policy asks the authorizer: an administrator has every verb.
            kubectl.run("create -f -", LABELLED_POD.formatted("of-admin", IGNORED))
                    .ok();

            kubectl.run("apply -f -", PERMISSION).ok();
            Eventually.holds(() -> kubectl.run(
                            AS_TENANT + "create --dry-run=server -f -", LABELLED_POD.formatted("new", IGNORED))
                    .ok());
            assertThat(kubectl.run(AS_TENANT + "create -n team-a -f -", LABELLED_POD.formatted("new", IGNORED))
                            .refused()
                            .err())
                    .contains("in namespace team-a");
            assertControllersNeedThePermission(kubectl);
        }
    }

    /** As a program with the permission to write only pods/status does it. */
    private static String patchOfStatus(String pod, String field, String key) {
        return "patch pod %s --subresource=status --type=merge -p {\"metadata\":{\"%s\":{\"%s\":\"true\"}}}"
                .formatted(pod, field, key);
    }

    /** A ReplicaSet's pods are created by the controller's service account, not by the user. */
    private static void assertControllersNeedThePermission(Kubectl kubectl) {
        String controller =
                "--as=system:serviceaccount:kube-system:replicaset-controller" + " --as-group=system:serviceaccounts ";
        String pod = LABELLED_POD.formatted("of-replicaset", IGNORED);
        assertThat(kubectl.run(controller + "create --dry-run=server -f -", pod)
                        .refused()
                        .err())
                .contains("user system:serviceaccount:kube-system:replicaset-controller needs the verb ignore");
        kubectl.run("create rolebinding replicasets --role=ignores-reservations"
                        + " --serviceaccount=kube-system:replicaset-controller")
                .ok();
        Eventually.holds(() ->
                kubectl.run(controller + "create --dry-run=server -f -", pod).ok());
    }

    @Test
    void theOperatorCanAllowEveryUserToIgnoreReservations() {
        assertThat(printed("install")).contains("name: berth-reservation-ignored\n");
        assertThat(printed("install", "--allow-reservation-ignored"))
                .doesNotContain("berth-reservation-ignored")
                .contains("name: berth-reserve-pod\n");
    }

    @Test
    void aDisabledDoorNeedsNoPolicy() {
        assertThat(printed("install")).contains("kind: ValidatingAdmissionPolicy\n");
        assertThat(printed("install", "--disable-doors", "koordinator")).doesNotContain("ValidatingAdmissionPolicy");
        assertThat(printed("install", "--crds-only")).doesNotContain("ValidatingAdmissionPolicy");
    }

    private static String printed(String... command) {
        StringWriter printed = new StringWriter();
        Main.commandLine(Map.of()).setOut(new PrintWriter(printed, true)).execute(command);
        return printed.toString();
    }
}
