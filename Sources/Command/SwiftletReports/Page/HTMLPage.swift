import CSwiftletReports
import SwiftletBase
package import SwiftletJSON

/// A page that is one file: its style, script and data are inside, and it loads nothing from a network.
///
/// It follows the reader's light or dark setting. Text from models and images is data, never markup: it goes into the
/// body through ``escaped(_:)``, or into ``data``, which the script reads and shows with `textContent`.
package struct HTMLPage: Sendable {
  /// The name in the browser's tab.
  package var title: String
  /// Rules of this page, after those that all pages share (``PageText/sharedStyle``).
  package var style: String
  /// Markup. Text in it that is not a literal of this program has been through ``escaped(_:)``.
  package var body: String
  /// Run when the body is there; strict, with names of its own. Must not contain `</script`.
  package var script: String
  /// What the script reads: `JSON.parse(document.getElementById("data").textContent)`.
  package var data: JSONValue?
  /// Whether the page may show images that lie next to it in its folder. Images inside the file (`data:`) are always
  /// allowed.
  package var showsPicturesBesideIt: Bool
  /// Whether the page may play sounds that lie next to it in its folder.
  package var playsSoundsBesideIt: Bool

  package init(
    title: String, style: String = "", body: String, script: String = "", data: JSONValue? = nil,
    showsPicturesBesideIt: Bool = false, playsSoundsBesideIt: Bool = false
  ) {
    self.title = title
    self.style = style
    self.body = body
    self.script = script
    self.data = data
    self.showsPicturesBesideIt = showsPicturesBesideIt
    self.playsSoundsBesideIt = playsSoundsBesideIt
  }

  /// The file.
  package var text: String {
    let pictures = showsPicturesBesideIt ? "data: 'self' file:" : "data:"
    let sounds = playsSoundsBesideIt ? " media-src 'self' file:;" : ""
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; img-src \(pictures);\(sounds) style-src 'unsafe-inline'; script-src 'unsafe-inline'">
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

  /// Text as the content of an element or the value of an attribute in quotation marks.
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

  /// The character, or the mark for one that is none where it would control something: no such character is part of a
  /// document, and one that turns the direction makes the text behind it read as something else.
  private static func seen(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    SanitizedText.isHidden(scalar) && !"\t\n\r".unicodeScalars.contains(scalar) ? "\u{FFFD}" : scalar
  }

  /// The value with texts that can be shown as they are.
  private static func seen(_ value: JSONValue) -> JSONValue {
    func text(_ text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.map(seen))) }
    return switch value {
    case .string(let string): .string(text(string))
    case .array(let elements): .array(elements.map(seen))
    case .object(let members): .object(members.map { JSONValue.Member(key: text($0.key), value: seen($0.value)) })
    default: value
    }
  }

  /// JSON that nothing in it can end: no character that means something in markup is left, and none that ends a line in
  /// a script. Its texts are shown as they are.
  static func inert(_ value: JSONValue) -> String {
    var result = ""
    // Outside of strings JSON has none of these.
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

/// The styles, scripts and markup that pages are made of. They are files of `CSwiftletReports`, each in its own language.
package enum PageText {
  /// The look that all pages share: colors for light and dark, type, and the parts that pages are made of.
  package static let sharedStyle = text(swiftlet_shared_style())
  /// What scripts of all pages share: making elements, words for quantities, tabs, tables.
  static let sharedScript = text(swiftlet_shared_script())

  /// The markup of pages that are read from top to bottom.
  static let documentBody = text(swiftlet_document_body())

  static let modelStyle = text(swiftlet_model_style())
  static let modelBody = text(swiftlet_model_body())
  /// Needs ``sharedScript`` before it.
  static let modelScript = text(swiftlet_model_script())

  static let measurementStyle = text(swiftlet_measurement_style())
  /// Needs ``sharedScript`` before it.
  static let measurementScript = text(swiftlet_measurement_script())

  static let comparisonStyle = text(swiftlet_comparison_style())
  /// Needs ``sharedScript`` before it.
  static let comparisonScript = text(swiftlet_comparison_script())

  static let differenceStyle = text(swiftlet_difference_style())
  /// Needs ``sharedScript`` before it.
  static let differenceScript = text(swiftlet_difference_script())

  /// Without the line end at the end of a file, as a page puts texts on lines of their own.
  private static func text(_ file: swiftlet_page_text) -> String {
    String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.size).dropLast(), as: UTF8.self)
  }
}
