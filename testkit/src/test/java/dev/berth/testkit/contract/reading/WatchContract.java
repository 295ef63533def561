package dev.berth.testkit.contract.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.ApiWatch;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Watches: every change once, in order, from any version that is still known. */
public abstract class WatchContract extends ApiServerContract {

    @Test
    void everyChangeArrivesInOrder() {
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        try (ApiWatch watch = api.watch(testNamespace.path("configmaps?resourceVersion=" + from))) {
            ApiResponse created = create("a");
            ApiResponse changed = annotate("a", "x");
            api.delete(testNamespace.path("configmaps/a")).expect(200);

            ApiWatch.Event added = watch.next();
            ApiWatch.Event modified = watch.next();
            ApiWatch.Event deleted = watch.next();

            assertThat(List.of(added.type(), modified.type(), deleted.type()))
                    .containsExactly("ADDED", "MODIFIED", "DELETED");
            assertThat(added.object()).isEqualTo(created.json());
            assertThat(modified.object()).isEqualTo(changed.json());
            assertThat(deleted.object().path("data")).isEqualTo(changed.json().path("data"));
            assertThat(Long.parseLong(deleted.resourceVersion()))
                    .isGreaterThan(Long.parseLong(modified.resourceVersion()));
        }
    }

    @Test
    void nothingBetweenAListAndItsWatchIsMissed() {
        create("before");
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        create("between");
        api.delete(testNamespace.path("configmaps/before")).expect(200);

        try (ApiWatch watch = api.watch(testNamespace.path("configmaps?resourceVersion=" + from))) {
            create("after");

            assertThat(watch.next(3)).containsExactly("ADDED between", "DELETED before", "ADDED after");
        }
    }

    @Test
    void aWatchResumesAfterAnyVersionItSaw() {
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        create("a");
        create("b");
        create("c");
        String last;
        try (ApiWatch watch = api.watch(testNamespace.path("configmaps?resourceVersion=" + from))) {
            watch.next();
            last = watch.next().resourceVersion();
        }

        try (ApiWatch resumed = api.watch(testNamespace.path("configmaps?resourceVersion=" + last))) {
            assertThat(resumed.next(1)).containsExactly("ADDED c");
        }
    }

    @Test
    void aWatchWithoutAVersionBeginsWithTheExistingObjects() {
        create("b");
        create("a");

        try (ApiWatch watch = api.watch(testNamespace.path("configmaps"))) {
            assertThat(watch.next(2)).containsExactlyInAnyOrder("ADDED a", "ADDED b");
            create("c");
            assertThat(watch.next(1)).containsExactly("ADDED c");
        }
    }

    @Test
    void aStreamedListEndsWithABookmark() {
        create("a");
        create("b");

        try (ApiWatch watch = api.watch(testNamespace.path(
                "configmaps?sendInitialEvents=true" + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"))) {
            assertThat(watch.next(2)).containsExactlyInAnyOrder("ADDED a", "ADDED b");
            ApiWatch.Event mark = watch.next();
            assertThat(mark.type()).isEqualTo("BOOKMARK");
            assertThat(mark.object()
                            .at("/metadata/annotations/k8s.io~1initial-events-end")
                            .asText())
                    .isEqualTo("true");
            assertThat(mark.resourceVersion()).matches("[1-9][0-9]*");
            create("c");
            assertThat(watch.next(1)).containsExactly("ADDED c");
        }
    }

    @Test
    void anEmptyStreamedListEndsWithABookmark() {
        try (ApiWatch watch = api.watch(testNamespace.path(
                "configmaps?sendInitialEvents=true" + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"))) {
            assertThat(watch.next().type()).isEqualTo("BOOKMARK");
        }
    }

    @Test
    void aStreamedListRequiresResourceVersionMatch() {
        ApiResponse refused = api.get(testNamespace.path("configmaps?watch=true&sendInitialEvents=true"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("resourceVersionMatch");
    }

    /** The API promises no bookmark to any one watch, so a watch that ends without a bookmark is followed by the next. */
    @Test
    void aBookmarkCarriesAVersionAndNothingElse() {
        boolean bookmarked = false;
        for (int watch = 1; watch <= 5 && !bookmarked; watch++) {
            bookmarked = isBookmarkedAfterAWriteElsewhere(testNamespace.uniqueName("elsewhere-" + watch));
        }

        assertThat(bookmarked)
                .as("a bookmark has the version of a write to another namespace, or a later one")
                .isTrue();
    }

    /**
     * The write comes after the watch is open, and two seconds or more before the bookmark is due. A real server leaves out a
     * bookmark whose version is not later than the events that the watch began with, and it does not try again before the end.
     */
    private boolean isBookmarkedAfterAWriteElsewhere(String configMap) {
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        try (ApiWatch watch = api.watch(
                testNamespace.path("configmaps?allowWatchBookmarks=true&timeoutSeconds=5&resourceVersion=" + from))) {
            long written = Long.parseLong(testNamespace
                    .create("/api/v1/namespaces/default/configmaps", Manifests.configMap(configMap))
                    .resourceVersion());
            Optional<ApiWatch.Event> event = watch.nextOrEnd();
            while (event.isPresent()) {
                ApiWatch.Event bookmark = event.get();
                assertThat(bookmark.type()).isEqualTo("BOOKMARK");
                assertThat(bookmark.object().path("kind").asText()).isEqualTo("ConfigMap");
                assertThat(bookmark.object().path("apiVersion").asText()).isEqualTo("v1");
                assertThat(bookmark.name()).isEmpty();
                if (Long.parseLong(bookmark.resourceVersion()) >= written) {
                    return true;
                }
                event = watch.nextOrEnd();
            }
            return false;
        }
    }

    @Test
    void aWatchOverHttp1IsStreamed() {
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        try (ApiWatch watch = api.watchOverHttp1(testNamespace.path("configmaps?resourceVersion=" + from))) {
            create("a");
            assertThat(watch.next(1)).containsExactly("ADDED a");
            create("b");
            assertThat(watch.next(1)).containsExactly("ADDED b");
        }
    }

    @Test
    void aWatchEndsAfterItsTimeout() {
        try (ApiWatch watch = api.watch(testNamespace.path("configmaps?timeoutSeconds=1"))) {
            assertThat(watch.awaitEnd()).isEmpty();
        }
    }

    @Test
    void aWatchFromACompactedVersionGetsAnExpiredEvent() {
        String old = create("a").resourceVersion();
        String newest = create("b").resourceVersion();
        server.compact(newest);

        for (String kind : List.of("configmaps", "pods")) {
            try (ApiWatch watch = api.watch(testNamespace.path(kind + "?resourceVersion=" + old))) {
                ApiWatch.Event error = watch.next();

                assertThat(error.type()).isEqualTo("ERROR");
                assertThat(error.object().path("kind").asText()).isEqualTo("Status");
                assertThat(error.object().path("code").asInt()).isEqualTo(410);
                assertThat(error.object().path("reason").asText()).isEqualTo("Expired");
                assertThat(error.object().path("message").asText()).startsWith("too old resource version: " + old);
                assertThat(watch.awaitEnd()).isEmpty();
            }
        }
    }

    @Test
    void anObjectThatBeginsOrCeasesToMatchIsAddedOrDeleted() {
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        try (ApiWatch watch =
                api.watch(testNamespace.path("configmaps?labelSelector=on%3Dyes&resourceVersion=" + from))) {
            create("a");
            label("a", "yes");
            annotate("a", "x");
            String gone = label("a", "no").resourceVersion();
            api.delete(testNamespace.path("configmaps/a")).expect(200);
            create("b");
            label("b", "yes");

            assertThat(watch.next(2)).containsExactly("ADDED a", "MODIFIED a");
            ApiWatch.Event ceased = watch.next();
            assertThat(ceased.toString()).isEqualTo("DELETED a");
            assertThat(ceased.resourceVersion()).isEqualTo(gone);
            assertThat(ceased.object().at("/metadata/labels/on").asText()).isEqualTo("yes");
            assertThat(watch.next(1)).containsExactly("ADDED b");
        }
    }

    @Test
    void aBoundPodArrivesAtItsNodesWatch() {
        String from = api.get(testNamespace.path("pods")).resourceVersion();
        try (ApiWatch watch =
                api.watch(testNamespace.path("pods?fieldSelector=spec.nodeName%3Dthere&resourceVersion=" + from))) {
            api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);
            api.post(testNamespace.path("pods/web/binding"), Manifests.binding("web", "there"))
                    .expect(201);

            assertThat(watch.next(1)).containsExactly("ADDED web");
        }
    }

    @Test
    void aWatchOfOneNameSeesOnlyThat() {
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        try (ApiWatch watch =
                api.watch(testNamespace.path("configmaps?fieldSelector=metadata.name%3Db&resourceVersion=" + from))) {
            create("a");
            create("b");

            assertThat(watch.next(1)).containsExactly("ADDED b");
        }
    }

    @Test
    void aWriteThatChangesNothingSendsNoEvent() {
        create("a");
        String from = api.get(testNamespace.path("configmaps")).resourceVersion();
        try (ApiWatch watch = api.watch(testNamespace.path("configmaps?resourceVersion=" + from))) {
            api.patch(testNamespace.path("configmaps/a"), HttpApi.MERGE_PATCH, "{\"data\":{\"a\":\"b\"}}")
                    .expect(200);
            create("next");

            assertThat(watch.next(1)).containsExactly("ADDED next");
        }
    }

    @Test
    void watchesOfAllNamespacesSeeEach() {
        String from = api.get("/api/v1/configmaps").resourceVersion();
        try (ApiWatch watch = api.watch("/api/v1/configmaps?resourceVersion=" + from)) {
            create("a");

            ApiWatch.Event event = watch.await("ADDED", "a");

            assertThat(event.object().at("/metadata/namespace").asText()).isEqualTo(testNamespace.namespace());
        }
    }

    private ApiResponse create(String name) {
        return api.post(testNamespace.path("configmaps"), Manifests.configMap(name))
                .expect(201);
    }

    private ApiResponse annotate(String name, String value) {
        String patch = "{\"metadata\":{\"annotations\":{\"note\":\"%s\"}}}".formatted(value);
        return api.patch(testNamespace.path("configmaps/" + name), HttpApi.MERGE_PATCH, patch)
                .expect(200);
    }

    private ApiResponse label(String name, String value) {
        String patch = "{\"metadata\":{\"labels\":{\"on\":\"%s\"}}}".formatted(value);
        return api.patch(testNamespace.path("configmaps/" + name), HttpApi.MERGE_PATCH, patch)
                .expect(200);
    }
}
