package dev.berth.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits until a client has greeted, and closes the connection of one that takes too long. What it
 * says is for others to judge.
 */
final class Greeting extends ChannelInboundHandlerAdapter {
  /** How long HTTP/2's first words are. */
  private static final int BYTES = 24;

  private final Duration patience;
  private final Consumer<String> log;
  private long seen;

  private Greeting(Duration patience, Consumer<String> log) {
    this.patience = patience;
    this.log = log;
  }

  /** Where clients are accepted: each is first awaited here. */
  static NioServerDomainSocketChannel door(Duration patience, Consumer<String> log) {
    NioServerDomainSocketChannel door = new NioServerDomainSocketChannel();
    door.pipeline()
        .addLast(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void channelRead(ChannelHandlerContext context, Object message) {
                ((Channel) message).pipeline().addLast(new Greeting(patience, log));
                context.fireChannelRead(message);
              }
            });
    return door;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    var _ =
        context
            .executor()
            .schedule(() -> judge(context), patience.toMillis(), TimeUnit.MILLISECONDS);
    context.fireChannelActive();
  }

  private void judge(ChannelHandlerContext context) {
    if (seen < BYTES && context.channel().isOpen()) {
      log.accept(
          "connection ended: expected a greeting of "
              + BYTES
              + " bytes within "
              + patience.toSeconds()
              + " s, found "
              + seen);
      var _ = context.close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    seen += message instanceof ByteBuf bytes ? bytes.readableBytes() : 0;
    context.fireChannelRead(message);
    if (seen >= BYTES && !context.isRemoved()) {
      context.pipeline().remove(this);
    }
  }
}
