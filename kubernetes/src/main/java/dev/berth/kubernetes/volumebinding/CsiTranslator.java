package dev.berth.kubernetes.volumebinding;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.volumebinding.InTreePlugin;
import dev.berth.core.volumebinding.PersistentVolume.CsiMigration;
import dev.berth.core.volumebinding.PersistentVolume.CsiVolume;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** CSI migration: translates the volumes of in-tree plugins to the identities and topologies of their CSI drivers. */
final class CsiTranslator {
    private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
    private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";
    private static final String REGION = "topology.kubernetes.io/region";
    private static final String SEPARATOR = "__";
    private static final String UNSPECIFIED = "UNSPECIFIED";

    private CsiTranslator() {}

    static CsiMigration translate(
            InTreePlugin plugin, String id, Labels labels, Optional<List<NodeSelectorTerm>> nodes) {
        Optional<List<NodeSelectorTerm>> reach =
                plugin.zoneKey().isEmpty() ? nodes : translateTerms(plugin, labels, nodes);
        return new CsiMigration(plugin, new CsiVolume(plugin.driverName(), volumeHandle(plugin, id, labels)), reach);
    }

    private static String volumeHandle(InTreePlugin plugin, String id, Labels labels) {
        return switch (plugin) {
            case GCE_PD -> gceHandle(id, labels);
            case AWS_EBS -> id.startsWith("aws://") ? id.substring(id.lastIndexOf('/') + 1) : id;
            case CINDER, AZURE_DISK, PORTWORX, AZURE_FILE, VSPHERE -> id;
        };
    }

    private static String gceHandle(String disk, Labels labels) {
        List<String> zones =
                zones(labels.get(OLD_ZONE).or(() -> labels.get(Node.ZONE_LABEL)).orElse(""));
        if (zones.size() > 1) {
            String zone = zones.get(0);
            int last = zone.lastIndexOf('-');
            String region = last < 0 ? zone : zone.substring(0, last);
            return "projects/%s/regions/%s/disks/%s".formatted(UNSPECIFIED, region, disk);
        }
        return "projects/%s/zones/%s/disks/%s"
                .formatted(UNSPECIFIED, zones.isEmpty() ? UNSPECIFIED : zones.get(0), disk);
    }

    /** Zones use the driver's own label: terms with zones are renamed; otherwise the zones of the labels are added. */
    private static Optional<List<NodeSelectorTerm>> translateTerms(
            InTreePlugin plugin, Labels labels, Optional<List<NodeSelectorTerm>> nodes) {
        List<NodeSelectorTerm> terms = nodes.orElse(List.of());
        boolean old = !usesKey(terms, Node.ZONE_LABEL)
                && (usesKey(terms, OLD_ZONE) || (!labels.has(Node.ZONE_LABEL) && labels.has(OLD_ZONE)));
        String zone = old ? OLD_ZONE : Node.ZONE_LABEL;
        List<NodeSelectorTerm> renamed = terms.stream()
                .map(term -> renameKey(term, zone, plugin.zoneKey()))
                .map(term -> old ? renameKey(term, OLD_REGION, REGION) : term)
                .toList();
        List<String> zones = zones(labels.get(zone).orElse(""));
        if (usesKey(terms, zone) || zones.isEmpty()) {
            return nodes.map(any -> renamed);
        }
        Requirement more = new Requirement(plugin.zoneKey(), Requirement.Operator.IN, zones);
        List<NodeSelectorTerm> zonelessTerms =
                renamed.isEmpty() ? List.of(new NodeSelectorTerm(List.of(), List.of())) : renamed;
        return Optional.of(
                zonelessTerms.stream().map(term -> addRequirement(term, more)).toList());
    }

    private static boolean usesKey(List<NodeSelectorTerm> terms, String key) {
        return terms.stream()
                .flatMap(term -> term.labels().stream())
                .anyMatch(requirement -> requirement.key().equals(key));
    }

    private static NodeSelectorTerm renameKey(NodeSelectorTerm term, String from, String to) {
        List<Requirement> labels = term.labels().stream()
                .map(requirement -> requirement.key().equals(from)
                        ? new Requirement(to, requirement.operator(), requirement.values())
                        : requirement)
                .toList();
        return new NodeSelectorTerm(labels, term.fields());
    }

    private static NodeSelectorTerm addRequirement(NodeSelectorTerm term, Requirement more) {
        List<Requirement> labels = new ArrayList<>(term.labels());
        labels.add(more);
        return new NodeSelectorTerm(labels, term.fields());
    }

    private static List<String> zones(String label) {
        return Arrays.stream(label.split(SEPARATOR, -1))
                .map(String::trim)
                .filter(zone -> !zone.isEmpty())
                .distinct()
                .sorted()
                .toList();
    }
}
