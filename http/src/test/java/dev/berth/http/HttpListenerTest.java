package dev.berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.budget.ByteBudget;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpListenerTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "127.0.0.2, 127.0.0.2",
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 127.0.0.1",
        "::1, [::1]",
        "[::1], [::1]",
        "::, [::1]",
        "2001:db8::1, [2001:db8::1]"
    })
    void anAddressIsWrittenAsInAUrl(String address, String host) {
        assertThat(ListenerSettings.of(address, 0).urlHost()).isEqualTo(host);
    }

    @Test
    void theUrlOfAWildcardListenerIsReachable() throws Exception {
        try (HttpListener listener = HttpListener.start(
                "test-url", ListenerSettings.of("0.0.0.0", 0), new Router(), new ByteBudget(1_000_000))) {
            assertThat(listener.url()).isEqualTo("http://127.0.0.1:" + listener.port());
        }
    }

    @Test
    void anAddressOfAnotherMachineIsNotLocal() {
        assertThat(ListenerSettings.of("127.0.0.1", 1).isLocalAddress()).isTrue();
        assertThat(ListenerSettings.of("192.0.2.1", 1).isLocalAddress()).isFalse();
    }

    /** Half a minute would be enough for a few such callers to keep out all others, probes included. */
    @Test
    @Tag("long")
    void aHalfSentRequestIsDisconnectedAtTheReadTimeout() throws Exception {
        try (HttpListener listener = HttpListener.start(
                        "test-half",
                        ListenerSettings.of(ListenerSettings.LOOPBACK, 0),
                        new Router(),
                        new ByteBudget(1_000_000));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            client.setSoTimeout(25_000);
            client.getOutputStream().write("GET /livez HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
            client.getOutputStream().flush();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }
}
