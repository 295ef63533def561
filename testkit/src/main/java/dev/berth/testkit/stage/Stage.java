package dev.berth.testkit.stage;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A kind of cluster that tests run on. A run chooses stages by {@code -Dberth.stages=sandbox,real,kube-scheduler}. */
public enum Stage {
    /** Berth on the sandbox, which needs nothing but this JVM. */
    SANDBOX,

    /** Berth in place of kube-scheduler on a real control plane. */
    REAL,

    /** kube-scheduler on a real control plane, for tests of what Berth and kube-scheduler have in common. */
    KUBE_SCHEDULER;

    static final String PROPERTY = "berth.stages";

    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(Stage.class);

    /** The stages of this run; without the property all but the slow one. */
    static Set<Stage> chosen() {
        Set<Stage> chosen = EnumSet.noneOf(Stage.class);
        for (String label : System.getProperty(PROPERTY, "sandbox,real").split(",", -1)) {
            chosen.add(labelled(label.strip()));
        }
        return chosen;
    }

    /** The stage that a test of a class with {@link OnStages} runs on. */
    public static Stage of(ExtensionContext test) {
        Stage stage = test.getStore(STORE).get(Stage.class, Stage.class);
        if (stage == null) {
            throw new IllegalStateException(
                    "(%s) runs on no stage. Maybe annotate it with @OnStages.".formatted(test.getRequiredTestClass()));
        }
        return stage;
    }

    void enter(ExtensionContext invocation) {
        invocation.getStore(STORE).put(Stage.class, this);
    }

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Stage labelled(String label) {
        return Arrays.stream(values())
                .filter(stage -> stage.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("-D%s names no stage (%s). Stages: %s"
                        .formatted(
                                PROPERTY,
                                label,
                                Arrays.stream(values()).map(Stage::label).toList())));
    }
}
