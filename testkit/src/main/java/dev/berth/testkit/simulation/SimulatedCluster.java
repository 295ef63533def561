package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.decision.Effect;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Resource;
import dev.berth.engine.Answer;
import dev.berth.engine.Cluster;
import dev.berth.engine.Whereabouts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** Effects carried out on the embedded API server at once, on the caller's thread, unless a fault is thrown. */
final class SimulatedCluster implements Cluster {
    private final ApiClient client;
    private final RandomGenerator dice;
    private final Faults faults;
    private final List<String> told = new ArrayList<>();

    SimulatedCluster(ApiClient client, RandomGenerator dice, Faults faults) {
        this.client = client;
        this.dice = dice;
        this.faults = faults;
    }

    /** What was said on pods' conditions and in events, in the order of saying. */
    List<String> told() {
        return told;
    }

    @Override
    public CompletionStage<Answer> bind(Effect.Bind bind) {
        int roll = dice.nextInt(100);
        if (roll < faults.lostBefore()) {
            return CompletableFuture.completedFuture(new Answer.Unknown("the request was lost"));
        }
        if (roll < faults.lostBefore() + faults.busy()) {
            return CompletableFuture.completedFuture(new Answer.Throttled(Duration.ofSeconds(1), "busy"));
        }
        Answer answer = post(bind);
        boolean lost = roll < faults.lostBefore() + faults.busy() + faults.lostAfter();
        return CompletableFuture.completedFuture(lost ? new Answer.Unknown("the answer was lost") : answer);
    }

    private Answer post(Effect.Bind bind) {
        ObjectNode body =
                JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Binding");
        ObjectNode metadata = body.putObject("metadata")
                .put("name", bind.pod().name())
                .put("namespace", bind.pod().namespace())
                .put("uid", bind.pod().uid().value());
        bind.annotations().forEach(metadata.putObject("annotations")::put);
        body.putObject("target").put("kind", "Node").put("name", bind.node());
        try {
            client.create(address(bind.pod()), "binding", body);
            return new Answer.Done();
        } catch (ApiException refused) {
            return refused.notFound()
                    ? new Answer.Gone(String.valueOf(refused.getMessage()))
                    : new Answer.Conflict(String.valueOf(refused.getMessage()));
        }
    }

    @Override
    public CompletionStage<Answer> mark(Effect.MarkUnscheduled mark) {
        told.add("%s: %s".formatted(mark.pod(), mark.message()));
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    @Override
    public CompletionStage<Answer> announce(Effect.Announce announcement) {
        told.add("%s %s".formatted(announcement.kind().reason(), announcement.note()));
        return CompletableFuture.completedFuture(new Answer.Done());
    }

    @Override
    public CompletionStage<Answer> write(Effect.Write write) {
        throw new IllegalArgumentException("no door is open in this simulation, but (%s)".formatted(write.key()));
    }

    @Override
    public CompletionStage<Whereabouts> find(Effect.PodRef pod) {
        return CompletableFuture.completedFuture(client.find(address(pod))
                .filter(found -> found.path("metadata")
                        .path("uid")
                        .asText()
                        .equals(pod.uid().value()))
                .map(SimulatedCluster::whereabouts)
                .orElseGet(Whereabouts.Gone::new));
    }

    private static Whereabouts whereabouts(ObjectNode pod) {
        String node = pod.path("spec").path("nodeName").asText();
        return node.isEmpty() ? new Whereabouts.Unbound() : new Whereabouts.OnNode(node);
    }

    private static Address address(Effect.PodRef pod) {
        return Resource.PODS.at(pod.namespace(), pod.name());
    }
}
