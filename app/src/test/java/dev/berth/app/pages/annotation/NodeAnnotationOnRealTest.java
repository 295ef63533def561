package dev.berth.app.pages.annotation;

import dev.berth.app.pages.RealPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class NodeAnnotationOnRealTest extends NodeAnnotationPage {
    NodeAnnotationOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
