package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import java.util.ArrayList;
import java.util.List;

/** Reads the volumes of a pod that restrict its nodes, or that count against a node's limit; reused for each pod. */
final class PodVolumeReader {
    /**
     * In JSON the sources are siblings of the name; in protobuf they are one level deeper, with numbers of their own.
     */
    private static final int JSON_FIELD_OFFSET = 100;

    private static final int NAME = 1;
    private static final int SOURCE = 2;
    private static final FieldNames VOLUME = FieldNames.none()
            .with(NAME, "name")
            .with(JSON_FIELD_OFFSET + 3, "gcePersistentDisk")
            .with(JSON_FIELD_OFFSET + 4, "awsElasticBlockStore")
            .with(JSON_FIELD_OFFSET + 8, "iscsi")
            .with(JSON_FIELD_OFFSET + 10, "persistentVolumeClaim")
            .with(JSON_FIELD_OFFSET + 11, "rbd")
            .with(JSON_FIELD_OFFSET + 13, "cinder")
            .with(JSON_FIELD_OFFSET + 22, "azureDisk")
            .with(JSON_FIELD_OFFSET + 24, "portworxVolume")
            .with(JSON_FIELD_OFFSET + 29, "ephemeral")
            .with(JSON_FIELD_OFFSET + 30, "image");
    private static final FieldNames NESTED = FieldNames.none();
    private static final FieldNames CLAIM = FieldNames.none().with(1, "claimName");
    private static final FieldNames EPHEMERAL = FieldNames.none().with(1, "volumeClaimTemplate");
    private static final FieldNames CLAIM_TEMPLATE = FieldNames.none().with(2, "spec");
    private static final FieldNames CLAIM_SPEC = FieldNames.none().with(5, "storageClassName");
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
    private static final int NO_FIELD = -1;

    private final List<PodVolumes.PersistentVolumeClaimRef> claims = new ArrayList<>();
    private final List<Disk> disks = new ArrayList<>();
    private final List<String> images = new ArrayList<>(0);
    /** The storage classes of the ephemeral volumes, as far as they name one. */
    private final List<String> ephemeralClasses = new ArrayList<>(0);

    private boolean ephemeral;

    void clear() {
        claims.clear();
        disks.clear();
        images.clear();
        ephemeralClasses.clear();
    }

    /** The volumes as read. Ephemeral claims have the name of the pod before the name of the volume. */
    PodVolumes toPodVolumes(String pod) {
        if (claims.isEmpty() && disks.isEmpty()) {
            return PodVolumes.NONE;
        }
        List<PodVolumes.PersistentVolumeClaimRef> named = claims.stream()
                .map(claim -> claim.ephemeral()
                        ? new PodVolumes.PersistentVolumeClaimRef(pod + "-" + claim.name(), true)
                        : claim)
                .toList();
        return new PodVolumes(named, disks);
    }

    /** The volumes of a pod template as read. No claim exists for its ephemeral volumes. */
    PodVolumes toTemplateVolumes() {
        List<PodVolumes.PersistentVolumeClaimRef> named =
                claims.stream().filter(claim -> !claim.ephemeral()).toList();
        return named.isEmpty() && disks.isEmpty() && ephemeralClasses.isEmpty()
                ? PodVolumes.NONE
                : new PodVolumes(named, disks, ephemeralClasses);
    }

    /** The mounted images, in the order of the spec. */
    List<String> images() {
        return images;
    }

    void read(Cursor in) {
        String name = "";
        ephemeral = false;
        in.enter();
        for (int field = in.nextField(VOLUME); field != 0; field = in.nextField(VOLUME)) {
            switch (field) {
                case NAME -> name = in.text();
                case SOURCE -> readVolumeSource(in);
                default -> readSource(field - JSON_FIELD_OFFSET, in);
            }
        }
        in.leave();
        if (ephemeral) {
            claims.add(new PodVolumes.PersistentVolumeClaimRef(name, true));
        }
    }

    private void readVolumeSource(Cursor in) {
        in.enter();
        for (int field = in.nextField(NESTED); field != 0; field = in.nextField(NESTED)) {
            readSource(field, in);
        }
        in.leave();
    }

    private void readSource(int number, Cursor in) {
        switch (number) {
            case 3 -> readDisk(in, DiskKind.GCE_PD, GCE, 1, 4);
            case 4 -> readDisk(in, DiskKind.AWS_EBS, EBS, 1, 4);
            case 8 -> readDisk(in, DiskKind.ISCSI, ISCSI, 2, 6);
            case 10 -> readClaim(in);
            case 11 -> readRbd(in);
            case 13 -> readDisk(in, DiskKind.CINDER, BY_ID, 1, NO_FIELD);
            case 22 -> readDisk(in, DiskKind.AZURE_DISK, AZURE, 2, NO_FIELD);
            case 24 -> readDisk(in, DiskKind.PORTWORX, BY_ID, 1, NO_FIELD);
            case 29 -> {
                ephemeral = true;
                readEphemeral(in);
            }
            case 30 -> readImage(in);
            default -> in.skip();
        }
    }

    private void readEphemeral(Cursor in) {
        in.enter();
        for (int field = in.nextField(EPHEMERAL); field != 0; field = in.nextField(EPHEMERAL)) {
            if (field == 1) {
                readClaimTemplate(in);
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void readClaimTemplate(Cursor in) {
        in.enter();
        for (int field = in.nextField(CLAIM_TEMPLATE); field != 0; field = in.nextField(CLAIM_TEMPLATE)) {
            if (field == 2) {
                readClaimSpec(in);
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void readClaimSpec(Cursor in) {
        in.enter();
        for (int field = in.nextField(CLAIM_SPEC); field != 0; field = in.nextField(CLAIM_SPEC)) {
            if (field == 5) {
                ephemeralClasses.add(in.text());
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void readImage(Cursor in) {
        in.enter();
        for (int field = in.nextField(IMAGE); field != 0; field = in.nextField(IMAGE)) {
            if (field == 1) {
                images.add(ContainerReader.withDefaultTag(in.text()));
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void readClaim(Cursor in) {
        in.enter();
        for (int field = in.nextField(CLAIM); field != 0; field = in.nextField(CLAIM)) {
            if (field == 1) {
                claims.add(new PodVolumes.PersistentVolumeClaimRef(in.uninternedText(), false));
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void readDisk(Cursor in, DiskKind kind, FieldNames names, int idField, int readOnlyField) {
        String id = "";
        boolean readOnly = false;
        in.enter();
        for (int field = in.nextField(names); field != 0; field = in.nextField(names)) {
            if (field == idField) {
                id = in.uninternedText();
            } else if (field == readOnlyField) {
                readOnly = in.flag();
            } else {
                in.skip();
            }
        }
        in.leave();
        disks.add(new Disk(kind, id, List.of(), readOnly));
    }

    private void readRbd(Cursor in) {
        List<String> monitors = new ArrayList<>();
        String image = "";
        String pool = "rbd";
        boolean readOnly = false;
        in.enter();
        for (int field = in.nextField(RBD); field != 0; field = in.nextField(RBD)) {
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
