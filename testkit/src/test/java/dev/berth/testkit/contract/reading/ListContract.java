package dev.berth.testkit.contract.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lists: whole, paged, of an older version, selected by label and field. */
public abstract class ListContract extends ApiServerContract {

    @Test
    void aListIsOfItsKindAndCarriesAVersion() {
        createConfigMaps("a", "b");

        ApiResponse list = api.get(testNamespace.path("configmaps")).expect(200);

        assertThat(list.at("/kind")).isEqualTo("ConfigMapList");
        assertThat(list.at("/apiVersion")).isEqualTo("v1");
        assertThat(list.resourceVersion()).matches("[1-9][0-9]*");
        assertThat(list.names()).containsExactly("a", "b");
    }

    @Test
    void itemsOfAListDoNotRepeatTheirKind() {
        createConfigMaps("a");

        ApiResponse list = api.get(testNamespace.path("configmaps")).expect(200);

        assertThat(list.json().at("/items/0").has("kind")).isFalse();
        assertThat(list.json().at("/items/0").has("apiVersion")).isFalse();
    }

    @Test
    void anEmptyListHasAnEmptyArray() {
        ApiResponse list = api.get(testNamespace.path("configmaps")).expect(200);

        assertThat(list.json().path("items").isArray()).isTrue();
        assertThat(list.names()).isEmpty();
    }

    @Test
    void aListsVersionIsNeverOlderThanWhatWasWrittenBefore() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        ApiResponse list = api.get(testNamespace.path("configmaps")).expect(200);

        assertThat(Long.parseLong(list.resourceVersion()))
                .isGreaterThanOrEqualTo(Long.parseLong(created.resourceVersion()));
    }

    @Test
    void aListOverAllNamespacesIsOrderedByNamespaceThenName() {
        createConfigMaps("b", "a");

        ApiResponse list = api.get("/api/v1/configmaps?labelSelector=of%3D" + testNamespace.namespace())
                .expect(200);

        assertThat(list.names()).isEmpty();
        ApiResponse all = api.get("/api/v1/configmaps").expect(200);
        List<String> keys = new ArrayList<>();
        all.json()
                .path("items")
                .forEach(item -> keys.add(item.at("/metadata/namespace").asText() + "/"
                        + item.at("/metadata/name").asText()));
        assertThat(keys).isSorted().contains(testNamespace.namespace() + "/a", testNamespace.namespace() + "/b");
    }

    @Test
    void aLimitedListIsContinuedToItsEnd() {
        createConfigMaps("a", "b", "c", "d", "e");

        ApiResponse first = page(2, "");
        ApiResponse second = page(2, next(first));
        ApiResponse third = page(2, next(second));

        assertThat(first.names()).containsExactly("a", "b");
        assertThat(first.at("/metadata/remainingItemCount")).isEqualTo("3");
        assertThat(second.names()).containsExactly("c", "d");
        assertThat(second.at("/metadata/remainingItemCount")).isEqualTo("1");
        assertThat(third.names()).containsExactly("e");
        assertThat(third.json().path("metadata").has("continue")).isFalse();
        assertThat(third.json().path("metadata").has("remainingItemCount")).isFalse();
    }

    @Test
    void aContinuedListShowsTheStateOfItsFirstPage() {
        createConfigMaps("a", "b", "c");

        ApiResponse first = page(1, "");
        createConfigMaps("aa");
        api.delete(testNamespace.path("configmaps/c")).expect(200);
        ApiResponse rest = page(10, next(first));

        assertThat(rest.names()).containsExactly("b", "c");
        assertThat(rest.resourceVersion()).isEqualTo(first.resourceVersion());
    }

    @Test
    void pagesCarryNoRemainingCountWhenSelected() {
        createConfigMaps("a", "b", "c");

        ApiResponse first = api.get(testNamespace.path("configmaps?limit=1&fieldSelector=metadata.name!=a"))
                .expect(200);

        assertThat(first.names()).containsExactly("b");
        assertThat(next(first)).isNotEmpty();
        assertThat(first.json().path("metadata").has("remainingItemCount")).isFalse();
    }

    @Test
    void aContinueTokenOfACompactedVersionIsExpiredAndOffersAnInconsistentContinuation() {
        createConfigMaps("a", "b", "c");
        ApiResponse first = page(1, "");
        createConfigMaps("d");

        server.compact(api.get(testNamespace.path("configmaps")).resourceVersion());
        ApiResponse expired = api.get(testNamespace.path("configmaps?limit=10&continue=" + encoded(next(first))));

        expired.expectFailure(410, "Expired");
        ApiResponse anew = page(10, next(expired));
        assertThat(anew.names()).containsExactly("b", "c", "d");
    }

    @Test
    void anInvalidContinueTokenIsRejected() {
        ApiResponse refused = api.get(testNamespace.path("configmaps?limit=1&continue=nonsense"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).contains("continue key is not valid");
    }

    @Test
    void aListAtAnExactVersionShowsThatState() {
        createConfigMaps("a");
        String then = api.get(testNamespace.path("configmaps")).resourceVersion();
        createConfigMaps("b");

        ApiResponse old = api.get(testNamespace.path("configmaps?resourceVersionMatch=Exact&resourceVersion=" + then))
                .expect(200);

        assertThat(old.names()).containsExactly("a");
        assertThat(old.resourceVersion()).isEqualTo(then);
    }

    @Test
    void aListNotOlderThanAWriteShowsIt() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        ApiResponse list = api.get(testNamespace.path(
                        "configmaps?resourceVersionMatch=NotOlderThan&resourceVersion=" + created.resourceVersion()))
                .expect(200);

        assertThat(list.names()).containsExactly("a");
    }

    @Test
    void aListAtAFutureVersionTimesOut() {
        long future = Long.parseLong(api.get(testNamespace.path("configmaps")).resourceVersion()) + 100_000;

        ApiResponse refused = api.get(testNamespace.path("configmaps?resourceVersion=" + future));

        refused.expectFailure(504, "Timeout");
        assertThat(refused.message()).startsWith("Timeout: Too large resource version: " + future + ", current: ");
        assertThat(refused.at("/details/causes/0/reason")).isEqualTo("ResourceVersionTooLarge");
        assertThat(refused.at("/details/retryAfterSeconds")).isEqualTo("1");
    }

    @Test
    void aNonNumericResourceVersionIsRejected() {
        skipOn("1.32", "the server calls it an error of its own");
        ApiResponse refused = api.get(testNamespace.path("configmaps?resourceVersion=yesterday"));

        refused.expectFailure(400, "BadRequest");
    }

    @Test
    void aListAtVersionZeroIsServed() {
        ApiResponse list =
                api.get(testNamespace.path("configmaps?resourceVersion=0")).expect(200);

        assertThat(list.resourceVersion()).matches("[1-9][0-9]*");
    }

    @Test
    void aMissingObjectIsNotFoundByName() {
        ApiResponse missing = api.get(testNamespace.path("configmaps/nobody"));

        missing.expectFailure(404, "NotFound");
        assertThat(missing.message()).isEqualTo("configmaps \"nobody\" not found");
        assertThat(missing.at("/details/name")).isEqualTo("nobody");
        assertThat(missing.at("/details/kind")).isEqualTo("configmaps");
    }

    @Test
    void aMissingObjectOfAGroupIsNamedWithIt() {
        ApiResponse missing = api.get(testNamespace.path("apps/v1", "deployments/nobody"));

        missing.expectFailure(404, "NotFound");
        assertThat(missing.message()).isEqualTo("deployments.apps \"nobody\" not found");
        assertThat(missing.at("/details/group")).isEqualTo("apps");
    }

    @Test
    void aListInAMissingNamespaceIsEmpty() {
        ApiResponse list = api.get("/api/v1/namespaces/no-such-place/pods").expect(200);

        assertThat(list.names()).isEmpty();
    }

    @Test
    void anUnknownPathIsNotFound() {
        api.get(testNamespace.path("nonsense")).expect(404);
        api.get("/apis/nonsense.example.com/v1").expect(404);
    }

    private ApiResponse page(int limit, String token) {
        String more = token.isEmpty() ? "" : "&continue=" + encoded(token);
        return api.get(testNamespace.path("configmaps?limit=" + limit + more)).expect(200);
    }

    private static String next(ApiResponse page) {
        return page.at("/metadata/continue");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private void createConfigMaps(String... names) {
        for (String name : names) {
            api.post(testNamespace.path("configmaps"), Manifests.configMap(name))
                    .expect(201);
        }
    }
}
