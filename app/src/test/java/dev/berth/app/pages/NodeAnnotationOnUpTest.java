package dev.berth.app.pages;

import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class NodeAnnotationOnUpTest extends NodeAnnotationPage {
    NodeAnnotationOnUpTest() {
        super(UpPageCluster::new);
    }
}
