package dev.berth.kubernetes.door.devices;

import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.devices.DeviceFact;
import dev.berth.core.door.devices.DeviceObjectRef;
import dev.berth.core.door.devices.DeviceObjectStatus;
import dev.berth.core.door.devices.DeviceWrite;
import dev.berth.kubernetes.effects.WriteEncoders;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.watch.ApiResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads and writes the objects of the device door. The kinds are read under two API groups. A CustomResourceDefinition
 * needs a group with a dot, so on a stock server the kinds have a group of Berth's. {@link #FORK_GROUP} is the group of
 * the original fork, if the server has it.
 */
public final class DevicesApi {
    public static final String GROUP = "extensions.berth.dev";
    public static final String FORK_GROUP = "extensions";

    static final String CLAIM_NAMESPACE = "extendedresourceclaim/namespace";
    /** On a device: the UID of its pod. Tenants cannot write it there. */
    static final String POD_UID = "berth.dev/pod-uid";

    static final String POD_NAME = "extendedresourceclaim/podName";
    /** The device names that the user requested, while the spec contains the allocated ones. */
    static final String REQUESTED_NAMES = "berth.dev/requested-extended-resources";

    private static final String DEVICES = "extendedresources";
    private static final String CLAIMS = "extendedresourceclaims";
    private static final String DEVICE_KIND = "ExtendedResource";
    private static final String CLAIM_KIND = "ExtendedResourceClaim";

    private DevicesApi() {}

    public static ComponentInformers informers() {
        List<WatchedResource<?>> resources = new ArrayList<>();
        for (String group : List.of(GROUP, FORK_GROUP)) {
            resources.add(new WatchedResource<>(
                    watchedKind(group, DEVICES),
                    new DeviceProjection(group),
                    DeviceFact.DeviceUpserted::new,
                    DeviceFact.DeviceDeleted::new));
            resources.add(new WatchedResource<>(
                    watchedKind(group, CLAIMS),
                    new DeviceClaimProjection(group),
                    DeviceFact.ClaimUpserted::new,
                    DeviceFact.ClaimDeleted::new));
        }
        return new ComponentInformers(resources, List.of());
    }

    /** No stock server has the group of the fork, and no CustomResourceDefinition can define it. */
    private static ApiResource watchedKind(String group, String plural) {
        ApiResource kind = kind(group, plural);
        return group.equals(FORK_GROUP) ? kind.asOptional() : kind;
    }

    private static ApiResource kind(String group, String plural) {
        return new ApiResource(
                plural + "." + group,
                plural.equals(CLAIMS) ? CLAIM_KIND : DEVICE_KIND,
                "/apis/%s/%s/%s".formatted(group, DeviceObjectRef.API_VERSION, plural));
    }

    public static void addEncoders(WriteEncoders encoders) {
        encoders.register(DeviceWrite.UpdateDevice.class, DevicesApi::encodeDeviceUpdate)
                .register(DeviceWrite.UpdateClaim.class, DevicesApi::encodeClaimUpdate);
    }

    static WriteRequest encodeDeviceUpdate(DeviceWrite.UpdateDevice write) {
        JsonObject patch = patch(write)
                .with(orNull(write.binding().claimNamespace()), "metadata", "annotations", CLAIM_NAMESPACE)
                .with(orNull(write.binding().podUid()), "metadata", "annotations", POD_UID)
                .with(write.binding().claimName(), "spec", "extendedResourceClaimName");
        return WriteRequest.mergePatch(
                "/apis/%s/%s/%s"
                        .formatted(
                                write.ref().apiVersion(), DEVICES, write.ref().name()),
                patch);
    }

    static WriteRequest encodeClaimUpdate(DeviceWrite.UpdateClaim write) {
        DeviceClaim.DeviceClaimAllocation deviceClaimAllocation = write.allocation();
        Optional<String> requestedNames = deviceClaimAllocation.requestedNames().map(names -> String.join(",", names));
        JsonObject patch = patch(write)
                .with(
                        deviceClaimAllocation.podName().<Object>map(pod -> pod).orElse(JsonObject.NULL),
                        "metadata",
                        "annotations",
                        POD_NAME)
                .with(
                        requestedNames.<Object>map(names -> names).orElse(JsonObject.NULL),
                        "metadata",
                        "annotations",
                        REQUESTED_NAMES)
                .with(
                        deviceClaimAllocation.deviceNames().isEmpty()
                                ? JsonObject.NULL
                                : deviceClaimAllocation.deviceNames(),
                        "spec",
                        "extendedResourceNames");
        DeviceObjectRef ref = write.ref();
        return WriteRequest.mergePatch(
                "/apis/%s/namespaces/%s/%s/%s".formatted(ref.apiVersion(), ref.namespace(), CLAIMS, ref.name()), patch);
    }

    private static JsonObject patch(DeviceWrite write) {
        DeviceObjectStatus status = write.status();
        return JsonObject.EMPTY
                .with(write.ref().uid(), "metadata", "uid")
                .with(write.ref().resourceVersion(), "metadata", "resourceVersion")
                .with(status.phase(), "status", "phase")
                .with(orNull(status.reason()), "status", "reason")
                .with(orNull(status.message()), "status", "message");
    }

    private static Object orNull(String text) {
        return text.isEmpty() ? JsonObject.NULL : text;
    }
}
