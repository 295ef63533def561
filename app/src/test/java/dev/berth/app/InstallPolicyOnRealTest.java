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

    @Test
    void aPodCannotGetTheAnnotationOfReservePodsButOneThatHasItCanBeChanged() throws IOException {
        try (RealCluster cluster = RealCluster.start(NodePool.of(1, "8", "32Gi", 110), InstantSource.system())) {
            Kubectl kubectl = cluster.controlPlane().kubectl();
            kubectl.run("create -f -", POD.formatted("before", ANNOTATION)).ok();
            kubectl.run("create -f -", POD.formatted("usual", "other")).ok();
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
            kubectl.run("annotate pod usual some=thing").ok();
            kubectl.run("label pod before some=thing").ok();
            kubectl.run("annotate pod before %s-".formatted(ANNOTATION)).ok();
            assertThat(kubectl.run("annotate pod before %s=true".formatted(ANNOTATION))
                            .refused()
                            .err())
                    .contains("berth-reserve-pod");
            kubectl.run("create -f -", POD.formatted("next", "other")).ok();

            // The API server takes its time to remove a CRD, and this test is not about CRDs.
            kubectl.run("delete --wait=false -f -", printed("install")).ok();
            Eventually.holds(() -> kubectl.run("create --dry-run=server -f -", POD.formatted("new", ANNOTATION))
                    .ok());
        }
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
