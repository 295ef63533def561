package dev.berth.core.door.devices;

import dev.berth.core.ledger.LedgerView;
import java.util.Optional;

/** Which pod has a device or a claim, for the filter: live on the loop's thread, or as of one moment for other threads. */
interface DeviceUserLookup {
    Optional<DeviceUsage.DeviceUser> findByDevice(String device);

    Optional<DeviceUsage.DeviceUser> findByClaim(DeviceClaim.Key claim);

    /** Whether a pod may have the claim; {@link #findByClaim} says which. */
    boolean mayBeInUse(DeviceClaim.Key claim);

    /** Changes with every user. */
    long version();

    /** The users of one moment, with the ledger of that moment. */
    record Fixed(DeviceUsers users, LedgerView ledger) implements DeviceUserLookup {
        @Override
        public Optional<DeviceUsage.DeviceUser> findByDevice(String device) {
            return users.findByDevice(ledger, device);
        }

        @Override
        public Optional<DeviceUsage.DeviceUser> findByClaim(DeviceClaim.Key claim) {
            return users.findByClaim(ledger, claim);
        }

        @Override
        public boolean mayBeInUse(DeviceClaim.Key claim) {
            return users.byClaim().has(claim);
        }

        @Override
        public long version() {
            return users.version();
        }
    }
}
