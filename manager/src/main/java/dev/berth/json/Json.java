package dev.berth.json;

import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads and writes trees. */
public final class Json {
  private static final JsonNodeFactory MAKE = JsonNodeFactory.instance;

  // Who hands over a stream closes it.
  private static final JsonFactory LENIENT =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

  private static final JsonFactory STRICT =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private Json() {}

  /** Sets up what the first tree would have to wait for. */
  public static void prepare() {
    MAKE.stringNode("ready");
  }

  /**
   * Reads a text that is one value; of fields with the same name the last counts.
   *
   * @return a missing node where the text is blank
   * @throws JacksonException where it is something else
   */
  public static JsonNode read(String text) {
    return read(LENIENT, text);
  }

  /** The same, where no two fields of an object may have the same name. */
  public static JsonNode readStrictly(String text) {
    return read(STRICT, text);
  }

  private static JsonNode read(JsonFactory factory, String text) {
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
      if (parser.nextToken() == null) {
        return MAKE.missingNode();
      }
      JsonNode value = tree(parser);
      if (parser.nextToken() != null) {
        throw new StreamReadException(
            parser, "expected one value, found more after it", parser.currentTokenLocation());
      }
      return value;
    }
  }

  /** A parser, for a text whose tree would be too large. */
  public static JsonParser parser(String text) {
    return LENIENT.createParser(ObjectReadContext.empty(), text);
  }

  /** Reads the value that a parser stands at, and leaves it at the value's last token. */
  public static JsonNode tree(JsonParser parser) {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> MAKE.stringNode(parser.getString());
      case VALUE_NUMBER_INT ->
          switch (parser.getNumberType()) {
            case INT -> MAKE.numberNode(parser.getIntValue());
            case LONG -> MAKE.numberNode(parser.getLongValue());
            case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL ->
                MAKE.numberNode(parser.getBigIntegerValue());
          };
      case VALUE_NUMBER_FLOAT -> MAKE.numberNode(parser.getDoubleValue());
      case VALUE_TRUE -> MAKE.booleanNode(true);
      case VALUE_FALSE -> MAKE.booleanNode(false);
      case VALUE_NULL -> MAKE.nullNode();
      case END_OBJECT, END_ARRAY, PROPERTY_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw new StreamReadException(parser, "expected a value, found " + parser.currentToken());
    };
  }

  private static ObjectNode object(JsonParser parser) {
    ObjectNode object = MAKE.objectNode();
    for (String name = parser.nextName(); name != null; name = parser.nextName()) {
      parser.nextToken();
      object.set(name, tree(parser));
    }
    return object;
  }

  private static ArrayNode array(JsonParser parser) {
    ArrayNode array = MAKE.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(tree(parser));
    }
    return array;
  }

  /** A value in one line, without blanks. */
  public static String write(JsonNode value) {
    var text = new StringWriter();
    try (JsonGenerator generator = generator(text)) {
      write(generator, value);
    }
    return text.toString();
  }

  /** A text in double quotes. */
  public static String quoted(String text) {
    var quoted = new StringWriter();
    try (JsonGenerator generator = generator(quoted)) {
      generator.writeString(text);
    }
    return quoted.toString();
  }

  /** Writes what is too large to be put together first. */
  public static JsonGenerator generator(Writer out) {
    return LENIENT.createGenerator(ObjectWriteContext.empty(), out);
  }

  /** The same in UTF-8. */
  public static JsonGenerator generator(OutputStream out) {
    return LENIENT.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8);
  }

  /** Writes a value among others. */
  public static void write(JsonGenerator out, JsonNode value) {
    switch (value.getNodeType()) {
      case OBJECT -> {
        out.writeStartObject();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
          out.writeName(field.getKey());
          write(out, field.getValue());
        }
        out.writeEndObject();
      }
      case ARRAY -> {
        out.writeStartArray();
        value.forEach(element -> write(out, element));
        out.writeEndArray();
      }
      case STRING -> out.writeString(value.stringValue());
      case NUMBER -> number(out, value);
      case BOOLEAN -> out.writeBoolean(value.booleanValue());
      case NULL, MISSING -> out.writeNull();
      case BINARY, POJO ->
          throw new IllegalArgumentException("expected a tree of JSON, found " + value);
    }
  }

  private static void number(JsonGenerator out, JsonNode value) {
    switch (value.numberType()) {
      case INT -> out.writeNumber(value.intValue());
      case LONG -> out.writeNumber(value.longValue());
      case BIG_INTEGER -> out.writeNumber(value.bigIntegerValue());
      case FLOAT -> out.writeNumber(value.floatValue());
      case DOUBLE -> out.writeNumber(value.doubleValue());
      case BIG_DECIMAL -> out.writeNumber(value.decimalValue());
    }
  }
}
