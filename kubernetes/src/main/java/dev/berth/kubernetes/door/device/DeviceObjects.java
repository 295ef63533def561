package dev.berth.kubernetes.door.device;

import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.door.device.DeviceFact;
import dev.berth.core.door.device.DeviceWrite;
import dev.berth.core.door.device.ObjectRef;
import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.effects.ObjectForms;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.json.Tree;
import dev.berth.kubernetes.watch.KindPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the door of devices reads and how its writes look on the wire. The kinds are read under two groups: Kubernetes
 * lets nobody define kinds of a group without a dot, so on a stock server they have one of their own; {@link #FORKED} is
 * the group of the fork that they come from, where a server has it.
 */
public final class DeviceObjects {
    public static final String GROUP = "extensions.berth.dev";
    public static final String FORKED = "extensions";

    static final String CLAIM_NAMESPACE = "extendedresourceclaim/namespace";
    /** On a device: the UID of the pod that has it, which tenants cannot write there. */
    static final String POD_UID = "berth.dev/pod-uid";

    static final String POD_NAME = "extendedresourceclaim/podName";
    /** What the author asked for by name, while the specification says what was given. */
    static final String ASKED = "berth.dev/requested-extended-resources";

    private static final String DEVICES = "extendedresources";
    private static final String CLAIMS = "extendedresourceclaims";
    private static final String DEVICE_KIND = "ExtendedResource";
    private static final String CLAIM_KIND = "ExtendedResourceClaim";

    private DeviceObjects() {}

    public static DoorFeeds feeds() {
        List<ObjectFeed<?>> feeds = new ArrayList<>();
        for (String group : List.of(GROUP, FORKED)) {
            feeds.add(new ObjectFeed<>(
                    readable(group, DEVICES),
                    new DeviceProjection(group),
                    DeviceFact.DeviceSeen::new,
                    DeviceFact.DeviceGone::new));
            feeds.add(new ObjectFeed<>(
                    readable(group, CLAIMS),
                    new ClaimProjection(group),
                    DeviceFact.ClaimSeen::new,
                    DeviceFact.ClaimGone::new));
        }
        return new DoorFeeds(feeds, List.of());
    }

    /** No stock server has the group of the fork, and none lets anybody define kinds in it. */
    private static KindPath readable(String group, String plural) {
        KindPath kind = kind(group, plural);
        return group.equals(FORKED) ? kind.orNone() : kind;
    }

    private static KindPath kind(String group, String plural) {
        return new KindPath(
                plural + "." + group,
                plural.equals(CLAIMS) ? CLAIM_KIND : DEVICE_KIND,
                "/apis/%s/%s/%s".formatted(group, ObjectRef.API_VERSION, plural));
    }

    public static void addForms(ObjectForms forms) {
        forms.with(DeviceWrite.OfDevice.class, DeviceObjects::device)
                .with(DeviceWrite.OfClaim.class, DeviceObjects::claim);
    }

    static ObjectRequest device(DeviceWrite.OfDevice write) {
        Tree patch = patch(write)
                .with(orNull(write.link().namespace()), "metadata", "annotations", CLAIM_NAMESPACE)
                .with(orNull(write.link().pod()), "metadata", "annotations", POD_UID)
                .with(write.link().claim(), "spec", "extendedResourceClaimName");
        return ObjectRequest.merge(
                "/apis/%s/%s/%s"
                        .formatted(
                                write.ref().apiVersion(), DEVICES, write.ref().name()),
                patch);
    }

    static ObjectRequest claim(DeviceWrite.OfClaim write) {
        DeviceClaim.Written written = write.written();
        Optional<String> asked = written.asked().map(names -> String.join(",", names));
        Tree patch = patch(write)
                .with(written.pod().<Object>map(pod -> pod).orElse(Tree.NULL), "metadata", "annotations", POD_NAME)
                .with(asked.<Object>map(names -> names).orElse(Tree.NULL), "metadata", "annotations", ASKED)
                .with(written.names().isEmpty() ? Tree.NULL : written.names(), "spec", "extendedResourceNames");
        ObjectRef ref = write.ref();
        return ObjectRequest.merge(
                "/apis/%s/namespaces/%s/%s/%s".formatted(ref.apiVersion(), ref.namespace(), CLAIMS, ref.name()), patch);
    }

    private static Tree patch(DeviceWrite write) {
        ObjectStatus status = write.status();
        return Tree.EMPTY
                .with(write.ref().uid(), "metadata", "uid")
                .with(write.ref().version(), "metadata", "resourceVersion")
                .with(status.phase(), "status", "phase")
                .with(orNull(status.reason()), "status", "reason")
                .with(orNull(status.message()), "status", "message");
    }

    private static Object orNull(String words) {
        return words.isEmpty() ? Tree.NULL : words;
    }
}
