package dev.berth.e2e.pages;

import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * One user page. A page runs on the cluster of {@code berth up} and on a real control plane. The cluster of {@code berth up}
 * needs kubectl, which comes with the control plane. The commands of an original tool's page run in the folder of its
 * examples.
 */
@OnRealControlPlane
@OnStages({Stage.SANDBOX, Stage.REAL})
@ExtendWith(PageClusterExtension.class)
@Timeout(180)
public abstract class UserPage extends KubectlPage {
    private final Optional<String> tool;
    private PageCluster cluster;

    /** A page of our own, without examples. */
    protected UserPage() {
        this.tool = Optional.empty();
    }

    /**
     * A page of an original tool.
     *
     * @param tool the folder of the page's examples
     */
    protected UserPage(String tool) {
        this.tool = Optional.of(tool);
    }

    @BeforeEach
    final void useCluster(PageCluster started) {
        cluster = started;
    }

    protected final PageCluster cluster() {
        return cluster;
    }

    @Override
    protected final Kubectl kubectl() {
        return tool.map(this::kubectlIn).orElseGet(cluster::kubectl);
    }

    /** kubectl in the folder of a tool's examples. */
    protected final Kubectl kubectlIn(String examples) {
        return cluster.kubectl().in(Examples.folder(examples));
    }

    /** The text of an example of this page, for a test that changes it. */
    protected final String example(String path) {
        return Examples.read(tool.orElseThrow(), path);
    }
}
