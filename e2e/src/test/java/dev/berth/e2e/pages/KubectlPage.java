package dev.berth.e2e.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.Kubectl.Output;
import java.util.Arrays;
import java.util.List;

/** What a person types at a cluster, and what they wait for. */
public abstract class KubectlPage {
    protected abstract Kubectl kubectl();

    /** What a person types after {@code kubectl}. */
    protected final Output run(String line) {
        return kubectl().run(line);
    }

    protected final Output run(String line, String yaml) {
        return kubectl().run(line, yaml);
    }

    /** What kubectl prints under the path, such as {@code {.spec.nodeName}}. */
    protected final String jsonPath(String what, String jsonPath) {
        return kubectl()
                .runArguments("", words(what + " -o jsonpath=" + jsonPath))
                .ok()
                .out();
    }

    protected final void eventually(Runnable holds) {
        Eventually.holds(holds);
    }

    /** Waits until the pod runs and says on which node. */
    protected final String awaitRunning(String pod) {
        eventually(
                () -> assertThat(jsonPath("get pod " + pod, "{.status.phase}")).isEqualTo("Running"));
        return jsonPath("get pod " + pod, "{.spec.nodeName}");
    }

    /** Waits until somebody says that the pod has no place, and gives the words. */
    protected final String unschedulableMessage(String pod) {
        eventually(
                () -> assertThat(jsonPath("get pod " + pod, "{.status.conditions[?(@.type=='PodScheduled')].status}"))
                        .isEqualTo("False"));
        return jsonPath("get pod " + pod, "{.status.conditions[?(@.type=='PodScheduled')].message}");
    }

    protected final List<String> podNames(String label) {
        return run("get pods -o name -l " + label).ok().lines().stream()
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
