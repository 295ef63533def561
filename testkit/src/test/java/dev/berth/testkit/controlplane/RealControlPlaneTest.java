package dev.berth.testkit.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Breaks a control plane of its own: the shared one is left in peace. */
@OnRealControlPlane
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RealControlPlaneTest {

    private final RealControlPlane plane;
    private final Kubectl kubectl;

    private final int takenPort;

    RealControlPlaneTest() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            takenPort = taken.getLocalPort();
            AtomicInteger next = new AtomicInteger(takenPort);
            plane = RealControlPlane.start(ControlPlaneOptions.bare(), () -> next.getAndSet(KubeApiServer.freePort()));
        }
        kubectl = plane.kubectl();
    }

    @Test
    void aTakenPortIsSkipped() {
        assertThat(plane.access().url().getPort()).isNotEqualTo(takenPort);
    }

    @BeforeAll
    void addANode() {
        kubectl.run("create -f -", "{apiVersion: v1, kind: Node, metadata: {name: n1}}")
                .ok();
        kubectl.run("replace --subresource=status -f -", """
                        apiVersion: v1
                        kind: Node
                        metadata: {name: n1}
                        status: {allocatable: {cpu: "4", memory: 8Gi, pods: "10"}}
                        """).ok();
    }

    @AfterAll
    void end() {
        plane.close();
    }

    @Test
    void theApiServerRestartsOnItsPortWithItsData() {
        kubectl.run("create configmap kept --from-literal=a=b").ok();

        plane.stopApiServer();
        assertThat(kubectl.run("get configmap kept").refused().err()).contains("refused");

        plane.startApiServer();
        assertThat(kubectl.run("get configmap kept -o jsonpath={.data.a}").ok().out())
                .isEqualTo("b");
    }

    @Test
    void writesHangWhileEtcdIsPaused() {
        plane.pauseEtcd();
        String answer = kubectl.run("create configmap late --request-timeout=1s")
                .refused()
                .err();
        plane.resumeEtcd();

        assertThat(answer).containsIgnoringCase("timeout");
        kubectl.run("create configmap later").ok();
    }

    @Test
    void clientAndServerHaveTheExpectedVersion() {
        assertThat(kubectl.run("version").ok().lines()).contains("Client Version: v1.36.4", "Server Version: v1.36.4");
    }

    @Test
    void kubeSchedulerBindsAPod() {
        try (ManagedProcess scheduler = plane.startKubeScheduler(RealControlPlane::defaultSchedulerConfiguration)) {
            kubectl.run("run web --image=nginx").ok();
            kubectl.run("wait pod/web --for=condition=PodScheduled --timeout=60s")
                    .ok();

            assertThat(scheduler.isAlive()).isTrue();
            assertThat(kubectl.run("get pod web -o jsonpath={.spec.nodeName}")
                            .ok()
                            .out())
                    .isEqualTo("n1");
        }
    }
}
