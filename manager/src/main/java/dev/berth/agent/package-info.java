/**
 * The node agent: decisions turned into processes on their CPUs, and kept true.
 *
 * <p>{@link dev.berth.agent.Agent} does one deed at a time: {@code Loop} has a thread for them, and
 * whoever waits for an answer may do its own when nobody is before it. {@code Books} decides and
 * has it on the disk, {@code Seating} says what every group is to have, {@code Enclosure} brings
 * the kernel there, {@code PodLife} says which container is due, and {@code Launcher} starts it;
 * {@code Keeper} has them do so in an order in which nothing is given twice and nothing is lost,
 * wherever the agent is killed. {@code Api} answers on the unix socket.
 *
 * {@snippet :
 * Agent agent = Agent.start(options, Ground.fixed(machine), () -> NodeSettings.DEFAULTS, log);
 * try (AgentServers servers = AgentServers.start(agent)) {
 *   agent.awaitEnd();
 * } finally {
 *   agent.close(); // containers run on, and the next agent finds them
 * }
 * }
 *
 * <p>The rule of this package: first the disk, then the groups, then the processes.
 */
@NullMarked
package dev.berth.agent;

import org.jspecify.annotations.NullMarked;
