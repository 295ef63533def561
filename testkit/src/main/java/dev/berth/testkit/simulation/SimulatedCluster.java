package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.preemption.PreemptionWrite;
import dev.berth.engine.ApiServerClient;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.transport.ClientRequest;
import dev.berth.sandbox.client.transport.ClientResponse;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Carries out effects on the sandbox API server on the caller's thread: at once, unless the random generator decides on
 * a fault.
 */
final class SimulatedCluster implements ApiServerClient {
    private final Transport transport;
    private final DynamicClient client;
    private final WriteEncoders writeEncoders = SimulatedDoors.writeEncoders();
    private final RandomGenerator random;
    private final Supplier<FaultRates> faultRates;
    private final RecordedEffects recordedEffects;
    private final List<InFlightCall<?>> inFlightCalls = new ArrayList<>();

    SimulatedCluster(
            Transport transport,
            RandomGenerator random,
            Supplier<FaultRates> present,
            RecordedEffects recordedEffects) {
        this.transport = transport;
        this.client = new DynamicClient(transport);
        this.random = random;
        this.faultRates = present;
        this.recordedEffects = recordedEffects;
    }

    /** Advances some of the calls in flight by a step. Returns whether there are any. */
    boolean step() {
        for (InFlightCall<?> inFlightCall : List.copyOf(inFlightCalls)) {
            if (random.nextBoolean()) {
                inFlightCall.advance();
            }
        }
        inFlightCalls.removeIf(flight -> flight.response().isDone());
        return !inFlightCalls.isEmpty();
    }

    /** The caller was killed; these of its calls stay in flight. */
    List<InFlightCall<?>> orphanedCalls() {
        return inFlightCalls.stream()
                .filter(inFlightCall -> !inFlightCall.arrived() && random.nextBoolean())
                .toList();
    }

    @Override
    public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
        return write(() -> createBinding(bind));
    }

    private CompletionStage<WriteResponse> write(Supplier<WriteResponse> work) {
        FaultRates faults = faultRates.get();
        int roll = random.nextInt(100);
        if (roll < faults.requestLost()) {
            return send(() -> new WriteResponse.Unknown("the request was lost"));
        }
        if (roll < faults.requestLost() + faults.busy()) {
            return send(() -> new WriteResponse.Throttled(Duration.ofSeconds(1), "busy"));
        }
        int bad = faults.requestLost() + faults.busy() + faults.responseLost();
        if (roll >= bad && roll < bad + faults.unexpected()) {
            return send(this::unexpectedAnswer);
        }
        return send(() -> {
            WriteResponse writeResponse = work.get();
            return roll < bad ? new WriteResponse.Unknown("the answer was lost") : writeResponse;
        });
    }

    /** The response for an object whose writes are denied. */
    private Optional<WriteResponse> persistentRefusal(String key) {
        int roll = Math.floorMod(key.hashCode(), 200);
        if (roll >= 2 * faultRates.get().denied()) {
            return Optional.empty();
        }
        return Optional.of(
                roll % 2 == 0
                        ? new WriteResponse.Denied("a webhook says no to " + key)
                        : new WriteResponse.Conflict("the object has been modified, and no watch event shows it"));
    }

    private WriteResponse unexpectedAnswer() {
        return switch (random.nextInt(3)) {
            case 0 -> new WriteResponse.Conflict("the object has been modified");
            case 1 -> new WriteResponse.NotFound("there is no such object");
            default -> new WriteResponse.Denied("a webhook says no");
        };
    }

    private <T> CompletionStage<T> send(Supplier<T> work) {
        InFlightCall<T> inFlightCall = new InFlightCall<>(work);
        if (faultRates.get().slow() > 0
                && random.nextInt(100) < faultRates.get().slow()) {
            inFlightCalls.add(inFlightCall);
        } else {
            inFlightCall.advance();
            inFlightCall.advance();
        }
        return inFlightCall.response();
    }

    private WriteResponse createBinding(Effect.Bind bind) {
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
            recordedEffects.recordBind(bind.pod().uid(), bind.annotations());
            return new WriteResponse.Succeeded();
        } catch (ApiException refused) {
            return refused.isNotFound()
                    ? new WriteResponse.NotFound(String.valueOf(refused.getMessage()))
                    : new WriteResponse.Conflict(String.valueOf(refused.getMessage()));
        }
    }

    @Override
    public CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark) {
        Optional<WriteResponse> refusal =
                persistentRefusal("condition of pod " + mark.pod().uid());
        if (refusal.isPresent()) {
            return send(refusal::get);
        }
        return writeReport(() -> {
            recordedEffects.recordMessage("%s: %s".formatted(mark.pod(), mark.message()));
            recordedEffects.recordUnschedulable(mark.pod().uid());
        });
    }

    @Override
    public CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent event) {
        recordedEffects.recordEvent("%s: %s".formatted(event.target(), event.note()));
        return writeReport(() ->
                recordedEffects.recordMessage("%s %s".formatted(event.kind().reason(), event.note())));
    }

    private CompletionStage<WriteResponse> writeReport(Runnable words) {
        Supplier<WriteResponse> telling = () -> {
            words.run();
            return new WriteResponse.Succeeded();
        };
        return faultRates.get().affectsAllWrites() ? write(telling) : send(telling);
    }

    @Override
    public CompletionStage<WriteResponse> write(Effect.Write write) {
        Optional<WriteResponse> refusal = persistentRefusal(write.key());
        if (refusal.isPresent()) {
            return send(refusal::get);
        }
        WriteRequest request = writeEncoders.encode(write);
        return write(() -> {
            WriteResponse writeResponse = execute(request);
            if (write instanceof PreemptionWrite.Delete delete && writeResponse instanceof WriteResponse.Succeeded) {
                recordedEffects.recordVictim(
                        delete.victim().uid(),
                        new PodUid(delete.preemptor().target().uid()));
            }
            return writeResponse;
        });
    }

    /** The response is classified as over the network. */
    private WriteResponse execute(WriteRequest request) {
        ObjectNode body = JsonText.parse(request.body().toBytes());
        ClientResponse clientResponse = transport.send(new ClientRequest(
                ClientRequest.Method.valueOf(request.method()),
                request.path(),
                new TreeMap<>(),
                request.contentType(),
                Optional.of(body)));
        String message = NestedFields.text(clientResponse.body(), "message");
        if (clientResponse.isSuccess()) {
            return new WriteResponse.Succeeded();
        }
        return switch (clientResponse.code()) {
            case 404 -> new WriteResponse.NotFound(message);
            case 409 ->
                message.contains("Precondition failed: UID")
                        ? new WriteResponse.NotFound(message)
                        : new WriteResponse.Conflict(message);
            case 422 ->
                message.contains("metadata.uid: Invalid value")
                        ? new WriteResponse.NotFound(message)
                        : new WriteResponse.Denied(message);
            default ->
                throw new IllegalStateException("%s %s: %s".formatted(request.method(), request.path(), message));
        };
    }

    @Override
    public CompletionStage<PodLookupResult> findPod(Effect.PodRef pod) {
        if (faultRates.get().affectsAllWrites()
                && random.nextInt(100) < faultRates.get().responseLost()) {
            return send(() -> new PodLookupResult.ReadFailed("the answer was lost"));
        }
        return send(() -> client.find(address(pod))
                .filter(found -> found.path("metadata")
                        .path("uid")
                        .asText()
                        .equals(pod.uid().value()))
                .map(SimulatedCluster::whereabouts)
                .orElseGet(PodLookupResult.NotFound::new));
    }

    private static PodLookupResult whereabouts(ObjectNode pod) {
        String node = pod.path("spec").path("nodeName").asText();
        return node.isEmpty() ? new PodLookupResult.Unbound() : new PodLookupResult.Bound(node);
    }

    private static ObjectLocation address(Effect.PodRef pod) {
        return RestMapping.PODS.object(pod.namespace(), pod.name());
    }
}
