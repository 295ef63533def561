package dev.berth.bench.embedded;

import dev.berth.bench.Report;
import dev.berth.embedded.EmbeddedApiServer;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.http2.Limits;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * Creates and binds pods over HTTP/2 and TLS with one protobuf watcher of all pods attached: server, client and watcher in
 * one process. The server's own work without a network, called in the same process, is the baseline beside it.
 */
public final class EmbeddedBenchmark {
    private static final int PODS = 5_000;
    private static final int ROUNDS = 8;

    private EmbeddedBenchmark() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Report report =
                new Report("embedded API server, %d pods a round, 64 requests in flight, one watcher".formatted(PODS));
        EmbeddedApiServer.Options options =
                EmbeddedApiServer.Options.of(InstantSource.system(), new SplittableRandom(1));
        try (EmbeddedApiServer server = EmbeddedApiServer.start(options);
                ApiClient client = new ApiClient(access(server), Limits.DEFAULT, "berth-bench")) {
            Load load = new Load(client, server.api());
            load.watch();
            for (int round = 0; round < ROUNDS; round++) {
                int first = round * PODS;
                double creates = perSecond(pod -> load.create(first + pod), load);
                double binds = perSecond(pod -> load.bind(first + pod), load);
                double direct = perSecond(pod -> load.createDirectly(first + pod), load);
                report.say("round %d: %,7.0f creates/s  %,7.0f binds/s  in process: %,7.0f creates/s  watched: %s"
                        .formatted(round, creates, binds, direct, load.seen()));
            }
        }
        report.keep(args);
    }

    private static double perSecond(IntConsumer request, Load load) throws InterruptedException {
        long start = System.nanoTime();
        for (int pod = 0; pod < PODS; pod++) {
            request.accept(pod);
        }
        load.awaitAnswers();
        return PODS / ((System.nanoTime() - start) / 1e9);
    }

    private static ClusterAccess access(EmbeddedApiServer server) {
        return ClusterAccess.byToken(URI.create(server.url()), server.authorityPem(), server.token());
    }
}
