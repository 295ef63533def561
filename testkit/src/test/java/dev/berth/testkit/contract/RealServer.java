package dev.berth.testkit.contract;

import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.RealControlPlane;
import dev.berth.testkit.controlplane.SharedControlPlaneExtension;

/** The real kube-apiserver of the shared control plane. */
final class RealServer implements ApiServerUnderTest {
    @Override
    public ApiServerAccess access() {
        return SharedControlPlaneExtension.controlPlane().access();
    }

    /** etcd drops older versions, and the restart empties the watch cache. */
    @Override
    public void compact(String version) {
        RealControlPlane plane = SharedControlPlaneExtension.controlPlane();
        plane.compact(Long.parseLong(version));
        plane.restartApiServer();
    }
}
