package dev.berth.core.volumebinding;

import java.util.Optional;

/** The in-tree volume plugins of Kubernetes, each with the CSI driver that replaces it. */
public enum InTreePlugin {
    GCE_PD("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone", true),
    AWS_EBS("kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone", true),
    CINDER("kubernetes.io/cinder", "cinder.csi.openstack.org", "topology.cinder.csi.openstack.org/zone", true),
    AZURE_DISK("kubernetes.io/azure-disk", "disk.csi.azure.com", "", true),
    PORTWORX("kubernetes.io/portworx-volume", "pxd.portworx.com", "", true),
    AZURE_FILE("kubernetes.io/azure-file", "file.csi.azure.com", "", false),
    VSPHERE("kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "", false);

    private final String pluginName;
    private final String driverName;
    private final String zoneKey;
    private final boolean countsTowardsLimit;

    InTreePlugin(String plugin, String driver, String zoneKey, boolean counted) {
        this.pluginName = plugin;
        this.driverName = driver;
        this.zoneKey = zoneKey;
        this.countsTowardsLimit = counted;
    }

    public static Optional<InTreePlugin> findByName(String plugin) {
        for (InTreePlugin candidate : values()) {
            if (candidate.pluginName.equals(plugin)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    public String pluginName() {
        return pluginName;
    }

    public String driverName() {
        return driverName;
    }

    /** The topology label of the driver for zones; empty if zones are not translated. */
    public String zoneKey() {
        return zoneKey;
    }

    /** Whether its volumes count towards the driver's limit on a node. */
    public boolean countsTowardsLimit() {
        return countsTowardsLimit;
    }
}
