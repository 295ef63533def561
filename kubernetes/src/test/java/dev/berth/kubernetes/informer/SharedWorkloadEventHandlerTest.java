package dev.berth.kubernetes.informer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Workload;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.godel.ReservationRequest;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubeclient.kubeconfig.Credentials;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.door.godel.GodelApi;
import dev.berth.kubernetes.door.godel.ReservationRequestProjection;
import dev.berth.kubernetes.effects.ConditionDeduplicator;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.http2.ScriptedServer;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.SharedWorkloadProjection;
import dev.berth.kubernetes.projection.SharedWorkloadProjection.SharedView;
import dev.berth.kubernetes.watch.ApiResource;
import dev.berth.kubernetes.watch.WatchHealth;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** StatefulSets are read by one watch, for the ledger and for the door of return. */
@Timeout(60)
class SharedWorkloadEventHandlerTest {
    private final List<String> published = new ArrayList<>();
    private final FactPublisher factPublisher = new FactPublisher(new RecordingFactSink());
    private final SharedWorkloadProjection<ReservationRequest> projection = new SharedWorkloadProjection<>(
            Workload.Kind.STATEFUL_SET,
            new ReservationRequestProjection(ReservationRequest.RequesterKind.STATEFUL_SET));
    private final SharedWorkloadEventHandler<ReservationRequest> listener = new SharedWorkloadEventHandler<>(
            new WorkloadEventHandler(factPublisher, () -> published.add("workloads listed")),
            new WatchedResourceEventHandler<>(
                    new WatchedResource<>(
                            ApiResource.forWorkload(Workload.Kind.STATEFUL_SET),
                            new ReservationRequestProjection(ReservationRequest.RequesterKind.STATEFUL_SET),
                            GodelFact.RequestUpserted::new,
                            GodelFact.RequestDeleted::new),
                    factPublisher,
                    () -> published.add("door listed")));

    private final class RecordingFactSink implements FactSink {
        @Override
        public void accept(Fact fact) {
            published.add(fact.getClass().getSimpleName());
        }

        @Override
        public void onListed(ListedKind listedKind) {}
    }

    private ReadResult<SharedView<ReservationRequest>> read(String annotations) {
        String json = """
                {"metadata":{"name":"db","namespace":"shop","uid":"u","resourceVersion":"7","annotations":{%s}},
                 "spec":{"selector":{"matchLabels":{"app":"db"}}}}""".formatted(annotations);
        List<ReadResult<SharedView<ReservationRequest>>> readResult = new ArrayList<>();
        new StreamReaders()
                .readObject(
                        WireFormat.JSON,
                        json.getBytes(StandardCharsets.UTF_8),
                        in -> readResult.add(projection.read(in)));
        return readResult.get(0);
    }

    private List<String> publishedFor(String annotations) {
        published.clear();
        ReadResult<SharedView<ReservationRequest>> readResult = read(annotations);
        listener.onUpsert(readResult.uid(), readResult.view().orElseThrow());
        return published;
    }

    @Test
    void theDoorIsNotifiedOnlyOfItsWorkloadsAndOfTheirDeletion() {
        assertThat(publishedFor("")).containsExactly("WorkloadUpserted");
        assertThat(publishedFor("\"godel.bytedance.com/reservation\":\"true\""))
                .containsExactly("WorkloadUpserted", "RequestUpserted");
        assertThat(publishedFor("\"example.com/other\":\"x\"")).containsExactly("WorkloadUpserted", "RequestDeleted");
        assertThat(publishedFor("\"godel.bytedance.com/reservation-ttl\":\"60\""))
                .containsExactly("WorkloadUpserted", "RequestUpserted");
        published.clear();
        listener.onDelete("u", Optional.empty());
        listener.onDelete("u", Optional.empty());
        listener.onSynced();
        assertThat(published).containsExactly("WorkloadDeleted", "RequestDeleted", "workloads listed", "door listed");
    }

    @Test
    void noKindIsWatchedTwice() {
        ScriptedServer server = ScriptedServer.serving(in -> {});
        try (ApiClient client = new ApiClient(
                new ClientConfig(server.endpoint(), "", Credentials.ofBearerToken("secret"), "default"),
                ConnectionSettings.DEFAULT,
                "berth/test")) {
            ClusterInformers informers = new ClusterInformers(
                    client,
                    new RecordingFactSink(),
                    new ConditionDeduplicator(),
                    InformerSettings.DEFAULT,
                    ClusterInformers.reflectorContext(client, InstantSource.system(), new Random(1)),
                    GodelApi.informers());
            assertThat(informers.watchStatuses())
                    .extracting(WatchHealth.WatchStatus::kind)
                    .contains("statefulsets", "deployments")
                    .doesNotHaveDuplicates();
            informers.close();
        } finally {
            server.close();
        }
    }
}
