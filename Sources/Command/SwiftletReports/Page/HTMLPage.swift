import CSwiftletReports
import SwiftletBase
package import SwiftletJSON

/// A page in a single file, which contains its style, script, and data, and loads nothing from a network.
///
/// It follows the reader's light or dark setting. Text from models and images is data, never markup: it's inserted into
/// the body through ``escaped(_:)``, or into ``data``, which the script reads and displays with `textContent`.
package struct HTMLPage: Sendable {
  /// The title of the browser tab.
  package var title: String
  /// The page's own CSS rules, after the rules that all pages share (``PageText/sharedStyle``).
  package var style: String
  /// The markup. Any text in it that isn't a literal of this program has been escaped by ``escaped(_:)``.
  package var body: String
  /// A script that runs after the body is loaded, in strict mode and in its own scope. It must not contain `</script`.
  package var script: String
  /// The data that the script reads: `JSON.parse(document.getElementById("data").textContent)`.
  package var data: JSONValue?
  /// Whether the page may display images from its own directory. Embedded images (`data:`) are always allowed.
  package var showsImagesBesideIt: Bool
  /// Whether the page may play audio files from its own directory.
  package var playsSoundsBesideIt: Bool
  /// Whether a server delivers the page, and its script may send requests to this server. It may then also display
  /// images and videos that the user chooses, and other pages in frames.
  package var isServed = false

  package init(
    title: String, style: String = "", body: String, script: String = "", data: JSONValue? = nil,
    showsImagesBesideIt: Bool = false, playsSoundsBesideIt: Bool = false
  ) {
    self.title = title
    self.style = style
    self.body = body
    self.script = script
    self.data = data
    self.showsImagesBesideIt = showsImagesBesideIt
    self.playsSoundsBesideIt = playsSoundsBesideIt
  }

  /// The text of the file.
  package var text: String {
    let images = showsImagesBesideIt ? "data: 'self' file:" : isServed ? "data: blob:" : "data:"
    let sounds = playsSoundsBesideIt ? " media-src 'self' file:;" : ""
    let served = isServed ? " connect-src 'self'; media-src blob: mediastream:; frame-src blob:;" : ""
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; img-src \(images);\(sounds)\(served) style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="swiftlet">
      <link rel="icon" href="data:,">
      <title>\(Self.escaped(title))</title>
      <style>
      \(PageText.sharedStyle)
      \(style)
      </style>
      </head>
      <body>
      \(body)

      """
    if let data { text += "<script type=\"application/json\" id=\"data\">\(Self.inert(data))</script>\n" }
    if !script.isEmpty {
      text +=
        "<noscript><p class=\"note\">This page is drawn by a script inside it, and scripts are switched off.</p></noscript>\n"
      text += "<script>\n(() => {\n\"use strict\";\n\(script)\n})();\n</script>\n"
    }
    return text + "</body>\n</html>\n"
  }

  /// The bytes of the file.
  package var bytes: [UInt8] { Array(text.utf8) }

  /// Returns text as the content of an element or the value of a quoted attribute.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(seen(scalar))
      }
    }
    return result
  }

  /// Returns the character, or the replacement character for control and bidirectional characters. A document cannot
  /// contain control characters, and one that changes the text direction makes the following text read as something
  /// else.
  private static func seen(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    SanitizedText.isHidden(scalar) && !"\t\n\r".unicodeScalars.contains(scalar) ? "\u{FFFD}" : scalar
  }

  /// Returns the value with texts that are safe to display.
  private static func seen(_ value: JSONValue) -> JSONValue {
    func text(_ text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.map(seen))) }
    return switch value {
    case .string(let string): .string(text(string))
    case .array(let elements): .array(elements.map(seen))
    case .object(let members): .object(members.map { JSONValue.Member(key: text($0.key), value: seen($0.value)) })
    default: value
    }
  }

  /// Returns JSON that cannot be terminated from within: it contains no character with a meaning in markup, and none
  /// that ends a line in a script. Its texts are safe to display.
  static func inert(_ value: JSONValue) -> String {
    var result = ""
    // Outside of strings, JSON contains none of these characters.
    for scalar in seen(value).text.unicodeScalars {
      switch scalar {
      case "<", ">", "&":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The styles, scripts, and markup of the pages. They are files of `CSwiftletReports`, each in its own language.
package enum PageText {
  /// The style that all pages share: light and dark colors, fonts, and components.
  package static let sharedStyle = text(swiftlet_shared_style())
  /// The script that all pages share: elements, formatted quantities, tabs, and tables.
  static let sharedScript = text(swiftlet_shared_script())

  /// The markup of pages that are read from top to bottom.
  static let documentBody = text(swiftlet_document_body())

  static let modelStyle = text(swiftlet_model_style())
  static let modelBody = text(swiftlet_model_body())
  /// The script of the model page; requires ``sharedScript`` before it.
  static let modelScript = text(swiftlet_model_script())

  static let measurementStyle = text(swiftlet_measurement_style())
  /// The script of the measurement page; requires ``sharedScript`` before it.
  static let measurementScript = text(swiftlet_measurement_script())

  static let comparisonStyle = text(swiftlet_comparison_style())
  /// The script of the comparison page; requires ``sharedScript`` before it.
  static let comparisonScript = text(swiftlet_comparison_script())

  static let studioStyle = text(swiftlet_studio_style())
  static let studioBody = text(swiftlet_studio_body())
  /// The script of the studio; requires ``sharedScript`` before it.
  static let studioScript = text(swiftlet_studio_script())

  static let differenceStyle = text(swiftlet_difference_style())
  /// The script of the difference page; requires ``sharedScript`` before it.
  static let differenceScript = text(swiftlet_difference_script())

  /// Returns the text of a file without its final newline, because a page puts each text on lines of its own.
  private static func text(_ file: swiftlet_page_text) -> String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.size).dropLast(), as: UTF8.self)
  }
}
