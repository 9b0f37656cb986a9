package dev.waybill.engine.settings;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Turns a YAML text into settings: nested keys joined by dots, lists by commas. YAML's own types
 * are not looked at, so that a password {@code yes} or {@code 0123} stays what it is.
 */
final class YamlFile {

  private static final int DEEPEST = 20;

  private final String file;
  private final List<Setting> settings = new ArrayList<>();

  private YamlFile(String file) {
    this.file = file;
  }

  /**
   * Reads all settings, in their order, those that are set twice included.
   *
   * @throws ConfigurationException naming the line, for what is no YAML or has another shape
   */
  static List<Setting> read(String file, String yaml) {
    YamlFile reading = new YamlFile(file);
    try {
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(yaml));
      if (root != null) {
        reading.take("", root, 0);
      }
    } catch (MarkedYAMLException e) {
      throw reading.unreadable(e.getProblemMark().getLine(), String.valueOf(e.getProblem()));
    } catch (YAMLException e) {
      throw reading.unreadable(0, String.valueOf(e.getMessage()));
    }
    return reading.settings;
  }

  private void take(String name, Node node, int depth) {
    if (node instanceof MappingNode mapping && depth < DEEPEST) {
      for (NodeTuple entry : mapping.getValue()) {
        String key = scalar(entry.getKeyNode(), "a key is no plain text");
        take(name.isEmpty() ? key : name + "." + key, entry.getValueNode(), depth + 1);
      }
    } else if (name.isEmpty()) {
      throw unreadable(line(node), "it holds no \"key: value\" lines");
    } else {
      settings.add(new Setting(name, text(name, node), origin(line(node))));
    }
  }

  private String text(String name, Node node) {
    String shape = name + " is neither one value nor a list of values";
    return node instanceof SequenceNode list
        ? list.getValue().stream()
            .map(element -> scalar(element, shape))
            .collect(Collectors.joining(","))
        : scalar(node, shape);
  }

  private String scalar(@Nullable Node node, String otherwise) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getTag().equals(Tag.NULL) ? "" : scalar.getValue();
    }
    throw unreadable(node == null ? 0 : line(node), otherwise);
  }

  private static int line(Node node) {
    return node.getStartMark().getLine();
  }

  private String origin(int line) {
    return file + ", line " + (line + 1);
  }

  private ConfigurationException unreadable(int line, String why) {
    return new ConfigurationException(List.of(origin(line) + ": cannot be read: " + why));
  }
}
