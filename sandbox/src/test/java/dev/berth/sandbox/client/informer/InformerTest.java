package dev.berth.sandbox.client.informer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class InformerTest {
    private final ScriptedServer server = new ScriptedServer();
    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private final Informer informer = new Informer(
            new LoopEnvironment(new DynamicClient(server), () -> now, new SplittableRandom(1), new WakeSignal()),
            RestMapping.PODS,
            ListScope.ALL);
    private final List<String> told = new ArrayList<>();

    InformerTest() {
        informer.cache()
                .addListener((before, after) ->
                        told.add(before.map(InformerTest::version).orElse("-") + " > "
                                + after.map(InformerTest::version).orElse("-")));
    }

    private static String version(ObjectNode object) {
        return ObjectMetaReader.uid(object) + "@" + ObjectMetaReader.resourceVersion(object);
    }

    private void stepUntilIdle() {
        int steps = 0;
        while (informer.step()) {
            assertThat(steps++).as("steps until the mirror rests").isLessThan(100);
        }
    }

    private List<String> names() {
        return informer.cache().list().stream().map(ObjectMetaReader::name).toList();
    }

    @Test
    void theCacheIsFilledByAListAndUpdatedByAWatch() {
        server.put("a", "1");
        assertThat(informer.hasSynced()).isFalse();
        stepUntilIdle();
        assertThat(informer.hasSynced()).isTrue();
        server.put("b", "2");
        server.put("a", "1");
        server.remove("b");
        stepUntilIdle();
        assertThat(names()).containsExactly("a");
        assertThat(told).containsExactly("- > 1@11", "- > 2@12", "1@11 > 1@13", "2@12 > -");
    }

    @Test
    void aLongListIsReadPageByPage() {
        for (int i = 0; i < 1_100; i++) {
            server.put("pod-%04d".formatted(i), "uid-" + i);
        }
        stepUntilIdle();
        assertThat(names()).hasSize(1_100);
        assertThat(server.calls())
                .containsSubsequence(
                        "/api/v1/pods?limit=500",
                        "/api/v1/pods?continue=500&limit=500",
                        "/api/v1/pods?continue=1000&limit=500");
    }

    @Test
    void anEndedWatchResumesAtItsLastVersion() {
        server.put("a", "1");
        stepUntilIdle();
        server.put("b", "2");
        stepUntilIdle();
        server.endWatches();
        server.put("c", "3");
        stepUntilIdle();
        assertThat(names()).containsExactly("a", "b", "c");
        assertThat(server.calls()).containsExactly("/api/v1/pods?limit=500", "watch from 11", "watch from 12");
    }

    @Test
    void aBookmarkAdvancesTheResumeVersion() {
        server.put("a", "1");
        stepUntilIdle();
        server.bookmark();
        stepUntilIdle();
        server.endWatches();
        stepUntilIdle();
        assertThat(server.calls()).last().isEqualTo("watch from 12");
    }

    @Test
    void anExpiredVersionCausesARelistThatNotifiesOnlyDifferences() {
        server.put("a", "1");
        server.put("b", "2");
        stepUntilIdle();
        told.clear();
        now = now.plusSeconds(2);
        server.endWatches();
        server.remove("a");
        server.put("c", "3");
        server.compact();
        stepUntilIdle();
        assertThat(names()).containsExactly("b", "c");
        assertThat(told).containsExactly("1@11 > -", "- > 3@14");
    }

    @Test
    void aBrokenWatchIsReopenedAfterABackoff() {
        server.put("a", "1");
        stepUntilIdle();
        server.breakWatches();
        server.put("b", "2");
        stepUntilIdle();
        assertThat(names()).containsExactly("a");
        assertThat(informer.nextDue()).hasValueSatisfying(due -> assertThat(due).isAfter(now));
        now = informer.nextDue().orElseThrow();
        stepUntilIdle();
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void anUnreachableServerIsRetriedWithExponentialBackoff() {
        server.unreachable(true);
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            stepUntilIdle();
            Instant due = informer.nextDue().orElseThrow();
            waits.add(Duration.between(now, due));
            now = due;
        }
        assertThat(waits.get(0)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
        assertThat(waits.get(7)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
        server.unreachable(false);
        server.put("a", "1");
        stepUntilIdle();
        assertThat(names()).containsExactly("a");
    }

    @Test
    void aServerThatEndsEveryWatchAtOnceIsRetriedWithBackoff() {
        server.put("a", "1");
        server.endsWatchesAtOnce();
        stepUntilIdle();
        assertThat(server.calls()).hasSize(2);
        assertThat(informer.nextDue()).hasValueSatisfying(due -> assertThat(due).isAfter(now));
    }

    @Test
    void anIdleWatchIsReopened() {
        server.put("a", "1");
        stepUntilIdle();
        now = now.plus(Duration.ofMinutes(11));
        stepUntilIdle();
        assertThat(server.calls()).containsExactly("/api/v1/pods?limit=500", "watch from 11", "watch from 11");
    }

    @Test
    void anAppliedWriteIsVisibleAtOnceAndItsWatchEventChangesNothing() {
        stepUntilIdle();
        ObjectNode written = server.put("a", "1");
        informer.cache().applyWrite(written);
        assertThat(names()).containsExactly("a");
        stepUntilIdle();
        assertThat(told).containsExactly("- > 1@11");
    }

    @Test
    void anOlderWatchEventDoesNotRevertAnAppliedWrite() {
        stepUntilIdle();
        server.put("a", "1");
        ObjectNode written = server.put("a", "1");
        informer.cache().applyWrite(written);
        stepUntilIdle();
        assertThat(told).containsExactly("- > 1@12");
    }

    @Test
    void aWriteResponseAfterTheDeleteEventDoesNotRestoreTheObject() {
        server.put("a", "1");
        stepUntilIdle();
        ObjectNode written = server.put("a", "1");
        server.remove("a");
        stepUntilIdle();
        informer.cache().applyWrite(written);
        assertThat(names()).isEmpty();
        server.put("a", "2");
        stepUntilIdle();
        assertThat(told).containsExactly("- > 1@11", "1@11 > 1@12", "1@12 > -", "- > 2@14");
    }

    @Test
    void aWriteResponseOlderThanTheListDoesNotRestoreTheObject() {
        stepUntilIdle();
        ObjectNode written = server.put("a", "1");
        server.remove("a");
        now = now.plusSeconds(2);
        server.endWatches();
        server.compact();
        stepUntilIdle();
        informer.cache().applyWrite(written);
        assertThat(names()).isEmpty();
    }

    @Test
    void anAppliedDeletionIsVisibleAtOnceAndOlderEventsDoNotRestoreTheObject() {
        ObjectNode first = server.put("a", "1");
        stepUntilIdle();
        server.put("a", "1");
        server.remove("a");
        informer.cache().applyDelete(first);
        assertThat(names()).isEmpty();
        stepUntilIdle();
        server.put("a", "2");
        stepUntilIdle();
        assertThat(told).containsExactly("- > 1@11", "1@11 > -", "- > 2@14");
    }

    @Test
    void anObjectRecreatedUnderItsNameIsNotifiedAsDeletedAndAdded() {
        server.put("a", "1");
        stepUntilIdle();
        now = now.plusSeconds(2);
        server.endWatches();
        server.remove("a");
        server.put("a", "2");
        server.compact();
        stepUntilIdle();
        assertThat(told).containsExactly("- > 1@11", "1@11 > -", "- > 2@13");
    }

    @Test
    void anIndexFollowsTheObjects() {
        Index byUid = informer.cache().index(pod -> List.of(ObjectMetaReader.uid(pod)));
        server.put("a", "1");
        server.put("b", "1");
        stepUntilIdle();
        assertThat(byUid.find("1")).extracting(ObjectMetaReader::name).containsExactly("a", "b");
        server.remove("a");
        stepUntilIdle();
        assertThat(byUid.find("1")).extracting(ObjectMetaReader::name).containsExactly("b");
        assertThat(byUid.find("2")).isEmpty();
    }
}
