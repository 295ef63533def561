package dev.berth.kubernetes.schedulerconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.InterPodAffinityArgs;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.ResourceScoring.ResourceWeight;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.score.ScoringStrategy.RequestedToCapacityRatio;
import dev.berth.core.resource.ResourceName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class KubeSchedulerConfigurationTest {
    @Test
    void aPluginEnabledAgainHasWeightOneUnlessAWeightIsGiven() {
        assertThat(profile("plugins: {multiPoint: {enabled: [{name: TaintToleration}]}}")
                        .weights())
                .isEqualTo(new ScoreWeights(1, 1, 1, 1, 2, 2, 2));
        assertThat(profile("plugins: {score: {enabled: [{name: TaintToleration, weight: 9}]}}")
                        .weights())
                .isEqualTo(new ScoreWeights(1, 1, 1, 9, 2, 2, 2));
    }

    @Test
    void anExtensionPointOverridesMultiPoint() {
        Profile profile = profile("""
                plugins:
                  multiPoint: {disabled: [{name: ImageLocality}], enabled: [{name: InterPodAffinity, weight: 7}]}
                  score: {enabled: [{name: ImageLocality, weight: 4}, {name: InterPodAffinity, weight: 5}]}
                """);
        assertThat(profile.weights()).isEqualTo(new ScoreWeights(1, 1, 4, 3, 2, 2, 5));
    }

    @Test
    void allScorePluginsCanBeDisabledButSome() {
        Profile profile = profile("""
                plugins:
                  preScore: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit}]}
                  score: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit, weight: 3}]}
                """);
        assertThat(profile.weights()).isEqualTo(new ScoreWeights(3, 0, 0, 0, 0, 0, 0));
        assertThat(profile.enabledFilters()).isEqualTo(FilterPluginName.ALL);
    }

    @Test
    void filterPluginsCanBeDisabledOneByOne() {
        assertThat(profile("plugins: {multiPoint: {disabled: [{name: TaintToleration}]}}"))
                .isEqualTo(Profile.DEFAULT
                        .withoutFilter(FilterPluginName.TAINT_TOLERATION)
                        .withWeights(new ScoreWeights(1, 1, 1, 0, 2, 2, 2)));
        assertThat(profile("plugins: {filter: {disabled: [{name: PodTopologySpread}]}}"))
                .isEqualTo(Profile.DEFAULT.withoutFilter(FilterPluginName.POD_TOPOLOGY_SPREAD));
        assertThat(profile("plugins: {postFilter: {disabled: [{name: '*'}]}}")
                        .preemptionAndVolumeSettings()
                        .preemptionEnabled())
                .isFalse();
    }

    @Test
    void pluginArgumentsAreApplied() {
        Profile profile = profile("""
                pluginConfig:
                - name: NodeResourcesFit
                  args:
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: NodeResourcesFitArgs
                    scoringStrategy:
                      type: RequestedToCapacityRatio
                      resources: [{name: example.com/gpu, weight: 5}, {name: cpu}]
                      requestedToCapacityRatio: {shape: [{utilization: 0, score: 0}, {utilization: 100, score: 10}]}
                - name: NodeResourcesBalancedAllocation
                  args: {resources: [{name: cpu, weight: 1}, {name: example.com/gpu}]}
                - name: InterPodAffinity
                  args: {hardPodAffinityWeight: 50, ignorePreferredTermsOfExistingPods: true}
                - name: VolumeBinding
                  args: {bindTimeoutSeconds: 30}
                - name: PodTopologySpread
                  args:
                    defaultingType: List
                    defaultConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule}]
                - name: NodeAffinity
                  args:
                    addedAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                        nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]
                """);
        ResourceName gpu = new ResourceName("example.com/gpu");
        assertThat(profile.resourceScoring().fitResources())
                .containsExactly(new ResourceWeight(gpu, 5), new ResourceWeight(ResourceName.CPU, 1));
        assertThat(profile.resourceScoring().strategy()).isInstanceOf(RequestedToCapacityRatio.class);
        assertThat(profile.resourceScoring().balancedResources()).containsExactly(ResourceName.CPU, gpu);
        assertThat(profile.interPodAffinity()).isEqualTo(new InterPodAffinityArgs(50, true));
        assertThat(profile.preemptionAndVolumeSettings().volumeBindTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(profile.spreadDefaults().constraints())
                .containsExactly(new TopologySpreadConstraint(
                        "rack",
                        Optional.empty(),
                        true,
                        1,
                        1,
                        TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                        List.of()));
        assertThat(profile.addedAffinity().required().orElseThrow()).hasSize(1);
    }

    @Test
    void settingsWithoutEffectAreWarnedAbout() {
        assertThat(read("""
                        percentageOfNodesToScore: 50
                        delayCacheUntilActive: true
                        profiles:
                        - plugins: {multiPoint: {disabled: [{name: DynamicResources}]}}
                          pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesAbsolute: 5}}]
                        """).warnings())
                .containsExactly(
                        "percentageOfNodesToScore has no effect: Berth looks at all nodes",
                        "delayCacheUntilActive has no effect: a standby never reads the cluster before it leads",
                        "disabling DynamicResources has no effect: Berth rejects pods with resource claims, whether the plugin is enabled or not",
                        "profiles[0].pluginConfig[0].args.minCandidateNodesAbsolute has no effect: Berth looks for victims"
                                + " on all nodes");
    }

    @Test
    void anEmptyStringIsNotWarnedAbout() {
        assertThat(read("clientConnection: {kubeconfig: '', acceptContentTypes: '', contentType: '', qps: 50.5}")
                        .warnings())
                .containsExactly("clientConnection.qps has no effect: Berth does not limit its request rate");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            healthzBindAddress: 0.0.0.0:10251 | unknown key (healthzBindAddress). Known keys: apiVersion
            parallelism: 0 | parallelism (0) must be a whole number, at least 1
            percentageOfNodesToScore: 101 | percentageOfNodesToScore (101) must be a whole number from 0 to 100
            podInitialBackoffSeconds: 0 | podInitialBackoffSeconds (0) must be a whole number, at least 1
            podInitialBackoffSeconds: 20 | podInitialBackoffSeconds (20) must not be more than podMaxBackoffSeconds (10)
            podMaxBackoffSeconds: 1s | podMaxBackoffSeconds (1s) must be a whole number, at least 1
            extenders: [{urlPrefix: http://x}] | extenders ([{urlPrefix=http://x}]) is not supported: Berth calls no extenders
            clientConnection: {burst: -1} | clientConnection.burst (-1) must be a whole number, at least 0
            clientConnection: {qps: fast} | clientConnection.qps (fast) must be a number
            clientConnection: {kubeconfig: 1} | clientConnection.kubeconfig (1) must be a string
            clientConnection: {contentType: [json]} | clientConnection.contentType ([json]) must be a string
            clientConnection: {acceptContentTypes: true} | clientConnection.acceptContentTypes (true) must be a string
            enableProfiling: maybe | enableProfiling (maybe) must be true or false
            enableContentionProfiling: 1 | enableContentionProfiling (1) must be true or false
            delayCacheUntilActive: soon | delayCacheUntilActive (soon) must be true or false
            leaderElection: {resourceLock: endpoints} | leaderElection.resourceLock (endpoints) must be one of leases
            leaderElection: {leaseDuration: 15} | leaderElection.leaseDuration (15) must be a duration such as 15s
            profiles: {} | profiles ({}) must be a list
            profiles: [{schedulerName: a}, {schedulerName: a}] | profiles[1].schedulerName (a) is the name of two profiles
            profiles: [{schedulerName: a}, {}] | profiles[1].schedulerName (null) must be a name
            """)
    void anInvalidSettingIsRejectedWithItsPathAndAdvice(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plugins: {bindd: {}} | unknown key (profiles[0].plugins.bindd)
            plugins: {filter: {enabled: [{name: NodeResourceFit}]}} | profiles[0].plugins.filter.enabled[0].name (NodeResourceFit) is not a plugin of kube-scheduler 1.36, and Berth runs no other plugins. Similar names: NodeResourcesFit,
            plugins: {filter: {enabled: [{name: EBSLimits}]}} | profiles[0].plugins.filter.enabled[0].name (EBSLimits) was removed from Kubernetes. Maybe NodeVolumeLimits
            plugins: {score: {enabled: [{name: NodeName}]}} | profiles[0].plugins.score.enabled[0].name (NodeName) does not implement the extension point score
            plugins: {score: {enabled: [{name: ImageLocality}, {name: ImageLocality}]}} | profiles[0].plugins.score.enabled[1].name (ImageLocality) is enabled twice
            plugins: {score: {enabled: [{name: ImageLocality, weight: -1}]}} | profiles[0].plugins.score.enabled[0].weight (-1) must be a whole number from 0 to 1000000
            plugins: {multiPoint: {enabled: [{name: GangScheduling}]}} | profiles[0].plugins.multiPoint.enabled[0].name (GangScheduling) is not supported: Berth schedules pods one by one
            plugins: {filter: {disabled: [{name: NodeResourcesFit}]}} | profiles[0].plugins.filter.disabled[0].name (NodeResourcesFit) disables NodeResourcesFit, which cannot be disabled at filter: Berth cannot enforce holds
            plugins: {multiPoint: {disabled: [{name: '*'}]}} | profiles[0].plugins.multiPoint.disabled[0].name (*) disables SchedulingGates, which cannot be disabled at preEnqueue: a pod with scheduling gates must wait
            plugins: {preFilter: {disabled: [{name: InterPodAffinity}]}} | profiles[0].plugins.preFilter.disabled[0].name (InterPodAffinity) disables InterPodAffinity, which cannot be disabled at preFilter alone
            plugins: {filter: {disabled: [{name: NodeAffinity}]}} | profiles[0].plugins.filter.disabled[0].name (NodeAffinity) disables NodeAffinity, which cannot be disabled at filter alone
            plugins: {queueSort: {disabled: [{name: '*'}]}} | profiles[0].plugins.queueSort.disabled[0].name (*) disables PrioritySort
            pluginConfig: [{name: ImageLocality, args: {}}] | profiles[0].pluginConfig[0].name (ImageLocality) takes no arguments
            pluginConfig: [{name: NodeAffinity}, {name: NodeAffinity}] | profiles[0].pluginConfig[1].name (NodeAffinity) is configured twice
            pluginConfig: [{name: NodeAffinity, args: {kind: PodArgs}}] | profiles[0].pluginConfig[0].args.kind (PodArgs) must be one of NodeAffinityArgs
            pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 101}}] | profiles[0].pluginConfig[0].args.hardPodAffinityWeight (101) must be a whole number from 0 to 100
            pluginConfig: [{name: InterPodAffinity, args: {weight: 1}}] | unknown key (profiles[0].pluginConfig[0].args.weight)
            pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [a/b]}}] | profiles[0].pluginConfig[0].args.ignoredResources ([a/b]) is not supported
            pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: Best}}}] | profiles[0].pluginConfig[0].args.scoringStrategy.type (Best) must be one of LeastAllocated, MostAllocated, RequestedToCapacityRatio
            pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: RequestedToCapacityRatio}}}] | profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape (null) must have at least one point
            pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, requestedToCapacityRatio: {}}}}] | profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio ({}) is only valid for the type RequestedToCapacityRatio
            pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 101}]}}}] | profiles[0].pluginConfig[0].args.scoringStrategy.resources[0].weight (101) must be a whole number from 0 to 100
            pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 2}]}}] | profiles[0].pluginConfig[0].args.resources[0].weight (2) must be a whole number from 0 to 1
            pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu}, {name: cpu}]}}] | profiles[0].pluginConfig[0].args.resources[1].name (cpu) is named twice
            pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [{}]}}] | profiles[0].pluginConfig[0].args.defaultConstraints ([{}]) needs defaultingType: List
            pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List, defaultConstraints: [{topologyKey: a, whenUnsatisfiable: ScheduleAnyway, maxSkew: 0}]}}] | profiles[0].pluginConfig[0].args.defaultConstraints[0].maxSkew (0) must be a whole number, at least 1
            pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List, defaultConstraints: [{labelSelector: {}}]}}] | profiles[0].pluginConfig[0].args.defaultConstraints[0].labelSelector ({}) is not supported
            pluginConfig: [{name: DynamicResources, args: {filterTimeout: 10}}] | profiles[0].pluginConfig[0].args.filterTimeout (10) must be a duration such as 15s
            pluginConfig: [{name: VolumeBinding, args: {shape: []}}] | profiles[0].pluginConfig[0].args.shape ([]) is not supported
            pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}}] | profiles[0].pluginConfig[0].args.minCandidateNodesPercentage (0) and minCandidateNodesAbsolute (0) must not both be 0
            pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{preference: {}}]}}}] | profiles[0].pluginConfig[0].args.addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight (null) must be a whole number from 1 to 100
            """)
    void anInvalidProfileIsRejectedWithItsPath(String text, String message) {
        assertThatThrownBy(() -> profile(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    private static Profile profile(String text) {
        Object profile = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        return KubeSchedulerConfiguration.read(withHeader(Map.of("profiles", List.of(profile))))
                .readProfiles()
                .get("default-scheduler");
    }

    private static KubeSchedulerConfiguration read(String text) {
        Map<?, ?> file = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        return KubeSchedulerConfiguration.read(withHeader(file));
    }

    private static Map<?, ?> withHeader(Map<?, ?> rest) {
        Map<Object, Object> file = new LinkedHashMap<>(rest);
        file.put("apiVersion", KubeSchedulerConfiguration.VERSION);
        file.put("kind", KubeSchedulerConfiguration.KIND);
        return file;
    }
}
