import Foundation
import SwiftletReports
import Testing

@Suite("Page style")
struct PageStyleTests {
  /// The colors of the light scheme and of the dark one, by name.
  private static let schemes: [[String: UInt32]] = PageText.sharedStyle.components(separatedBy: ":root {").dropFirst()
    .map { part in
      let rules = part.prefix { $0 != "}" }
      var colors: [String: UInt32] = [:]
      for rule in rules.split(separator: ";") {
        let words = rule.split(separator: ":").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        guard words.count == 2, words[0].hasPrefix("--"), words[1].hasPrefix("#"), words[1].count == 7 else { continue }
        colors[String(words[0].dropFirst(2))] = UInt32(words[1].dropFirst(), radix: 16)
      }
      return colors
    }

  /// Returns the contrast ratio of two colors, 1 to 21, as defined by WCAG 2.1.
  private func contrast(_ first: UInt32, _ second: UInt32) -> Double {
    func luminance(_ color: UInt32) -> Double {
      let parts = [16, 8, 0].map { shift -> Double in
        let value = Double(color >> UInt32(shift) & 255) / 255
        return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }
    let values = [luminance(first), luminance(second)].sorted()
    return (values[1] + 0.05) / (values[0] + 0.05)
  }

  @Test("text has a contrast of 4.5 to its background, and charts one of 3", arguments: [0, 1])
  func contrasts(scheme: Int) throws {
    try #require(Self.schemes.count == 2)
    let colors = Self.schemes[scheme]
    let pairs = [
      "text": ["page", "surface", "raised", "sunken", "accent-soft"], "muted": ["page", "surface", "raised", "sunken"],
      "accent": ["page", "surface", "raised", "accent-soft"], "good": ["good-soft"], "warn": ["warn-soft"],
      "bad": ["bad-soft", "surface"],
    ]
    for (text, grounds) in pairs {
      for ground in grounds {
        #expect(contrast(try #require(colors[text]), try #require(colors[ground])) >= 4.5, "\(text) on \(ground)")
      }
    }
    for series in 0..<8 {
      #expect(contrast(try #require(colors["series-\(series)"]), try #require(colors["surface"])) >= 3)
    }
  }

  @Test("the dark scheme defines every color of the light one")
  func sameNames() {
    #expect(
      Self.schemes.count == 2 && Set(Self.schemes[0].keys) == Set(Self.schemes[1].keys) && Self.schemes[0].count > 20)
  }
}
