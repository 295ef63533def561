package dev.berth.kubernetes.door.comeback;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.comeback.ComebackWrite;
import dev.berth.core.door.comeback.ComebackWrite.Taker;
import dev.berth.core.door.comeback.Petition;
import dev.berth.core.hold.Draw;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.watch.KindPath;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the door of return reads and how its writes look on the wire. */
public final class Comeback {
    private static final String GROUP = "/apis/scheduling.godel.kubewharf.io/v1alpha1";
    private static final KindPath RESERVATIONS =
            new KindPath("reservations.scheduling.godel.kubewharf.io", "Reservation", GROUP + "/reservations");
    private static final KindPath DEPLOYMENTS = new KindPath("deployments", "Deployment", "/apis/apps/v1/deployments");

    private Comeback() {}

    public static DoorFeeds feeds() {
        ObjectFeed<?> reservations = new ObjectFeed<>(
                RESERVATIONS,
                new PlaceholderProjection(),
                ComebackFact.PlaceholderSeen::new,
                ComebackFact.PlaceholderGone::new);
        List<ObjectFeed<?>> objects = List.of(
                reservations,
                petitions(DEPLOYMENTS, Petition.Kind.DEPLOYMENT),
                petitions(KindPath.of(Workload.Kind.STATEFUL_SET), Petition.Kind.STATEFUL_SET),
                Checkpoints.feed());
        return new DoorFeeds(objects, List.of());
    }

    private static ObjectFeed<?> petitions(KindPath path, Petition.Kind kind) {
        return new ObjectFeed<>(
                path, new PetitionProjection(kind), ComebackFact.PetitionSeen::new, ComebackFact.PetitionGone::new);
    }

    public static void addForms(ObjectForms forms) {
        forms.with(ComebackWrite.Create.class, Comeback::create)
                .with(ComebackWrite.Match.class, Comeback::match)
                .with(ComebackWrite.Delete.class, Comeback::delete);
        Checkpoints.addForms(forms);
    }

    static ObjectRequest create(ComebackWrite.Create create) {
        ComebackWrite.Create.Template template = create.template();
        Tree object = Tree.EMPTY
                .with("scheduling.godel.kubewharf.io/v1alpha1", "apiVersion")
                .with("Reservation", "kind")
                .with(create.namespace(), "metadata", "namespace")
                .with(create.name(), "metadata", "name")
                .with(create.annotations(), "metadata", "annotations")
                .with(create.node(), "spec", "nodename")
                .with(create.ttl().toSeconds(), "spec", "ttl")
                .with(template.schedulerName(), "spec", "template", "spec", "schedulerName")
                .with(template.priority(), "spec", "template", "spec", "priority")
                .with(List.of(container(template)), "spec", "template", "spec", "containers");
        return ObjectRequest.create(
                path(create),
                create.draw().map(draw -> describing(draw, object)).orElse(object));
    }

    /** The successor as owner rules see it: without it a new process could not tell whether the draw is justified. */
    private static Tree describing(Draw draw, Tree object) {
        Pod successor = draw.owner();
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("labels", successor.labels().toMap());
        if (!successor.name().isEmpty()) {
            metadata.put("name", successor.name());
        }
        successor
                .controller()
                .ifPresent(owner -> metadata.put(
                        "ownerReferences",
                        List.of(Map.of(
                                "apiVersion", owner.apiVersion(),
                                "kind", owner.kind(),
                                "name", owner.name(),
                                "uid", owner.uid(),
                                "controller", true))));
        return object.with(metadata, "spec", "template", "metadata")
                .with(Tolerations.words(successor.shape().tolerations()), "spec", "template", "spec", "tolerations");
    }

    /** One container that asks for all that the pod took: its own, its overhead, whatever its containers sum up to. */
    private static Map<String, Object> container(ComebackWrite.Create.Template template) {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", "placeholder");
        container.put("resources", Map.of("requests", quantities(template.requests())));
        if (!template.ports().isEmpty()) {
            container.put("ports", template.ports().stream().map(Comeback::port).toList());
        }
        return container;
    }

    private static Map<String, Object> quantities(Resources requests) {
        Map<String, Object> quantities = new LinkedHashMap<>();
        for (int i = 0; i < requests.size(); i++) {
            ResourceName name = requests.nameAt(i);
            String unit = name.equals(ResourceName.CPU) ? "m" : "";
            quantities.put(name.toString(), requests.amountAt(i) + unit);
        }
        return quantities;
    }

    private static Map<String, Object> port(HostPort port) {
        Map<String, Object> words = new LinkedHashMap<>();
        words.put("containerPort", port.port());
        words.put("hostPort", port.port());
        words.put("protocol", port.protocol());
        if (!port.address().equals(HostPort.ANY_ADDRESS)) {
            words.put("hostIP", port.address());
        }
        return words;
    }

    static ObjectRequest match(ComebackWrite.Match match) {
        Taker taker = match.taker();
        Tree patch = Tree.EMPTY
                .with(match.uid(), "metadata", "uid")
                .with("Matched", "status", "phase")
                .with(taker.name(), "status", "currentOwners", "name")
                .with(taker.namespace(), "status", "currentOwners", "namespace")
                .with(taker.uid().value(), "status", "currentOwners", "uid");
        return ObjectRequest.merge(path(match) + "/" + match.name() + "/status", patch);
    }

    static ObjectRequest delete(ComebackWrite.Delete delete) {
        return ObjectRequest.delete(path(delete) + "/" + delete.name(), delete.uid());
    }

    private static String path(ComebackWrite write) {
        return "%s/namespaces/%s/reservations".formatted(GROUP, write.namespace());
    }
}
