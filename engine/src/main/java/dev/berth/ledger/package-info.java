/**
 * Who has which CPUs: the pools, the policy that moves CPUs between them, and the rules that hold.
 *
 * <p>A {@link dev.berth.ledger.Node} is the whole engine in one object: it is started on a {@link
 * dev.berth.topology.Machine} with a {@link dev.berth.ledger.Configuration}, takes pods and answers
 * with {@link dev.berth.ledger.Decision decisions}. Its {@link dev.berth.ledger.Assignments} are a
 * value that can be written down, and another node can start from them.
 *
 * {@snippet :
 * Node node = Node.start(Machines.named("epyc-7702p"), Configuration.staticPolicy(Quantity.of(2)));
 * switch (node.admit(Pod.guaranteed("db", 8))) {
 *   case Decision.Granted granted -> System.out.println(granted.cpus()); // {app=1-4,65-68}
 *   case Decision.Refused refused -> System.out.println(refused.why());
 * }
 * }
 *
 * <p>Beside CPUs a node gives memory, and {@link dev.berth.ledger.Device devices}, which come and
 * go while it runs. Resources that it knows nothing of have providers of their own, {@linkplain
 * dev.berth.ledger.HintProviders found} where somebody asks for them.
 *
 * {@snippet :
 * node.devices(List.of(Device.of("vendor.example/gpu", "gpu-0", 0)));
 * node.deviceAssignments().of("train", "app"); // {vendor.example/gpu=[gpu-0]}
 * }
 *
 * <p>Where the rules or the machine change, a {@link dev.berth.ledger.Migration} tells how those
 * who run go on.
 *
 * <p>The rule of this package: {@link dev.berth.ledger.Rules} and {@link
 * dev.berth.ledger.DeviceRules}, after every call.
 */
@NullMarked
package dev.berth.ledger;

import org.jspecify.annotations.NullMarked;
