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
    void anAddressIsSaidSoThatAUrlCanHaveIt(String address, String host) {
        assertThat(ListenerSettings.at(address, 0).host()).isEqualTo(host);
    }

    @Test
    void theUrlOfAListenerForAllAddressesCanBeUsed() throws Exception {
        try (HttpListener listener = HttpListener.start(
                "test-url", ListenerSettings.at("0.0.0.0", 0), new Router(), new ByteBudget(1_000_000))) {
            assertThat(listener.url()).isEqualTo("http://127.0.0.1:" + listener.port());
        }
    }

    @Test
    void anAddressOfAnotherMachineIsNotHere() {
        assertThat(ListenerSettings.at("127.0.0.1", 1).addressIsHere()).isTrue();
        assertThat(ListenerSettings.at("192.0.2.1", 1).addressIsHere()).isFalse();
    }

    /** Half a minute would be enough for a few such callers to keep out all others, probes included. */
    @Test
    @Tag("long")
    void aRequestThatIsSentByHalvesIsCutOffBeforeLong() throws Exception {
        try (HttpListener listener = HttpListener.start(
                        "test-half",
                        ListenerSettings.at(ListenerSettings.LOOPBACK, 0),
                        new Router(),
                        new ByteBudget(1_000_000));
                Socket caller = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
            caller.setSoTimeout(25_000);
            caller.getOutputStream().write("GET /livez HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
            caller.getOutputStream().flush();
            assertThat(caller.getInputStream().read()).isEqualTo(-1);
        }
    }
}
