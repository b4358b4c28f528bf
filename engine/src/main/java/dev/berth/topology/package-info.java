/**
 * Machines: CPUs and the places they sit in, as plain data.
 *
 * <p>A {@link dev.berth.topology.Machine} is what every decision is made on. It knows sockets, NUMA
 * nodes, last-level caches and cores as sets of CPUs, and does not assume that they nest: a cache
 * may be wider than a node (sub-NUMA clustering), a node wider than a socket (NPS0), and a core may
 * have lost a thread. {@link dev.berth.topology.Machines} has real machines by name, and {@link
 * dev.berth.topology.Synthetic} reads short descriptions.
 *
 * {@snippet :
 * Machine epyc = Machines.named("epyc-7702p");
 * epyc.domains(Level.CACHE).size();                 // 16
 * epyc.domainOf(Level.CACHE, 5).cpus();             // 4-7,68-71
 * Machine small = Synthetic.parse("pack:2 node:1 l3:2 core:4 pu:2");
 * }
 *
 * <p>The rule of this package: no policy. What counts as free, near or better is decided elsewhere.
 */
@NullMarked
package dev.berth.topology;

import org.jspecify.annotations.NullMarked;
