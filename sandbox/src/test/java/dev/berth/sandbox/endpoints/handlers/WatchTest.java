package dev.berth.sandbox.endpoints.handlers;

import static dev.berth.sandbox.InProcessServer.eventSummaries;
import static dev.berth.sandbox.InProcessServer.events;
import static dev.berth.sandbox.InProcessServer.ok;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.WatchResponse;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String INITIAL = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    private final InProcessServer api = new InProcessServer();

    @Test
    void aWatchWithoutAVersionBeginsWithTheExistingObjects() {
        api.createPod("a");
        WatchResponse watch = api.watch(PODS + "?watch=true");
        api.createPod("b");

        assertThat(eventSummaries(watch)).containsExactly("ADDED a", "ADDED b");
        assertThat(eventSummaries(watch)).isEmpty();
    }

    @Test
    void aWatchFromAVersionSendsOnlyLaterEvents() {
        ObjectNode a = api.createPod("a");
        api.createPod("b");
        WatchResponse watch = api.watch(PODS + "?watch=true&resourceVersion=" + version(a));
        ok(api.bind("b", "n1"));

        assertThat(eventSummaries(watch)).containsExactly("ADDED b", "MODIFIED b");
    }

    @Test
    void anObjectThatStopsMatchingArrivesAsDeleted() {
        WatchResponse watch = api.watch(PODS + "?watch=true&fieldSelector=spec.nodeName%3D");
        api.createPod("a");
        ok(api.bind("a", "n1"));

        List<EncodedWatchEvent> events = events(watch);
        assertThat(events)
                .extracting(EncodedWatchEvent::type)
                .containsExactly(EncodedWatchEvent.Type.ADDED, EncodedWatchEvent.Type.DELETED);
        assertThat(events.get(1).object().path("spec").has("nodeName")).isFalse();
        assertThat(version(events.get(1).object())).isEqualTo(version(ok(api.get(PODS + "/a"))));
    }

    @Test
    void anObjectThatBeginsToMatchArrivesAsAdded() {
        WatchResponse watch = api.watch(PODS + "?watch=true&fieldSelector=spec.nodeName%3Dn1");
        api.createPod("a");
        ok(api.bind("a", "n1"));

        assertThat(eventSummaries(watch)).containsExactly("ADDED a");
    }

    @Test
    void initialEventsEndWithAnAnnotatedBookmark() {
        api.createPod("a");
        WatchResponse watch = api.watch(PODS + "?watch=true&allowWatchBookmarks=true" + INITIAL);
        api.createPod("b");

        List<EncodedWatchEvent> events = events(watch);
        assertThat(events)
                .extracting(EncodedWatchEvent::type)
                .containsExactly(
                        EncodedWatchEvent.Type.ADDED, EncodedWatchEvent.Type.BOOKMARK, EncodedWatchEvent.Type.ADDED);
        ObjectNode bookmark = events.get(1).object();
        assertThat(bookmark.path("kind").asText()).isEqualTo("Pod");
        assertThat(bookmark.path("metadata")
                        .path("annotations")
                        .path("k8s.io/initial-events-end")
                        .asText())
                .isEqualTo("true");
    }

    @Test
    void aBookmarkComesAboutOnceAMinute() {
        WatchResponse watch = api.watch(PODS + "?watch=true&allowWatchBookmarks=true&resourceVersion=1");
        api.createPod("a");
        AtomicInteger woken = new AtomicInteger();
        watch.onReady(woken::incrementAndGet);
        api.advance(Duration.ofSeconds(59));
        watch.tick(api.now());
        assertThat(eventSummaries(watch)).containsExactly("ADDED a");

        api.advance(Duration.ofSeconds(1));
        watch.tick(api.now());

        assertThat(woken).hasValue(1);
        List<EncodedWatchEvent> events = events(watch);
        assertThat(events).extracting(EncodedWatchEvent::type).containsExactly(EncodedWatchEvent.Type.BOOKMARK);
        assertThat(version(events.get(0).object())).isEqualTo(version(ok(api.get(PODS + "/a"))));
    }

    @Test
    void bookmarksAreSentOnlyOnRequest() {
        WatchResponse watch = api.watch(PODS + "?watch=true&resourceVersion=1");
        api.advance(Duration.ofMinutes(5));
        watch.tick(api.now());

        assertThat(events(watch)).isEmpty();
    }

    @Test
    void aWatchEndsAtItsTimeout() {
        WatchResponse watch = api.watch(PODS + "?watch=true&timeoutSeconds=30");
        api.advance(Duration.ofSeconds(29));
        watch.tick(api.now());
        assertThat(watch.isEnded()).isFalse();

        api.advance(Duration.ofSeconds(1));
        watch.tick(api.now());
        assertThat(watch.isEnded()).isTrue();
    }

    @Test
    void aCompactedVersionIsAnErrorEvent() {
        InProcessServer forgetful = new InProcessServer(2);
        ObjectNode first = forgetful.createPod("a");
        for (int i = 0; i < 4; i++) {
            forgetful.createPod("b" + i);
        }

        WatchResponse watch = forgetful.watch(PODS + "?watch=true&resourceVersion=" + version(first));
        List<EncodedWatchEvent> events = events(watch);

        assertThat(events).extracting(EncodedWatchEvent::type).containsExactly(EncodedWatchEvent.Type.ERROR);
        assertThat(events.get(0).object().path("code").asInt()).isEqualTo(410);
        assertThat(events.get(0).object().path("reason").asText()).isEqualTo("Expired");
        assertThat(watch.isEnded()).isTrue();
    }

    @Test
    void aWatcherThatFallsBehindTheHistoryGetsAnErrorEvent() {
        InProcessServer forgetful = new InProcessServer(2);
        WatchResponse watch = forgetful.watch(PODS + "?watch=true&resourceVersion=1");
        for (int i = 0; i < 4; i++) {
            forgetful.createPod("b" + i);
        }

        assertThat(events(watch)).extracting(EncodedWatchEvent::type).containsExactly(EncodedWatchEvent.Type.ERROR);
        assertThat(watch.isEnded()).isTrue();
    }

    @Test
    void aFrameIsOneLineOfJson() {
        api.createPod("a");
        EncodedWatchEvent event = events(api.watch(PODS + "?watch=true")).get(0);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        event.frame().forEach(bytes::writeBytes);

        assertThat(bytes.toString(StandardCharsets.UTF_8))
                .startsWith("{\"type\":\"ADDED\",\"object\":{")
                .endsWith("}\n")
                .contains("\"name\":\"a\"");
    }

    @Test
    void oneObjectCanBeWatchedByItsPath() {
        api.createPod("a");
        api.createPod("b");

        assertThat(eventSummaries(api.watch(PODS + "/b?watch=true"))).containsExactly("ADDED b");
    }

    private static String version(ObjectNode object) {
        return object.path("metadata").path("resourceVersion").asText();
    }
}
