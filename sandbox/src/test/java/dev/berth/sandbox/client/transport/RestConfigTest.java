package dev.berth.sandbox.client.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;

class RestConfigTest {
    @Test
    void secretsAreNotPrinted() {
        RestConfig access =
                RestConfig.withoutCredentials(URI.create("https://example")).withToken("secret");
        assertThat(access.toString()).doesNotContain("secret");
    }

    @Test
    void anInvalidServerUrlIsRejected() {
        assertThatThrownBy(() -> RestConfig.withoutCredentials(URI.create("ftp://example")))
                .hasMessageContaining("server (ftp://example) must begin with https:// or http://");
    }
}
