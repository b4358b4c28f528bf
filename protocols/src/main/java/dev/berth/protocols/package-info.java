/**
 * What we say to others and they to us, made from the {@code .proto} files beside, and {@link
 * dev.berth.protocols.Bounded}, which reads messages of whoever need not be believed.
 */
package dev.berth.protocols;
