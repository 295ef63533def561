package dev.berth.kubernetes.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.comeback.Petition;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.connection.Credentials;
import dev.berth.kubernetes.door.comeback.Comeback;
import dev.berth.kubernetes.door.comeback.PetitionProjection;
import dev.berth.kubernetes.effects.ConditionBook;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.http2.Limits;
import dev.berth.kubernetes.http2.ScriptedServer;
import dev.berth.kubernetes.projection.JointProjection;
import dev.berth.kubernetes.projection.JointProjection.Joint;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.watch.KindPath;
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
class JointListenerTest {
    private final List<String> told = new ArrayList<>();
    private final Facts facts = new Facts(new Told());
    private final JointProjection<Petition> projection =
            new JointProjection<>(Workload.Kind.STATEFUL_SET, new PetitionProjection(Petition.Kind.STATEFUL_SET));
    private final JointListener<Petition> listener = new JointListener<>(
            new WorkloadListener(facts, () -> told.add("workloads listed")),
            new ObjectListener<>(
                    new ObjectFeed<>(
                            KindPath.of(Workload.Kind.STATEFUL_SET),
                            new PetitionProjection(Petition.Kind.STATEFUL_SET),
                            ComebackFact.PetitionSeen::new,
                            ComebackFact.PetitionGone::new),
                    facts,
                    () -> told.add("door listed")));

    private final class Told implements FactSink {
        @Override
        public void accept(Fact fact) {
            told.add(fact.getClass().getSimpleName());
        }

        @Override
        public void listed(Source source) {}
    }

    private Seen<Joint<Petition>> read(String annotations) {
        String json = """
                {"metadata":{"name":"db","namespace":"shop","uid":"u","resourceVersion":"7","annotations":{%s}},
                 "spec":{"selector":{"matchLabels":{"app":"db"}}}}""".formatted(annotations);
        List<Seen<Joint<Petition>>> seen = new ArrayList<>();
        new Readers().object(Format.JSON, json.getBytes(StandardCharsets.UTF_8), in -> seen.add(projection.read(in)));
        return seen.get(0);
    }

    private List<String> toldOf(String annotations) {
        told.clear();
        Seen<Joint<Petition>> seen = read(annotations);
        listener.seen(seen.uid(), seen.view().orElseThrow());
        return told;
    }

    @Test
    void theDoorHearsOnlyOfThoseThatAskItAndOfTheirEnd() {
        assertThat(toldOf("")).containsExactly("WorkloadSeen");
        assertThat(toldOf("\"godel.bytedance.com/reservation\":\"true\""))
                .containsExactly("WorkloadSeen", "PetitionSeen");
        assertThat(toldOf("\"example.com/other\":\"x\"")).containsExactly("WorkloadSeen", "PetitionGone");
        assertThat(toldOf("\"godel.bytedance.com/reservation-ttl\":\"60\""))
                .containsExactly("WorkloadSeen", "PetitionSeen");
        told.clear();
        listener.gone("u", Optional.empty());
        listener.gone("u", Optional.empty());
        listener.listed();
        assertThat(told).containsExactly("WorkloadGone", "PetitionGone", "workloads listed", "door listed");
    }

    @Test
    void noKindIsWatchedTwice() {
        ScriptedServer server = ScriptedServer.serving(in -> {});
        try (ApiClient client = new ApiClient(
                new ClusterAccess(server.endpoint(), "", Credentials.token("secret"), "default"),
                Limits.DEFAULT,
                "berth/test")) {
            ClusterFeed feed = new ClusterFeed(
                    client,
                    new Told(),
                    new ConditionBook(),
                    FeedSettings.DEFAULT,
                    ClusterFeed.surroundings(client, InstantSource.system(), new Random(1)),
                    Comeback.feeds());
            assertThat(feed.watches())
                    .extracting(WatchHealth.State::kind)
                    .contains("statefulsets", "deployments")
                    .doesNotHaveDuplicates();
            feed.close();
        } finally {
            server.close();
        }
    }
}
