package dev.berth.app.scenario.stage;

import static java.util.Objects.requireNonNull;

import dev.berth.app.config.Config;
import dev.berth.app.config.ConfigFile;
import dev.berth.app.config.DoorName;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.run.Berth;
import dev.berth.app.up.LocalCluster;
import dev.berth.core.placement.profile.Afterwards;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.Weighed;
import dev.berth.core.placement.score.FitStrategy;
import dev.berth.core.resource.ResourceName;
import dev.berth.testkit.contract.Api;
import dev.berth.testkit.controlplane.KubernetesVersion;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster without nodes in which Berth is the scheduler of everybody who asks for none in particular. A node that
 * comes with {@link NodeText#withKubelet} runs its pods; on others they are bound and nothing happens to them.
 */
public interface Stage extends AutoCloseable {
    /** Only what kube-scheduler does is played here: no doors. */
    DoorSettings DOORS = DoorSettings.DEFAULT.without(EnumSet.allOf(DoorName.class));

    /** The scheduler, by another profile of Berth's or kube-scheduler's, that fills nodes; {@code berth up} has none. */
    String PACKING = "packing-scheduler";

    /** The scheduler, by another profile, that sends nobody away for the pods that it places. */
    String PATIENT = "patient-scheduler";

    /** What Berth runs with. */
    Config CONFIG = configured().alone().withProfiles(profiles()).withDoors(DOORS);

    private static Profiles profiles() {
        List<Weighed> weights = List.of(
                new Weighed(ResourceName.CPU, 1),
                new Weighed(ResourceName.MEMORY, 1),
                new Weighed(new ResourceName("example.com/gpu"), 2));
        Map<String, Profile> profiles = new TreeMap<>();
        LocalCluster.SCHEDULER_NAMES.forEach(name -> profiles.put(name, Profile.DEFAULT));
        profiles.put(
                PACKING,
                Profile.DEFAULT.withResources(ResourceScoring.USUAL.withFit(new FitStrategy.MostAllocated(), weights)));
        profiles.put(PATIENT, Profile.DEFAULT.withAfterwards(new Afterwards(false, Afterwards.USUAL.volumePatience())));
        return new Profiles(profiles, Profile.DEFAULT);
    }

    private static Config configured() {
        URL file = requireNonNull(Stage.class.getResource("stage.yaml"), "stage.yaml");
        return ConfigFile.read(Path.of(URI.create(file.toString())));
    }

    Api api();

    /** Berth as it runs now. */
    Berth berth();

    /** Waits until the scheduler knows of so many nodes, where it is another than Berth. */
    default void awaitNodes(int count) {}

    /** Passes over a test that asks for what an older Kubernetes has not, as {@link KubernetesVersion#exceptIn} does. */
    default void exceptIn(String minor, String instead) {
        KubernetesVersion.exceptIn(minor, instead);
    }

    /** Ends Berth without a word to anybody, as kill -9 does, and starts another that knows nothing. */
    void restartBerth() throws InterruptedException;

    @Override
    void close();
}
