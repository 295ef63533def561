package dev.berth.up;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.app.cli.UserError;
import dev.berth.app.config.Config;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import dev.berth.app.run.Berth;
import dev.berth.core.hold.Origin.DoorId;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.kubernetes.door.devices.DevicesApi;
import dev.berth.kubernetes.projection.ContainerReader;
import dev.berth.sandbox.SandboxApiServer;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopThread;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.client.transport.InProcessTransport;
import dev.berth.sandbox.controller.ControllerManager;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.http.PortInUseException;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.kubelet.SimulatedKubelets;
import dev.berth.sandbox.schema.ExtraField;
import dev.berth.sandbox.schema.SchemaExtensions;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sandbox API server, controllers and nodes, with Berth as the scheduler. Closing ends all of it in reverse order.
 */
public final class LocalCluster implements AutoCloseable {
    /**
     * The scheduler names that usual manifests contain: Kubernetes' own name and those of the tools that Berth
     * replaces.
     */
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
    /** The kinds and fields of the Kubernetes fork that kube-extended-resource needs. */
    private static final SchemaExtensions FORKED_API_ADDITIONS = SchemaExtensions.NONE
            .withGroup(DevicesApi.FORK_GROUP)
            .withField(ExtraField.stringList(
                    "io.k8s.api.core.v1.Container",
                    "extendedResourceClaims",
                    ContainerReader.EXTENDED_RESOURCE_CLAIMS));

    private static final int CREATED = 201;
    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    private final InstantSource clock;
    private final Consumer<String> statusListener;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private LocalCluster(InstantSource clock, Consumer<String> statusListener) {
        this.clock = clock;
        this.statusListener = statusListener;
    }

    /** The parts, once everything runs. */
    public record Running(LocalCluster cluster, SandboxApiServer server, Berth berth) implements AutoCloseable {
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
     * @param port of the API server; 0 means any free port
     * @param schedulerNames the values of {@code spec.schedulerName} that Berth serves
     */
    public record Options(int nodes, NodeSize size, int port, DoorSettings doors, Set<String> schedulerNames) {
        public Options {
            schedulerNames = Set.copyOf(schedulerNames);
        }

        /** All doors at free ports, and all scheduler names. */
        public static Options of(int nodes, NodeSize size) {
            DoorSettings doors = DoorSettings.DEFAULT.withGlobalReserveApi(GlobalReserveApiSettings.onPort(0));
            return new Options(nodes, size, 0, doors, SCHEDULER_NAMES);
        }

        public Options withDoors(DoorSettings settings) {
            return new Options(nodes, size, port, settings, schedulerNames);
        }

        public Options withSchedulerNames(Set<String> names) {
            return new Options(nodes, size, port, doors, names);
        }
    }

    public static Running start(Options plan, InstantSource clock) throws InterruptedException {
        return start(plan, clock, status -> {});
    }

    /**
     * Starts everything and returns when Berth is ready to place pods on all nodes.
     *
     * @param statusListener is told whether Berth is the leader, now and later
     */
    public static Running start(Options plan, InstantSource clock, Consumer<String> statusListener)
            throws InterruptedException {
        LocalCluster cluster = new LocalCluster(clock, statusListener);
        try {
            return cluster.start(plan);
        } catch (IOException | RuntimeException | InterruptedException broken) {
            cluster.close();
            if (broken instanceof InterruptedException interrupted) {
                throw interrupted;
            }
            if (broken instanceof UserError userError) {
                throw userError;
            }
            if (broken instanceof PortInUseException portInUse) {
                throw UserError.failed(
                        "--port %d is in use. Maybe use another port, or --port 0 for any free port"
                                .formatted(portInUse.port()),
                        portInUse);
            }
            throw UserError.failed("the cluster could not be started: " + broken.getMessage(), broken);
        }
    }

    private Running start(Options plan) throws IOException, InterruptedException {
        boolean devices = plan.doors().enabled().contains(DoorId.DEVICES);
        SandboxApiServer server = register(SandboxApiServer.start(SandboxApiServer.Options.of(clock, random())
                .withPort(plan.port())
                .withSchemaExtensions(devices ? FORKED_API_ADDITIONS : SchemaExtensions.NONE)));
        createDefinitions(server, plan.doors().definitions());
        register(controllers(server));
        register(kubelets(server, plan));
        ClientConfig access =
                ClientConfig.withBearerToken(URI.create(server.url()), server.caCertificatePem(), server.token());
        Config config = Config.DEFAULT.withSchedulerNames(plan.schedulerNames()).withDoors(plan.doors());
        Berth berth = register(Berth.start(access, config, clock, statusListener));
        berth.awaitReady(plan.nodes());
        return new Running(this, server, berth);
    }

    /** Before any reader starts: a kind that is installed later is not watched at once. */
    private static void createDefinitions(SandboxApiServer server, List<CrdManifest> kinds) {
        for (CrdManifest kind : kinds) {
            ObjectNode definition = parseDefinition(kind.yaml());
            if (CrdManifest.forDoor(DoorId.DEVICES).contains(kind)) {
                createDefinition(server, parseDefinition(kind.yaml().replace(DevicesApi.GROUP, DevicesApi.FORK_GROUP)));
                // With two kinds of one short name, kubectl would warn its users. The short name belongs to the kind of
                // the fork, as the long name does.
                definition.withObject("/spec/names").remove("shortNames");
            }
            createDefinition(server, definition);
        }
    }

    private static ObjectNode parseDefinition(String yaml) {
        try {
            return new YAMLMapper().readValue(yaml, ObjectNode.class);
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("a CustomResourceDefinition of the distribution is malformed", malformed);
        }
    }

    /**
     * As kubectl apply does: otherwise kubectl warns users that apply the same definition again, as some manifests do.
     */
    private static void createDefinition(SandboxApiServer server, ObjectNode definition) {
        String applied = definition.toString();
        ObjectNode metadata = definition.withObject("/metadata");
        metadata.withObject("/annotations").put(LAST_APPLIED, applied);
        RestRequest request = RestRequest.of("POST", RestMapping.CUSTOM_RESOURCE_DEFINITIONS.path())
                .withBody("application/json", definition.toString().getBytes(StandardCharsets.UTF_8));
        if (!(server.api().handle(request) instanceof BodyResponse bodyResponse) || bodyResponse.code() != CREATED) {
            throw new IllegalStateException("the sandbox API server rejected the CustomResourceDefinition (%s)"
                    .formatted(metadata.path("name").asText()));
        }
    }

    private EventLoopThread controllers(SandboxApiServer server) {
        LoopEnvironment environment = environment(server, "system:kube-controller-manager");
        return EventLoopThread.start("berth-controllers", new ControllerManager(environment), environment);
    }

    private SimulatedKubelets.Running kubelets(SandboxApiServer server, Options plan) {
        NodeSize size = plan.size();
        NodePool nodes = NodePool.of(plan.nodes(), size.cpu(), size.memory(), size.pods());
        return SimulatedKubelets.start(
                environment(server, "system:nodes"), nodes, KubeletSettings.DEFAULT, KUBELET_WRITERS);
    }

    private LoopEnvironment environment(SandboxApiServer server, String user) {
        UserInfo caller = new UserInfo(user, List.of("system:masters"));
        DynamicClient client = new DynamicClient(new InProcessTransport(server.api(), clock, caller));
        return new LoopEnvironment(client, clock, random(), new WakeSignal());
    }

    private static SplittableRandom random() {
        return new SplittableRandom();
    }

    private <T extends AutoCloseable> T register(T part) {
        parts.push(part);
        return part;
    }

    /** Closes the parts in reverse order: each depends on those before. */
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
