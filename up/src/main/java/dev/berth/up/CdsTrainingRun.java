package dev.berth.up;

import dev.berth.app.cli.ExitCode;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Uses Berth once as people do and ends: first {@code berth up} in this process, then {@code berth run} in another one.
 * The launcher starts both JVMs with {@code -XX:ArchiveClassesAtExit}, so that the next JVM need not read the classes
 * again. These are two processes because an archive fits one class path, and {@code berth run} has no sandbox on its own.
 */
final class CdsTrainingRun {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final int REPLICAS = 6;
    private static final int TIMEOUT_SECONDS = 60;

    private final LocalCluster.Running cluster;

    private CdsTrainingRun(LocalCluster.Running cluster) {
        this.cluster = cluster;
    }

    /** The arguments are a file for the kubeconfig, and then the command that starts {@code berth run} with this file. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int exit = ExitCode.FAILED;
        try {
            train(args);
            exit = ExitCode.OK;
        } finally {
            // Other threads would keep the process from ending.
            System.exit(exit);
        }
    }

    private static void train(String[] args) throws IOException, InterruptedException {
        LocalCluster.Options options = LocalCluster.Options.of(2, new NodeSize("8", "32Gi", 110));
        LocalCluster.Running cluster = LocalCluster.start(options, InstantSource.system());
        CdsTrainingRun training = new CdsTrainingRun(cluster);
        training.createDeployment("up");
        await("berth up places all pods", () -> training.runningPods() == REPLICAS);
        cluster.berth().close();

        Files.writeString(Path.of(args[0]), cluster.kubeconfig());
        Process run = new ProcessBuilder(List.of(args).subList(1, args.length))
                .inheritIO()
                .start();
        try {
            training.createDeployment("run");
            await("berth run places all pods", () -> training.placedByRun(run));
            run.destroy();
            if (!run.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) || run.exitValue() != ExitCode.OK) {
                throw new IllegalStateException("berth run did not end cleanly");
            }
        } finally {
            run.destroyForcibly();
        }
    }

    private boolean placedByRun(Process run) {
        if (!run.isAlive()) {
            throw new IllegalStateException("berth run ended with exit code " + run.exitValue());
        }
        return runningPods() == 2 * REPLICAS;
    }

    private void createDeployment(String name) {
        BodyResponse created = handle(RestRequest.of("POST", "/apis/apps/v1/namespaces/default/deployments")
                .withBody("application/yaml", deployment(name).getBytes(StandardCharsets.UTF_8)));
        if (created.code() != 201) {
            throw new IllegalStateException("no Deployment: " + text(created));
        }
    }

    private int runningPods() {
        return count(text(handle(RestRequest.of("GET", PODS))), "\"phase\":\"Running\"");
    }

    private static String deployment(String name) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: %1$s
                spec:
                  replicas: %2$d
                  selector:
                    matchLabels:
                      app: %1$s
                  template:
                    metadata:
                      labels:
                        app: %1$s
                    spec:
                      schedulerName: berth-scheduler
                      containers:
                        - name: web
                          image: nginx
                          resources:
                            requests:
                              cpu: 100m
                              memory: 100Mi
                """.formatted(name, REPLICAS);
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
        for (int polls = 0; !condition.getAsBoolean(); polls++) {
            if (polls > TIMEOUT_SECONDS * 20) {
                throw new IllegalStateException("%s: not within %d s".formatted(what, TIMEOUT_SECONDS));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }
}
