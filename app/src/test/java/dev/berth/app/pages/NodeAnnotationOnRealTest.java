package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class NodeAnnotationOnRealTest extends NodeAnnotationPage {
    NodeAnnotationOnRealTest() {
        super(folder -> new RealPageCluster());
    }
}
