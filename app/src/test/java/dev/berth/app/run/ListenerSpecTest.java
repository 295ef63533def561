package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.berth.app.cli.UserError;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerSpecTest {
    /** An address for documents: no machine has it. */
    private static final String FOREIGN_ADDRESS = "192.0.2.1";

    private static ListenerSpec at(String address, int port, boolean elseAnyFree) {
        return new ListenerSpec(
                "the server",
                "test-listening",
                "diagnostics.bindAddress",
                "diagnostics.port",
                ListenerSettings.of(address, port),
                elseAnyFree);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aForeignAddressIsReportedInsteadOfThePort(boolean elseAnyFree) {
        assertThatThrownBy(() -> at(FOREIGN_ADDRESS, 10_261, elseAnyFree)
                        .start(new Router(), new ByteBudget(1_000_000))
                        .close())
                .asInstanceOf(type(UserError.class))
                .returns(2, UserError::exitCode)
                .extracting(Throwable::getMessage)
                .asString()
                .startsWith(
                        "the server cannot listen: diagnostics.bindAddress (192.0.2.1) is not an address of this machine")
                .doesNotContain("diagnostics.port");
    }

    @Test
    void aTakenPortFallsBackOnlyIfNotConfigured() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = socket.getLocalPort();
            try (HttpListener other =
                    at(ListenerSettings.LOOPBACK, taken, true).start(new Router(), new ByteBudget(1_000_000))) {
                assertThat(other.port()).isNotEqualTo(taken);
            }
            assertThatThrownBy(() -> at(ListenerSettings.LOOPBACK, taken, false)
                            .start(new Router(), new ByteBudget(1_000_000))
                            .close())
                    .asInstanceOf(type(UserError.class))
                    .returns(1, UserError::exitCode)
                    .extracting(Throwable::getMessage)
                    .asString()
                    .startsWith("the server cannot listen on port %d of 127.0.0.1".formatted(taken))
                    .contains("diagnostics.port");
        }
    }
}
