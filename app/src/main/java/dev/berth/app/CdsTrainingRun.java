package dev.berth.app;

import dev.berth.app.up.LocalCluster;
import dev.berth.app.up.NodeSize;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Runs the program once on a sandbox cluster, as users do, and exits. The launcher makes Java archive the loaded
 * classes (class data sharing), so that later starts are faster.
 */
final class CdsTrainingRun {
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/berth";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final int REPLICAS = 6;
    private static final int TIMEOUT_SECONDS = 60;

    private final LocalCluster.Running cluster;

    private CdsTrainingRun(LocalCluster.Running cluster) {
        this.cluster = cluster;
    }

    /** The argument is a file for the kubeconfig. Everything ends with the process. */
    public static void main(String[] args) throws IOException, InterruptedException {
        LocalCluster.Plan plan = LocalCluster.Plan.of(2, new NodeSize("8", "32Gi", 110));
        LocalCluster.Running cluster = LocalCluster.start(plan, InstantSource.system());
        Path kubeconfig = Path.of(args[0]);
        Files.writeString(kubeconfig, cluster.kubeconfig());
        startRun(kubeconfig);
        new CdsTrainingRun(cluster).createDeploymentAndAwaitPods();
        System.exit(Main.ExitCode.OK);
    }

    private static void startRun(Path kubeconfig) {
        Thread run = new Thread(
                () -> Main.commandLine(Map.of()).execute("run", "--kubeconfig", kubeconfig.toString()),
                "berth-rehearsal");
        run.setDaemon(true);
        run.start();
    }

    private void createDeploymentAndAwaitPods() throws InterruptedException {
        await("the lease is taken", () -> handle(RestRequest.of("GET", LEASE)).code() == 200);
        BodyResponse created = handle(RestRequest.of("POST", "/apis/apps/v1/namespaces/default/deployments")
                .withBody("application/yaml", deployment().getBytes(StandardCharsets.UTF_8)));
        if (created.code() != 201) {
            throw new IllegalStateException("no Deployment: " + text(created));
        }
        await(
                "all pods run",
                () -> count(text(handle(RestRequest.of("GET", PODS))), "\"phase\":\"Running\"") == REPLICAS);
    }

    private static String deployment() {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: web
                spec:
                  replicas: %d
                  selector:
                    matchLabels:
                      app: web
                  template:
                    metadata:
                      labels:
                        app: web
                    spec:
                      schedulerName: berth-scheduler
                      containers:
                        - name: web
                          image: nginx
                          resources:
                            requests:
                              cpu: 100m
                              memory: 100Mi
                """.formatted(REPLICAS);
    }

    private BodyResponse handle(RestRequest request) {
        return (BodyResponse) cluster.server().api().handle(request);
    }

    private static String text(BodyResponse bodyResponse) {
        return new String(bodyResponse.body(), StandardCharsets.UTF_8);
    }

    private static int count(String text, String word) {
        return text.split(word, -1).length - 1;
    }

    private static void await(String what, BooleanSupplier condition) throws InterruptedException {
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            if (looks > TIMEOUT_SECONDS * 20) {
                throw new IllegalStateException("%s: not within %d s".formatted(what, TIMEOUT_SECONDS));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
