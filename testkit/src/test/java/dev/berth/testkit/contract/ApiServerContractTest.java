package dev.berth.testkit.contract;

import dev.berth.testkit.contract.extending.AdmissionContract;
import dev.berth.testkit.contract.extending.CustomResourceContract;
import dev.berth.testkit.contract.extending.CustomVersionContract;
import dev.berth.testkit.contract.extending.GarbageCollectionContract;
import dev.berth.testkit.contract.extending.NamespaceContract;
import dev.berth.testkit.contract.extending.PriorityContract;
import dev.berth.testkit.contract.reading.BootstrapContract;
import dev.berth.testkit.contract.reading.DiscoveryContract;
import dev.berth.testkit.contract.reading.ListContract;
import dev.berth.testkit.contract.reading.SelectorContract;
import dev.berth.testkit.contract.reading.TableContract;
import dev.berth.testkit.contract.reading.WatchContract;
import dev.berth.testkit.contract.writing.BindingContract;
import dev.berth.testkit.contract.writing.DefaultsContract;
import dev.berth.testkit.contract.writing.DeleteContract;
import dev.berth.testkit.contract.writing.EventContract;
import dev.berth.testkit.contract.writing.EvictionContract;
import dev.berth.testkit.contract.writing.LeaseContract;
import dev.berth.testkit.contract.writing.PatchContract;
import dev.berth.testkit.contract.writing.ProtobufContract;
import dev.berth.testkit.contract.writing.ScaleContract;
import dev.berth.testkit.contract.writing.StorageContract;
import dev.berth.testkit.contract.writing.ValidationContract;
import dev.berth.testkit.contract.writing.WriteContract;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * All that Berth and its tests ask of an API server. If this fails on the real server, the contract is wrong. If it fails on
 * the sandbox alone, the sandbox is wrong.
 */
@OnStages({Stage.SANDBOX, Stage.REAL})
@ExtendWith(ServerExtension.class)
final class ApiServerContractTest {

    @Nested
    final class Lists extends ListContract {}

    @Nested
    final class Selectors extends SelectorContract {}

    @Nested
    final class Watches extends WatchContract {}

    @Nested
    final class Writes extends WriteContract {}

    @Nested
    final class Patches extends PatchContract {}

    @Nested
    final class Bindings extends BindingContract {}

    @Nested
    final class Deletions extends DeleteContract {}

    @Nested
    final class Protobuf extends ProtobufContract {}

    @Nested
    final class Evictions extends EvictionContract {}

    @Nested
    final class Leases extends LeaseContract {}

    @Nested
    final class Scales extends ScaleContract {}

    @Nested
    final class Validation extends ValidationContract {}

    @Nested
    final class Defaults extends DefaultsContract {}

    @Nested
    final class Tables extends TableContract {}

    @Nested
    final class Bootstrap extends BootstrapContract {}

    @Nested
    final class Discovery extends DiscoveryContract {}

    @Nested
    final class CustomResources extends CustomResourceContract {}

    @Nested
    final class CustomVersions extends CustomVersionContract {}

    @Nested
    final class Admission extends AdmissionContract {}

    @Nested
    final class Garbage extends GarbageCollectionContract {}

    @Nested
    final class Namespaces extends NamespaceContract {}

    @Nested
    final class Priorities extends PriorityContract {}

    @Nested
    final class Events extends EventContract {}

    @Nested
    final class Storage extends StorageContract {}
}
