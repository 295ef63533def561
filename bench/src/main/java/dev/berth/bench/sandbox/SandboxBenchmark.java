package dev.berth.bench.sandbox;

import dev.berth.bench.BenchmarkReport;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.sandbox.SandboxApiServer;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * Creates and binds pods over HTTP/2 and TLS with one protobuf watcher of all pods: server, client and watcher in one
 * process. The baseline is the server's own work, called in the same process without a network.
 */
public final class SandboxBenchmark {
    private static final int PODS = 5_000;
    private static final int ROUNDS = 8;

    private SandboxBenchmark() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        BenchmarkReport report = new BenchmarkReport(
                "sandbox API server, %d pods a round, 64 requests in flight, one watcher".formatted(PODS));
        SandboxApiServer.Options options = SandboxApiServer.Options.of(InstantSource.system(), new SplittableRandom(1));
        try (SandboxApiServer server = SandboxApiServer.start(options);
                ApiClient client = new ApiClient(access(server), ConnectionSettings.DEFAULT, "berth-bench")) {
            ApiServerLoad load = new ApiServerLoad(client, server.api());
            load.watch();
            for (int round = 0; round < ROUNDS; round++) {
                int first = round * PODS;
                double creates = perSecond(pod -> load.create(first + pod), load);
                double binds = perSecond(pod -> load.bind(first + pod), load);
                double direct = perSecond(pod -> load.createDirectly(first + pod), load);
                report.println("round %d: %,7.0f creates/s  %,7.0f binds/s  in process: %,7.0f creates/s  watched: %s"
                        .formatted(round, creates, binds, direct, load.watchedBytes()));
            }
        }
        report.saveTo(args);
    }

    private static double perSecond(IntConsumer request, ApiServerLoad load) throws InterruptedException {
        long start = System.nanoTime();
        for (int pod = 0; pod < PODS; pod++) {
            request.accept(pod);
        }
        load.awaitResponses();
        return PODS / ((System.nanoTime() - start) / 1e9);
    }

    private static ClientConfig access(SandboxApiServer server) {
        return ClientConfig.withBearerToken(URI.create(server.url()), server.caCertificatePem(), server.token());
    }
}
