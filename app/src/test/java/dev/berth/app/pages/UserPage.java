package dev.berth.app.pages;

import dev.berth.testkit.controlplane.Kubectl;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One user page; whoever extends a page says on which cluster it is typed. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class UserPage extends TypedPage {
    private final Opening opening;
    private PageCluster cluster;

    /** Starts the cluster. */
    public interface Opening {
        PageCluster open(Path folder) throws Exception;
    }

    protected UserPage(Opening opening) {
        this.opening = opening;
    }

    @BeforeAll
    final void open(@TempDir Path folder) throws Exception {
        cluster = opening.open(folder);
        type("wait node --all --for=condition=Ready --timeout=60s").ok();
    }

    @AfterAll
    final void close() {
        cluster.close();
    }

    protected final PageCluster cluster() {
        return cluster;
    }

    @Override
    protected final Kubectl kubectl() {
        return cluster.kubectl();
    }
}
