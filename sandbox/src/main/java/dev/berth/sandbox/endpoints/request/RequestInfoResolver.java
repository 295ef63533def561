package dev.berth.sandbox.endpoints.request;

import dev.berth.sandbox.registry.ServedKind;
import dev.berth.sandbox.registry.ServedKinds;
import dev.berth.sandbox.storage.GroupResource;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Parses the paths of resources: {@code /api/v1/namespaces/default/pods/web-0/binding}. */
public final class RequestInfoResolver {

    private static final GroupResource BINDINGS = new GroupResource("", "bindings");

    private RequestInfoResolver() {}

    /** The parsed path; empty when the resource is not served. */
    public static Optional<RequestInfo> find(ServedKinds servedKinds, String path) {
        List<String> parts = List.of(path.substring(1).split("/", -1));
        boolean core = parts.get(0).equals("api");
        int behindVersion = core ? 2 : 3;
        if ((!core && !parts.get(0).equals("apis")) || parts.size() <= behindVersion) {
            return Optional.empty();
        }
        String group = core ? "" : parts.get(1);
        String version = parts.get(behindVersion - 1);
        List<String> rest = parts.subList(behindVersion, parts.size()).stream()
                .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                .toList();
        if (rest.stream().anyMatch(String::isEmpty)) {
            return Optional.empty();
        }
        boolean namespaced =
                rest.size() > 2 && rest.get(0).equals("namespaces") && !(core && isNamespaceSubresource(rest));
        return namespaced
                ? target(servedKinds, group, version, rest.get(1), rest.subList(2, rest.size()))
                : target(servedKinds, group, version, "", rest);
    }

    private static Optional<RequestInfo> target(
            ServedKinds servedKinds, String group, String version, String namespace, List<String> rest) {
        if (rest.size() > 3) {
            return Optional.empty();
        }
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 ? rest.get(2) : "";
        return servedKinds
                .find(group, version, rest.get(0))
                .filter(kind -> matchesScope(kind, namespace, name))
                .map(kind -> new RequestInfo(kind, namespace, name, subresource))
                .flatMap(requestInfo ->
                        isBindings(requestInfo) ? asPodBinding(servedKinds, requestInfo) : Optional.of(requestInfo));
    }

    /** Cluster-scoped objects have no namespace, and a namespaced object needs one. */
    private static boolean matchesScope(ServedKind kind, String namespace, String name) {
        return kind.namespaced() ? (!namespace.isEmpty() || name.isEmpty()) : namespace.isEmpty();
    }

    private static boolean isBindings(RequestInfo requestInfo) {
        return requestInfo.kind().storage().equals(BINDINGS);
    }

    /** A Binding that is sent to its own path is for the pod with its name. */
    private static Optional<RequestInfo> asPodBinding(ServedKinds servedKinds, RequestInfo requestInfo) {
        return requestInfo.name().isEmpty()
                ? servedKinds
                        .find("", "v1", "pods")
                        .map(pods -> new RequestInfo(pods, requestInfo.namespace(), "", "binding"))
                : Optional.empty();
    }

    private static boolean isNamespaceSubresource(List<String> rest) {
        return rest.size() == 3 && (rest.get(2).equals("status") || rest.get(2).equals("finalize"));
    }
}
