package dev.berth.e2e.scenario.testcluster;

import static java.util.Objects.requireNonNull;

import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.HttpSettings;
import dev.berth.app.run.Berth;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.controlplane.KubernetesVersion;
import dev.berth.up.LocalCluster;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster without nodes in which Berth is the scheduler of everybody who asks for none in particular. A node that
 * comes with {@link NodeManifest#withKubelet} runs its pods; on others they are bound and nothing happens to them.
 */
public interface TestCluster extends AutoCloseable {
    /** Only what kube-scheduler does is played here: no doors. */
    DoorSettings DOORS = DoorSettings.DEFAULT.withDisabled(EnumSet.allOf(DoorId.class));

    /** The scheduler, by another profile of Berth's or kube-scheduler's, that fills nodes; {@code berth up} has none. */
    String PACKING_SCHEDULER = "packing-scheduler";

    /** The scheduler, by another profile, that sends nobody away for the pods that it places. */
    String NON_PREEMPTING_SCHEDULER = "patient-scheduler";

    /** The scheduler, by another profile, that places pods on nodes with the label {@code disk: ssd} alone. */
    String SSD_ONLY_SCHEDULER = "choosy-scheduler";

    /** What Berth runs with: a configuration of kube-scheduler's, and the names that {@code berth up} serves. */
    Config CONFIG = readConfig();

    private static Config readConfig() {
        URL file = requireNonNull(TestCluster.class.getResource("stage.yaml"), "stage.yaml");
        Config read = ConfigFile.read(Path.of(URI.create(file.toString())));
        Map<String, Profile> profiles = new TreeMap<>(read.profiles().byName());
        LocalCluster.SCHEDULER_NAMES.forEach(name -> profiles.put(name, Profile.DEFAULT));
        return new Config(
                new Profiles(profiles, Profile.DEFAULT),
                read.profileSources(),
                read.leaderElection(),
                // A hundred scenarios wait for pods that are tried again. kube-scheduler's file has whole seconds only.
                new BackoffPolicy(Duration.ofMillis(50), Duration.ofSeconds(1)),
                read.bindsInFlight(),
                DOORS,
                HttpSettings.DEFAULT,
                read.diagnostics());
    }

    HttpApi api();

    /** Berth as it runs now. */
    Berth berth();

    /** Waits until the scheduler knows of so many nodes, where it is another than Berth. */
    default void awaitNodes(int count) {}

    /** Passes over a test that asks for what an older Kubernetes has not, as {@link KubernetesVersion#skipOn} does. */
    default void skipIn(String minor, String instead) {
        KubernetesVersion.skipOn(minor, instead);
    }

    /**
     * Ends Berth without a word to anybody, as kill -9 does, and starts another that knows nothing. The Lease is released
     * in between: the other need not wait for its end.
     */
    void restartBerth() throws InterruptedException;

    @Override
    void close();
}
