package dev.berth.embedded.rest.verb;

import static dev.berth.embedded.InProcess.events;
import static dev.berth.embedded.InProcess.ok;
import static dev.berth.embedded.InProcess.told;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.InProcess;
import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.WatchStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WatchTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String INITIAL = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

    private final InProcess api = new InProcess();

    @Test
    void aWatchWithoutAVersionBeginsWithWhatIsThere() {
        api.createPod("a");
        WatchStream watch = api.watch(PODS + "?watch=true");
        api.createPod("b");

        assertThat(told(watch)).containsExactly("ADDED a", "ADDED b");
        assertThat(told(watch)).isEmpty();
    }

    @Test
    void aWatchFromAVersionTellsOnlyWhatCameAfter() {
        ObjectNode a = api.createPod("a");
        api.createPod("b");
        WatchStream watch = api.watch(PODS + "?watch=true&resourceVersion=" + version(a));
        ok(api.bind("b", "n1"));

        assertThat(told(watch)).containsExactly("ADDED b", "MODIFIED b");
    }

    @Test
    void anObjectThatStopsMatchingArrivesAsDeleted() {
        WatchStream watch = api.watch(PODS + "?watch=true&fieldSelector=spec.nodeName%3D");
        api.createPod("a");
        ok(api.bind("a", "n1"));

        List<WatchEvent> events = events(watch);
        assertThat(events).extracting(WatchEvent::type).containsExactly(WatchEvent.Type.ADDED, WatchEvent.Type.DELETED);
        assertThat(events.get(1).object().path("spec").has("nodeName")).isFalse();
        assertThat(version(events.get(1).object())).isEqualTo(version(ok(api.get(PODS + "/a"))));
    }

    @Test
    void anObjectThatBeginsToMatchArrivesAsAdded() {
        WatchStream watch = api.watch(PODS + "?watch=true&fieldSelector=spec.nodeName%3Dn1");
        api.createPod("a");
        ok(api.bind("a", "n1"));

        assertThat(told(watch)).containsExactly("ADDED a");
    }

    @Test
    void initialEventsEndWithABookmarkThatSaysSo() {
        api.createPod("a");
        WatchStream watch = api.watch(PODS + "?watch=true&allowWatchBookmarks=true" + INITIAL);
        api.createPod("b");

        List<WatchEvent> events = events(watch);
        assertThat(events)
                .extracting(WatchEvent::type)
                .containsExactly(WatchEvent.Type.ADDED, WatchEvent.Type.BOOKMARK, WatchEvent.Type.ADDED);
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
        WatchStream watch = api.watch(PODS + "?watch=true&allowWatchBookmarks=true&resourceVersion=1");
        api.createPod("a");
        AtomicInteger woken = new AtomicInteger();
        watch.onReady(woken::incrementAndGet);
        api.advance(Duration.ofSeconds(59));
        watch.tick(api.now());
        assertThat(told(watch)).containsExactly("ADDED a");

        api.advance(Duration.ofSeconds(1));
        watch.tick(api.now());

        assertThat(woken).hasValue(1);
        List<WatchEvent> events = events(watch);
        assertThat(events).extracting(WatchEvent::type).containsExactly(WatchEvent.Type.BOOKMARK);
        assertThat(version(events.get(0).object())).isEqualTo(version(ok(api.get(PODS + "/a"))));
    }

    @Test
    void nobodyGetsBookmarksUnasked() {
        WatchStream watch = api.watch(PODS + "?watch=true&resourceVersion=1");
        api.advance(Duration.ofMinutes(5));
        watch.tick(api.now());

        assertThat(events(watch)).isEmpty();
    }

    @Test
    void aWatchEndsWhenItsTimeIsOver() {
        WatchStream watch = api.watch(PODS + "?watch=true&timeoutSeconds=30");
        api.advance(Duration.ofSeconds(29));
        watch.tick(api.now());
        assertThat(watch.ended()).isFalse();

        api.advance(Duration.ofSeconds(1));
        watch.tick(api.now());
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void aVersionTheHistoryForgotIsAnErrorEvent() {
        InProcess forgetful = new InProcess(2);
        ObjectNode first = forgetful.createPod("a");
        for (int i = 0; i < 4; i++) {
            forgetful.createPod("b" + i);
        }

        WatchStream watch = forgetful.watch(PODS + "?watch=true&resourceVersion=" + version(first));
        List<WatchEvent> events = events(watch);

        assertThat(events).extracting(WatchEvent::type).containsExactly(WatchEvent.Type.ERROR);
        assertThat(events.get(0).object().path("code").asInt()).isEqualTo(410);
        assertThat(events.get(0).object().path("reason").asText()).isEqualTo("Expired");
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void aWatcherThatSleepsTooLongIsCutOff() {
        InProcess forgetful = new InProcess(2);
        WatchStream watch = forgetful.watch(PODS + "?watch=true&resourceVersion=1");
        for (int i = 0; i < 4; i++) {
            forgetful.createPod("b" + i);
        }

        assertThat(events(watch)).extracting(WatchEvent::type).containsExactly(WatchEvent.Type.ERROR);
        assertThat(watch.ended()).isTrue();
    }

    @Test
    void aFrameIsOneLineOfJson() {
        api.createPod("a");
        WatchEvent event = events(api.watch(PODS + "?watch=true")).get(0);
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

        assertThat(told(api.watch(PODS + "/b?watch=true"))).containsExactly("ADDED b");
    }

    private static String version(ObjectNode object) {
        return object.path("metadata").path("resourceVersion").asText();
    }
}
