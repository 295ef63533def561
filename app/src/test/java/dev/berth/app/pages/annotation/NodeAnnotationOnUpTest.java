package dev.berth.app.pages.annotation;

import dev.berth.app.pages.UpPageCluster;
import dev.berth.testkit.controlplane.OnRealControlPlane;

@OnRealControlPlane
final class NodeAnnotationOnUpTest extends NodeAnnotationPage {
    NodeAnnotationOnUpTest() {
        super(UpPageCluster::new);
    }
}
