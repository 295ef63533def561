package dev.berth.kubernetes.effects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.json.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WriteRequestTest {
    @ParameterizedTest
    @CsvSource({
        "POST, /apis/berth.dev/v1alpha1/storedholds, create storedholds.berth.dev",
        "DELETE, /apis/berth.dev/v1alpha1/storedholds/h, delete storedholds.berth.dev",
        "PATCH, /apis/scheduling.koordinator.sh/v1alpha1/reservations/r/status, patch reservations.scheduling.koordinator.sh/status",
        "DELETE, /api/v1/namespaces/shop/pods/web-0, delete pods",
        "PATCH, /api/v1/namespaces/shop/pods/web-0/status, patch pods/status",
        "POST, /apis/g/v1/namespaces/shop/reservations, create reservations.g",
        "PATCH, /api/v1/persistentvolumes/pv-1, patch persistentvolumes",
        "PATCH, /api/v1/namespaces/shop, patch namespaces",
    })
    void verbAndResourceAreWrittenAsInARole(String method, String path, String expected) {
        assertThat(new WriteRequest(method, path, "application/json", JsonObject.EMPTY).verbAndResource())
                .isEqualTo(expected);
    }
}
