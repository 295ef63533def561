package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.decision.Effect;
import dev.berth.core.door.preemption.PreemptionWrite;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.transport.Call;
import dev.berth.embedded.client.transport.Reply;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.engine.Answer;
import dev.berth.engine.Cluster;
import dev.berth.engine.Whereabouts;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Effects carried out on the embedded API server on the caller's thread: at once, unless the dice want trouble. */
final class SimulatedCluster implements Cluster {
    private final Transport transport;
    private final ApiClient client;
    private final ObjectForms forms = SimulatedDoors.forms();
    private final RandomGenerator dice;
    private final Supplier<Faults> present;
    private final Journal journal;
    private final List<Flight<?>> flights = new ArrayList<>();

    SimulatedCluster(Transport transport, RandomGenerator dice, Supplier<Faults> present, Journal journal) {
        this.transport = transport;
        this.client = new ApiClient(transport);
        this.dice = dice;
        this.present = present;
        this.journal = journal;
    }

    /** Takes some of the calls on their way a step further; says whether there are any. */
    boolean step() {
        for (Flight<?> flight : List.copyOf(flights)) {
            if (dice.nextBoolean()) {
                flight.go();
            }
        }
        flights.removeIf(flight -> flight.answer().isDone());
        return !flights.isEmpty();
    }

    /** Whoever called is dead; these of its calls are on their way all the same. */
    List<Flight<?>> orphans() {
        return flights.stream()
                .filter(flight -> !flight.arrived() && dice.nextBoolean())
                .toList();
    }

    @Override
    public CompletionStage<Answer> bind(Effect.Bind bind) {
        return write(() -> post(bind));
    }

    private CompletionStage<Answer> write(Supplier<Answer> work) {
        Faults faults = present.get();
        int roll = dice.nextInt(100);
        if (roll < faults.lostBefore()) {
            return send(() -> new Answer.Unknown("the request was lost"));
        }
        if (roll < faults.lostBefore() + faults.busy()) {
            return send(() -> new Answer.Throttled(Duration.ofSeconds(1), "busy"));
        }
        int bad = faults.lostBefore() + faults.busy() + faults.lostAfter();
        if (roll >= bad && roll < bad + faults.odd()) {
            return send(this::odd);
        }
        return send(() -> {
            Answer answer = work.get();
            return roll < bad ? new Answer.Unknown("the answer was lost") : answer;
        });
    }

    /** What is answered as long as the object is one of those whose writes are refused. */
    private Optional<Answer> refusal(String key) {
        int roll = Math.floorMod(key.hashCode(), 200);
        if (roll >= 2 * present.get().refused()) {
            return Optional.empty();
        }
        return Optional.of(
                roll % 2 == 0
                        ? new Answer.Denied("a webhook says no to " + key)
                        : new Answer.Conflict("somebody was quicker, and nothing shows it"));
    }

    private Answer odd() {
        return switch (dice.nextInt(3)) {
            case 0 -> new Answer.Conflict("somebody was quicker");
            case 1 -> new Answer.Gone("there is no such object");
            default -> new Answer.Denied("a webhook says no");
        };
    }

    private <T> CompletionStage<T> send(Supplier<T> work) {
        Flight<T> flight = new Flight<>(work);
        if (present.get().slow() > 0 && dice.nextInt(100) < present.get().slow()) {
            flights.add(flight);
        } else {
            flight.go();
            flight.go();
        }
        return flight.answer();
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
            journal.bound(bind.pod().uid(), bind.annotations());
            return new Answer.Done();
        } catch (ApiException refused) {
            return refused.notFound()
                    ? new Answer.Gone(String.valueOf(refused.getMessage()))
                    : new Answer.Conflict(String.valueOf(refused.getMessage()));
        }
    }

    @Override
    public CompletionStage<Answer> mark(Effect.MarkUnscheduled mark) {
        Optional<Answer> refusal = refusal("condition of pod " + mark.pod().uid());
        if (refusal.isPresent()) {
            return send(refusal::get);
        }
        return tell(() -> {
            journal.tell("%s: %s".formatted(mark.pod(), mark.message()));
            journal.marked(mark.pod().uid());
        });
    }

    @Override
    public CompletionStage<Answer> announce(Effect.Announce announcement) {
        journal.announced("%s: %s".formatted(announcement.subject(), announcement.note()));
        return tell(() -> journal.tell("%s %s".formatted(announcement.kind().reason(), announcement.note())));
    }

    private CompletionStage<Answer> tell(Runnable words) {
        Supplier<Answer> telling = () -> {
            words.run();
            return new Answer.Done();
        };
        return present.get().everywhere() ? write(telling) : send(telling);
    }

    @Override
    public CompletionStage<Answer> write(Effect.Write write) {
        Optional<Answer> refusal = refusal(write.key());
        if (refusal.isPresent()) {
            return send(refusal::get);
        }
        ObjectRequest request = forms.of(write);
        return write(() -> {
            Answer answer = carryOut(request);
            if (write instanceof PreemptionWrite.Delete delete && answer instanceof Answer.Done) {
                journal.sentAway(delete.victim().uid(), delete.by().uid());
            }
            return answer;
        });
    }

    /** What the answer means is what it means over the network. */
    private Answer carryOut(ObjectRequest request) {
        ObjectNode body = Json.parse(request.body().write());
        Reply reply = transport.send(new Call(
                Call.Method.valueOf(request.method()),
                request.path(),
                new TreeMap<>(),
                request.contentType(),
                Optional.of(body)));
        String message = Json.text(reply.body(), "message");
        if (reply.ok()) {
            return new Answer.Done();
        }
        return switch (reply.code()) {
            case 404 -> new Answer.Gone(message);
            case 409 ->
                message.contains("Precondition failed: UID") ? new Answer.Gone(message) : new Answer.Conflict(message);
            case 422 ->
                message.contains("metadata.uid: Invalid value") ? new Answer.Gone(message) : new Answer.Denied(message);
            default ->
                throw new IllegalStateException("%s %s: %s".formatted(request.method(), request.path(), message));
        };
    }

    @Override
    public CompletionStage<Whereabouts> find(Effect.PodRef pod) {
        if (present.get().everywhere() && dice.nextInt(100) < present.get().lostAfter()) {
            return send(() -> new Whereabouts.NotKnown("the answer was lost"));
        }
        return send(() -> client.find(address(pod))
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
