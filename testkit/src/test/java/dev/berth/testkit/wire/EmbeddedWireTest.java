package dev.berth.testkit.wire;

import dev.berth.testkit.contract.EmbeddedServer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Berth's client on the embedded server. */
@ExtendWith(EmbeddedServer.class)
final class EmbeddedWireTest {

    @Nested
    final class Feeds extends FeedContract {}

    @Nested
    final class Effects extends EffectContract {}

    @Nested
    final class Elections extends ElectionContract {}
}
