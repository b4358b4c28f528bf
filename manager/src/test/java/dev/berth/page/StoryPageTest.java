package dev.berth.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class StoryPageTest {
  private static final Pattern DATA =
      Pattern.compile("<script id=\"story\" type=\"application/json\">([^<]*)</script>");

  private static String page(String story) throws IOException {
    StringBuilder page = new StringBuilder();
    StoryPage.write(json -> json.write(story), page);
    return page.toString();
  }

  private static String unpacked(String data) throws IOException {
    byte[] gzip =
        Base64.getDecoder().decode(JsonMapper.shared().readTree(data).path("gzip").asString());
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void whatIsSaidAgainAndAgainTakesLittleRoom() throws IOException {
    String story = "[" + "{\"kind\":\"admitted\",\"message\":\"ä\"},".repeat(50_000) + "0]";
    String page = page(story);
    Matcher data = DATA.matcher(page);
    assertThat(data.find()).isTrue();
    assertThat(unpacked(data.group(1))).isEqualTo(story);
    assertThat(page.length() - page("{}").length()).isLessThan(story.length() / 50);
  }

  @ParameterizedTest
  @ValueSource(strings = {"</script><script>alert(1)</script>", "<!--", "{{script}}", "$0 \\1"})
  void whatAStoryHoldsCannotLeaveItsPlace(String hostile) throws IOException {
    String story = JsonMapper.shared().writeValueAsString(java.util.Map.of("title", hostile));
    Matcher data = DATA.matcher(page(story));
    assertThat(data.find()).isTrue();
    assertThat(data.group(1)).matches("\\{\"gzip\":\"[A-Za-z0-9+/=]+\"}");
    assertThat(unpacked(data.group(1))).isEqualTo(story);
    assertThat(page(story).split("<script", -1)).hasSameSizeAs(page("{}").split("<script", -1));
  }

  @Test
  void nothingIsLoadedFromAnywhere() throws IOException {
    String page = page("{}").replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "");
    assertThat(page).doesNotContain("http:").doesNotContain("https:").doesNotContain("url(");
    assertThat(page).doesNotContain("innerHTML").doesNotContain("eval(").doesNotContain("{{");
  }

  @Test
  void thePolicyNamesTheScriptAndTheStyleByTheirHashes() throws Exception {
    String page = page("{}");
    for (String tag : new String[] {"style", "script"}) {
      Matcher content =
          Pattern.compile("<" + tag + ">(.*?)</" + tag + ">", Pattern.DOTALL).matcher(page);
      assertThat(content.find()).isTrue();
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(content.group(1).getBytes(StandardCharsets.UTF_8));
      assertThat(page)
          .contains(tag + "-src 'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
    }
    assertThat(page).contains("default-src 'none'").contains("connect-src 'self'");
  }

  @Test
  void thePageOfAnAgentAsksForItsStory() {
    Matcher data = DATA.matcher(StoryPage.live());
    assertThat(data.find()).isTrue();
    assertThat(data.group(1)).isEqualTo("\"live\"");
  }
}
