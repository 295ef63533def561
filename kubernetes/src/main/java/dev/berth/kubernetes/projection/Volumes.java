package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import java.util.ArrayList;
import java.util.List;

/** The volumes of a pod that bind it to some nodes, or count against a node's limit; read anew for each pod. */
final class Volumes {
    /** JSON has the sources beside the name, protobuf one level deeper: there their numbers are their own. */
    private static final int INLINE = 100;

    private static final int NAME = 1;
    private static final int SOURCE = 2;
    private static final FieldNames VOLUME = FieldNames.none()
            .with(NAME, "name")
            .with(INLINE + 3, "gcePersistentDisk")
            .with(INLINE + 4, "awsElasticBlockStore")
            .with(INLINE + 8, "iscsi")
            .with(INLINE + 10, "persistentVolumeClaim")
            .with(INLINE + 11, "rbd")
            .with(INLINE + 13, "cinder")
            .with(INLINE + 22, "azureDisk")
            .with(INLINE + 24, "portworxVolume")
            .with(INLINE + 29, "ephemeral")
            .with(INLINE + 30, "image");
    private static final FieldNames NESTED = FieldNames.none();
    private static final FieldNames CLAIM = FieldNames.none().with(1, "claimName");
    private static final FieldNames GCE = FieldNames.none().with(1, "pdName").with(4, "readOnly");
    private static final FieldNames EBS = FieldNames.none().with(1, "volumeID").with(4, "readOnly");
    private static final FieldNames ISCSI = FieldNames.none().with(2, "iqn").with(6, "readOnly");
    private static final FieldNames RBD = FieldNames.none()
            .with(1, "monitors")
            .with(2, "image")
            .with(4, "pool")
            .with(8, "readOnly");
    private static final FieldNames BY_ID = FieldNames.none().with(1, "volumeID");
    private static final FieldNames IMAGE = FieldNames.none().with(1, "reference");
    private static final FieldNames AZURE = FieldNames.none().with(2, "diskURI");
    private static final int NOWHERE = -1;

    private final List<PodVolumes.Claimed> claims = new ArrayList<>();
    private final List<Disk> disks = new ArrayList<>();
    private final List<String> images = new ArrayList<>(0);
    private boolean ephemeral;

    void clear() {
        claims.clear();
        disks.clear();
        images.clear();
    }

    /** All that has been read; claims made for the pod alone have its name before that of the volume. */
    PodVolumes of(String pod) {
        if (claims.isEmpty() && disks.isEmpty()) {
            return PodVolumes.NONE;
        }
        List<PodVolumes.Claimed> named = claims.stream()
                .map(claim -> claim.ephemeral() ? new PodVolumes.Claimed(pod + "-" + claim.name(), true) : claim)
                .toList();
        return new PodVolumes(named, disks);
    }

    /** Those that are mounted, in the order of the specification. */
    List<String> images() {
        return images;
    }

    void read(Cursor in) {
        String name = "";
        ephemeral = false;
        in.enter();
        for (int field = in.next(VOLUME); field != 0; field = in.next(VOLUME)) {
            switch (field) {
                case NAME -> name = in.text();
                case SOURCE -> nested(in);
                default -> source(field - INLINE, in);
            }
        }
        in.leave();
        if (ephemeral) {
            claims.add(new PodVolumes.Claimed(name, true));
        }
    }

    private void nested(Cursor in) {
        in.enter();
        for (int field = in.next(NESTED); field != 0; field = in.next(NESTED)) {
            source(field, in);
        }
        in.leave();
    }

    private void source(int number, Cursor in) {
        switch (number) {
            case 3 -> disk(in, DiskKind.GCE_PD, GCE, 1, 4);
            case 4 -> disk(in, DiskKind.AWS_EBS, EBS, 1, 4);
            case 8 -> disk(in, DiskKind.ISCSI, ISCSI, 2, 6);
            case 10 -> claim(in);
            case 11 -> rbd(in);
            case 13 -> disk(in, DiskKind.CINDER, BY_ID, 1, NOWHERE);
            case 22 -> disk(in, DiskKind.AZURE_DISK, AZURE, 2, NOWHERE);
            case 24 -> disk(in, DiskKind.PORTWORX, BY_ID, 1, NOWHERE);
            case 29 -> {
                ephemeral = true;
                in.skip();
            }
            case 30 -> image(in);
            default -> in.skip();
        }
    }

    private void image(Cursor in) {
        in.enter();
        for (int field = in.next(IMAGE); field != 0; field = in.next(IMAGE)) {
            if (field == 1) {
                images.add(Containers.withTag(in.text()));
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void claim(Cursor in) {
        in.enter();
        for (int field = in.next(CLAIM); field != 0; field = in.next(CLAIM)) {
            if (field == 1) {
                claims.add(new PodVolumes.Claimed(in.ownText(), false));
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void disk(Cursor in, DiskKind kind, FieldNames names, int idField, int readOnlyField) {
        String id = "";
        boolean readOnly = false;
        in.enter();
        for (int field = in.next(names); field != 0; field = in.next(names)) {
            if (field == idField) {
                id = in.ownText();
            } else if (field == readOnlyField) {
                readOnly = in.flag();
            } else {
                in.skip();
            }
        }
        in.leave();
        disks.add(new Disk(kind, id, List.of(), readOnly));
    }

    private void rbd(Cursor in) {
        List<String> monitors = new ArrayList<>();
        String image = "";
        String pool = "rbd";
        boolean readOnly = false;
        in.enter();
        for (int field = in.next(RBD); field != 0; field = in.next(RBD)) {
            switch (field) {
                case 1 -> monitors.add(in.text());
                case 2 -> image = in.text();
                case 4 -> pool = in.text();
                case 8 -> readOnly = in.flag();
                default -> in.skip();
            }
        }
        in.leave();
        disks.add(new Disk(DiskKind.RBD, pool + "/" + image, monitors, readOnly));
    }
}
