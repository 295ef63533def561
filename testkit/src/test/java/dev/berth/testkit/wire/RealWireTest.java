package dev.berth.testkit.wire;

import dev.berth.testkit.contract.RealServer;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Berth's client on the real kube-apiserver. */
@OnRealControlPlane
@ExtendWith(RealServer.class)
final class RealWireTest {

    @Nested
    final class Feeds extends FeedContract {}

    @Nested
    final class Effects extends EffectContract {}

    @Nested
    final class Trouble extends TroubleContract {}

    @Nested
    final class Elections extends ElectionContract {}
}
