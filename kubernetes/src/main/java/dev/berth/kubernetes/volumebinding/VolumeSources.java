package dev.berth.kubernetes.volumebinding;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.volumebinding.InTreePlugin;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolume.CsiVolume;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import java.util.List;
import java.util.Optional;

/** Reads the source of a PersistentVolume, for CSI drivers and CSI migration; reused for each volume. */
final class VolumeSources {
    /**
     * In JSON the sources are siblings of the other fields; in protobuf they are one level deeper, with numbers of
     * their own.
     */
    private static final int INLINE = 100;

    private static final int NESTED = 2;
    private static final FieldNames SOURCES = withInlineSources(FieldNames.none());
    private static final FieldNames ID = FieldNames.none().with(1, "volumeID");
    private static final FieldNames GCE = FieldNames.none().with(1, "pdName");
    private static final FieldNames AZURE = FieldNames.none().with(2, "diskURI").with(6, "kind");
    private static final FieldNames CSI = FieldNames.none().with(1, "driver").with(2, "volumeHandle");

    private Optional<CsiVolume> csiVolume = Optional.empty();
    private Optional<InTreePlugin> plugin = Optional.empty();
    private String id = "";

    /** Adds the names of the sources in JSON. */
    static FieldNames withInlineSources(FieldNames names) {
        return names.with(INLINE + 1, "gcePersistentDisk")
                .with(INLINE + 2, "awsElasticBlockStore")
                .with(INLINE + 8, "cinder")
                .with(INLINE + 16, "azureDisk")
                .with(INLINE + 18, "portworxVolume")
                .with(INLINE + 22, "csi");
    }

    void clear() {
        csiVolume = Optional.empty();
        plugin = Optional.empty();
        id = "";
    }

    /** The cursor is at a field of the spec that may be a source. */
    void read(int field, Cursor in) {
        if (field == NESTED) {
            in.enter();
            for (int inner = in.nextField(SOURCES); inner != 0; inner = in.nextField(SOURCES)) {
                source(inner, in);
            }
            in.leave();
        } else {
            source(field - INLINE, in);
        }
    }

    private void source(int number, Cursor in) {
        switch (number) {
            case 1 -> disk(InTreePlugin.GCE_PD, GCE, in);
            case 2 -> disk(InTreePlugin.AWS_EBS, ID, in);
            case 8 -> disk(InTreePlugin.CINDER, ID, in);
            case 16 -> azure(in);
            case 18 -> disk(InTreePlugin.PORTWORX, ID, in);
            case 22 -> csi(in);
            default -> in.skip();
        }
    }

    private void disk(InTreePlugin of, FieldNames names, Cursor in) {
        plugin = Optional.of(of);
        in.enter();
        for (int field = in.nextField(names); field != 0; field = in.nextField(names)) {
            if (field == 1) {
                id = in.uninternedText();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    /** The driver manages only disks of one kind. */
    private void azure(Cursor in) {
        String kind = "Managed";
        in.enter();
        for (int field = in.nextField(AZURE); field != 0; field = in.nextField(AZURE)) {
            switch (field) {
                case 2 -> id = in.uninternedText();
                case 6 -> kind = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        if (kind.equalsIgnoreCase("Managed")) {
            plugin = Optional.of(InTreePlugin.AZURE_DISK);
        }
    }

    private void csi(Cursor in) {
        String driver = "";
        String handle = "";
        in.enter();
        for (int field = in.nextField(CSI); field != 0; field = in.nextField(CSI)) {
            switch (field) {
                case 1 -> driver = in.text();
                case 2 -> handle = in.uninternedText();
                default -> in.skip();
            }
        }
        in.leave();
        csiVolume = Optional.of(new CsiVolume(driver, handle));
    }

    Optional<CsiVolume> csiVolume() {
        return csiVolume;
    }

    /** The volume for the CSI driver that replaces its plugin. */
    Optional<PersistentVolume.CsiMigration> migration(Labels labels, Optional<List<NodeSelectorTerm>> nodes) {
        return plugin.map(of -> CsiTranslator.translate(of, id, labels, nodes));
    }
}
