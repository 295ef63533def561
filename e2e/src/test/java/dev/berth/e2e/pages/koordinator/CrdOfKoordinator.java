package dev.berth.e2e.pages.koordinator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.berth.kubernetes.crd.CrdManifest;
import java.io.IOException;
import java.util.List;

/** Koordinator's own CRD: Berth's without the fields and columns that only Berth's has. */
final class CrdOfKoordinator {
    private static final int COLUMNS = 5;

    private CrdOfKoordinator() {}

    static String yaml() {
        YAMLMapper mapper = new YAMLMapper();
        try {
            ObjectNode crd = (ObjectNode) mapper.readTree(CrdManifest.KOORDINATOR_RESERVATIONS.yaml());
            ObjectNode version = (ObjectNode) crd.at("/spec/versions/0");
            ((ObjectNode) version.at("/schema/openAPIV3Schema/properties/status/properties"))
                    .remove(List.of("berth", "nominatedNodeName"));
            ArrayNode columns = (ArrayNode) version.get("additionalPrinterColumns");
            while (columns.size() > COLUMNS) {
                columns.remove(COLUMNS);
            }
            return mapper.writeValueAsString(crd);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }
}
