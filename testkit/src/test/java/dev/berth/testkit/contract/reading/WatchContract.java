package dev.berth.testkit.contract.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Api;
import dev.berth.testkit.contract.Contract;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.Reply;
import dev.berth.testkit.contract.Watching;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Watches: every change once, in order, from any version that is still known. */
public abstract class WatchContract extends Contract {

    @Test
    void everyChangeArrivesInOrder() {
        String from = api.get(scratch.path("configmaps")).version();
        try (Watching watch = api.watch(scratch.path("configmaps?resourceVersion=" + from))) {
            Reply created = create("a");
            Reply changed = annotate("a", "x");
            api.delete(scratch.path("configmaps/a")).expect(200);

            Watching.Event added = watch.next();
            Watching.Event modified = watch.next();
            Watching.Event deleted = watch.next();

            assertThat(List.of(added.type(), modified.type(), deleted.type()))
                    .containsExactly("ADDED", "MODIFIED", "DELETED");
            assertThat(added.object()).isEqualTo(created.json());
            assertThat(modified.object()).isEqualTo(changed.json());
            assertThat(deleted.object().path("data")).isEqualTo(changed.json().path("data"));
            assertThat(Long.parseLong(deleted.version())).isGreaterThan(Long.parseLong(modified.version()));
        }
    }

    @Test
    void nothingBetweenAListAndItsWatchIsMissed() {
        create("before");
        String from = api.get(scratch.path("configmaps")).version();
        create("between");
        api.delete(scratch.path("configmaps/before")).expect(200);

        try (Watching watch = api.watch(scratch.path("configmaps?resourceVersion=" + from))) {
            create("after");

            assertThat(watch.next(3)).containsExactly("ADDED between", "DELETED before", "ADDED after");
        }
    }

    @Test
    void aWatchResumesAfterAnyVersionItSaw() {
        String from = api.get(scratch.path("configmaps")).version();
        create("a");
        create("b");
        create("c");
        String last;
        try (Watching watch = api.watch(scratch.path("configmaps?resourceVersion=" + from))) {
            watch.next();
            last = watch.next().version();
        }

        try (Watching resumed = api.watch(scratch.path("configmaps?resourceVersion=" + last))) {
            assertThat(resumed.next(1)).containsExactly("ADDED c");
        }
    }

    @Test
    void aWatchWithoutAVersionBeginsWithWhatIsThere() {
        create("b");
        create("a");

        try (Watching watch = api.watch(scratch.path("configmaps"))) {
            assertThat(watch.next(2)).containsExactlyInAnyOrder("ADDED a", "ADDED b");
            create("c");
            assertThat(watch.next(1)).containsExactly("ADDED c");
        }
    }

    @Test
    void aStreamedListIsMarkedWhereItEnds() {
        create("a");
        create("b");

        try (Watching watch = api.watch(scratch.path(
                "configmaps?sendInitialEvents=true" + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"))) {
            assertThat(watch.next(2)).containsExactlyInAnyOrder("ADDED a", "ADDED b");
            Watching.Event mark = watch.next();
            assertThat(mark.type()).isEqualTo("BOOKMARK");
            assertThat(mark.object()
                            .at("/metadata/annotations/k8s.io~1initial-events-end")
                            .asText())
                    .isEqualTo("true");
            assertThat(mark.version()).matches("[1-9][0-9]*");
            create("c");
            assertThat(watch.next(1)).containsExactly("ADDED c");
        }
    }

    @Test
    void aStreamedListOfNothingIsMarkedAtOnce() {
        try (Watching watch = api.watch(scratch.path(
                "configmaps?sendInitialEvents=true" + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"))) {
            assertThat(watch.next().type()).isEqualTo("BOOKMARK");
        }
    }

    @Test
    void aStreamedListNeedsAWayToMatchVersions() {
        Reply refused = api.get(scratch.path("configmaps?watch=true&sendInitialEvents=true"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("resourceVersionMatch");
    }

    @Test
    void aBookmarkCarriesAVersionAndNothingElse() {
        String from = api.get(scratch.path("configmaps")).version();
        Reply elsewhere =
                scratch.create("/api/v1/namespaces/default/configmaps", Manifests.configMap(scratch.name("elsewhere")));

        try (Watching watch = api.watch(
                scratch.path("configmaps?allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion=" + from))) {
            Watching.Event last = watch.next();

            assertThat(last.type()).isEqualTo("BOOKMARK");
            assertThat(last.object().path("kind").asText()).isEqualTo("ConfigMap");
            assertThat(last.object().path("apiVersion").asText()).isEqualTo("v1");
            assertThat(last.name()).isEmpty();
            assertThat(Long.parseLong(last.version())).isGreaterThanOrEqualTo(Long.parseLong(elsewhere.version()));
        }
    }

    @Test
    void aWatchOverHttpOneComesInPiecesAsItHappens() {
        String from = api.get(scratch.path("configmaps")).version();
        try (Watching watch = api.watchOverHttp1(scratch.path("configmaps?resourceVersion=" + from))) {
            create("a");
            assertThat(watch.next(1)).containsExactly("ADDED a");
            create("b");
            assertThat(watch.next(1)).containsExactly("ADDED b");
        }
    }

    @Test
    void aWatchEndsAfterItsTimeout() {
        try (Watching watch = api.watch(scratch.path("configmaps?timeoutSeconds=1"))) {
            assertThat(watch.untilTheEnd()).isEmpty();
        }
    }

    @Test
    void aWatchFromAForgottenVersionIsToldSoByAnEvent() {
        String old = create("a").version();
        String newest = create("b").version();
        server.forget(newest);

        for (String kind : List.of("configmaps", "pods")) {
            try (Watching watch = api.watch(scratch.path(kind + "?resourceVersion=" + old))) {
                Watching.Event error = watch.next();

                assertThat(error.type()).isEqualTo("ERROR");
                assertThat(error.object().path("kind").asText()).isEqualTo("Status");
                assertThat(error.object().path("code").asInt()).isEqualTo(410);
                assertThat(error.object().path("reason").asText()).isEqualTo("Expired");
                assertThat(error.object().path("message").asText()).startsWith("too old resource version: " + old);
                assertThat(watch.untilTheEnd()).isEmpty();
            }
        }
    }

    @Test
    void anObjectThatBeginsOrCeasesToMatchIsAddedOrDeleted() {
        String from = api.get(scratch.path("configmaps")).version();
        try (Watching watch = api.watch(scratch.path("configmaps?labelSelector=on%3Dyes&resourceVersion=" + from))) {
            create("a");
            label("a", "yes");
            annotate("a", "x");
            String gone = label("a", "no").version();
            api.delete(scratch.path("configmaps/a")).expect(200);
            create("b");
            label("b", "yes");

            assertThat(watch.next(2)).containsExactly("ADDED a", "MODIFIED a");
            Watching.Event ceased = watch.next();
            assertThat(ceased.toString()).isEqualTo("DELETED a");
            assertThat(ceased.version()).isEqualTo(gone);
            assertThat(ceased.object().at("/metadata/labels/on").asText()).isEqualTo("yes");
            assertThat(watch.next(1)).containsExactly("ADDED b");
        }
    }

    @Test
    void aBoundPodArrivesAtItsNodesWatch() {
        String from = api.get(scratch.path("pods")).version();
        try (Watching watch =
                api.watch(scratch.path("pods?fieldSelector=spec.nodeName%3Dthere&resourceVersion=" + from))) {
            api.post(scratch.path("pods"), Manifests.pod("web")).expect(201);
            api.post(scratch.path("pods/web/binding"), Manifests.binding("web", "there"))
                    .expect(201);

            assertThat(watch.next(1)).containsExactly("ADDED web");
        }
    }

    @Test
    void aWatchOfOneNameSeesOnlyThat() {
        String from = api.get(scratch.path("configmaps")).version();
        try (Watching watch =
                api.watch(scratch.path("configmaps?fieldSelector=metadata.name%3Db&resourceVersion=" + from))) {
            create("a");
            create("b");

            assertThat(watch.next(1)).containsExactly("ADDED b");
        }
    }

    @Test
    void aWriteThatChangesNothingIsNoEvent() {
        create("a");
        String from = api.get(scratch.path("configmaps")).version();
        try (Watching watch = api.watch(scratch.path("configmaps?resourceVersion=" + from))) {
            api.patch(scratch.path("configmaps/a"), Api.MERGE_PATCH, "{\"data\":{\"a\":\"b\"}}")
                    .expect(200);
            create("next");

            assertThat(watch.next(1)).containsExactly("ADDED next");
        }
    }

    @Test
    void watchesOfAllNamespacesSeeEach() {
        String from = api.get("/api/v1/configmaps").version();
        try (Watching watch = api.watch("/api/v1/configmaps?resourceVersion=" + from)) {
            create("a");

            Watching.Event event = watch.await("ADDED", "a");

            assertThat(event.object().at("/metadata/namespace").asText()).isEqualTo(scratch.namespace());
        }
    }

    private Reply create(String name) {
        return api.post(scratch.path("configmaps"), Manifests.configMap(name)).expect(201);
    }

    private Reply annotate(String name, String value) {
        String patch = "{\"metadata\":{\"annotations\":{\"note\":\"%s\"}}}".formatted(value);
        return api.patch(scratch.path("configmaps/" + name), Api.MERGE_PATCH, patch)
                .expect(200);
    }

    private Reply label(String name, String value) {
        String patch = "{\"metadata\":{\"labels\":{\"on\":\"%s\"}}}".formatted(value);
        return api.patch(scratch.path("configmaps/" + name), Api.MERGE_PATCH, patch)
                .expect(200);
    }
}
