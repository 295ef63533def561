package dev.berth.sandbox.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.storage.Store;
import java.util.List;

/** Calls the admission plugins in order. The first rejection ends the request. */
public final class AdmissionChain implements AdmissionPlugin {

    private final List<AdmissionPlugin> plugins;

    private AdmissionChain(List<AdmissionPlugin> links) {
        this.plugins = List.copyOf(links);
    }

    /** The built-in admission plugins, and then these plugins. */
    public static AdmissionChain of(Store store, AdmissionPlugin webhooks) {
        return new AdmissionChain(List.of(
                new NamespaceLifecycle(store),
                new PodPriorityAdmission(store),
                new DefaultTolerationSeconds(),
                webhooks));
    }

    @Override
    public ObjectNode mutate(AdmissionRequest request) {
        AdmissionRequest next = request;
        for (AdmissionPlugin link : plugins) {
            next = next.withObject(link.mutate(next));
        }
        return next.requireObject();
    }

    @Override
    public void validate(AdmissionRequest request) {
        for (AdmissionPlugin link : plugins) {
            link.validate(request);
        }
    }
}
