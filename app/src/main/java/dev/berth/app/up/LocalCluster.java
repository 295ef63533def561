package dev.berth.app.up;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.app.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.DoorName;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.ReserveApiSettings;
import dev.berth.app.run.Berth;
import dev.berth.embedded.EmbeddedApiServer;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.StepperThread;
import dev.berth.embedded.client.transport.InProcessTransport;
import dev.berth.embedded.http.PortTakenException;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.Request;
import dev.berth.embedded.schema.Additions;
import dev.berth.embedded.schema.ExtraField;
import dev.berth.embedded.workload.WorkloadControllers;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.crd.Definition;
import dev.berth.kubernetes.door.device.DeviceObjects;
import dev.berth.kubernetes.projection.Containers;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The embedded API server, controllers and nodes, with Berth as the scheduler. Closing ends all of it, last first. */
public final class LocalCluster implements AutoCloseable {
    /** Whoever's YAML it is, its pods are scheduled here: Kubernetes' own name and those of the tools Berth replaces. */
    public static final Set<String> SCHEDULER_NAMES = Set.of(
            "default-scheduler",
            "berth-scheduler",
            "koord-scheduler",
            "godel-scheduler",
            "extended-resource-scheduler",
            "test-scheduler",
            "globalreserve-scheduler");

    private static final Logger LOG = LoggerFactory.getLogger(LocalCluster.class);
    private static final int KUBELET_WRITERS = 2;
    /** What the fork of Kubernetes that kube-extended-resource needs has beyond Kubernetes. */
    private static final Additions FORK = Additions.NONE
            .withGroup(DeviceObjects.FORKED)
            .withField(ExtraField.texts(
                    "io.k8s.api.core.v1.Container", "extendedResourceClaims", Containers.EXTENDED_RESOURCE_CLAIMS));

    private static final int CREATED = 201;
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final InstantSource clock;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private LocalCluster(InstantSource clock) {
        this.clock = clock;
    }

    /** What is running, once everything is. */
    public record Running(LocalCluster cluster, EmbeddedApiServer server, Berth berth) implements AutoCloseable {
        public String url() {
            return server.url();
        }

        public String kubeconfig() {
            return server.kubeconfig();
        }

        @Override
        public void close() {
            cluster.close();
        }
    }

    /**
     * What to start.
     *
     * @param port of the API server; 0 takes any free one
     * @param schedulerNames the values of {@code spec.schedulerName} that Berth serves
     */
    public record Plan(int nodes, NodeSize size, int port, DoorSettings doors, Set<String> schedulerNames) {
        public Plan {
            schedulerNames = Set.copyOf(schedulerNames);
        }

        /** All doors, at any free ports, and all scheduler names. */
        public static Plan of(int nodes, NodeSize size) {
            DoorSettings doors = DoorSettings.DEFAULT.withReserveApi(ReserveApiSettings.at(0));
            return new Plan(nodes, size, 0, doors, SCHEDULER_NAMES);
        }

        public Plan withDoors(DoorSettings settings) {
            return new Plan(nodes, size, port, settings, schedulerNames);
        }

        public Plan withSchedulerNames(Set<String> names) {
            return new Plan(nodes, size, port, doors, names);
        }
    }

    /** Starts everything and returns when Berth is ready to place pods on all nodes. */
    public static Running start(Plan plan, InstantSource clock) throws InterruptedException {
        LocalCluster cluster = new LocalCluster(clock);
        try {
            return cluster.start(plan);
        } catch (IOException | RuntimeException | InterruptedException broken) {
            cluster.close();
            if (broken instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            if (broken instanceof UserError told) {
                throw told;
            }
            if (broken instanceof PortTakenException taken) {
                throw UserError.failed(
                        "--port %d is taken. Maybe another, or --port 0 for any free one".formatted(taken.port()),
                        taken);
            }
            throw UserError.failed("the cluster could not be started: " + broken.getMessage(), broken);
        }
    }

    private Running start(Plan plan) throws IOException, InterruptedException {
        boolean devices = plan.doors().open().contains(DoorName.DEVICES);
        EmbeddedApiServer server = own(EmbeddedApiServer.start(EmbeddedApiServer.Options.of(clock, random())
                .onPort(plan.port())
                .with(devices ? FORK : Additions.NONE)));
        introduceKinds(server, plan.doors().kinds());
        own(controllers(server));
        own(kubelets(server, plan));
        ClusterAccess access = ClusterAccess.byToken(URI.create(server.url()), server.authorityPem(), server.token());
        Config config = Config.DEFAULT.withSchedulerNames(plan.schedulerNames()).withDoors(plan.doors());
        Berth berth = own(Berth.start(access, config, clock));
        berth.awaitReady(plan.nodes());
        return new Running(this, server, berth);
    }

    /** Before anybody reads: a kind that comes later is not seen at once. */
    private static void introduceKinds(EmbeddedApiServer server, List<Definition> kinds) {
        for (Definition kind : kinds) {
            ObjectNode definition = definition(kind.yaml());
            if (DoorName.DEVICES.kinds().contains(kind)) {
                introduce(server, definition(kind.yaml().replace(DeviceObjects.GROUP, DeviceObjects.FORKED)));
                // Two kinds of one short name would have kubectl warn whoever uses it. It means that of the fork, which
                // the long name means, too.
                definition.withObject("/spec/names").remove("shortNames");
            }
            introduce(server, definition);
        }
    }

    private static ObjectNode definition(String yaml) {
        try {
            return new YAMLMapper().readValue(yaml, ObjectNode.class);
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("a definition that comes with the program is malformed", malformed);
        }
    }

    /** As kubectl apply would: else it warns those who apply the same definition again, as some manifests do. */
    private static void introduce(EmbeddedApiServer server, ObjectNode definition) {
        String applied = definition.toString();
        ObjectNode metadata = definition.withObject("/metadata");
        metadata.withObject("/annotations").put(LAST_APPLIED, applied);
        Request request = Request.of("POST", Resource.DEFINITIONS.path())
                .body("application/json", definition.toString().getBytes(StandardCharsets.UTF_8));
        if (!(server.api().handle(request) instanceof Answer answer) || answer.code() != CREATED) {
            throw new IllegalStateException("the server refused the kind (%s)"
                    .formatted(metadata.path("name").asText()));
        }
    }

    private StepperThread controllers(EmbeddedApiServer server) {
        Environment environment = environment(server, "system:kube-controller-manager");
        return StepperThread.start("berth-controllers", new WorkloadControllers(environment), environment);
    }

    private SimulatedKubelets.Running kubelets(EmbeddedApiServer server, Plan plan) {
        NodeSize size = plan.size();
        NodePlan nodes = NodePlan.nodes(plan.nodes(), size.cpu(), size.memory(), size.pods());
        return SimulatedKubelets.start(
                environment(server, "system:nodes"), nodes, KubeletSettings.DEFAULT, KUBELET_WRITERS);
    }

    private Environment environment(EmbeddedApiServer server, String user) {
        User caller = new User(user, List.of("system:masters"));
        ApiClient client = new ApiClient(new InProcessTransport(server.api(), clock, caller));
        return new Environment(client, clock, random(), new Bell());
    }

    private static SplittableRandom random() {
        return new SplittableRandom();
    }

    private <T extends AutoCloseable> T own(T part) {
        parts.push(part);
        return part;
    }

    /** Ends the parts, last first: each leans on those before. */
    @Override
    public void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception broken) {
                LOG.warn("{} did not end cleanly: {}", part.getClass().getSimpleName(), broken.toString());
            }
        }
    }
}
