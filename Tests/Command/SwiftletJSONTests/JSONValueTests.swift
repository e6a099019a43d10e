import Foundation
import SwiftletJSON
import Testing

@Suite("JSON")
struct JSONValueTests {
  @Test("keeps the order of keys")
  func keepsKeyOrder() {
    let value = JSONValue.object(["zebra": .int(1), "apple": .bool(true), "mango": .null])
    #expect(value.text == #"{"zebra":1,"apple":true,"mango":null}"#)
  }

  @Test("writes nested and empty values")
  func writesNesting() {
    let value = JSONValue.object(["a": .array([]), "b": .object([]), "c": .array([.int(1), .array([.string("x")])])])
    #expect(value.text == #"{"a":[],"b":{},"c":[1,["x"]]}"#)
  }

  @Test(
    "writes doubles that read back to the same value",
    arguments: [
      0.0, -0.0, 0.1, 1.0 / 3, 1e21, 1e-7, 123456789.123, Double.greatestFiniteMagnitude, .leastNonzeroMagnitude,
      .leastNormalMagnitude, 9_007_199_254_740_991, .pi, -1e16,
    ])
  func roundTripsDoubles(value: Double) throws {
    let text = JSONValue.array([.double(value)]).text
    let read = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [Double])
    #expect(read[0].bitPattern == value.bitPattern || (value == 0 && read[0] == 0))
    #expect(Double(text.dropFirst().dropLast())?.bitPattern == value.bitPattern)
  }

  @Test(
    "writes floats with the required digits",
    arguments: [
      (Float(0.1), "0.1"), (0.3, "0.3"), (16_777_216, "16777216.0"), (0x1p-126, "1.1754944e-38"),
      (3.4028235e38, "3.4028235e+38"),
    ])
  func writesShortFloats(value: Float, text: String) {
    #expect(JSONValue.float(value).text == text)
    #expect(Float(text) == value)
  }

  @Test("writes null for NaN and infinity", arguments: [Double.nan, .infinity, -.infinity])
  func writesNull(value: Double) {
    #expect(JSONValue.double(value).text == "null")
    #expect(JSONValue.float(Float(value)).text == "null")
    #expect(JSONValue.optional(Double?.none).text == "null")
    #expect(JSONValue.optional(String?.none).text == "null")
  }

  @Test("writes the extremes of integers")
  func writesIntegers() {
    #expect(JSONValue.ints([Int.min, Int.max]).text == "[-9223372036854775808,9223372036854775807]")
  }

  @Test("escapes characters that JSON doesn't allow in strings")
  func escapesStrings() {
    #expect(JSONValue.string("a\"b\\c\nd\te\rf\u{0}g\u{1F}h").text == #""a\"b\\c\nd\te\rf\u0000g\u001fh""#)
    #expect(JSONValue.string("Köln 🐕 日本/").text == "\"Köln 🐕 日本/\"")
  }

  @Test(
    "is read back by another parser",
    arguments: ["", "plain", "\u{7F}\u{2028}\u{FEFF}", "\\u0041", "e\u{301}", "\u{1}"])
  func isValid(text: String) throws {
    let document = JSONValue.object([JSONValue.Member(key: text, value: .string(text))]).text
    let object = try #require(JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: String])
    #expect(object.first.map { Array($0.key.unicodeScalars) == Array(text.unicodeScalars) } == true)
    #expect(object.first.map { Array($0.value.unicodeScalars) == Array(text.unicodeScalars) } == true)
  }

  @Test("escapes terminal and bidirectional control characters, and keeps the original text")
  func escapesControl() throws {
    let text =
      "a\u{0}\u{1B}[2J\u{7F}\u{85}\u{9B}\u{200E}\u{200F}\u{2028}\u{2029}\u{202A}\u{202E}\u{2066}\u{2069}\u{61C}é"
    let written = JSONValue.object([.init(key: text, value: .string(text))]).text
    #expect(!written.unicodeScalars.contains { $0.value < 0x20 || $0.value >= 0x7F && $0 != "é" })
    #expect(written.contains(#"\u202e"#) && written.contains(#"\u009b"#))
    #expect(try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: String] == [text: text])
  }
}
