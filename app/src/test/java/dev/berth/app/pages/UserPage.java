package dev.berth.app.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.Kubectl.Output;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One user page; whoever extends a page says on which cluster it is typed. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UserPage {
    private final Opening opening;
    private PageCluster cluster;

    /** Starts the cluster. */
    interface Opening {
        PageCluster open(Path folder) throws Exception;
    }

    UserPage(Opening opening) {
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

    final PageCluster cluster() {
        return cluster;
    }

    /** What a person types after {@code kubectl}. */
    final Output type(String line) {
        return cluster.kubectl().run(line);
    }

    final Output type(String line, String yaml) {
        return cluster.kubectl().run(line, yaml);
    }

    final Kubectl kubectl() {
        return cluster.kubectl();
    }

    /** What kubectl prints under the path, such as {@code {.spec.nodeName}}. */
    final String print(String what, String jsonPath) {
        return kubectl().call("", words(what + " -o jsonpath=" + jsonPath)).ok().out();
    }

    final void eventually(Runnable holds) {
        Eventually.holds(holds);
    }

    /** Waits until the pod runs and says on which node. */
    final String nodeOfRunning(String pod) {
        eventually(() -> assertThat(print("get pod " + pod, "{.status.phase}")).isEqualTo("Running"));
        return print("get pod " + pod, "{.spec.nodeName}");
    }

    /** Waits until somebody says that the pod has no place, and gives the words. */
    final String whyPending(String pod) {
        eventually(() -> assertThat(print("get pod " + pod, "{.status.conditions[?(@.type=='PodScheduled')].status}"))
                .isEqualTo("False"));
        return print("get pod " + pod, "{.status.conditions[?(@.type=='PodScheduled')].message}");
    }

    final List<String> podsOf(String label) {
        return type("get pods -o name -l " + label).ok().lines().stream()
                .map(line -> line.replace("pod/", ""))
                .toList();
    }

    private static String[] words(String line) {
        int path = line.indexOf(" -o jsonpath=");
        String[] first = line.substring(0, path).split(" +");
        String[] all = Arrays.copyOf(first, first.length + 2);
        all[first.length] = "-o";
        all[first.length + 1] = line.substring(path + " -o ".length());
        return all;
    }
}
