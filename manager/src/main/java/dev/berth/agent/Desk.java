package dev.berth.agent;

import dev.berth.cpu.InvalidInputException;
import dev.berth.explain.Explainer;
import dev.berth.explain.Objections;
import dev.berth.explain.Report;
import dev.berth.explain.ReportJson;
import dev.berth.explain.Scene;
import dev.berth.http.HttpReply;
import dev.berth.json.Json;
import dev.berth.kubelet.PodManifest;
import dev.berth.ledger.Explanation;
import dev.berth.ledger.Objection;
import dev.berth.workload.Pod;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.node.ObjectNode;

/**
 * Explains: takes a copy of the node on the loop, which is quick, and works on it with a thread of
 * its own, one question at a time. However long that takes, the agent goes on, and however many
 * ask, one copy at a time is taken. Changes nothing, so that anybody may ask.
 */
final class Desk implements AutoCloseable {
  /** Questions that wait; more are turned away. */
  private static final int MOST_WAITING = 4;

  /** A pod is not as long as this, and takes twenty times as much while it is read. */
  private static final int LONGEST_BODY = 128 << 10;

  private final Agent agent;
  private final ThreadPoolExecutor thread;

  /**
   * One without questions.
   *
   * @param where its questions come from
   */
  Desk(Agent agent, String where) {
    this.agent = agent;
    thread =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MOST_WAITING),
            Thread.ofPlatform().daemon().name("berth-explain " + where).factory());
  }

  /** What would become of a pod. */
  HttpReply wouldBe(String source, String yaml) {
    if (yaml.getBytes(StandardCharsets.UTF_8).length > LONGEST_BODY) {
      return HttpReply.text(413, "pod: expected at most " + LONGEST_BODY + " bytes, found more\n");
    }
    return answer(() -> {
      List<PodManifest> pods = PodManifest.read(source, yaml);
      if (pods.size() != 1) {
        throw new InvalidInputException(
            source + ": expected one pod, found " + pods.size() + "; berth simulate takes several");
      }
      PodManifest one = pods.getFirst();
      Pod pod = agent.call(() -> apart(one.pod()));
      Seen seen = agent.call(() -> seen(pod));
      String title = Resident.title(one.namespace(), one.name());
      Report report = Explainer.wouldBe(seen.scene(), title, pod, seen.objections());
      return json(ReportJson.of(report.noting(agent.call(() -> agent.household().remarks(pod)))));
    });
  }

  /** One of the same name may be here: this asks about another like it. */
  private Pod apart(Pod pod) {
    boolean here = agent.household().residents().contains(pod.uid());
    return here ? Pod.of(pod.uid() + "'", pod.containers(), pod.budget()) : pod;
  }

  /** What is there at one moment. */
  private record Seen(Scene scene, Objections objections) {}

  private Seen seen(Pod pod) {
    Map<String, String> names = new HashMap<>();
    agent.household().residents().all().forEach(one -> names.put(one.uid(), one.label()));
    return new Seen(
        new Scene(agent.node().copy(), agent.household().residents().requests(), names),
        agent.household().objections(pod));
  }

  /** Why a pod that is or was here sits or sat where it does, or was refused. */
  HttpReply explain(String name) {
    return answer(() -> {
      Optional<Callable<ObjectNode>> question = agent.call(() -> question(name));
      return question.isPresent() ? json(question.get().call()) : Api.unknown(name);
    });
  }

  private Optional<Callable<ObjectNode>> question(String name) {
    return agent
        .household()
        .residents()
        .find(name)
        .<Callable<ObjectNode>>map(this::about)
        .or(() -> agent.household().residents().departed().find(name).map(this::about));
  }

  private Callable<ObjectNode> about(Resident resident) {
    Seen seen = seen(resident.request());
    String phase = Descriptions.phase(resident.life().phase());
    String reason = resident.life().reason();
    boolean refused = resident.isRefused();
    boolean over = resident.life().phase().isOver();
    Optional<String> displaced = resident.displaced();
    Optional<Explanation> why = resident.why();
    return () -> {
      Report report;
      if (refused) {
        report = refused(seen, resident.title(), resident.request(), reason, why);
      } else if (over) {
        report = Explainer.left(seen.scene(), resident.title(), phase + suffix(reason), why);
      } else {
        report = Explainer.sits(seen.scene(), resident.label(), resident.request(), why, displaced);
      }
      ObjectNode json = ReportJson.of(report).put("phase", phase);
      displaced.ifPresent(line -> json.put("displaced", line));
      return json;
    };
  }

  private static String suffix(String reason) {
    return reason.isEmpty() ? "" : ": " + reason;
  }

  private static Report refused(
      Seen seen, String title, Pod pod, String line, Optional<Explanation> why) {
    int colon = line.indexOf(": ");
    Objection said =
        colon < 0
            ? new Objection("Refused", line)
            : new Objection(line.substring(0, colon), line.substring(colon + 2));
    return Explainer.wasRefused(seen.scene(), title, pod, said, why, seen.objections());
  }

  private Callable<ObjectNode> about(Departed.One one) {
    Seen seen = seen(one.request());
    return () ->
        ReportJson.of(
            one.refused()
                ? refused(seen, one.title(), one.request(), one.reason(), one.why())
                : Explainer.left(seen.scene(), one.title(), one.reason(), one.why()));
  }

  private static HttpReply json(ObjectNode json) {
    return HttpReply.json(200, Json.write(json));
  }

  private HttpReply answer(Callable<HttpReply> question) {
    try {
      return thread.submit(question).get();
    } catch (CancellationException e) {
      return HttpReply.text(503, "the agent ends\n");
    } catch (RejectedExecutionException e) {
      return thread.isShutdown()
          ? HttpReply.text(503, "the agent ends\n")
          : HttpReply.text(503, "other explanations are being worked out; ask again\n");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AgentEndsException(e);
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case InvalidInputException input -> HttpReply.text(400, input.line() + "\n");
        case RuntimeException other -> throw other;
        case null, default -> throw new IllegalStateException(e);
      };
    }
  }

  @Override
  public void close() {
    for (Runnable waiting : thread.shutdownNow()) {
      // Whoever waits for it would wait for ever.
      if (waiting instanceof Future<?> question) {
        question.cancel(false);
      }
    }
  }
}
