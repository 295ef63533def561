package dev.berth.embedded.client.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MirrorTest {
    private final ScriptedServer server = new ScriptedServer();
    private Instant now = Instant.parse("2026-11-15T12:00:00Z");
    private final Mirror mirror = new Mirror(
            new Environment(new ApiClient(server), () -> now, new SplittableRandom(1), new Bell()),
            Resource.PODS,
            Selection.ALL);
    private final List<String> told = new ArrayList<>();

    MirrorTest() {
        mirror.cache()
                .listen((before, after) ->
                        told.add(before.map(MirrorTest::version).orElse("-") + " > "
                                + after.map(MirrorTest::version).orElse("-")));
    }

    private static String version(ObjectNode object) {
        return Meta.uid(object) + "@" + Meta.resourceVersion(object);
    }

    private void settle() {
        int steps = 0;
        while (mirror.step()) {
            assertThat(steps++).as("steps until the mirror rests").isLessThan(100);
        }
    }

    private List<String> names() {
        return mirror.cache().all().stream().map(Meta::name).toList();
    }

    @Test
    void aListFillsItAndAWatchKeepsItEqual() {
        server.put("a", "1");
        assertThat(mirror.synced()).isFalse();
        settle();
        assertThat(mirror.synced()).isTrue();
        server.put("b", "2");
        server.put("a", "1");
        server.remove("b");
        settle();
        assertThat(names()).containsExactly("a");
        assertThat(told).containsExactly("- > 1@11", "- > 2@12", "1@11 > 1@13", "2@12 > -");
    }

    @Test
    void aLongListIsReadPageByPage() {
        for (int i = 0; i < 1_100; i++) {
            server.put("pod-%04d".formatted(i), "uid-" + i);
        }
        settle();
        assertThat(names()).hasSize(1_100);
        assertThat(server.calls())
                .containsSubsequence(
                        "/api/v1/pods?limit=500",
                        "/api/v1/pods?continue=500&limit=500",
                        "/api/v1/pods?continue=1000&limit=500");
    }

    @Test
    void aWatchThatEndsIsResumedWhereItStood() {
        server.put("a", "1");
        settle();
        server.put("b", "2");
        settle();
        server.endWatches();
        server.put("c", "3");
        settle();
        assertThat(names()).containsExactly("a", "b", "c");
        assertThat(server.calls()).containsExactly("/api/v1/pods?limit=500", "watch from 11", "watch from 12");
    }

    @Test
    void aBookmarkMovesThePlaceToResumeFrom() {
        server.put("a", "1");
        settle();
        server.bookmark();
        settle();
        server.endWatches();
        settle();
        assertThat(server.calls()).last().isEqualTo("watch from 12");
    }

    @Test
    void whatTheServerForgotIsListedAgainAndOnlyDifferencesAreTold() {
        server.put("a", "1");
        server.put("b", "2");
        settle();
        told.clear();
        now = now.plusSeconds(2);
        server.endWatches();
        server.remove("a");
        server.put("c", "3");
        server.forgetHistory();
        settle();
        assertThat(names()).containsExactly("b", "c");
        assertThat(told).containsExactly("1@11 > -", "- > 3@14");
    }

    @Test
    void aBrokenWatchIsTriedAgainOnlyAfterAWhile() {
        server.put("a", "1");
        settle();
        server.breakWatches();
        server.put("b", "2");
        settle();
        assertThat(names()).containsExactly("a");
        assertThat(mirror.nextDue()).hasValueSatisfying(due -> assertThat(due).isAfter(now));
        now = mirror.nextDue().orElseThrow();
        settle();
        assertThat(names()).containsExactly("a", "b");
    }

    @Test
    void anUnreachableServerIsAskedEverMoreSeldom() {
        server.unreachable(true);
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            settle();
            Instant due = mirror.nextDue().orElseThrow();
            waits.add(Duration.between(now, due));
            now = due;
        }
        assertThat(waits.get(0)).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
        assertThat(waits.get(7)).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
        server.unreachable(false);
        server.put("a", "1");
        settle();
        assertThat(names()).containsExactly("a");
    }

    @Test
    void aServerThatEndsEveryWatchAtOnceIsNotAskedInATightLoop() {
        server.put("a", "1");
        server.endsWatchesAtOnce();
        settle();
        assertThat(server.calls()).hasSize(2);
        assertThat(mirror.nextDue()).hasValueSatisfying(due -> assertThat(due).isAfter(now));
    }

    @Test
    void aWatchThatSaysNothingForTooLongIsOpenedAnew() {
        server.put("a", "1");
        settle();
        now = now.plus(Duration.ofMinutes(11));
        settle();
        assertThat(server.calls()).containsExactly("/api/v1/pods?limit=500", "watch from 11", "watch from 11");
    }

    @Test
    void anOwnWriteIsSeenAtOnceAndItsEchoChangesNothing() {
        settle();
        ObjectNode written = server.put("a", "1");
        mirror.cache().wrote(written);
        assertThat(names()).containsExactly("a");
        settle();
        assertThat(told).containsExactly("- > 1@11");
    }

    @Test
    void whatWasOnTheWayBeforeAnOwnWriteDoesNotTurnItBack() {
        settle();
        server.put("a", "1");
        ObjectNode written = server.put("a", "1");
        mirror.cache().wrote(written);
        settle();
        assertThat(told).containsExactly("- > 1@12");
    }

    @Test
    void theAnswerToAWriteThatComesAfterTheDeletionWasSeenDoesNotBringTheObjectBack() {
        server.put("a", "1");
        settle();
        ObjectNode written = server.put("a", "1");
        server.remove("a");
        settle();
        mirror.cache().wrote(written);
        assertThat(names()).isEmpty();
        server.put("a", "2");
        settle();
        assertThat(told).containsExactly("- > 1@11", "1@11 > 1@12", "1@12 > -", "- > 2@14");
    }

    @Test
    void theAnswerToAWriteThatAListNoLongerShowsDoesNotBringTheObjectBack() {
        settle();
        ObjectNode written = server.put("a", "1");
        server.remove("a");
        now = now.plusSeconds(2);
        server.endWatches();
        server.forgetHistory();
        settle();
        mirror.cache().wrote(written);
        assertThat(names()).isEmpty();
    }

    @Test
    void anOwnDeletionIsSeenAtOnceAndOldNewsDoNotBringItBack() {
        ObjectNode first = server.put("a", "1");
        settle();
        server.put("a", "1");
        server.remove("a");
        mirror.cache().deleted(first);
        assertThat(names()).isEmpty();
        settle();
        server.put("a", "2");
        settle();
        assertThat(told).containsExactly("- > 1@11", "1@11 > -", "- > 2@14");
    }

    @Test
    void anotherObjectOfTheSameNameIsToldAsGoneAndCome() {
        server.put("a", "1");
        settle();
        now = now.plusSeconds(2);
        server.endWatches();
        server.remove("a");
        server.put("a", "2");
        server.forgetHistory();
        settle();
        assertThat(told).containsExactly("- > 1@11", "1@11 > -", "- > 2@13");
    }

    @Test
    void anIndexFollowsTheObjects() {
        Index byUid = mirror.cache().index(pod -> List.of(Meta.uid(pod)));
        server.put("a", "1");
        server.put("b", "1");
        settle();
        assertThat(byUid.of("1")).extracting(Meta::name).containsExactly("a", "b");
        server.remove("a");
        settle();
        assertThat(byUid.of("1")).extracting(Meta::name).containsExactly("b");
        assertThat(byUid.of("2")).isEmpty();
    }
}
