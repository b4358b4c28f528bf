package dev.berth.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cpu.CpuSet;
import dev.berth.render.Occupancy.Occupant;
import dev.berth.topology.KnownMachine;
import dev.berth.topology.Machine;
import dev.berth.topology.Machines;
import dev.berth.topology.NodeMemory;
import dev.berth.topology.Synthetic;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class MachineSvgTest {
  static Stream<String> knownMachines() {
    return Machines.all().stream().map(KnownMachine::name);
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(Document svg, String name, String style) {
    List<Element> found = new ArrayList<>();
    NodeList all = svg.getElementsByTagName(name);
    for (int i = 0; i < all.getLength(); i++) {
      Element element = (Element) all.item(i);
      if (List.of(element.getAttribute("class").split(" ", -1)).contains(style)) {
        found.add(element);
      }
    }
    return found;
  }

  @ParameterizedTest
  @MethodSource("knownMachines")
  void showsEveryCpuOnceInsideThePicture(String name) throws Exception {
    Machine machine = Machines.named(name);
    Document svg = parse(MachineSvg.render(machine));
    assertThat(elements(svg, "text", "cpu").stream().map(Element::getTextContent))
        .containsExactlyInAnyOrderElementsOf(
            machine.cpus().stream().mapToObj(String::valueOf).toList());
    int width = Integer.parseInt(svg.getDocumentElement().getAttribute("width"));
    int height = Integer.parseInt(svg.getDocumentElement().getAttribute("height"));
    NodeList boxes = svg.getElementsByTagName("rect");
    for (int i = 1; i < boxes.getLength(); i++) {
      Element box = (Element) boxes.item(i);
      assertThat(number(box, "x")).isNotNegative();
      assertThat(number(box, "x") + number(box, "width")).isLessThanOrEqualTo(width);
      assertThat(number(box, "y") + number(box, "height")).isLessThanOrEqualTo(height);
    }
    assertThat((double) width / height).isBetween(0.7, 2.8);
  }

  private static int number(Element element, String attribute) {
    return Integer.parseInt(element.getAttribute(attribute));
  }

  @Test
  void needsNothingFromElsewhere() {
    String svg = MachineSvg.render(Machines.named("epyc-7702p"));
    assertThat(svg)
        .doesNotContain("href", "url(", "@import", "<script")
        .contains("prefers-color-scheme: dark")
        .containsOnlyOnce("http://www.w3.org/2000/svg")
        .doesNotContain("https://");
  }

  @Test
  void tellsACpusWholePlace() throws Exception {
    Document svg = parse(MachineSvg.render(Machines.named("epyc-9654-2p-nps4")));
    NodeList titles = svg.getElementsByTagName("title");
    List<String> told = new ArrayList<>();
    for (int i = 0; i < titles.getLength(); i++) {
      told.add(titles.item(i).getTextContent());
    }
    assertThat(told)
        .contains("epyc-9654-2p-nps4", "CPU 383: core 191, L3 23, NUMA node 7, socket 1");
  }

  @Test
  void marksIsolatedCpusKindsAndNodesWithoutCpus() throws Exception {
    Document hybrid = parse(MachineSvg.render(Machines.named("i7-12850hx")));
    // One more each, in the legend.
    assertThat(elements(hybrid, "rect", "kind0")).hasSize(17);
    assertThat(elements(hybrid, "rect", "kind1")).hasSize(9);
    Machine machine =
        Machine.builder("a < b & \"c\"")
            .cpu(0, 0, 0, 0, 0)
            .cpu(1, 1, 0, 0, 0)
            .isolated(CpuSet.of(1))
            .offline(CpuSet.of(7))
            .memory(3, NodeMemory.of(5L << 30, Map.of()))
            .build();
    Document small = parse(MachineSvg.render(machine));
    assertThat(elements(small, "rect", "isolated")).hasSize(2);
    assertThat(elements(small, "text", "node-text").stream().map(Element::getTextContent))
        .contains("node 3, 5 GiB");
    assertThat(elements(small, "text", "legend").stream().map(Element::getTextContent))
        .contains("offline: 7");
    assertThat(elements(small, "text", "name").getFirst().getTextContent())
        .isEqualTo("a < b & \"c\"");
  }

  @Test
  void coresOfManyThreadsAreSquare() throws Exception {
    Document power = parse(MachineSvg.render(Synthetic.parse("pack:1 core:2 pu:8")));
    assertThat(elements(power, "text", "cpu")).hasSize(16);
    assertThat(number(elements(power, "rect", "core").getFirst(), "height")).isGreaterThan(40);
  }

  private static Occupancy occupancy(CpuSet reserved, CpuSet shared, Occupant... occupants) {
    return new Occupancy(
        List.of("rules"), reserved, shared, List.of(occupants), List.of("refused: x"));
  }

  private static Occupant occupant(String pod, String name, String cpus) {
    return new Occupant(pod, name, CpuSet.parse(cpus), "");
  }

  private static List<String> texts(Document svg, String style) {
    return elements(svg, "text", style).stream().map(Element::getTextContent).toList();
  }

  @Test
  void everyOwnerHasALetterAndEveryPodAColour() throws Exception {
    Machine machine = Synthetic.parse("pack:1 core:4 pu:2");
    Document svg =
        parse(
            MachineSvg.render(
                machine,
                occupancy(
                    CpuSet.of(0),
                    CpuSet.of(0, 1),
                    occupant("1", "db/server", "2-3"),
                    occupant("1", "db/backup", "4"),
                    occupant("2", "web", "5-7"))));
    assertThat(texts(svg, "cpu")).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
    // Those of the CPUs in their order, then the legend's.
    assertThat(texts(svg, "mark"))
        .containsExactly("R", "A", "A", "B", "C", "C", "C", "R", "A", "B", "C");
    assertThat(elements(svg, "rect", "owner0")).hasSize(3 + 2);
    assertThat(elements(svg, "rect", "owner1")).hasSize(3 + 1);
    assertThat(texts(svg, "legend"))
        .contains(
            "reserved, shared",
            "free, shared",
            "db/server: CPUs 2-3",
            "db/backup: CPUs 4",
            "web: CPUs 5-7",
            "refused: x");
    assertThat(texts(svg, "summary")).contains("rules");
  }

  @Test
  void aStrictReservationAndAFullMachineAreSaid() throws Exception {
    Machine machine = Synthetic.parse("pack:1 core:2 pu:1");
    Document svg =
        parse(
            MachineSvg.render(
                machine, occupancy(CpuSet.of(0), CpuSet.EMPTY, occupant("1", "a", "1"))));
    assertThat(texts(svg, "legend")).contains("reserved, not shared", "free: none");
  }

  @Test
  void manyOwnersHaveDifferentLettersAndStayInThePicture() throws Exception {
    Machine machine = Machines.named("epyc-7702p");
    Occupant[] owners = new Occupant[128];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = occupant("pod-" + i, "pod-" + i, String.valueOf(i));
    }
    Document svg = parse(MachineSvg.render(machine, occupancy(CpuSet.EMPTY, CpuSet.EMPTY, owners)));
    List<String> marks = texts(svg, "mark");
    assertThat(marks.stream().distinct()).hasSize(128).contains("A", "Z", "AA").doesNotContain("R");
    int width = Integer.parseInt(svg.getDocumentElement().getAttribute("width"));
    int height = Integer.parseInt(svg.getDocumentElement().getAttribute("height"));
    for (Element legend : elements(svg, "text", "legend")) {
      assertThat(number(legend, "y")).isLessThan(height);
      assertThat(number(legend, "x")).isLessThan(width);
    }
  }

  @Test
  void namesOfOwnersAreOnlyEverText() throws Exception {
    String hostile = "</title><script>alert(1)</script>&\u0007" + "long ".repeat(50);
    Document svg =
        parse(
            MachineSvg.render(
                Synthetic.parse("pack:1 core:1 pu:1"),
                occupancy(CpuSet.EMPTY, CpuSet.EMPTY, occupant("1", hostile, "0"))));
    assertThat(svg.getElementsByTagName("script").getLength()).isZero();
    assertThat(texts(svg, "legend"))
        .anySatisfy(text -> assertThat(text).startsWith("</title><script>alert(1)</script>&?long"));
    assertThat(number(svg.getDocumentElement(), "width")).isLessThan(700);
  }
}
